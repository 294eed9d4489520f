"""Cross references: places that a text refers to ("continued in Section 7", "see Note 12"), and their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from spanwise.store.openings import NO_SECTION, NUMBER, Opening, Outline, any_of, kind_of_place, outline_of, place_words
from spanwise.store.port import Store

_MOST_TEXT = 20_000
_MOST_BEHIND = 120
"""Characters behind a reference that may say the title of its place, or which text it is a part of."""
_LONGEST_SECTION = 300
"""Most lines that are returned for a referenced section."""
_LONGEST_WITHOUT_HEADING = 40
_FEWEST_LETTERS = 4
"""Letters of a title that a text must say to name its place by it."""
_MOST_LETTERS = 12


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a place in the document."""

    kind: str
    number: str
    continued: bool
    """True if the text itself continues there, False if there is only further information."""
    behind: str = ""
    """What is said behind it: perhaps the title of the place ("Note 5, Debt"), or what it is a part of."""

    def __str__(self) -> str:
        """The reference as it is written."""
        return f"{self.kind} {self.number}"


def references(text: str) -> Iterator[Reference]:
    """The places that a text sends its reader to, in order; one that it merely mentions is none."""
    text = text[:_MOST_TEXT]
    for found in _pattern().finditer(text):
        yield from _named(found, text)


def goes_on_in(text: str) -> Reference | None:
    """The place where a list says that it goes on, or that others are."""
    text = text[:_MOST_TEXT]
    found = next((one for one in _pattern().finditer(text) if one["see"] is None), None)
    return None if found is None else next(_named(found, text))


def _named(found: re.Match[str], text: str) -> Iterator[Reference]:
    """What is named first, and what follows it in one breath ("Notes 3 and 5", "Note 6, Leases; Note 7, Debt")."""
    kind, number, end = found["kind"], found["number"], found.end()
    continued = found["continued"] is not None
    while True:
        behind = text[end : end + _MOST_BEHIND]
        yield Reference(kind, number, continued, behind)
        following = _following().match(behind)
        if following is None:
            return
        kind, end = following["joined"] or following["named"] or kind, end + following.end()
        number = following["number"] or following["other"]


def place_of(reference: Reference, document: str, store: Store, line: int | None = None) -> tuple[int, int] | None:
    """The first and the last line of the place that a reference on a line means; None where it is not to be found.

    A page is found by what is printed as its number, all else by the line that opens it ("Section 7. Exclusions", or
    "7. Exclusions"; a note without that word only among notes). Several documents in one file number their sections
    each for itself, and a table of contents names all of them: of several openings the one that is no entry, that has
    the title which the text says, and that is of the part in which the text stands is meant. What a text says is a
    part of something else ("Section 13 of the Securities Exchange Act") is not to be found here.
    """
    if reference.kind.casefold() in place_words("pages"):
        printed = [page for page in store.pages(document) if page.label.casefold() == reference.number.casefold()]
        return next(((one.first_line, one.last_line) for one in printed if one.last_line >= one.first_line), None)
    outline = outline_of(document, store)
    if _of_another(reference, outline):
        return None
    meant = _meant(reference, outline, line)
    if meant is None:
        return None
    titled = next((one for one in store.sections(document) if one.first_line == meant.line), None)
    if titled is not None and meant.first:
        return titled.first_line, min(titled.last_line, titled.first_line + _LONGEST_SECTION)
    end = min(outline.end_of(meant), store.stored(document).lines, meant.line + _LONGEST_WITHOUT_HEADING)
    return meant.line, max(meant.line, end)


def _meant(reference: Reference, outline: Outline, line: int | None) -> Opening | None:
    """The opening of the place that a reference means."""
    kind = reference.kind.casefold()
    alike = outline.numbered(reference.number)
    said = _letters(reference.behind)[:_MOST_LETTERS]
    ranked = []
    for one in alike:
        title = _letters(one.title)[:_MOST_LETTERS]
        shared = min(len(title), len(said))
        named = shared >= _FEWEST_LETTERS and title[:shared] == said[:shared]
        if one.kind != kind and (one.kind or not (named or _may_be(kind, one, outline))):
            continue
        first, last = outline.part_of(one)
        within = line is not None and first <= line <= last
        if within and line is not None and one.kind != kind:  # in a part that calls its places by their kind
            within = not outline.counts(kind, *sorted((one.line, line)))
        rank = (
            one.entry,
            not named,
            not within,
            one.kind != kind,
            not one.first,
            last - first if within else 0,
            one.level,
            abs(one.line - line) if line is not None else 0,
            one.line,
        )
        ranked.append((rank, one))
    return min(ranked, key=lambda one: one[0])[1] if ranked else None


def _may_be(kind: str, one: Opening, outline: Outline) -> bool:
    """Whether a place of a kind may be opened by a number alone."""
    if kind in place_words("notes"):
        return outline.among_notes(one)
    if kind in place_words("captions") or kind in place_words("attachments"):
        return False
    return one.number[0].isdigit() or one.level < NO_SECTION


def _of_another(reference: Reference, outline: Outline) -> bool:
    """Whether a text says that a place is a part of something that the document does not have as a title."""
    found = _whole().match(reference.behind)
    return found is not None and not outline.has_title(found["name"])


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()


@cache
def _pattern() -> re.Pattern[str]:
    between, articles = any_of("between"), any_of("articles")
    into = rf"\s{{0,3}}[,:(]?\s{{0,3}}(?:(?<!\w)(?:{between})(?!\w)|:)"
    # As in: further exclusions are set out in
    further = rf"[^.;:\n]{{0,80}}?(?:[:,(]?\s{{0,3}}(?<!\w)(?:{between})|:)"
    cues = (
        rf"(?P<continued>(?:{any_of('continued')})(?!\w){into})"
        rf"|(?P<more>(?:{any_of('more')})(?!\w){further})"
        rf"|(?P<see>(?:{any_of('see')})(?!\w)(?:\s+(?:{between}))?)"
    )
    return re.compile(rf"(?i:(?<!\w)(?:{cues})\s+(?:(?:{articles})\s*)?{kind_of_place('kind', 'pages')}){NUMBER}")


@cache
def _following() -> re.Pattern[str]:
    """What goes on with a list of places: another number, or another place behind the title of the one before."""
    joins = rf"(?:{any_of('and')})\s+(?:(?:{any_of('between')})\s+(?:(?:{any_of('articles')})\s+)?)?"
    parts = r"(?:\s{0,2}\(\w{1,5}\)){0,3}\s{0,2}"
    more = rf"{parts}(?:,?\s*{joins}|,\s*(?=(?i:{kind_of_place('ahead')})|\d[\d.]*(?:,|\s+{joins})))"
    titled = rf"[^.;:\n]{{0,100}};\s*(?:{joins})?"
    other = NUMBER.replace("<number>", "<other>")
    return re.compile(
        rf"(?:(?i:{more}(?:{kind_of_place('joined')})?){NUMBER}|(?i:{titled}{kind_of_place('named')}){other})"
    )


@cache
def _whole() -> re.Pattern[str]:
    """What a place is a part of: "of the Securities Exchange Act", said right behind it."""
    word = r"[A-Z0-9][\w.&\u2019'-]{0,30}"
    names = (
        rf"(?P<name>{word}(?:\s+(?:(?:(?i:{any_of('of', 'and')}))\s+(?:(?i:{any_of('articles')})\s+)?)?{word}){{0,8}})"
    )
    of = rf"(?i:{any_of('of')})\s+(?:(?i:{any_of('articles', 'its')})\s+)?"
    return re.compile(rf"(?:\s{{0,2}}\(\w{{1,5}}\)){{0,4}}\s{{1,3}}{of}{names}")
