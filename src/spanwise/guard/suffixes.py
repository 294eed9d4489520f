"""The citations that an extractive answer carries, `(See TITLE, page N)`: taken off before its claims are read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_OPENING = "(See "
_ANY = re.compile(r"\(See (?P<title>[^\n]{1,300}?), page (?P<page>[^\s()]{1,20})\)")


@dataclass(frozen=True, slots=True)
class CitedText:
    """A stretch of an answer and the citation behind it; `title` and `page` are None where there is none."""

    text: str
    title: str | None = None
    page: str | None = None


def label(section: Mapping[str, object]) -> tuple[str, str]:
    """Title and page as a citation of this section prints them."""
    title, page = section.get("title"), section.get("page_num")
    shown_page = "" if page is None else str(page).strip()
    return str(title or "").strip() or "Unknown", shown_page or "?"


def cited_texts(response: str, sections: Sequence[Mapping[str, object]]) -> list[CitedText]:
    """Cut an answer at its citations.

    A title may hold brackets and commas, so citations of the given sections are recognised first, letter by letter.
    What looks like a citation of something else counts as one too, unless it is part of a section's own text.
    """
    known = {f"(See {title}, page {page})": (title, page) for title, page in map(label, sections)}
    longest_first = sorted(known, key=len, reverse=True)
    contents = [str(section.get("content") or "") for section in sections]
    texts: list[CitedText] = []
    start = position = 0
    while (position := response.find(_OPENING, position)) >= 0:
        written, title, page = next(
            ((text, *known[text]) for text in longest_first if response.startswith(text, position)), ("", "", "")
        )
        other = None if written else _ANY.match(response, position)
        if other and not any(other.group() in content for content in contents):
            written, title, page = other.group(), other["title"], other["page"]
        if not written:
            position += len(_OPENING)
            continue
        texts.append(CitedText(response[start:position], title, page))
        start = position = position + len(written)
    return [*texts, CitedText(response[start:])]
