"""The figures that a question asks for: metrics of a profile, statements, and arithmetic that it writes itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from spanwise.domain.question import Metric, Statement
from spanwise.questions.profiles import AskedMetric, Profile, asked_terms
from spanwise.text.terms import terms

_LONGEST = 1200
_DEEPEST = 2
_FULL_STOP = re.compile(r"[.?!;]\s+(?=[A-Z])")
_TOKEN = re.compile(r"[()+*/=\u00d7\u00f7\u2212\u2013-]|\d+(?:\.\d+)?%?|[^\W\d_](?:[\w&'\u2019.-]*[\w&])?|\w+")
_YEAR = re.compile(r"(?:FY)?\s?'?((?:19|20)\d\d)", re.IGNORECASE)
_OPERATORS = {"+": "+", "-": "-", "\u2212": "-", "\u2013": "-", "*": "*", "\u00d7": "*", "/": "/", "\u00f7": "/"}
_OPERATORS |= {"plus": "+", "minus": "-", "less": "-", "times": "*", "multiplied": "*", "divided": "/"}
_TAKEN = {"average": "average", "mean": "average", "change": "change", "increase": "change"}
_SILENT = frozenset(
    "the of its their a an by in for to from total net fiscal year years fy day days between and ending".split()
)
_DEFINED = re.compile(
    r"\b(?:define|calculat|comput|measur)\w*\b[^.?]{0,80}?\b(?:as|by|using)\b|\bequals\b|=", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    """The kind of token: metric, operator, number, open, close, taken (average or change), year, silent or other."""
    text: str


def asked_formula(text: str, profile: Profile, wanted: str) -> str:
    """The formula over metrics of a profile that a question writes, with their names in braces; empty if there is none.

    If there are several definitions ("A is defined as B + C. B is defined as ..."), that of the metric `wanted` is
    used, and the others are substituted in it.
    """
    asked = text[:_LONGEST]
    defined = list(_DEFINED.finditer(asked))
    found: dict[str, str] = {}
    for place, match in enumerate(defined):
        before = asked[defined[place - 1].end() if place else 0 : match.start()]
        behind = asked[match.end() : defined[place + 1].start() if place + 1 < len(defined) else None]
        named = [token.text for token in _tokens(before, profile) if token.kind == "metric"]
        run = next(iter(_runs(_tokens(_FULL_STOP.split(behind)[0], profile))), [])
        if formula := _written(run):
            found.setdefault(named[-1] if named else "", formula)
    if not found:
        return next((formula for run in _runs(_tokens(asked, profile)) if (formula := _written(run))), "")
    formula = found.get(wanted) or next(iter(found.values()))
    for _ in range(_DEEPEST):
        for name, inner in found.items():
            formula = formula.replace(f"{{{name}}}", f"({inner})")
            if len(formula) >= _LONGEST:  # definitions that each use the next one twice double it every time
                return ""
    return formula


def _tokens(text: str, profile: Profile) -> list[_Token]:
    words = _TOKEN.findall(text)
    stems = [asked_terms(word) for word in words]
    phrases = sorted(
        ((phrase, entry.itself.name) for entry in profile.metrics for phrase in entry.asked if phrase),
        key=lambda one: -len(one[0]),
    )
    tokens: list[_Token] = []
    at = 0
    while at < len(words):
        found = next(((end, name) for phrase, name in phrases if (end := _ends(phrase, stems, words, at))), None)
        if found is not None:
            tokens.append(_Token("metric", found[1]))
            at = found[0]
        else:
            tokens.append(_token(words[at]))
            at += 1
    return tokens


def _ends(phrase: Sequence[str], stems: Sequence[Sequence[str]], words: Sequence[str], at: int) -> int:
    """The index after a phrase that begins at word `at`; 0 if the phrase is not there."""
    held: list[str] = []
    for place in range(at, min(len(words), at + 2 * len(phrase) + 2)):
        if not stems[place] and (place == at or words[place] in _OPERATORS or words[place] in "()="):
            return 0
        held += stems[place]
        if tuple(held) == tuple(phrase):
            return place + 1
        if tuple(held) != tuple(phrase[: len(held)]):
            return 0
    return 0


def _token(word: str) -> _Token:
    low = word.lower()
    if low in _OPERATORS:
        return _Token("operator", _OPERATORS[low])
    if low in _TAKEN:
        return _Token("taken", _TAKEN[low])
    if year := _YEAR.fullmatch(word):
        return _Token("year", year[1])
    if word in "()":
        return _Token("open" if word == "(" else "close", word)
    if re.fullmatch(r"\d+(?:\.\d+)?", word):
        return _Token("number", word)
    return _Token("silent" if low in _SILENT else "other", low)


def _runs(tokens: Sequence[_Token]) -> list[list[_Token]]:
    """The sequences of tokens without any other word and with at least two metrics, the longest first."""
    runs: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind == "other":
            runs.append([])
        else:
            runs[-1].append(token)
    return sorted((run for run in runs if sum(one.kind == "metric" for one in run) > 1), key=len, reverse=True)


def _written(run: Sequence[_Token]) -> str:
    """A sequence of tokens as a formula; empty if it is not arithmetic over at least two metrics."""
    parts: list[str] = []
    operand = False
    taken, year, open_brackets = "", "", 0
    for at, token in enumerate(run):
        if token.kind == "taken":
            taken = token.text
        elif token.kind == "year":
            year = token.text if not operand else year
        elif token.kind == "operator" and operand and any(one.kind in ("metric", "number") for one in run[at:]):
            parts.append(token.text)
            operand = False
        elif token.kind == "open" and not operand:
            parts.append("(")
            open_brackets += 1
        elif token.kind == "close" and operand and open_brackets:
            parts.append(")")
            open_brackets -= 1
        elif token.kind in ("metric", "number"):
            if operand:
                return ""
            behind = [one.text for one in _years_behind(run, at)]
            of = max(behind, default=year) if taken else year
            parts.append(_operand(token, taken, of))
            operand, taken, year = True, "", ""
    if not operand or open_brackets or sum(part.startswith("{") for part in parts) < 2:
        return ""
    return " ".join(parts)


def _years_behind(run: Sequence[_Token], at: int) -> list[_Token]:
    """The years that directly follow a metric."""
    found = []
    for token in run[at + 1 :]:
        if token.kind == "year":
            found.append(token)
        elif token.kind != "silent":
            break
    return found


def _operand(token: _Token, taken: str, year: str) -> str:
    if token.kind == "number":
        return token.text
    return f"{{{token.text}{':' + taken if taken else ''}{'@' + year if year else ''}}}"


@dataclass(frozen=True, slots=True)
class AskedFigures:
    """The figures in statements that a question asks for."""

    metrics: tuple[Metric, ...] = ()
    """The metrics with rows that give the figures or that they are computed from, in the order of asking."""
    named: tuple[Metric, ...] = ()
    """The metrics that the question itself names."""
    formula: str = ""
    """Arithmetic over these metrics that the question itself writes, with their names in braces; empty if it writes
    none."""
    stems: frozenset[str] = frozenset()
    """Stems of the question that name the metrics."""


def asked_metrics(text: str, profile: Profile) -> AskedFigures:
    """The figures that the question asks for.

    Of overlapping phrases ("current liabilities", "liabilities") the longest one is used.
    """
    stems = asked_terms(text)
    found = [
        (start, start + len(phrase), entry)
        for entry in profile.metrics
        for phrase in entry.asked
        for start in _places(phrase, stems)
    ]
    found.sort(key=lambda place: (place[0] - place[1], place[0]))
    taken: list[tuple[int, int, AskedMetric]] = []
    for start, end, entry in found:
        if all(end <= other_start or other_end <= start for other_start, other_end, _ in taken):
            taken.append((start, end, entry))
    taken.sort(key=lambda place: place[0])
    named = tuple(dict.fromkeys(entry.itself for _, _, entry in taken))
    return AskedFigures(
        metrics=tuple(dict.fromkeys(metric for _, _, entry in taken for metric in entry.metrics)),
        named=named,
        formula=asked_formula(text, profile, named[0].name) if len(named) > 1 else "",
        stems=frozenset(stem for start, end, _ in taken for stem in stems[start:end]),
    )


def metric_share(text: str, asking: Collection[str], names: Sequence[str], profile: Profile) -> float:
    """The share of the question's own words that ask for metrics, in [0, 1], without names, times and form words."""
    apart = profile.form | ({stem for name in names for stem in terms(name)} - set(asking))
    own = {stem for stem in asked_terms(text) if stem not in apart and not any(map(str.isdigit, stem))}
    # "What was the gross margin in 2022?" has only words of form, which together name the figure.
    return len(own & set(asking)) / len(own) if own else float(bool(asking))


def expected_statements(text: str, metrics: Sequence[Metric], profile: Profile) -> tuple[Statement, ...]:
    """The statements that the question names; if it names none, those that contain its metrics."""
    stems = asked_terms(text)
    named = [entry.statement for entry in profile.statements if any(_places(phrase, stems) for phrase in entry.asked)]
    wanted = {metric.statement for metric in metrics}
    holding = [entry.statement for entry in profile.statements if entry.statement.name in wanted]
    return tuple(named or holding)


def _places(phrase: Sequence[str], stems: Sequence[str]) -> list[int]:
    """The indexes at which the phrase begins in the text."""
    size = len(phrase)
    if not size:
        return []
    wanted = tuple(phrase)
    places = range(len(stems) - size + 1)
    return [at for at in places if stems[at] == wanted[0] and tuple(stems[at : at + size]) == wanted]
