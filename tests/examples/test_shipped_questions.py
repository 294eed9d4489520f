"""The questions of examples/documents/questions.jsonl: what is answered today is answered tomorrow."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import spanwise

DOCUMENTS = Path(__file__).parents[2] / "examples" / "documents"
QUESTIONS = [json.loads(line) for line in (DOCUMENTS / "questions.jsonl").read_text("utf-8").splitlines()]


def folded(text: str) -> str:
    return " ".join(text.replace("’", "'").split()).casefold()


def says(text: str, piece: str) -> bool:
    """Whether a text has a piece of an answer, or one of its forms, as whole words."""
    forms = "|".join(re.escape(folded(form)) for form in piece.split(" or "))
    return re.search(rf"(?<![\w.,])(?:{forms})(?!\w|[.,]\d)", folded(text)) is not None


def outcome(asked: dict, result: spanwise.Result) -> str:
    """What came of a question: right, possible, partly, wrong or not found."""
    kind, decision = asked["kind"], result.decision
    if kind == "none":
        return "right" if decision.kind == "not_found" else "possible" if result.possible else "wrong"
    held = sum(says(result.text, piece) for piece in asked["answer"])
    if kind == "conflict":
        return "right" if decision.reason == "conflicting_evidence" and held == len(asked["answer"]) else "wrong"
    if decision.kind != "ship":
        return "not found"
    if held == len(asked["answer"]):
        return "possible" if result.possible else "right"
    return "not found" if result.possible else "partly" if held else "wrong"


@pytest.fixture(scope="module")
def answered() -> list[tuple[dict, spanwise.Result, str]]:
    """Each question that the documents of today's formats are asked, its result, and what came of it."""
    engines: dict[tuple[str, ...], spanwise.Engine] = {}
    given = []
    for asked in QUESTIONS:
        names = tuple(asked["documents"])
        if asked["kind"] == "scan":
            continue
        if names not in engines:
            engines[names] = spanwise.Engine(spanwise.Corpus.of([spanwise.read(DOCUMENTS / name) for name in names]))
        result = engines[names].ask(asked["question"])
        given.append((asked, result, outcome(asked, result)))
    return given


def at_its_place(asked: dict, result: spanwise.Result) -> bool:
    """Whether a citation has lines of the place that was written beside the question."""
    return any(
        cited.document == place["document"]
        and cited.line_start <= place["lines"][1]
        and place["lines"][0] <= cited.line_end
        for cited in result.citations
        for place in asked["places"]
    )


def test_as_much_is_answered_as_before(answered):
    """Floors that only rise: raise them when more is answered, and say so in the change."""
    counts = Counter((asked["kind"], came) for asked, _, came in answered)
    shown = counts["answer", "right"] + counts["answer", "possible"]
    assert sum(counts.values()) == 90
    assert counts["answer", "right"] >= 44
    assert shown >= 69
    assert counts["none", "right"] >= 5  # the others get possible answers, none an answer
    assert counts["conflict", "right"] >= 3
    # The line of the dividends paid in the year, for when the final one is paid, and who signs the auditor's report.
    assert counts["answer", "wrong"] + counts["answer", "partly"] + counts["none", "wrong"] <= 2


def test_what_is_right_cites_the_lines_that_say_it(answered):
    right = [(asked, result) for asked, result, came in answered if came == "right" and asked["kind"] == "answer"]
    assert [asked["question"] for asked, result in right if not at_its_place(asked, result)] == []
