"""Openings: the lines with which the numbered places of a document begin ("Section 7. Exclusions", "7.2 Leases")."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from spanwise.store.port import Store, remembered
from spanwise.text.languages.data import languages

_WRITTEN = r"\d{1,3}[a-zA-Z]?(?:\.\d{1,3}){0,4}(?:-\d{1,2})?|[A-Z](?:[.-]?\d{1,3}){0,2}|[IVXL]{1,6}"
NUMBER = rf"(?<!\w)(?P<number>{_WRITTEN})(?![\w-])"
"""The number of a place as it is written: 7, 7.2.1, 1A, 3-1, B, A-1, IV."""
_MOST_TITLE = 80
_SHORT = 120
"""Characters between two openings that may be entries of a table of contents."""
_FEWEST_ENTRIES = 4
_SHORT_WITH_TITLE = 250
_FEWEST_REPEATED = 3
_BESIDE = 3
"""Lines between two entries with the numbers of their pages."""
_NEAR = 10
"""Lines below the heading of all notes in which the first of them begins."""
_LONGEST_LAST = 20
"""Lines that the last place of a part may have, or as many as all before it."""
_TITLE_PAGE = 12
"""Lines at the top of a document that may say what it is called."""
_MOST_REMEMBERED = 16
"""Documents whose openings are kept: a long one has thousands."""
_BARE = ("", "digits")
"""The style of whole numbers that stand alone."""
_NUMERALS = {"I": 1, "V": 5, "X": 10, "L": 50}
_LONGEST_WORD = 40
_RUNS_ON = re.compile(r"(?:^|[\s(])[a-z]+,?\s*$")
_PAGED = re.compile(r"(?:\s|\.{2,})(?:[A-Z]-)?\d{1,3}$")
NO_SECTION = 99
_ENDLESS = 10**9


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a numbered place begins."""

    line: int
    kind: str
    """What the place is called, as the data of languages has it ("section"); empty where a number stands alone."""
    number: str
    title: str
    """What stands behind the number, or else in the next line."""
    first: bool
    """It begins a paragraph; otherwise another place ends in its line."""
    level: int
    """Of the section that it is the title of, 1 for the outermost; `NO_SECTION` where it is no title."""
    entry: bool = False
    """It stands in a table of contents."""

    @property
    def style(self) -> tuple[str, str]:
        """How it is numbered: places are counted on from those that are numbered alike."""
        return self.kind, _writing(self.number)

    @property
    def count(self) -> int:
        """The first part of its number as a count."""
        return _count(self.number)


class Outline:
    """The openings of a document in order, and which of them are counted on from each other."""

    def __init__(self, openings: Sequence[Opening], titles: Sequence[str], notes: Sequence[int]) -> None:
        self._openings = openings
        self._titles = [_words(title) for title in titles]
        self._notes = notes
        """Lines of the headings above all notes."""
        self._at = {one: at for at, one in enumerate(openings)}
        self._numbered = defaultdict[str, list[Opening]](list)
        self._counted = defaultdict[tuple[tuple[str, str], int], list[int]](list)
        self._alike = defaultdict[int, list[Opening]](list)
        self._kinds = defaultdict[str, list[tuple[int, int]]](list)
        for at, one in enumerate(openings):
            self._kinds[one.kind].append((one.line, one.count))
            if "." not in one.number:
                self._alike[one.count].append(one)
            self._numbered[one.number.casefold()].append(one)
            if not one.entry:
                self._counted[one.style, one.count].append(at)

    def numbered(self, number: str) -> Sequence[Opening]:
        """The openings with a number; where there is none, of "3-5" and "3B" those with 3, and of "II" those with 2."""
        whole = re.match(r"\d+(?=[a-zA-Z]$|-)", number)
        found = self._numbered.get(number.casefold(), []) or (self._numbered.get(whole[0], []) if whole else [])
        if found or "." in number or _writing(number) == "letters":
            return found
        other = {"digits": "numerals", "numerals": "digits"}[_writing(number)]
        return [one for one in self._alike[_count(number)] if one.style[1] == other]

    def counts(self, kind: str, first: int, last: int) -> bool:
        """Whether places are counted by their kind between two lines ("Section 2" behind "Section 1")."""
        between = [count for line, count in self._kinds.get(kind, ()) if first < line < last]
        return any(behind == before + 1 for before, behind in pairwise(between))

    def has_title(self, name: str) -> bool:
        """Whether something in the document is called by a name, or by one that begins or ends with it."""
        said = _words(name)
        return any(title[: len(said)] == said or title[-len(said) :] == said for title in self._titles)

    def among_notes(self, opening: Opening) -> bool:
        """Whether an opening is counted on from one right below the heading of all notes."""
        first = self.part_of(opening)[0]
        at = bisect_right(self._notes, first) - 1
        return at >= 0 and first - self._notes[at] <= _NEAR

    def part_of(self, opening: Opening) -> tuple[int, int]:
        """The lines in which places are counted on with an opening, from the first of them to the end of the last.

        Backwards the nearest one that is counted as one less is taken, forwards the nearest one that is one more,
        unless counting begins anew before it; whole numbers alone count the items of lists too.
        """
        first = last = self._at[opening]
        for count in range(opening.count - 1, -1, -1):
            before = self._counted.get((opening.style, count), ())
            if not (at := bisect_left(before, first)):
                break
            first = before[at - 1]
        count = opening.count + 1
        while (behind := self._after(opening.style, count, last)) is not None:
            again = self._after(opening.style, 1, last) if count > 2 and opening.style != _BARE else None
            if again is not None and again < behind:
                break
            last, count = behind, count + 1
        begin, end = self._openings[first].line, self._openings[last].line
        again = self._after(opening.style, 1, last)
        longest = end + max(_LONGEST_LAST, end - begin)  # the last place is no longer than all before it
        return begin, longest if again is None else min(longest, self._openings[again].line - 1)

    def _after(self, style: tuple[str, str], count: int, position: int) -> int | None:
        """The position of the nearest opening behind one that is numbered in a style, and counted as so much."""
        known = self._counted.get((style, count), ())
        at = bisect_right(known, position)
        return known[at] if at < len(known) else None

    def end_of(self, opening: Opening) -> int:
        """The last line before the next place that is numbered alike and is no part of this one."""
        for one in self._openings[self._at[opening] + 1 :]:
            inner = one.number.startswith(f"{opening.number}.")
            if one.line > opening.line and one.style == opening.style and not inner:
                return one.line - 1
        return _ENDLESS


def _read_outline(document: str, store: Store) -> Outline:
    levels = {one.first_line: one.level for one in reversed(store.sections(document))}
    openings: list[Opening] = []
    titles: list[str] = []
    notes: list[int] = []
    gaps: list[int] = []
    """Characters from each opening to the next."""
    paged: list[bool] = []
    """Whether the number of a page stands behind it."""
    sentences: list[bool] = []
    """Whether its line ends as a sentence does."""
    seen = 0
    for line, role, begins, text, following in _lines(document, store):
        heading = role == "heading"
        if heading or (line <= _TITLE_PAGE and text.rstrip()[-1] not in ".;,"):
            titles.append(text)
        if heading and _words(text)[:1] and _words(text)[0] in _plurals("notes"):
            notes.append(line)
        for found, title in _found(text, begins=begins, heading=heading, row=role == "table_row"):
            if gaps:
                gaps[-1] += seen + found.start()
            gaps.append(-found.start())
            paged.append(_PAGED.search(title[-_MOST_TITLE:]) is not None)
            sentences.append(title[-1:] in (".", ";"))
            seen = 0
            openings.append(
                Opening(
                    line,
                    (found["kind"] or "").casefold(),
                    found["number"],
                    (title or following)[:_MOST_TITLE],
                    begins and not text[: found.start("all")].strip(),
                    levels.get(line, NO_SECTION) if heading else NO_SECTION,
                )
            )
        seen += len(text)
    return Outline(_with_entries(openings, gaps, paged, sentences), titles, notes)


outline_of = remembered(_read_outline, _MOST_REMEMBERED)
"""The openings of a document in a store."""


def _lines(document: str, store: Store) -> Iterator[tuple[int, str, bool, str, str]]:
    """The lines of a document that are not blank: number, role, whether they begin a paragraph, text, the next text."""
    before: tuple[int, str, bool, str] | None = None
    runs_on = False
    """The text before goes on in the next line."""
    for passage in store.passages(document):
        texts = passage.text.split("\n")
        blocks = passage.blocks or ((1, "text"),) * len(texts)
        beginnings = [(role, at == 0) for length, role in blocks for at in range(length)]
        for at, (text, (role, begins)) in enumerate(zip(texts, beginnings, strict=False)):
            if text.strip():
                if before is not None:
                    yield *before, text
                before = passage.line_start + at, role, begins and not runs_on, text
                runs_on = role == "text" and _RUNS_ON.search(text[-_LONGEST_WORD:]) is not None
    if before is not None:
        yield *before, ""


def _found(text: str, *, begins: bool, heading: bool, row: bool) -> Iterator[tuple[re.Match[str], str]]:
    """The openings in a line, with what stands behind each in it.

    Behind a number alone a title begins with a capital letter, and one that is no heading has a mark or several parts
    ("7. Leases", "7.2 Leases"). Within a line only what is sure opens a place: what was said before has ended.
    """
    for found in _pattern().finditer(text):
        title, before = text[found.end() :].strip(), text[: found.start("all")]
        kind, number, mark = found["kind"], found["number"], found["mark"]
        leads = not before.strip()
        parts = "." in number
        if mark == ")" and not kind:
            continue  # an item of a list
        if not leads and _RUNS_ON.search(before[-_LONGEST_WORD:]):
            continue
        sure = mark if kind else parts and (leads or before[-1:] == " ")
        if title and not sure and not _begins_a_title(title):
            continue
        if begins and leads:
            if kind or heading or ((mark or parts) and number[0].isdigit() and (parts or not row)):
                yield found, title
        elif len(title) >= _BESIDE and title[0].isalpha() and (kind or parts or (mark == "." and number.isdigit())):
            yield found, title


def _begins_a_title(text: str) -> bool:
    """Whether a text may begin a title: with no small letter, and with no mark that goes on with a sentence."""
    return not text[0].islower() and text[0] not in ",;)"


def _with_entries(
    openings: Sequence[Opening], gaps: Sequence[int], paged: Sequence[bool], sentences: Sequence[bool]
) -> list[Opening]:
    """The openings, those of a table of contents marked.

    Its entries are many short ones in a row, or have numbers of pages, or nearly all of a row come again below.
    """
    entries = set[int]()
    again = Counter((one.kind, one.number) for one in openings)
    for run in _runs(gaps, _SHORT_WITH_TITLE):
        twice = sum(again[openings[at].kind, openings[at].number] > 1 for at in run)
        if len(run) >= _FEWEST_REPEATED and twice >= len(run) - 1 and run[0] < len(openings) // 2:
            entries.update(run)
    for run in _runs(gaps, _SHORT):
        if len(run) >= _FEWEST_ENTRIES and 2 * sum(sentences[at] for at in run) < len(run):
            entries.update(run)
    for at, (one, following) in enumerate(pairwise(openings)):
        if paged[at] and paged[at + 1] and following.line - one.line <= _BESIDE:
            entries.update((at, at + 1))
    return [replace(one, entry=True) if at in entries else one for at, one in enumerate(openings)]


def _runs(gaps: Sequence[int], most: int) -> Iterator[list[int]]:
    """The openings that follow each other with at most so many characters between them."""
    run: list[int] = []
    for at in range(len(gaps)):
        if run and gaps[at - 1] > most:
            yield run
            run = []
        run.append(at)
    yield run


def _writing(number: str) -> str:
    """What a number is written in."""
    if number[0].isdigit():
        return "parts" if "." in number else "digits"
    return "numerals" if set(number) <= _NUMERALS.keys() else "letters"


def _count(number: str) -> int:
    """The first part of a number as a count."""
    if digits := re.match(r"\d+", number):
        return int(digits[0])
    if _writing(number) == "letters":
        return ord(number[0]) - ord("A") + 1
    values = [_NUMERALS[one] for one in number]
    return sum(-one if one < following else one for one, following in pairwise([*values, 0]))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text[: 2 * _MOST_TITLE].casefold())


@cache
def place_words(kind: str) -> tuple[str, ...]:
    """The words of one kind in all languages, the longest first."""
    found = {word for language in languages().values() for word in language.references.get(kind, ())}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


@cache
def _plurals(kind: str) -> frozenset[str]:
    return frozenset(word + ending for word in place_words(kind) for ending in ("", "s", "n", "en", "e"))


def any_of(*kinds: str) -> str:
    """A pattern of the words of some kinds."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for kind in kinds for word in place_words(kind))


def kind_of_place(group: str, *others: str) -> str:
    """A pattern of what places are called, one or several of them."""
    return rf"(?P<{group}>{any_of('sections', 'attachments', 'notes', 'captions', *others)})(?:s|en|n|e)?\s{{0,3}}"


@cache
def _pattern() -> re.Pattern[str]:
    before = r"(?:^\s{0,80}|(?<=[.;:*\])])\s{1,3}|\s{2,80}|(?<=\*))"
    after = r"(?:\s?(?P<mark>[.:)\u2013\u2014-]))?(?=\s|$)"
    number_ahead = r"(?=(?:\S{1,16}\s{0,4})?(?:\d|[A-Z](?![a-z])))"  # nearly all lines are told by a glance
    return re.compile(rf"{before}{number_ahead}(?P<all>(?:(?i:{kind_of_place('kind')}))?{NUMBER}{after})")
