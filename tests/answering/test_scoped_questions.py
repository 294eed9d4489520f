"""A question that the caller limits to a section, pages or lines is answered from there alone, at every door."""

from __future__ import annotations

from pathlib import Path

import pytest

import spanwise
from spanwise import Scope, replay
from spanwise.errors import InputError

QUESTION = "How many days of notice are needed?"
GUIDE = """# Guide for the boathouse

## Lockers

A locker is given up with 14 days of notice.

## Moorings

A mooring is given up with 60 days of notice. Notice is given in writing.

## Keys

Keys are handed back to the keeper. The keeper counts them:

- the gate
- the shed
- the slip
"""


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scoped") / "guide.md"
    path.write_text(GUIDE, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("scope", "days"),
    [
        (Scope(section="Lockers"), "14"),
        (Scope(section="Moorings"), "60"),
        (Scope(first_line=1, last_line=6), "14"),
        (Scope(first_line=7), "60"),
    ],
)
def test_only_what_is_in_scope_answers(guide, scope, days):
    result = spanwise.ask(QUESTION, guide, scope=scope)
    assert days in (result.text or "")
    assert not {"14", "60"} - {days} & set((result.text or "").split())
    assert all(
        scope.section or (scope.first_line or 1) <= one.line_start <= one.line_end <= (scope.last_line or 99)
        for one in result.citations
    )


def test_what_stands_elsewhere_is_not_found_and_the_scope_is_named(guide, tmp_path):
    result = spanwise.ask(QUESTION, guide, scope=Scope(section="Keys"))
    assert result.decision.kind == "not_found"
    assert {"code": "limited_scope", "message": "Only the section 'Keys' was searched."} in result.warning_details
    result.save_trace(tmp_path / "trace.json")
    assert replay(tmp_path / "trace.json").text == result.text


def test_replies_of_a_model_are_proved_in_scope_alone(guide):
    model = spanwise.ScriptedModel(["A mooring is given up with 60 days of notice. [1]"] * 4)
    with spanwise.Corpus.of([spanwise.read(guide)]) as corpus:
        engine = spanwise.Engine(corpus, model=model, mode="compact", policy="strict")
        assert "60" not in (engine.ask(QUESTION, scope=Scope(section="Lockers")).text or "")
        assert "60 days" in (engine.ask(QUESTION, scope=Scope(section="Moorings")).text or "")


def test_the_page_after_the_scope_is_looked_at_where_that_is_wanted(report_pdf):
    with spanwise.Corpus.of([spanwise.read(report_pdf)]) as corpus:
        asked = "What was the revenue?"
        told = {
            overlap: spanwise.Engine(corpus).ask(asked, scope=Scope(first_page=4, last_page=4, overlap=overlap))
            for overlap in (True, False)
        }
    assert told[True].completeness.strong is not None
    assert told[False].completeness.strong is None
    assert all(one.page == 4 for result in told.values() for one in result.citations)


def test_a_document_without_the_place_is_an_error(guide):
    with pytest.raises(InputError, match=r"guide\.md has not got the section 'Engines'"):
        spanwise.ask(QUESTION, guide, scope=Scope(section="Engines"))
