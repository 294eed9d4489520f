"""Whether a figure went up or down: computed from the cells of both periods, and concluded again by the guard."""

from dataclasses import replace

import pytest

import spanwise
from spanwise.contract.answers import BooleanAnswer
from spanwise.contract.items import BooleanItem

REPORT = """# Halden Ferries: figures of the year

| In thousands of euros | 2023 | 2022 |
|---|---|---|
| Revenue | 4,210 | 3,980 |
| Fuel | 900 | 1,150 |
| Passengers carried | 310 | 310 |
"""


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.md"
    path.write_text(REPORT)
    return path


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("Did revenue grow between 2022 and 2023?", True),
        ("Has revenue fallen from 2022 to 2023?", False),
        ("Was there any increase in fuel between 2022 and 2023?", False),
        ("Did fuel decrease between 2022 and 2023?", True),
        ("Was there any change in passengers carried between 2022 and 2023?", False),
    ],
)
def test_the_sign_of_the_change_answers(report, question, yes):
    result = spanwise.ask(question, report)
    assert result.decision.kind == "ship"
    assert result.answer.items[0].value is yes
    assert result.text.startswith("Yes" if yes else "No")
    assert result.meta["computations"]
    assert {citation.document for citation in result.citations} == {"report.md"}


def test_the_guard_takes_no_yes_that_the_figures_deny(report):
    from spanwise.answering import extractive
    from spanwise.guard.drafts.check import check

    made = []
    original = extractive.trending

    def kept(*arguments):
        made.append(original(*arguments))
        return made[-1]

    extractive.trending = kept
    try:
        spanwise.ask("Did revenue grow between 2022 and 2023?", report)
    finally:
        extractive.trending = original
    draft = made[0]
    item = draft.answer.items[0]
    wrong = draft.answer.model_copy(update={"items": [BooleanItem(boolean=not item.boolean, spans=item.spans)]})
    assert isinstance(wrong, BooleanAnswer)
    with spanwise.Corpus.of([spanwise.read(report)]) as corpus:
        assert check(draft, corpus).answer.answer_found
        assert not check(replace(draft, answer=wrong), corpus).answer.answer_found


def test_without_two_periods_the_words_are_looked_at(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("The harbour fee is 40 euros a night.\n")
    result = spanwise.ask("Did the harbour fee rise?", path)
    assert not (result.decision.kind == "ship" and isinstance(result.answer, BooleanAnswer) and not result.review)
