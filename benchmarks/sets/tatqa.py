"""TAT-QA (Zhu et al. 2021): questions on a table and its paragraphs, many of which have to be computed.

Each context is one Markdown document, the table as a pipe table before the paragraphs. Answers are compared as the
paper does: numbers in full, that is with their scale, rounded to two decimals; texts by exact match and by the F1 of
their words, lists without order. A figure is also compared without its scale, which the paper does not do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from sets.shared_metrics import common_metrics, standard_figures, token_f1
from spanwise.evaluation.cases import Case, DataSet, DocumentSource, Figure, Job, Metric, Observation, Row
from spanwise.evaluation.metrics import average, squad_tokens
from spanwise.evaluation.sets import read_rows, sample
from spanwise.text.quantities import Quantity, quantities, scale_of

USUAL = 600
"""Questions that are asked when no number is given."""
PART = "contexts"
_POWERS = {"": 0, "thousand": 3, "million": 6, "billion": 9, "percent": 0}
_HALF_A_CENT = Decimal("0.005")
_SCALE = "scale "
_PERIOD = re.compile(r"(?<=\S) \((?:19|20)\d\d\)$")
"""The period of a figure, which an answer tells beside it."""
_MAGNITUDE = re.compile(r"(?<=\d) (?:thousand|million|billion)$")
"""What a table counts in, which the paper asks for apart."""
_NUMBERS = frozenset(("arithmetic", "count"))


class _Paragraph(BaseModel):
    order: int
    text: str


class _Evidence(BaseModel):
    answer_from: str


class _Question(BaseModel):
    id: str
    context_id: str
    table: list[list[str]]
    paragraphs: list[_Paragraph]
    question: str
    answer: list[str] | float | str
    answer_type: Literal["span", "multi-span", "arithmetic", "count"]
    scale: Literal["", "thousand", "million", "billion", "percent"]
    evidence: _Evidence


def load(data: Path, limit: int | None) -> list[Job]:
    """A job a context."""
    rows = {row.id: row for row in read_rows(data / "tatqa" / "dev.jsonl.gz", _Question)}
    cases = sample([_case(row) for row in rows.values()], USUAL if limit is None else limit, lambda case: case.kind)
    jobs: dict[str, list[Case]] = {}
    for case in cases:
        jobs.setdefault(rows[case.id].context_id, []).append(case)
    return [
        Job(PART, DocumentSource(f"{context}.md", _markdown(rows[asked[0].id])), tuple(asked))
        for context, asked in jobs.items()
    ]


def score(case: Case, seen: Observation) -> Mapping[str, Metric]:
    """Value and scale of a number; exact match and F1 of a text; `right` is the exact match with its scale."""
    items = _items(seen)
    scale = next(tag.removeprefix(_SCALE) for tag in case.tags if tag.startswith(_SCALE))
    if case.kind in _NUMBERS:
        value, exact = _same_number(items, case.gold[0], scale, scaled=False), _same_number(items, case.gold[0], scale)
        return _metrics(case, seen, exact, {"value": value, "with scale": exact, "all": float(exact)})
    told = next((found.factor for note in seen.notes if (found := scale_of(note))), 1)
    scaled = _same_texts(items, case.gold, told, 10 ** _POWERS[scale])
    exact = scaled or _same_texts([_MAGNITUDE.sub("", item) for item in items], case.gold)
    measures: dict[str, Metric] = {
        "em": float(exact),
        "em with scale": float(scaled),
        "f1": _f1([_MAGNITUDE.sub("", item) for item in items], case.gold),
    }
    return _metrics(case, seen, exact, measures | {"all": float(exact)})


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The figures of the goals, those by source and type, and the standard ones."""
    numbers = [row for row in rows if row.kind == "arithmetic"]
    texts = [row for row in rows if row.kind in ("span", "multi-span")]
    made = [
        average(numbers, "value", PART, "arithmetic: value right"),
        average(numbers, "with scale", PART, "arithmetic: value right with its scale"),
        average([row for row in rows if row.kind == "count"], "value", PART, "counts: right"),
        average(texts, "em", PART, "spans: exact match"),
        average(texts, "em with scale", PART, "spans: exact match with scale"),
        average(texts, "f1", PART, "spans: F1"),
        average(rows, "all", PART, "all: right"),
    ]
    made.extend(
        average([row for row in texts if source in row.tags], "em", PART, f"spans from {source}: exact match")
        for source in ("table", "table-text", "text")
    )
    return [*made, *standard_figures(rows, PART)]


def _metrics(case: Case, seen: Observation, exact: bool, measures: Mapping[str, Metric]) -> Mapping[str, Metric]:
    return {**common_metrics(case, seen, contained=exact), **measures}


def _case(row: _Question) -> Case:
    gold = tuple(row.answer) if isinstance(row.answer, list) else (f"{Decimal(str(row.answer)):f}",)
    return Case(row.id, row.question, gold, (), row.answer_type, (row.evidence.answer_from, f"{_SCALE}{row.scale}"))


def _markdown(row: _Question) -> str:
    width = max(len(cells) for cells in row.table)
    lines = [_piped(cells) for cells in row.table]
    table = [lines[0], "|" + " --- |" * width, *lines[1:]]
    paragraphs = [paragraph.text for paragraph in sorted(row.paragraphs, key=lambda paragraph: paragraph.order)]
    return "\n\n".join(["\n".join(table), *paragraphs]) + "\n"


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def _items(seen: Observation) -> list[str]:
    """The elements of an answer: one a line when there are several."""
    if not seen.answered:
        return []
    lines = seen.text.split("\n")
    listed = len(lines) > 1 and all(line.startswith("- ") for line in lines)
    found = [line.removeprefix("- ") for line in lines] if listed else [seen.text]
    return [_PERIOD.sub("", text) for text in found]


def _same_number(items: Sequence[str], gold: str, scale: str, *, scaled: bool = True) -> bool:
    """Whether the one number of an answer is the gold, with its scale or in whichever scale it is."""
    found = [one for text in items for one in quantities(text) if one.value is not None]
    if len(items) != 1 or len(found) != 1:
        return False
    wanted = Decimal(gold)
    if scaled:
        percent = found[0].kind in ("percent", "percentage_points")
        return percent == (scale == "percent") and _rounds_to(found[0], wanted, _POWERS[scale])
    return any(_rounds_to(found[0], wanted, power) for power in sorted(set(_POWERS.values())))


def _rounds_to(found: Quantity, wanted: Decimal, power: int) -> bool:
    value = found.value or Decimal(0)
    return abs(value.scaleb(-power) - wanted) <= _HALF_A_CENT


def _same_texts(items: Sequence[str], gold: Sequence[str], told: int = 1, meant: int = 1) -> bool:
    return sorted(_comparable(item, told) for item in items) == sorted(_comparable(one, meant) for one in gold)


def _comparable(text: str, factor: int) -> str:
    """A number in full with two decimals, any other text as SQuAD compares it."""
    found = quantities(text)
    number = found[0] if len(found) == 1 and found[0].value is not None else None
    rest = "" if number is None else squad_tokens(text[: number.start] + " " + text[number.end :])
    plain = _plain(text) if number is None else number.value
    if plain is None or rest:
        return " ".join(squad_tokens(text))
    return f"{plain if number is not None and number.scaled else plain * factor:.2f}"


def _plain(text: str) -> Decimal | None:
    """A number that is written like a year."""
    try:
        return Decimal(text.strip().replace(",", ""))
    except InvalidOperation:
        return None


def _f1(items: Sequence[str], gold: Sequence[str]) -> float:
    """The F1 of the words, elements paired so that it is highest; a number that is another one counts nothing."""
    pairs = sorted(_pairs(items, gold), reverse=True)
    used: tuple[set[int], set[int]] = (set(), set())
    total = 0.0
    for f1, one, other in pairs:
        if one not in used[0] and other not in used[1]:
            used[0].add(one)
            used[1].add(other)
            total += f1
    return total / max(len(items), len(gold), 1)


def _pairs(items: Sequence[str], gold: Sequence[str]) -> Iterator[tuple[float, int, int]]:
    for one, item in enumerate(items):
        for other, wanted in enumerate(gold):
            numbers = _numbers(item), _numbers(wanted)
            if numbers[1] and numbers[0].isdisjoint(numbers[1]):
                continue
            yield token_f1(item, [wanted]), one, other


def _numbers(text: str) -> frozenset[Decimal]:
    return frozenset(one.value for one in quantities(text) if one.value is not None)


SET = DataSet("tatqa", load, score, figures)
