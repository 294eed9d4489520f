"""A passage as it is read for one question after another: its sentences, their stems and places, their features."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

from spanwise.domain.document import LineRole
from spanwise.domain.passage import Passage
from spanwise.text.languages import ENGLISH
from spanwise.text.patterns import AUXILIARIES, lazy_pattern
from spanwise.text.related import is_filler
from spanwise.text.sentences import Block, blocks_of_passage, on_one_line, sentences, trim
from spanwise.text.terms import placed_terms, terms
from spanwise.text.terms import stem as stem_of

START_LINES = 40
"""The first lines of a document, where it says what it is, between whom and from when."""


def sentence_features(stems: Sequence[str], heading: Collection[str], line: int) -> set[str]:
    """Features: stems, pairs of neighbours (`govern|law`), those of the heading (`#law`), `@start` of first lines."""
    found = set(stems)
    found.update(f"{one}|{other}" for one, other in pairwise(stems))
    found.update(f"#{stem}" for stem in heading)
    if line <= START_LINES:
        found.add("@start")
    return found


_LEAST = 0.2
"""The least weight of a word."""
_ENTRY = re.compile(r"(?:^|(?<=\S)[^\S\n]{3,40})[^\S\n]{0,8}[A-Z][^:.;!?\n]{1,39}:[^\S\n]+(?=\S)", re.MULTILINE)
"""The label of an entry: on a line of its own, or behind a gap that parts the columns of a form."""
_CAPITALS = re.compile(r"[^\S\n]*(?=[^\n]{4,60}\n)[^a-z\n:;.?!]*[A-Z]{3}[^a-z\n:;.?!]*\n(?=\s*\S)")
"""A line in capitals before others."""
_RUN_IN = re.compile(
    r"\W{0,3}(?:\d[\d.]{0,8}[.)]?\s+|\([a-z\d]{1,3}\)\s+)?[*_]{0,3}[A-Z][^\s.:\d]*(?:\s+[^\s.:\d]+){0,2}\.[*_]{0,3}"
)
_VERB = re.compile(rf"\b(?:{AUXILIARIES}|be|been|not|no|yes|[a-z]{{2,}}ed)\b|n['\u2019]t\b", re.IGNORECASE)
_LEADER = re.compile(r"(?:\.[ \t]?){4}[ \t]{0,4}(\d{1,4})\s*$")
_NUMBERED = re.compile(r"\s*\d{1,3}(?:\.\d{1,3})*[.)]?\s+\D")
_FEWEST_ENTRIES = 2
"""Lines with a label that make a paragraph a form."""
_SHORT_LINE = 60
_RUNS_ON = tuple(".!?,;-")
"""Ends of lines that are of running text."""
_QUESTION = lazy_pattern(r"[?\uff1f][\s*_\"'\u201d\u2019)]*$")
"""The end of a question, in bold or not."""
_EMPHASISED = lazy_pattern(
    r"\s*(?:[-*+\u2022]\s+|\d{1,3}[.)]\s+)?(?:(?=[*_])(\*{1,3}|_{1,3})\S[\s\S]*\1|Q\s?[:.)][\s\S]*)\s*"
)
"""A block that is in bold or italics as a whole, or is called a question."""
_LONGEST_QUESTION = 400
"""Characters of a block that is one question, at most."""
_MARKED = re.compile(r"([^\W\d_]{5,})\d{1,2}")


def asks(text: str) -> bool:
    """True if a sentence ends as a question."""
    return _QUESTION.search(text) is not None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage: its text on one line, and its lines in the document."""

    text: str
    line_start: int
    line_end: int
    role: LineRole
    stems: tuple[str, ...]
    block: int
    """Place of its paragraph, list item or row in the passage, from 0."""


@dataclass(frozen=True)
class Reading:
    """A passage with what its heading and its text speak of, as stems."""

    passage: Passage
    title: frozenset[str]
    text: frozenset[str]
    words: tuple[tuple[int, str], ...]
    """The stems of the text, each with its offset."""

    def reworded(self, title: frozenset[str], change: Callable[[Sentence], tuple[str, ...]]) -> Reading:
        """The passage with other stems in its title and its sentences; what they say and where stays."""
        changed = tuple(replace(one, stems=change(one)) for one in self.sentences)
        made = replace(self, title=title, text=self.text.union(*(one.stems for one in changed)))
        # Sentences are cut once: what a passage says is the same for all questions.
        made.__dict__.update(sentences=changed, leads=self.leads)
        return made

    def stems(self, start: int, end: int) -> tuple[str, ...]:
        """The stems of the words that begin in the range `[start, end)` of the text, in order."""
        first = bisect_left(self.words, (start, ""))
        last = bisect_left(self.words, (end, ""))
        return tuple([stem for _, stem in self.words[first:last]])

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence; headings are one each, with that role."""
        found = []
        contents = lines_of_contents(self.passage)
        for position, block in enumerate(blocks_of_passage(self.passage)):
            parts = list(_parts(block))
            if len(parts) > 1 and _is_one_question(block):
                parts = [(parts[0][0], parts[-1][1], block.role)]
            for start, end, role in parts:
                lines = block.lines_of(start, end)
                if lines[0] not in contents:
                    stems = self.stems(block.offset + start, block.offset + end)
                    found.append(Sentence(on_one_line(block.text[start:end]), *lines, role, stems, position))
        return tuple(found)

    @cached_property
    def leads(self) -> tuple[tuple[int, ...], ...]:
        """For each sentence the places of those that lead to it: its heading, the introduction of its list, a question.

        A sentence under a heading that repeats nothing of it is about what the heading names, an item about what
        introduces its list, and the paragraph that follows a question answers it.
        """
        found: list[tuple[int, ...]] = []
        heading: int | None = None
        introduction: int | None = None
        asked: int | None = None
        answering: int | None = None  # the paragraph that begins to answer it
        for at, sentence in enumerate(self.sentences):
            if sentence.role == "heading":
                found.append(() if heading is None or heading != at - 1 else (heading,))
                heading, introduction = at, None
                continue
            if sentence.role not in ("list_item", "table_row") and introduction not in (None, at - 1):
                introduction = None
            if at and asks(self.sentences[at - 1].text):
                asked, answering = at - 1, sentence.block
            elif sentence.block != answering:
                asked = None
            found.append(tuple(dict.fromkeys(one for one in (heading, introduction, asked) if one is not None)))
            if sentence.text.rstrip().endswith((":", "\u2014")) and sentence.role != "list_item":
                introduction = at
        return tuple(found)

    @cached_property
    def features(self) -> tuple[frozenset[str], ...]:
        """What a sentence model reads in each sentence."""
        return tuple(
            frozenset(sentence_features(sentence.stems, self.title, sentence.line_start)) for sentence in self.sentences
        )


def _is_one_question(block: Block) -> bool:
    """True for a question with what leads to it ("**I cannot see the board. Can you help?**"): it answers nothing."""
    text = block.text
    return len(text) <= _LONGEST_QUESTION and asks(text) and _EMPHASISED.fullmatch(text) is not None


def _parts(block: Block) -> Iterator[tuple[int, int, LineRole]]:
    """Ranges of the sentences of a block, each with its role: a first line in capitals is the heading of the rest.

    A title that runs into its paragraph ("Fares. An adult pays ...") is one with the sentence behind it.
    """
    text, start = block.text, 0
    if block.role == "heading":
        yield from ((*range_, block.role) for range_ in sentences(text))
        return
    if (title := _CAPITALS.match(text)) is not None:
        start = title.end()
        if kept := trim(text, 0, start):
            yield *kept, "heading"
    titled: int | None = None
    for first, last in _cut(text, start):
        if titled is None and _RUN_IN.fullmatch(text, first, last) and not _VERB.search(text, first, last):
            titled = first
            continue
        yield first if titled is None else titled, last, block.role
        titled = None
    if titled is not None and (kept := trim(text, titled, len(text))):
        yield *kept, block.role


def _cut(text: str, begin: int) -> Iterator[tuple[int, int]]:
    """Ranges of sentences from a place on; each entry of a form is cut by itself."""
    starts = [one for one in entries(text) if one > begin]
    for start, end in pairwise([begin, *starts, len(text)]):
        yield from ((start + first, start + last) for first, last in sentences(text[start:end]))


def entries(text: str) -> list[int]:
    """Where the entries of a form ("Invoice date: ...") or of a list of amounts ("1 kg pumpkin") start, a line each.

    None where a paragraph is neither: it has fewer than two lines with a label, and is not made of short ones of which
    most begin with a figure.
    """
    starts = [match.start() for match in _ENTRY.finditer(text)]
    if len(starts) >= _FEWEST_ENTRIES:
        return starts
    lines = text.split("\n")
    counted = [line.lstrip()[:1].isdigit() for line in lines]
    if len(lines) <= _FEWEST_ENTRIES or not counted[0] or 3 * sum(counted) < 2 * len(lines):
        return []  # what stands before the first figure may be what all of them are of
    short = all(len(line) <= _SHORT_LINE and line.rstrip()[-1:] not in _RUNS_ON for line in lines)
    return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0)) if short else []


def lines_of_contents(passage: Passage) -> frozenset[int]:
    """Numbers of the lines of a table of contents: a row of dots and a page number, which never falls.

    The prices of a menu rise and fall.
    """
    if "..." not in passage.text and ". . ." not in passage.text:
        return frozenset()
    found = [
        (at, int(match[1]), _NUMBERED.match(text) is not None)
        for at, text in enumerate(passage.text.split("\n"), passage.line_start)
        if (match := _LEADER.search(text)) is not None
    ]
    pages = [page for _, page, _ in found]
    rising = pages == sorted(pages)
    return frozenset(at for at, _, numbered in found if rising and (numbered or len(found) > 1))


@lru_cache(maxsize=512)
def read_passage(passage: Passage, language: str = ENGLISH) -> Reading:
    """Read a passage as for a question in a language; retrieval and synthesis of one question share the work."""
    words = tuple(with_marks_apart(placed_terms(passage.text, language)))
    title = frozenset(terms(passage.section or "", language))
    return Reading(passage, title, frozenset(stem for _, stem in words), words)


def with_marks_apart(words: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The stems, and beside a word that a footnote's mark is glued to ("modules12") the stem without the mark."""
    for place, word in words:
        yield place, word
        if word[-1].isdigit() and (marked := _MARKED.fullmatch(word)):
            yield place, stem_of(marked[1])


def stem_weights(stems: Sequence[str], readings: Sequence[Reading]) -> dict[str, float]:
    """Inverse document frequency of each stem over some passages (Robertson and Zaragoza 2009), at least 0.2.

    A stem that none of them has weighs most, but one that a document need not have ("exactly") weighs least.
    """
    size = len(readings)
    weights = {}
    for stem in stems:
        frequency = sum(stem in reading.text or stem in reading.title for reading in readings)
        absent = not frequency and is_filler(stem)
        weights[stem] = _LEAST if absent else max(_LEAST, math.log(1 + (size - frequency + 0.5) / (frequency + 0.5)))
    return weights


def coverage(stems: Collection[str], weights: Mapping[str, float]) -> float:
    """Share, in [0, 1], of the question's weight that these stems cover."""
    total = sum(weights.values())
    return sum(weight for stem, weight in weights.items() if stem in stems) / total if total else 0.0
