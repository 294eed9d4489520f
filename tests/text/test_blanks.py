"""Blanks of a template are no answers; what is filled in beside them is one."""

from pathlib import Path

import pytest

from spanwise import ask
from spanwise.text.noise import left_blank
from spanwise.text.terms import terms

TEMPLATE = """Cleaning contract

This contract is made between [Name of contractor] and Meller Gardens Ltd as the client.

1. The contract starts on <insert date> and ends on XX/XX/20XX.

2. The client pays a weekly fee of ____ euros.

3. The place of work is {{work_address}}.

4. Either side gives notice of 30 days.

Contact person: ________
"""


@pytest.fixture
def template(tmp_path: Path) -> str:
    """The template as a file."""
    path = tmp_path / "contract.txt"
    path.write_text(TEMPLATE)
    return str(path)


@pytest.mark.parametrize(
    ("text", "question", "blank"),
    [
        ("The client pays a weekly fee of ____ euros.", "What is the weekly fee?", True),
        ("This is between [Name of contractor] and Meller.", "Who is the contractor?", True),
        ("The contract ends on XX/XX/20XX.", "When does the contract end?", True),
        ("The place of work is {{work_address}}.", "What is the place of work?", True),
        ("Start date: [insert date]", "What is the start date?", True),
        ("The fee of 40 euros is paid to ____.", "What is the fee?", False),
        ("The supplier ____ delivers the goods by 3 May.", "When does the supplier deliver the goods?", False),
        ("The fee is 40 euros [12].", "What is the fee?", False),
        ("The call of send_all_now() costs nothing.", "What does the call cost?", False),
        ("Volume XX of the series costs 40 euros.", "What does the volume cost?", False),
        ("", "What is the fee?", False),
    ],
)
def test_a_blank_stands_for_what_is_asked_or_beside_it(text: str, question: str, blank: bool) -> None:
    assert left_blank(text, frozenset(terms(question))) is blank


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Who is the contractor?", 3),
        ("When does the contract start?", 5),
        ("When does the contract end?", 5),
        ("What is the weekly fee?", 7),
        ("What is the place of work?", 9),
        ("Who is the contact person?", 13),
    ],
)
def test_the_reader_learns_where_a_blank_is_left(template: str, question: str, line: int) -> None:
    result = ask(question, template)
    assert result.decision.kind == "not_found"
    assert result.missing is not None
    assert result.missing.what == f"what is left blank in contract.txt, line {line}"


@pytest.mark.parametrize(
    ("question", "said"), [("How long is the notice?", "30 days"), ("Who is the client?", "Meller")]
)
def test_what_is_filled_in_still_answers(template: str, question: str, said: str) -> None:
    result = ask(question, template)
    assert result.decision.kind == "ship"
    assert said in result.text
