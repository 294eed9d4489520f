"""A passage cut into what is said: titles, entries, clauses, and lines that only lead elsewhere."""

from __future__ import annotations

from spanwise.domain.passage import Passage
from spanwise.text.passage_reading import read_passage


def said(text: str) -> list[tuple[str, str]]:
    passage = Passage("a", "a.txt", 1, text.count("\n") + 1, None, text)
    return [(one.role, one.text) for one in read_passage(passage).sentences]


def test_a_title_that_runs_into_its_paragraph_is_one_with_its_sentence():
    assert said("2.1 Fares. An adult pays 4. A child pays half.") == [
        ("text", "2.1 Fares. An adult pays 4."),
        ("text", "A child pays half."),
    ]
    assert said("Load-in starts at noon. Bring shoes.") == [
        ("text", "Load-in starts at noon."),
        ("text", "Bring shoes."),
    ]


def test_a_line_in_capitals_is_the_heading_of_the_lines_below():
    assert said("STAGE\nMinimum size: 8 m wide.") == [("heading", "STAGE"), ("text", "Minimum size: 8 m wide.")]
    assert said("NATO\n") == [("text", "NATO")]


def test_entries_of_a_form_are_cut_by_themselves():
    assert said("Tour\nManager: Ida Moss\nDriver: Per Lund. He has two vans.") == [
        ("text", "Tour"),
        ("text", "Manager: Ida Moss"),
        ("text", "Driver: Per Lund."),
        ("text", "He has two vans."),
    ]


def test_lines_that_list_amounts_are_cut_by_themselves():
    assert [text for _, text in said("1 kg pumpkin\n2 onions\n200 ml milk\nsalt")] == [
        "1 kg pumpkin",
        "2 onions",
        "200 ml milk",
        "salt",
    ]
    assert len(said("The hall has\n12 rows of\n30 seats.")) == 1
    assert len(said("Home care\n20 % of the fee\n60 visits a year")) == 1


def test_lines_of_a_table_of_contents_say_nothing():
    assert said("1 Scope . . . . . . . 1\n2 Terms . . . . . . . 3") == []
    assert said("3.9 Residual ......... 12") == []
    assert [text for _, text in said("Soup ........ 5\nBread ........ 2")] != []
