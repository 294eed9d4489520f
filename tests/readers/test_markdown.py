"""Markdown: physical lines with roles and sections from the parsed blocks."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.domain.document import Document
from spanwise.errors import DocumentError, EmptyDocumentError, LimitError, UnsupportedFormatError
from spanwise.readers.port import Limits
from spanwise.readers.registry import read_here as read


def parsed(text: str) -> Document:
    return read(text.encode(), name="a.md")


def roles(text: str) -> list[tuple[str, str]]:
    return [(line.text, line.role) for line in parsed(text).lines]


def test_a_heading_as_long_as_a_book_is_text() -> None:
    document = parsed(f"# {'long words ' * 3000}\n\nText.\n")
    assert not document.sections
    assert {line.role for line in document.lines} == {"text", "blank"}


def test_headings_of_both_kinds_open_sections() -> None:
    document = parsed("# Top **bold** #\n\ntext\n\nTwo lines\nlong\n---\n\n### Sub\n")
    assert [(section.level, section.title, section.first_line) for section in document.sections] == [
        (1, "Top bold", 1),
        (2, "Two lines long", 5),
        (3, "Sub", 9),
    ]
    assert [line.text for line in document.lines] == [
        "Top **bold**",
        "",
        "text",
        "",
        "Two lines",
        "long",
        "---",
        "",
        "Sub",
    ]
    assert [line.role for line in document.lines][4:7] == ["heading", "heading", "blank"]


def test_the_delimiter_row_of_a_table_is_not_citable() -> None:
    assert roles("| a | b |\n|---|---|\n| 1 | 2 |\n") == [
        ("| a | b |", "table_row"),
        ("|---|---|", "blank"),
        ("| 1 | 2 |", "table_row"),
    ]


def test_list_items_are_blocks_of_their_own() -> None:
    document = parsed("Intro\n\n- one\n  more\n- two\n  1. nested\n")
    assert [(line.role, line.block) for line in document.lines] == [
        ("text", 1),
        ("blank", 2),
        ("list_item", 3),
        ("list_item", 3),
        ("list_item", 4),
        ("list_item", 5),
    ]


def test_code_stays_text_and_its_fences_do_not_count() -> None:
    assert roles("```python\n# no heading\n\n<!-- shown -->\n```\n") == [
        ("```python", "blank"),
        ("# no heading", "text"),
        ("", "blank"),
        ("<!-- shown -->", "text"),
        ("```", "blank"),
    ]
    assert not parsed("```\n# no heading\n```\n").sections


def test_front_matter_is_text_and_not_a_heading() -> None:
    document = parsed("---\ntitle: Contract\n---\n# Real\n")
    assert [(line.text, line.role) for line in document.lines] == [
        ("---", "blank"),
        ("title: Contract", "text"),
        ("---", "blank"),
        ("Real", "heading"),
    ]
    assert [section.title for section in document.sections] == ["Real"]


@pytest.mark.parametrize(
    ("text", "shown", "hidden"),
    [
        ("a <!-- secret --> b", ["a  b"], ["secret"]),
        ("<!-- one\ntwo -->\nthree", ["", "", "three"], ["one two"]),
        ("[//]: # (a note)\ntext", ["", "text"], ["a note"]),
        ("text\n\n<!-- never closed\nmore", ["text", "", "", ""], ["never closed more"]),
        ("`<!-- code -->` x", ["`<!-- code -->` x"], []),
        ("a <!-- open", ["a <!-- open"], []),
    ],
)
def test_comments_are_hidden_and_move_no_line(text: str, shown: list[str], hidden: list[str]) -> None:
    document = parsed(text)
    assert [line.text for line in document.lines] == shown
    assert [(entry.text, entry.reason) for entry in document.hidden] == [(words, "comment") for words in hidden]


@pytest.mark.parametrize(
    "text", ["> " * 3000 + "x", "- " * 3000 + "x", "\n".join(" " * depth + "- a" for depth in range(300))]
)
def test_deep_nesting_loses_no_line(text: str) -> None:
    assert len(parsed(text).lines) == text.count("\n") + 1


def test_text_without_marked_headings_has_its_numbers_looked_at() -> None:
    document = parsed("Intro text stands here.\n\n1. Services. The supplier provides what is agreed.\n\nMore text.\n")
    assert [section.title for section in document.sections] == ["1. Services"]


def test_limits_are_kept() -> None:
    with pytest.raises(LimitError, match="lines"):
        read(b"a\n\nb\n\nc\n", name="a.md", limits=Limits(lines=3))


WORDS = st.text(alphabet='ab1 \n\t#->*_`|=[]()!<.\\:~"&;', max_size=120)


@settings(deadline=None)
@given(WORDS)
def test_every_word_is_in_a_line_or_told_as_hidden(text: str) -> None:
    try:
        document = parsed(text)
    except (EmptyDocumentError, UnsupportedFormatError):
        return
    shown = " ".join([line.text for line in document.lines] + [entry.text for entry in document.hidden])
    untagged = re.sub(r"</?[ab][^<>]*>", " ", text)
    assert all(word in shown for word in re.findall(r"[ab1]+", untagged))
    physical = re.split(r"\n", text)
    assert len(document.lines) == len(physical) - (not physical[-1])
    assert document == parsed(text)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(text.encode("utf-8", "ignore"), name="a.md")
    except DocumentError:
        return


@pytest.mark.parametrize(
    ("first", "rows", "last"),
    [("<div>", "<b>x</b> y\n" * 5_000, "</div>"), ("<b>x</b> y", "words and words\n" * 10_000, "end")],
)
def test_many_marked_lines_without_an_empty_one_take_linear_time(first: str, rows: str, last: str) -> None:
    started = time.process_time()
    assert len(parsed(f"{first}\n{rows}{last}\n").lines) == rows.count("\n") + 2
    assert time.process_time() - started < 12  # each took more than half a minute when every piece looked at all lines


def test_comments_that_nothing_closes_are_searched_once() -> None:
    started = time.process_time()
    document = read(("Oak.\n\n<div>\n" + "<!-- " * 8000 + "<? " * 8000 + "\n").encode(), name="a.md")
    assert time.process_time() - started < 2
    assert document.lines[0].text == "Oak."
