"""Sections from headings, for every format: where each one starts, where it ends, and on which pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from spanwise.domain.document import Line, Section


class SectionStart(NamedTuple):
    """A heading: how deep it is (1 is the outermost), what it says, and the global number of its line."""

    level: int
    title: str
    first_line: int


def build_sections(starts: Iterable[SectionStart], lines: Sequence[Line], page_count: int) -> tuple[Section, ...]:
    """Turn headings into sections that contain their children.

    A section ends before the next heading of the same or a shallower level; the last one of its level ends with
    its parent, and the last of all with the document. Headings whose line does not exist are left out.

    Args:
        starts: The headings, in any order; those of one line keep the order in which they are given.
        lines: All lines of the document, numbered 1.. without a gap.
        page_count: How many pages the document has; the last section reaches to the last one.
    """
    ordered = sorted((start for start in starts if 1 <= start.first_line <= len(lines)), key=lambda s: s.first_line)
    followers = _followers(ordered)
    sections = []
    for start, follower in zip(ordered, followers, strict=True):
        start_page = lines[start.first_line - 1].page
        if follower is None:
            last_line, end_page = len(lines), page_count
        else:
            last_line = follower.first_line - 1
            end_page = lines[follower.first_line - 1].page - 1
        sections.append(
            Section(
                title=start.title,
                level=start.level,
                first_line=start.first_line,
                last_line=max(last_line, start.first_line),
                start_page=start_page,
                section_end_page=max(end_page, start_page),
            )
        )
    return tuple(sections)


def _followers(ordered: Sequence[SectionStart]) -> list[SectionStart | None]:
    """For each heading the next one of the same or a shallower level."""
    found: list[SectionStart | None] = [None] * len(ordered)
    open_indexes: list[int] = []
    for index, start in enumerate(ordered):
        while open_indexes and ordered[open_indexes[-1]].level >= start.level:
            found[open_indexes.pop()] = start
        open_indexes.append(index)
    return found
