"""Presentations: slides as pages, titles as headings, notes, tables, what is hidden."""

from __future__ import annotations

import io
from collections.abc import Callable

import pptx
import pytest
from pptx.presentation import Presentation
from pptx.util import Inches, Pt

from spanwise import ask
from spanwise.domain.document import Document
from spanwise.errors import DamagedDocumentError
from spanwise.readers.registry import read_here as read


def deck(fill: Callable[[Presentation], None]) -> bytes:
    presentation = pptx.Presentation()
    fill(presentation)
    packed = io.BytesIO()
    presentation.save(packed)
    return packed.getvalue()


def two_slides(presentation: Presentation) -> None:
    layout = presentation.slide_layouts[1]
    first = presentation.slides.add_slide(layout)
    first.shapes.title.text = "Why the ferry runs at night"
    first.placeholders[1].text_frame.text = "The tide allows it only after ten."
    first.placeholders[1].text_frame.add_paragraph().text = "Freight pays double then."
    first.notes_slide.notes_text_frame.text = "Mention that the crew is eleven people."
    second = presentation.slides.add_slide(presentation.slide_layouts[5])
    second.shapes.title.text = "Fares"
    table = second.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for row, cells in enumerate((("Vehicle", "Fare"), ("Car", "38 EUR"), ("Bicycle", "6 EUR"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text


def texts(document: Document) -> list[str]:
    return [line.text for line in document.lines]


def test_slides_are_pages_with_their_titles_as_sections() -> None:
    document = read(deck(two_slides), name="ferry.pptx")
    assert texts(document) == [
        "Why the ferry runs at night",
        "The tide allows it only after ten.",
        "Freight pays double then.",
        "Mention that the crew is eleven people.",
        "Fares",
        "Vehicle  Fare",
        "Car  38 EUR",
        "Bicycle  6 EUR",
    ]
    assert [line.page for line in document.lines] == [1] * 4 + [2] * 4
    assert [line.role for line in document.lines][:3] == ["heading", "list_item", "list_item"]
    assert [section.title for section in document.sections] == ["Why the ferry runs at night", "Fares"]
    assert document.paged


def test_a_question_is_answered_from_a_table_of_a_slide() -> None:
    result = ask("What is the fare of a bicycle?", [read(deck(two_slides), name="ferry.pptx")])
    assert result.text == "€6"
    assert result.citations[0].page == 2


def test_a_slide_without_placeholders_is_headed_by_its_largest_letters() -> None:
    def fill(presentation: Presentation) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        for text, size in (("A small remark about boats.", 14), ("Harbour rules", 40)):
            frame = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(5), Inches(1)).text_frame
            run = frame.paragraphs[0].add_run()
            run.text, run.font.size = text, Pt(size)

    document = read(deck(fill), name="a.pptx")
    assert texts(document) == ["Harbour rules", "A small remark about boats."]
    assert document.lines[0].role == "heading"


def test_hidden_slides_and_shapes_are_hidden_text() -> None:
    def fill(presentation: Presentation) -> None:
        two_slides(presentation)
        slides = list(presentation.slides)
        slides[1]._element.set("show", "0")
        box = slides[0].shapes.add_textbox(Inches(1), Inches(1), Inches(5), Inches(1))
        box.text_frame.text = "The margin is forty percent."
        box._element.nvSpPr.cNvPr.set("hidden", "1")

    document = read(deck(fill), name="a.pptx")
    said, hidden = " ".join(texts(document)), " ".join(one.text for one in document.hidden)
    for secret in ("margin", "Bicycle"):
        assert secret not in said
        assert secret in hidden
    assert len(document.pages) == 2


def test_shapes_in_groups_are_read_and_footers_are_furniture() -> None:
    def fill(presentation: Presentation) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        group = slide.shapes.add_group_shape()
        group.shapes.add_textbox(Inches(1), Inches(1), Inches(5), Inches(1)).text_frame.text = "Pier four is closed."

    assert texts(read(deck(fill), name="a.pptx")) == ["Pier four is closed."]


def test_items_have_their_numbers_and_wide_cells_stand_over_their_columns() -> None:
    def fill(presentation: Presentation) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.placeholders[1].text_frame.text = "Cast off\n\nCall the pilot\nOn channel nine"
        for number, paragraph in enumerate(slide.placeholders[1].text_frame.paragraphs):
            paragraph.level = number // 3
            counted = paragraph._p.get_or_add_pPr().makeelement(
                "{http://schemas.openxmlformats.org/drawingml/2006/main}buAutoNum",
                {"type": "alphaLcParenBoth" if number == 3 else "arabicPeriod", "startAt": "1" if number == 3 else "4"},
            )
            paragraph._p.pPr.append(counted)
        table = slide.shapes.add_table(2, 3, Inches(1), Inches(5), Inches(6), Inches(1)).table
        for place, text in (((0, 0), "Pier"), ((0, 1), "Boats"), ((1, 0), "East"), ((1, 1), "3"), ((1, 2), "4")):
            table.cell(*place).text = text
        table.cell(0, 1).merge(table.cell(0, 2))
        tall = slide.shapes.add_table(2, 2, Inches(1), Inches(6), Inches(6), Inches(1)).table
        tall.cell(0, 0).merge(tall.cell(1, 0))
        for place, text in (((0, 0), "North"), ((0, 1), "Oak"), ((1, 1), "Elm")):
            tall.cell(*place).text = text

    document = read(deck(fill), name="a.pptx")
    assert texts(document)[:3] == ["4. Cast off", "5. Call the pilot", "(a) On channel nine"]
    assert texts(document)[3:] == ["Pier  Boats", "East  3  4", "North  Oak", "North  Elm"]
    assert document.lines[3].edges == (0, 1, 1, 3)


def test_an_empty_title_leaves_the_largest_letters_the_heading() -> None:
    def fill(presentation: Presentation) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.placeholders[1].text_frame.text = "The tide allows it only after ten."
        box = slide.shapes.add_textbox(Inches(1), Inches(0), Inches(8), Inches(1)).text_frame
        box.text = "Night ferries"
        box.paragraphs[0].runs[0].font.size = Pt(40)

    assert [section.title for section in read(deck(fill), name="a.pptx").sections] == ["Night ferries"]


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_cut_file_is_one_sentence(kept: float) -> None:
    good = deck(two_slides)
    with pytest.raises(DamagedDocumentError, match=r"a\.pptx") as caught:
        read(good[: int(len(good) * kept)], name="a.pptx")
    assert "\n" not in str(caught.value)
