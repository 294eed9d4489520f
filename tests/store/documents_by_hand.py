"""Documents made by hand, and strategies that make odd ones."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from hypothesis import strategies as st

from spanwise.domain.document import Box, Document, Furniture, Hidden, Line, LineRole, Notice, Page, Section
from spanwise.store.port import Truth


def make_document(
    *texts: str | tuple[str, LineRole], name: str = "a.txt", sections: Sequence[Section] = (), one_block: bool = False
) -> Document:
    """A document of one page; each text is a line and a block, "" a blank line."""
    lines = []
    for number, given in enumerate(texts, start=1):
        text, role = given if isinstance(given, tuple) else (given, "text" if given else "blank")
        lines.append(Line(number, 1, number, text, None, role, 1 if one_block else number))
    return Document(
        id=hashlib.sha256(repr(texts).encode()).hexdigest(),
        name=name,
        format="text",
        lines=tuple(lines),
        pages=(Page(1, "1", 0.0, 0.0, 1, len(lines)),),
        sections=tuple(sections),
    )


def read(truth: Truth, what: str, *arguments):
    """What the newest snapshot of a truth tells."""
    with truth.snapshot() as now:
        return getattr(now, what)(*arguments)


def words(count: int, word: str = "word") -> str:
    return " ".join(f"{word}{number}" for number in range(count))


_coordinate = st.floats(allow_nan=False, allow_infinity=False, width=32)
# No surrogates, and none of the characters that end a line.
_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=30)
_roles = st.sampled_from(["text", "heading", "list_item", "table_row", "blank"])


@st.composite
def boxes(draw: st.DrawFn, page: int) -> Box:
    on = draw(st.sampled_from([page, page + 1]))
    return Box(on, *(draw(_coordinate) for _ in range(4)))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    lines: list[Line] = []
    pages: list[Page] = []
    block = 0
    for number in range(1, draw(st.integers(1, 4)) + 1):
        first = len(lines) + 1
        for at in range(1, draw(st.integers(0, 6)) + 1):
            block += draw(st.integers(0, 1))
            box = draw(st.none() | boxes(number))
            lines.append(Line(len(lines) + 1, number, at, draw(_text), box, draw(_roles), block))
        label = draw(_text)
        pages.append(Page(number, label, draw(_coordinate), draw(_coordinate), first, len(lines), draw(st.booleans())))
    sections = []
    for _ in range(draw(st.integers(0, 3)) if lines else 0):
        start, end = sorted((draw(st.integers(1, len(lines))), draw(st.integers(1, len(lines)))))
        sections.append(
            Section(draw(_text), draw(st.integers(1, 4)), start, end, lines[start - 1].page, lines[end - 1].page)
        )
    box = draw(st.none() | boxes(1))
    return Document(
        id=draw(st.text("0123456789abcdef", min_size=64, max_size=64)),
        name=draw(_text.filter(bool)),
        format=draw(st.sampled_from(["pdf", "text"])),
        lines=tuple(lines),
        pages=tuple(pages),
        sections=tuple(sections),
        furniture=(Furniture(1, draw(_text), "footer", box),),
        hidden=(Hidden(2, draw(_text), "tiny", box),),
        notices=(Notice("repaired", draw(_text)), Notice("unreadable_page", draw(_text), 3)),
        paged=draw(st.booleans()),
    )
