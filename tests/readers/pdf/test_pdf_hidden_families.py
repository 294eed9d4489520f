"""Text that nobody sees, in all the ways that a PDF has for it, and text that one sees: checked against pictures."""

from __future__ import annotations

import functools
import time
from contextlib import suppress

import hidden_cases as cases
import pypdfium2
import pytest
from every import every
from hidden_pdfs import SENTENCE, VISIBLE, Case, Sheet, X, Y
from hidden_ways import type3
from pdf_making import read
from PIL import Image, ImageChops

from spanwise.errors import EmptyDocumentError

_SCALE = 2
_CONTRAST = 24
_LEGIBLE = 2.4
"""Points that a line of text has at least, in both directions, to be read."""


def picture(data: bytes) -> Image.Image:
    document = pypdfium2.PdfDocument(data)
    document.init_forms()
    image: Image.Image = document[0].render(scale=_SCALE).to_pil().convert("RGB")
    document.close()
    return image


def shows(case: Case) -> bool:
    """True if the page looks different without the sentence, in an area that is large enough to read it."""
    difference = ImageChops.difference(picture(case.file()), picture(case.file("")))
    channels = difference.split()
    strongest = functools.reduce(ImageChops.lighter, channels)
    box = strongest.point(lambda value: 255 * (value > _CONTRAST)).getbbox()
    return box is not None and min(box[2] - box[0], box[3] - box[1]) >= _LEGIBLE * _SCALE


def named(case: Case) -> str:
    return f"{case.family}: {case.name}"


@every("case", cases.HIDDEN)
def test_what_nobody_sees_is_hidden_and_no_line(case: Case) -> None:
    if not case.lie:
        assert not shows(case)
    document = read(case.file())
    lines = [line.text for line in document.lines]
    assert [line for line in lines if line in VISIBLE] == list(VISIBLE)
    assert not [line for line in lines if "4711" in line or "penalty" in line or "dollars" in line]
    found = [hidden for hidden in document.hidden if "4711" in hidden.text]
    assert found
    assert all(hidden.box is not None and hidden.page == 1 for hidden in found)
    assert ("hidden_text", 1) in {(notice.code, notice.page) for notice in document.notices}


@every("case", cases.SHOWN)
def test_what_one_sees_stays_a_line(case: Case) -> None:
    assert shows(case)
    document = read(case.file())
    assert SENTENCE in [line.text for line in document.lines]
    assert document.hidden == ()


def test_there_are_many_of_both() -> None:
    assert len({named(case) for case in cases.HIDDEN}) >= 160
    assert len({named(case) for case in cases.SHOWN}) >= 60


def covered_word(sheet: Sheet) -> None:
    sheet.put(f"BT /F1 12 Tf {X} {Y} Td (The fee is 4711 dollars in all.) Tj ET")
    sheet.put(f"q 0 g {X + 55} {Y - 4} 29 16 re f Q")


def test_a_redaction_in_a_line_takes_nothing_else_with_it() -> None:
    document = read(Case("covered", "word", covered_word).file())
    assert [line.text for line in document.lines][-1] == "The fee is  dollars in all."
    assert [(hidden.text, hidden.reason) for hidden in document.hidden] == [("4711", "covered")]


def test_every_letter_is_looked_at_where_each_is_drawn_by_itself() -> None:
    def draw(sheet: Sheet) -> None:
        for at, letter in enumerate(SENTENCE):
            sheet.put(f"BT /F1 12 Tf {int(at > 0)} g {X + 7 * at} {Y} Td ({letter}) Tj ET")

    document = read(Case("colour", "letters", draw).file())
    assert [line.text for line in document.lines][len(VISIBLE) :] == ["T"]


def test_what_cannot_be_looked_at_is_kept_apart_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanwise.readers.pdf._LOOK_SECONDS", 0.0)
    document = read(Case("covered", "word", covered_word).file())
    assert [line.text for line in document.lines][: len(VISIBLE)] == list(VISIBLE)
    assert [hidden.text for hidden in document.hidden] == ["4711"]
    assert {hidden.reason for hidden in document.hidden} == {"unchecked"}
    assert {notice.code for notice in document.notices} == {"hidden_text", "unchecked_page"}


def test_a_page_of_huge_letters_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(sheet: Sheet) -> None:
        name = type3(sheet, "500 0 d0 0 0 600000 700000 re f")
        for at in range(40):
            sheet.put(f"BT {name} 1 Tf {at} {at} Td ({SENTENCE}) Tj ET")

    monkeypatch.setattr("spanwise.readers.pdf._LOOK_SECONDS", 0.5)
    began = time.process_time()
    with suppress(EmptyDocumentError):
        read(Case("font", "huge", draw).file())
    assert time.process_time() - began < 20
