"""Bombs of many families under low limits: each is read, or is one typed error in one sentence, and in time."""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path

import pytest

from spanwise import Corpus
from spanwise.errors import DocumentError
from spanwise.readers.port import Limits
from spanwise.readers.reading import read

_spec = importlib.util.spec_from_file_location("bombs", Path(__file__).parent.parent / "campaign" / "bombs.py")
assert _spec is not None
assert _spec.loader is not None
bombs = importlib.util.module_from_spec(_spec)
sys.modules["bombs"] = bombs
_spec.loader.exec_module(bombs)

LIMITS = Limits(memory=150_000_000, seconds=6, cpu_seconds=3)
# What has to be made to be known; the other families are for `make campaign`, which gives them more time.
QUICK = [
    "form-draws-itself-twice.pdf",
    "forms-of-forms.pdf",
    "marked-content.pdf",
    "letters-that-mean-a-book.pdf",
    "page-labels-in-a-ring.pdf",
    "pages-that-hold-themselves.pdf",
    "tables-of-places-in-a-ring.pdf",
    "objects-packed-in-a-ring.pdf",
    "letter-drawn-with-itself.pdf",
    "mask-of-itself.pdf",
    "pattern-of-itself.pdf",
    "function-of-dimensions.pdf",
    "image-of-a-million-by-a-million.pdf",
    "jpeg-2000-of-nothing.pdf",
    "unicode-of-all-codes.pdf",
    "table-of-contents-in-a-ring.pdf",
    "more-pages-than-there-are.pdf",
    "arrays-in-content.pdf",
    "entities.docx",
    "entity-of-a-file.docx",
    "long-entity-often.docx",
    "tables-in-tables.docx",
    "elements-in-elements.docx",
    "cell-over-all-columns.docx",
    "one-entry-many-times.docx",
    "empty-rows.xlsx",
    "empty-rows.csv",
    "sheets.xlsx",
    "fonts-without-maps.pdf",
    "picture-of-a-hundred-megapixels.png",
    "deep.html",
    "tables-in-tables.html",
    "cells-without-end.html",
    "selectors-in-selectors.html",
    "variables-of-variables.html",
    "descendants-of-descendants.html",
    "blocks-of-style.html",
    "selects-and-templates.html",
    "brackets.md",
    "images-in-images.md",
    "links.md",
    "stars.md",
    "quotes.md",
    "lists.md",
    "ticks.md",
    "columns.md",
    "form-feeds.txt",
    "dots.txt",
    "gaps.txt",
    "one-word.txt",
    "wide-letters.txt",
    "invisible.txt",
]
MAKERS = {bomb.name: bomb.make for bomb in bombs.BOMBS}


def test_every_family_has_a_name_of_its_own() -> None:
    assert len(MAKERS) == len(bombs.BOMBS)
    assert len(MAKERS) >= 140


@pytest.mark.parametrize("name", QUICK)
def test_a_bomb_is_one_sentence(name: str) -> None:
    began = time.monotonic()
    try:
        document = read(MAKERS[name](1), name=name, limits=LIMITS)
    except DocumentError as error:
        told = str(error)
        assert told.startswith(name)
        assert "\n" not in told
        assert len(told) < 400
    else:
        assert document.lines
    assert time.monotonic() - began < 60  # its own limits are lower; the machine may have much to do


@pytest.mark.parametrize("name", ["form-draws-itself-twice.pdf", "letters-that-mean-a-book.pdf"])
def test_memory_is_named_where_it_is_what_a_file_wants(name: str) -> None:
    with pytest.raises(DocumentError, match=r"150,000,000 bytes of memory"):
        read(MAKERS[name](1), name=name, limits=LIMITS)


def test_the_other_files_of_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "bomb.pdf").write_bytes(MAKERS["form-draws-itself-twice.pdf"](1))
    (tmp_path / "fine.pdf").write_bytes(bombs.page(bombs.stream(bombs.TEXT)))
    (tmp_path / "fine.txt").write_text("The fee is 5 dollars.")
    with Corpus.memory() as corpus:
        report = corpus.add(tmp_path, limits=LIMITS)
        assert report.added == ("fine.pdf", "fine.txt")
        [failed] = report.failed
        assert failed.error == "LimitError"
        assert corpus.lines("fine.pdf", 1, 1)[0].text == "The fee is 5 dollars."


@pytest.mark.parametrize(
    "name", ["dots.txt", "gaps.txt", "leaders.txt", "money.txt", "an-open-quote.csv", "headings.txt"]
)
def test_short_texts_are_read_here_in_time(name: str) -> None:
    data = MAKERS[name](1)[: 64 * 1024]
    began = time.process_time()
    read(data, name=name)
    assert time.process_time() - began < 5


def test_headings_cost_as_much_as_their_number(calls) -> None:  # type: ignore[no-untyped-def]
    from spanwise.readers.registry import read_here

    def read_headings(count: int) -> int:
        return int(calls(lambda: read_here(b"# A\n" * count + b"\ntext\n", name="a.md")))

    read_headings(10)
    assert read_headings(4_000) < 4.5 * read_headings(1_000)
