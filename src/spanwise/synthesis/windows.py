"""Windows: labelled sources in their order, cut at the ends of sentences into excerpts that fit into one prompt.

The label of a source is the position of its passage among those given, in every prompt of a run, so `[7]` always means
`passages[6]`; the excerpts of a window record which of its lines an answer saw. No text is sent twice unless an overlap
is requested.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from spanwise.contract.adapters import Given
from spanwise.domain.passage import Hit, Passage
from spanwise.text.injection.marks import as_data
from spanwise.text.list_marks import BULLETS, DASHES
from spanwise.text.patterns import lazy_pattern
from spanwise.text.sentences import sentences
from spanwise.text.tokens import back, reach, token_bound, whole_character, word_end

SEPARATOR = "\n\n"

_WORD_OR_SIGN = lazy_pattern(
    r"\(?[+\-\u2212]?\d+(?:[.,]\d+)*\)?|[^\W\d]+|[^\w\s\"'.,;:!?\-()\[\]{}\u2010-\u201f\u2026`]"
)
_ARTICLES = frozenset(["a", "an", "the"])
_FIRST_WORDS = 6
_BEGINNING = 120  # characters that contain these first words of nearly every text


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A text that prompts show: a passage or, in later rounds, an answer that was written from passages."""

    text: str
    """The text as shown.

    Characters that look like markup are replaced one for one, so offsets are those of the passage.
    """
    first: int
    last: int
    """Range of the text without surrounding white space, as offsets."""
    tokens: int
    """Upper bound of the text's tokens."""
    header_tokens: int = 0
    """Upper bound of the tokens that an excerpt needs besides its text."""
    label: int | None = None
    given: tuple[Given, ...] = ()
    """The passage, and further ones with the same content; empty for a written answer."""
    contained: tuple[Given, ...] = ()
    """Passages of the same document whose lines are all in this source or in earlier ones."""
    credits: Mapping[int, tuple[Excerpt, ...]] = field(default_factory=dict)
    """For a written answer, the excerpts that each label in it stands for."""
    line_base: int | None = None
    """In a typed run, the number of lines in the sources before it, as lines are shown with numbers; else None."""

    @property
    def passages(self) -> tuple[Given, ...]:
        """All passages that are read with it."""
        return (*self.given, *self.contained)

    @property
    def header(self) -> str:
        """The text before each excerpt: its label."""
        if self.label is None:
            return ""
        return f"[{self.label}]\n" if self.line_base is not None else f"[{self.label}] "


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part `[start, end)` of a source's text."""

    source: Source
    start: int
    end: int

    @property
    def shown(self) -> str:
        """The excerpt as a prompt shows it, with its label."""
        text = self.source.text[self.start : self.end]
        base = self.source.line_base
        if base is not None and not text.startswith(prefix := f"{base + self.lines[0]}| "):
            text = prefix + text
        return self.source.header + text

    @property
    def lines(self) -> tuple[int, int]:
        """Numbers of its first and last line, counted from 1 in its source."""
        before = self.source.text.count("\n", 0, self.start)
        return before + 1, before + 1 + self.source.text.count("\n", self.start, self.end)


Credits: TypeAlias = Mapping[int, tuple[Excerpt, ...]]
"""The excerpts that each label stands for."""


@dataclass(frozen=True, slots=True)
class Window:
    """The excerpts of one prompt."""

    excerpts: tuple[Excerpt, ...]
    tokens: int
    """Upper bound of their tokens."""

    @property
    def text(self) -> str:
        """The window as the prompt shows it."""
        return SEPARATOR.join(excerpt.shown for excerpt in self.excerpts)

    @property
    def labels(self) -> frozenset[int]:
        """Labels of the passages that it shows, as a whole or in part."""
        return frozenset(excerpt.source.label for excerpt in self.excerpts if excerpt.source.label is not None)

    @property
    def credits(self) -> Credits:
        """The excerpts that each label visible in it stands for."""
        found: Credits = {}
        for excerpt in self.excerpts:
            own = {} if excerpt.source.label is None else {excerpt.source.label: (excerpt,)}
            found = joined(found, own or excerpt.source.credits)
        return found


def joined(one: Credits, other: Credits) -> Credits:
    """The union of both credits; an excerpt counts once."""
    return dict(one) | {label: tuple(dict.fromkeys((*one.get(label, ()), *found))) for label, found in other.items()}


def sources_of(given: Iterable[Given], *, numbered: bool = False) -> tuple[Source, ...]:
    """The passages as sources: blank ones omitted, and those with the same content merged under the first one's label.

    Texts have the same content if they differ only in case, spacing, punctuation and articles; another number, sign or
    any other word makes them different. Lines of a document that passages share at their ends are shown only once.

    Args:
        given: The passages in their order.
        numbered: Number every line, for answers that refer to lines.
    """
    sources: list[Source] = []
    seen = _Seen()
    read = _Lines()
    lines = 0
    for passage in given:
        text = passage.passage.text
        if not text.strip():
            continue
        beginning = _words(text[:_BEGINNING])[:_FIRST_WORDS]
        if (twin := seen.find(text, beginning)) is not None:
            sources[twin] = replace(sources[twin], given=(*sources[twin].given, passage))
            continue
        new, owner = read.new_lines(passage, len(sources))
        if owner is not None:
            sources[owner] = replace(sources[owner], contained=(*sources[owner].contained, passage))
            continue
        seen.add(text, beginning, len(sources))
        source = _source(text, (passage,), passage.position, lines if numbered else None)
        lines += text.count("\n") + 1
        sources.append(_only_lines(source, *new) if new else source)
    return tuple(sources)


def written_source(text: str, credits_: Credits) -> Source:
    """An answer as a source for a later prompt."""
    shown = as_data(text, labels=False)
    return Source(
        shown, 0, len(text), token_bound(shown + SEPARATOR), credits=credits_
    )  # with the separator between sources


def _source(text: str, given: tuple[Given, ...], label: int, line_base: int | None) -> Source:
    shown = as_data(text)
    if line_base is not None:
        shown = "\n".join(f"{line_base + place}| {line}" for place, line in enumerate(shown.split("\n"), 1))
    first, last = len(shown) - len(shown.lstrip()), len(shown.rstrip())
    continued = "" if line_base is None else f"{line_base + text.count(chr(10)) + 1}| "  # of a line that was split
    header_tokens = token_bound(f"[{label}] {continued}{SEPARATOR}")
    tokens = token_bound(shown[first:last])
    return Source(shown, first, last, tokens, header_tokens, label, given, line_base=line_base)


def _only_lines(source: Source, start: int, end: int) -> Source:
    """The source with only its lines `[start, end)`, counted from 0, left to be shown."""
    rows = source.text.split("\n")
    first = sum(len(row) + 1 for row in rows[:start])
    text = "\n".join(rows[start:end])
    last = first + len(text.rstrip())
    first += len(text) - len(text.lstrip())
    return replace(source, first=first, last=last, tokens=token_bound(source.text[first:last]))


class _Lines:
    """The lines of each document that are already shown, and the sources that show them."""

    def __init__(self) -> None:
        self._shown: dict[str, dict[int, tuple[str, int]]] = {}

    def new_lines(self, given: Given, place: int) -> tuple[tuple[int, int] | None, int | None]:
        """The lines of a passage that are not shown yet, or the source that already shows all of them.

        Only passages with a place in a document are compared. Lines are new from the first to the last that is not
        shown yet.

        Returns:
            The range of new lines, counted from 0 in the passage, or None if all are new; and None, or the index of the
            source
            that shows the passage's first line if no lines are new.
        """
        if not isinstance(given.item, Passage | Hit):
            return None, None
        shown = self._shown.setdefault(given.passage.document, {})
        rows = dict(enumerate(given.passage.text.split("\n"), given.passage.line_start))
        new = [number for number, row in rows.items() if row.strip() and shown.get(number, ("", 0))[0] != row]
        if not new:
            first = next(number for number, row in rows.items() if row.strip())
            return None, shown[first][1]
        for number, row in rows.items():
            shown.setdefault(number, (row, place))
        start, end = new[0] - given.passage.line_start, new[-1] - given.passage.line_start + 1
        return (None if (start, end) == (0, len(rows)) else (start, end)), None


class _Seen:
    """The texts so far. They are compared as a whole only if their first words agree."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        self._by_words: dict[tuple[str, ...], int] = {}

    def find(self, text: str, beginning: tuple[str, ...]) -> int | None:
        """The index of an earlier source with the same content; None for a new text."""
        waiting = self._waiting.get(beginning)
        if waiting is None:
            return None
        while waiting:
            earlier, place = waiting.pop()
            self._by_words.setdefault(_words(earlier), place)
        return self._by_words.get(_words(text))

    def add(self, text: str, beginning: tuple[str, ...], place: int) -> None:
        """Add a new text."""
        self._waiting.setdefault(beginning, []).append((text, place))


def _words(text: str) -> tuple[str, ...]:
    """The words, numbers and signs of a text without articles; the text itself if it has none."""
    return tuple([word for word in _WORD_OR_SIGN.findall(text.lower()) if word not in _ARTICLES]) or (text.strip(),)


_GRID = 1024  # characters that are split at a time: cutting looks near the limit, and never reads a whole megabyte
_LINE_OR_WIDE_SENTENCE = re.compile(
    rf"(?<=[.!?:;|])(?=\n)|(?=\n[ \t]*(?:\n|[{BULLETS}#|{DASHES}]|\d+[.)]\s))"
    r"|(?<=[\u3002\uff01\uff1f])[\u300d\u300f\u201d]?"
)


def cut(text: str, floor: int, limit: int) -> int:
    """The best offset in `(floor, limit]` at which to end a piece of the text; the piece has at least one character."""
    if limit >= len(text):
        return len(text)
    if found := sentence_cut(text, floor, limit):
        return found
    line = text.rfind("\n", floor + 1, limit + 1)
    if line > (floor + limit) // 2:
        return line
    return max(word_end(text, floor, limit), whole_character(text, floor, floor + 1))


def sentence_cut(text: str, floor: int, limit: int) -> int | None:
    """The last end of a sentence, paragraph or finished line in `(floor, limit]`; None if there is none."""
    for place in range(max(limit - 1, 0) // _GRID, floor // _GRID - 1, -1):
        ends = _ends(text[place * _GRID : (place + 1) * _GRID])
        found = bisect_right(ends, limit - place * _GRID)
        if found and ends[found - 1] + place * _GRID > floor:
            return ends[found - 1] + place * _GRID
    return None


def shortened(text: str, tokens: int) -> str:
    """The beginning of a text that fits into `tokens`."""
    limit = reach(text, 0, tokens)
    if limit >= len(text):
        return text
    return text[: cut(text, 0, limit)].rstrip() if limit > 0 else ""


@lru_cache(maxsize=512)
def _ends(piece: str) -> tuple[int, ...]:
    """Offsets of the ends of sentences, paragraphs and finished lines in a piece, except for its own end."""
    found = {end for _, end in sentences(piece)} | {match.end() for match in _LINE_OR_WIDE_SENTENCE.finditer(piece)}
    return tuple(sorted(found - {0, len(piece)}))


_MOST_CHARACTERS = 4  # characters of a token, at most
_WORTH_A_CUT = 0.25  # share of the room below which it is left empty rather than filled with half a sentence
_PROGRESS = 4  # tokens beyond an overlap, so that every window brings something new


@dataclass(frozen=True, slots=True)
class Place:
    """How far sources have been read: all before `index`, and that one up to the offset `done`."""

    index: int = 0
    done: int = 0
    start: int = 0
    """Offset at which the next excerpt begins: `done`, or less if pieces overlap."""

    def reached(self, other: Place) -> bool:
        """True if everything up to `other` has been read."""
        return (self.index, self.done) >= (other.index, other.done)


@dataclass(frozen=True, slots=True)
class Packer:
    """Cuts sources into windows.

    Attributes:
        sources: The sources to read, in order.
        alone: True for at most one source per window.
        overlap: Tokens that consecutive pieces of one source share.
    """

    sources: Sequence[Source]
    alone: bool = False
    overlap: int = 0

    def windows(self, room: int, later: int | None = None) -> Iterator[tuple[Window, Place]]:
        """All windows, each with the place up to which it reads.

        Args:
            room: Tokens of the first window.
            later: Tokens of the others; None for the same.
        """
        place = Place()
        while not self.ends(place):
            window, place = self.take(place, room)
            yield window, place
            room = room if later is None else later

    def ends(self, place: Place) -> bool:
        """True if nothing is left to read."""
        return place.index >= len(self.sources)

    def take(self, place: Place, room: int, least: Place | None = None) -> tuple[Window, Place]:
        """The next window, from `place` on: as much as fits, but at least up to `least` if that is given.

        The caller guarantees that `least` can be reached, as a plan with no more room and from no later a place did so.
        """
        window, reached = self._fill(place, room)
        return (window, reached) if least is None or reached.reached(least) else (self.until(place, least), least)

    def _fill(self, place: Place, room: int) -> tuple[Window, Place]:
        excerpts: list[Excerpt] = []
        left = room
        index, done, start = place.index, place.done, place.start
        while index < len(self.sources) and not (self.alone and excerpts):
            source = self.sources[index]
            start = start or source.first
            rest = _cost_of_rest(source, start, left)
            if rest is None:
                roomy = left > room * _WORTH_A_CUT
                end = self._cut(source, start, max(done, start), left, anew=not excerpts, roomy=roomy)
                if end is not None:
                    excerpts.append(Excerpt(source, start, end))
                    left -= source.header_tokens + token_bound(source.text[start:end])
                    return Window(tuple(excerpts), room - left), self._after(index, start, end)
                break
            excerpts.append(Excerpt(source, start, source.last))
            left -= rest
            index, done, start = index + 1, 0, 0
        return Window(tuple(excerpts), room - left), Place(index)

    def _cut(self, source: Source, start: int, done: int, left: int, *, anew: bool, roomy: bool) -> int | None:
        """The offset at which to end a piece of a source that does not fit.

        None if it should begin in the next window.
        """
        limit = min(reach(source.text, start, left - source.header_tokens), source.last)
        if anew:
            return cut(source.text, done, max(limit, done + 1))
        if limit <= done:
            return None
        return sentence_cut(source.text, done, limit) or (cut(source.text, done, limit) if roomy else None)

    def _after(self, index: int, start: int, end: int) -> Place:
        source = self.sources[index]
        following = end + len(source.text[end : source.last]) - len(source.text[end : source.last].lstrip())
        if following >= source.last:
            return Place(index + 1)
        if not self.overlap or following - end > _PROGRESS:
            return Place(index, following, following)
        return Place(index, following, min(following, back(source.text, start, end, self.overlap)))

    def until(self, place: Place, least: Place) -> Window:
        """The window from one place exactly to a later one."""
        excerpts: list[Excerpt] = []
        tokens = 0
        for index in range(place.index, least.index + (least.done > 0)):
            source = self.sources[index]
            start = place.start if index == place.index and place.start else source.first
            end = len(source.text[: least.done].rstrip()) if index == least.index else source.last
            excerpts.append(Excerpt(source, start, end))
            tokens += source.header_tokens + token_bound(source.text[start:end])
        return Window(tuple(excerpts), tokens)


def _cost_of_rest(source: Source, start: int, left: int) -> int | None:
    """Tokens of the rest of a source; None if it does not fit into `left`."""
    if source.last - start > left * _MOST_CHARACTERS:
        return None  # no text that long fits, and counting a megabyte for each of its pieces would take long
    tokens = source.tokens if start == source.first else token_bound(source.text[start : source.last])
    cost = source.header_tokens + tokens
    return cost if cost <= left else None


def overlap_tokens(share: float, room: int, sources: Sequence[Source]) -> int:
    """The overlap in tokens: a share of the room, but always less than a window, so that each brings something new."""
    header = max((source.header_tokens for source in sources), default=0)
    return max(0, min(int(share * room), room - header - _PROGRESS))
