"""Cross references: places that a text refers to ("continued in Section 7", "see Note 12"), and their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from spanwise.domain.document import Section
from spanwise.store.port import Store
from spanwise.text.languages.data import languages

_NUMBER = r"(?P<number>\d{1,3}[a-z]?(?:\.\d{1,3}){0,4}|[A-Z](?:[.-]?\d{1,3})?|[IVXL]{1,6})(?![\w-])"
_LONGEST_SECTION = 300
"""Most lines that are returned for a referenced section."""
_LONGEST_WITHOUT_HEADING = 40
_MOST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a place in the document."""

    kind: str
    number: str
    continued: bool
    """True if the text itself continues there, False if there is only further information."""

    def __str__(self) -> str:
        """The reference as it is written."""
        return f"{self.kind} {self.number}"


def references(text: str) -> Iterator[Reference]:
    """The places to which a text refers its reader, in order; places that it only mentions are left out."""
    for found in _pattern().finditer(text[:_MOST_TEXT]):
        yield Reference(found["kind"], found["number"], found["continued"] is not None)


def goes_on_in(text: str) -> Reference | None:
    """The place where a list says that it continues, or that further elements are; None if it says neither."""
    found = next((one for one in _pattern().finditer(text[:_MOST_TEXT]) if one["see"] is None), None)
    return None if found is None else Reference(found["kind"], found["number"], found["continued"] is not None)


def place_of(
    reference: Reference, document: str, store: Store, *, without_title: bool = True
) -> tuple[int, int] | None:
    """The first and the last line of the place that a reference means; None if it is not found.

    A section is found by its title ("Section 7. Exclusions", or the heading "7. Exclusions"; for a note, a bare number
    counts only below a heading of notes), and a page by its printed number. If `without_title` is set, other places are
    found by a line that begins with the reference, for which all passages are searched.
    """
    kind, number = re.escape(reference.kind), re.escape(reference.number)
    if reference.kind.casefold() in _words("pages"):
        pages = store.pages(document)
        printed = [page for page in pages if page.label.casefold() == reference.number.casefold()]
        return next(((one.first_line, one.last_line) for one in printed if one.last_line >= one.first_line), None)
    sections = store.sections(document)
    if (titled := _titled(kind, number, reference, sections)) is not None:
        return titled.first_line, min(titled.last_line, titled.first_line + _LONGEST_SECTION)
    if not without_title:
        return None
    opening = re.compile(rf"^[ \t]*{kind}\s*{number}(?!\w)(?!\.\d)", re.IGNORECASE | re.MULTILINE)
    for passage in store.passages(document):
        if found := opening.search(passage.text):
            first = passage.line_start + passage.text.count("\n", 0, found.start())
            return first, min(first + _LONGEST_WITHOUT_HEADING, store.stored(document).lines)
    return None


def _titled(kind: str, number: str, reference: Reference, sections: tuple[Section, ...]) -> Section | None:
    """The section whose title begins with the whole reference, else the outermost one that begins with its number."""
    end = r"(?!\w)(?!\.\d)"
    whole = re.compile(rf"\s*{kind}\s*{number}{end}", re.IGNORECASE)
    if (found := next((one for one in sections if whole.match(one.title)), None)) is not None:
        return found
    numbered = re.compile(rf"\s*{number}{end}", re.IGNORECASE)
    around: tuple[Section, ...] | list[Section] = sections
    if reference.kind.casefold() in _words("notes"):
        around = [one for one in sections if any(word in one.title.casefold() for word in _words("notes"))]
        if not around:
            return None
        around = [
            one
            for one in sections
            if any(two.first_line <= one.first_line <= two.last_line and one != two for two in around)
        ]
    return min((one for one in around if numbered.match(one.title)), key=lambda one: one.level, default=None)


@cache
def _words(kind: str) -> tuple[str, ...]:
    """The words of one kind of reference in all languages, the longest first."""
    found = {word for language in languages().values() for word in language.references.get(kind, ())}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


@cache
def _pattern() -> re.Pattern[str]:
    def any_of(*kinds: str) -> str:
        return "|".join(re.escape(word).replace(r"\ ", r"\s+") for kind in kinds for word in _words(kind))

    between, articles = any_of("between"), any_of("articles")
    # As in "further exclusions are set out in Section 7"
    into = rf"[^.;:\n]{{0,80}}?(?:[:,(]?\s{{0,3}}(?<!\w)(?:{between})|:)"
    cues = (
        rf"(?P<continued>(?:{any_of('continued')})(?!\w){into})"
        rf"|(?P<more>(?:{any_of('more')})(?!\w){into})"
        rf"|(?P<see>(?:{any_of('see')})(?!\w)(?:\s+(?:{between}))?)"
    )
    places = any_of("sections", "notes", "pages", "captions")
    return re.compile(rf"(?i:(?<!\w)(?:{cues})\s+(?:(?:{articles})\s*)?(?P<kind>{places})\s{{0,3}}){_NUMBER}")
