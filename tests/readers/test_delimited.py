"""Tables of comma-separated values as programs write them, and as people do."""

from __future__ import annotations

import pytest

from spanwise import ask
from spanwise.readers.registry import read_here as read


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b'Name,Note\n"Vega, Ana",late\nBo,"on time"\n', ["Name | Note", "Vega, Ana | late", "Bo | on time"]),
        ("Straße;Miete\nWeg 2;1.200,50\n".encode("cp1252"), ["Straße | Miete", "Weg 2 | 1.200,50"]),
        ("City\tPeople\r\nBern\t133,883\r\n".encode("utf-16"), ["City | People", "Bern | 133,883"]),
        (b"sep=;\nA;B\n1;2\n", ["", "A | B", "1 | 2"]),
        (
            b"Costs of 2024\nmade;today\n\nItem;Cost\nHeat;4\n",
            ["Costs of 2024", "made | today", "", "Item | Cost", "Heat | 4"],
        ),
        (b'name,place\n"High\nStreet",7\nBo,8\n', ["name | place", "High Street | 7", "Bo | 8"]),
        (b'a,b\n"open,1\nx,2\n', ["a | b", '"open | 1', "x | 2"]),
        (b",2023,2024\nRent|all,5,6\n", ["| | 2023 | 2024", "Rent\\|all | 5 | 6"]),
        (b"one line\nand another, longer one\n", ["one line", "and another | longer one"]),
    ],
    ids=["quoted", "semicolons", "tabs", "said", "preamble", "lines in a cell", "left open", "empty first", "prose"],
)
def test_records_are_lines(data: bytes, lines: list[str]) -> None:
    assert [" ".join(line.text.split()) for line in read(data, name="a.csv").lines] == [
        " ".join(one.split()) for one in lines
    ]


def test_records_of_several_lines_are_told_of() -> None:
    assert "records" in {one.code for one in read(b'a,b\n"x\ny",2\n', name="a.csv").notices}


def test_no_cell_is_left_out_however_many_there_are() -> None:
    row = ",".join(f"c{number}" for number in range(300))
    assert "c299" in read(f"{row}\n{row}\n".encode(), name="a.csv").line(1).text


def test_a_question_is_answered_from_a_record(tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('name,address,rent\n"Miller, Jane","12 High Street\nLondon",1200\nBaker,"Low Road",980\n')
    result = ask("What is the rent of Miller, Jane?", path)
    assert (result.text, result.citations[0].line_start) == ("1200", 2)


def test_empty_records_at_the_end_are_no_lines_and_those_before_others_keep_the_numbers() -> None:
    document = read(b"Berth,Fee\n,\n,\nNorth,310\n" + b",\n" * 300_000, name="fees.csv")
    assert [(line.number, line.text) for line in document.lines] == [
        (1, "Berth | Fee"),
        (2, ""),
        (3, ""),
        (4, "North | 310"),
    ]


def test_a_cell_may_be_longer_than_a_book_chapter_and_stand_far_behind() -> None:
    rows = "".join(f'{number},"{"x" * 3_000}",5\n' for number in range(390))
    document = read(f'{rows}390,"{"y " * 80_000}\nz",5\n'.encode(), name="a.csv")
    assert document.lines[0].text.endswith("x | 5")
    assert document.lines[-1].text.endswith("y z | 5")
