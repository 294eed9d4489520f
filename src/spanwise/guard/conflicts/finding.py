"""`find_conflicts`: the sentences of all sources, indexed by their rarest words, and the pairs that disagree."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from spanwise.contract.adapters import Given, given_passages
from spanwise.domain.passage import Passage
from spanwise.guard.conflicts.changes import changed, changes, clause_named, new_wording, reworded, set_anew
from spanwise.guard.conflicts.comparing import Contradiction, contradiction
from spanwise.guard.conflicts.dating import Dating, amends, dating, later
from spanwise.guard.conflicts.pair import Sentence
from spanwise.guard.conflicts.values import Conflict, ConflictKind, Side
from spanwise.guard.lexicon import AUXILIARIES, is_negation
from spanwise.text.list_marks import BULLETS, DASHES
from spanwise.text.passage_reading import read_passage
from spanwise.text.quantities import quantities
from spanwise.text.sentences import blocks_of_passage, sentences, trim

MOST_CONFLICTS = 1000
"""The search ends there: sources that disagree so often need no longer list."""
LONGEST_SENTENCE = 4000
"""Characters; what is longer is no sentence, and is not compared."""
_RAREST = 6
"""Words of a sentence by which others like it are looked up."""
_MOST_SHARING = 40
"""Sentences that share a word and are looked at."""
_MOST_CANDIDATES = 12
_IN_COMMON = 0.3
_TITLE = 200
"""Characters of a first line that is a title."""
_NAME_PARTS = re.compile(r"[^\w]+|_")
_SERIES = 3
"""Sentences of one document that differ in figures alone: each is about something else."""
_BEFORE = -2
_MOST_FIGURES = 0.5
_RUNNING = 4
"""Words in lower case of a sentence without a verb that is known, or without its end."""
_MOST_FIGURES_OF_RUNNING = 0.25
_INTRODUCING = frozenset("of on by until from in since dated to through".split())
_A_MONTH = len("2024-01")
_SIGN = re.compile(r"[.%]|million|billion|thousand", re.IGNORECASE)
_KEY = re.compile(r"[^\n:]{2,60}:\s")
_NUMBERED = re.compile(r"^[^\S\n]*(\d{1,3}(?:\.\d{1,3}){0,4})\.?[^\S\n]", re.MULTILINE)
_ITEM = re.compile(r"\s*\d{1,3}(?:\.\d{1,3}){1,4}\.?\s+(?=[A-Z\"\u201c])")
"""The number of a clause before its words; "1.5 per cent" goes on in lower case."""
_PARTS = re.compile(
    rf"\n[^\S\n]*\n\s*|\n(?=\s{{0,8}}(?:[{BULLETS}{DASHES}]|\(?\w{{1,3}}[.)]|#{{1,6}})\s)|\n(?=[^\n:.]{{2,60}}:\s)"
)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence, where it stands."""

    given: Given
    start: int
    end: int
    lines: tuple[int, int]
    wording: Sentence


def find_conflicts(passages: Iterable[object] | None, *, of_first: bool = False) -> list[Conflict]:
    """Where sources say different things of the same: another figure, another date, or a "not" in one of them.

    Sentences of different passages are compared; the same value in another form ("$1.2 billion", "USD 1,200 million"),
    figures of other subjects and of other periods are no conflict. The time grows with the sentences: each is compared
    with a bounded number of those that share its rarest words.

    Args:
        passages: Passages in every form, see `given_passages`; one alone has no conflicts.
        of_first: Compare the first passage with each of the others, and these not with each other.

    Returns:
        At most `MOST_CONFLICTS`, in the order of the passages; two copies of a conflict are one.

    Raises:
        PassageError: A passage is in no form that can be read.
    """
    said = [one for given in given_passages(passages) for one in _sentences(given)]
    spoken = _Spoken(said)
    found: dict[tuple[str, str, ConflictKind, tuple[int, int]], Conflict] = {}
    datings: dict[int, Dating] = {}
    amending = {one.given.passage.document for one in said if amends(one.given)}
    told = chain(
        _contradictions(said, amending, spoken, of_first=of_first),
        _amendments(said, amending, spoken, of_first=of_first),
    )
    for one, other, differs in told:
        if differs.names and _same_document(one, other):
            continue
        for side in (one, other):
            if side.given.position not in datings:
                datings[side.given.position] = dating(side.given)
        known = datings[one.given.position], datings[other.given.position]
        if _own_periods(differs, *known):
            continue
        key = (one.wording.text, other.wording.text, differs.kind, differs.ours)
        if key not in found:
            found[key] = _conflict(one, other, differs, known, amending)
            if len(found) >= MOST_CONFLICTS:
                break
    return sorted(found.values(), key=_place)


def _contradictions(
    said: Sequence[_Said], amending: AbstractSet[str], spoken: _Spoken, *, of_first: bool
) -> Iterator[tuple[_Said, _Said, Contradiction]]:
    """Sentences about one thing that differ."""
    for one, other in _pairs(said, amending, of_first=of_first):
        if spoken.of_two_things(one, other):
            continue
        differs = contradiction(one.wording, other.wording)
        if differs is None and _amends(one, other, amending):
            differs = set_anew(one.wording, other.wording, spoken.titles(one) | spoken.titles(other))
        if differs is not None:
            yield one, other, differs


def _amendments(
    said: Sequence[_Said], amending: AbstractSet[str], spoken: _Spoken, *, of_first: bool
) -> Iterator[tuple[_Said, _Said, Contradiction]]:
    """What amending sentences change, and the sentences of other documents where it still stands as it was."""
    valued = [one for one in said if any(one.wording.digits)] if amending else []
    clauses = _clauses(valued)
    index: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(valued):
        if one.given.passage.document not in amending:
            for key in (*one.wording.content, clauses[place]):
                index[key].append(place)
    for one in valued:
        told, wording = list(changes(one.wording)), new_wording(one.wording)
        if one.given.passage.document not in amending or not (told or wording):
            continue
        clause = clause_named(one.wording)
        for place in _changed_by(one, clause, valued, clauses, index):
            other, same = valued[place], bool(clause) and clauses[place] == clause
            if of_first and 1 not in (one.given.position, other.given.position):
                continue
            titles = spoken.titles(one) | spoken.titles(other)
            found = [changed(one.wording, change, other.wording, titles, clause=same) for change in told]
            found += [reworded(*wording, other.wording, clause=same)] if wording else []
            turned = other.given.position < one.given.position
            for differs in filter(None, found):
                yield (other, one, differs.turned) if turned else (one, other, differs)


def _changed_by(
    one: _Said, clause: str, valued: Sequence[_Said], clauses: Sequence[str], index: dict[str, list[int]]
) -> list[int]:
    """Sentences that an amending one may change: those of the clause that it names, and the most alike."""
    stems = sorted(one.wording.content, key=lambda stem: (len(index.get(stem, ())), stem))[:_RAREST]
    places = {place for key in (*stems, clause) if key for place in index.get(key, ())[:_MOST_SHARING]}

    def rank(place: int) -> tuple[bool, int, int]:
        return not clause or clauses[place] != clause, -len(one.wording.content & valued[place].wording.content), place

    return sorted(places, key=rank)[:_MOST_CANDIDATES]


def _clauses(said: Sequence[_Said]) -> list[str]:
    """For each sentence the number of the clause that it stands in; empty where none is before it."""
    numbered: dict[int, list[re.Match[str]]] = {}
    found = []
    for one in said:
        if one.given.position not in numbered:
            numbered[one.given.position] = list(_NUMBERED.finditer(one.given.passage.text))
        before = bisect_right(numbered[one.given.position], one.start, key=lambda match: match.start())
        found.append(numbered[one.given.position][before - 1][1] if before else "")
    return found


def _sentences(given: Given) -> Iterator[_Said]:
    for block in blocks_of_passage(given.passage):
        if block.role != "heading":
            for start, end in _ranges(block.text):
                if end - start <= LONGEST_SENTENCE:
                    low, said = _read(block.text[start:end])
                    place = start + low
                    if said.words and _is_prose(said):
                        last = place + len(said.text)
                        yield _Said(given, block.offset + place, block.offset + last, block.lines_of(place, last), said)


@lru_cache(maxsize=256)
def _read(text: str) -> tuple[int, Sentence]:
    """A sentence without the number of its item or page, and where it begins."""
    found = [one for one in quantities(text) if one.kind == "number" and not _SIGN.search(one.original)]
    low, high = 0, len(text)
    while found and not text[low : found[0].start].strip("([ \n") and text[found[0].start].isdigit():
        low = found.pop(0).end
    if found and not text[found[-1].end :].strip(" )]") and text[: found[-1].start].rstrip().endswith((".", "!", "?")):
        high = found[-1].start
    if item := _ITEM.match(text):
        low = max(low, item.end())
    start, end = trim(text, low, high) or (low, low)
    while low and start < end and text[start] in ".)]: ":
        start += 1
    return start, Sentence(text[start:end])


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a block; list items and lines of a key with its value are sentences of their own."""
    place = 0
    for match in (*_PARTS.finditer(text), None):
        part = trim(text, place, match.start() if match else len(text))
        if part is not None:
            offset = part[0]
            yield from ((offset + start, offset + end) for start, end in sentences(text[offset : part[1]]))
        place = match.end() if match else place


def _is_prose(said: Sentence) -> bool:
    """True for a sentence, or a key with its value: the figures of a table belong to columns not known here."""
    text, digits = said.text, said.digits
    if sum(digits) > _MOST_FIGURES * len(digits):
        return False
    if any(word.plain in AUXILIARIES or is_negation(word.plain) for word in said.words):
        return True
    plain = [word for word in said.words if said.figure(word) is None]
    running = sum(text[word.start].islower() for word in plain)
    content = any(text[word.start].islower() and word.content for word in plain)
    if text.endswith((".", "!", "?", ";")) and text[:1].isupper() and content:
        return True
    if running >= _RUNNING and sum(digits) <= _MOST_FIGURES_OF_RUNNING * len(digits) and not _in_columns(digits):
        return True
    return sum(digits) == 1 and (bool(_KEY.match(text)) or _introduces_date(said))


def _in_columns(digits: Sequence[bool]) -> bool:
    """True for figures at an end of some words or beside each other, as cells of a row and numbers of pages are."""
    return digits[0] or digits[-1] or any(one and other for one, other in pairwise(digits))


def _introduces_date(said: Sentence) -> bool:
    """True for "AGREEMENT DATED AS OF January 1, 2013", unlike a date beside a signature."""
    dates = [one for one in said.quantities if len(one.iso) >= _A_MONTH]
    return len(said.content) > 1 and any(not _INTRODUCING.isdisjoint(said.before(one.start)) for one in dates)


def _pairs(said: Sequence[_Said], amending: AbstractSet[str], *, of_first: bool) -> Iterator[tuple[_Said, _Said]]:
    """Pairs of sentences of different passages that share enough words, each once, in order."""
    frequency = Counter(stem for one in said for stem in one.wording.content)
    index: dict[str, list[int]] = defaultdict(list)
    copies: dict[tuple[int, tuple[str, ...], tuple[str, ...]], int] = {}
    for place, one in enumerate(said):
        copy = (one.given.position, one.wording.frame, one.wording.values)
        if not one.wording.content or copy in copies:
            continue
        copies[copy] = place
        rarest = sorted(one.wording.content, key=lambda stem: (frequency[stem], stem))[:_RAREST]
        for before in _alike(one, rarest, said, index, amending):
            yield said[before], one
        if of_first and one.given.position > 1:
            continue
        for stem in rarest:
            index[stem].append(place)


def _alike(
    one: _Said, rarest: Sequence[str], said: Sequence[_Said], index: dict[str, list[int]], amending: AbstractSet[str]
) -> list[int]:
    """Earlier sentences of other passages that have most of the words, the most alike first."""
    places = {place for stem in rarest for place in index.get(stem, ())[-_MOST_SHARING:]}
    rated = []
    for place in places:
        other = said[place]
        if other.given.position == one.given.position:
            continue
        shared = len(one.wording.content & other.wording.content)
        share = shared / len(one.wording.content | other.wording.content)
        sets = one.wording.setting is not None and other.wording.setting is not None
        if share >= _IN_COMMON or (sets and _amends(one, other, amending)):
            rated.append((-share, place))
    return [place for _, place in sorted(rated)[:_MOST_CANDIDATES]]


def _amends(one: _Said, other: _Said, amending: AbstractSet[str]) -> bool:
    """True if one of two documents amends the other."""
    ours, theirs = one.given.passage.document, other.given.passage.document
    return ours != theirs and (ours in amending) != (theirs in amending)


def _same_document(one: _Said, other: _Said) -> bool:
    return one.given.passage.document == other.given.passage.document


class _Spoken:
    """What each document says, to tell whether it speaks of several things in the same words."""

    def __init__(self, said: Sequence[_Said]) -> None:
        self._sentences = {(one.given.passage.document, one.wording.frame, one.wording.values) for one in said}
        self._variants = Counter((document, keys) for document, keys, _ in self._sentences)
        self._first: dict[str, str] = {}
        for one in said:
            self._first.setdefault(
                one.given.passage.document, f"{one.given.passage.text[:_TITLE]}\n".partition("\n")[0]
            )

    def titles(self, one: _Said) -> frozenset[str]:
        """The content words of a document's name and first line."""
        document = one.given.passage.document
        return Sentence(f"{' '.join(_NAME_PARTS.split(document))} {self._first[document]}").content

    def of_two_things(self, one: _Said, other: _Said) -> bool:
        """True if a document says both sentences, or a series of such: then they are about different things."""
        ours, theirs = one.given.passage.document, other.given.passage.document
        if ours == theirs:
            return max(self._variants[ours, said.wording.frame] for said in (one, other)) >= _SERIES
        says_both = (theirs, one.wording.frame, one.wording.values), (ours, other.wording.frame, other.wording.values)
        return any(said in self._sentences for said in says_both)


def _own_periods(differs: Contradiction, one: Dating, other: Dating) -> bool:
    """True if each of two sources speaks of its own year: a report of 2021 and one of 2022 do not disagree."""
    if differs.kind != "date" or not one.years or not other.years or one.years & other.years:
        return False
    return all(
        _near(_year(figure.iso), known.years)
        for slot in differs.times
        for figure, known in ((slot.ours, one), (slot.theirs, other))
    )


def _near(year: str, years: Iterable[str]) -> bool:
    """True if a document of these years would speak of that one as its own: the last two are compared with it."""
    return year.isdigit() and any(_BEFORE <= int(year) - int(own) <= 1 for own in years)


def _year(iso: str) -> str:
    return iso.rpartition("/")[2].removeprefix("FY")[:4]


def _conflict(
    one: _Said, other: _Said, differs: Contradiction, known: tuple[Dating, Dating], amending: AbstractSet[str]
) -> Conflict:
    left, right = _side(one, differs.ours, known[0]), _side(other, differs.theirs, known[1])
    which = later(left, right)
    if which is None and _amends(one, other, amending):  # another passage of the document says that it amends
        which = "one" if left.document in amending else "other"
    return Conflict(differs.kind, left, right, which, _reason(differs.reason, left, right, which))


def _side(said: _Said, at: tuple[int, int], known: Dating) -> Side:
    passage = said.given.passage
    return Side(
        passage=passage.id,
        position=said.given.position,
        document=passage.document,
        line_start=said.lines[0],
        line_end=said.lines[1],
        page=said.given.page,
        start=said.start,
        end=said.end,
        quote=said.wording.text,
        value=said.wording.text[slice(*at)],
        at=(said.start + at[0], said.start + at[1]),
        dated=known.dated,
        amendment=known.amendment,
        amends=known.amends,
    )


def _reason(why: str, one: Side, other: Side, which: str | None) -> str:
    values = f' ("{one.value}", "{other.value}")' if one.value and other.value else ""
    order = {"one": "; the first source is the later one", "other": "; the second source is the later one"}
    return f"Two sources say different things of the same: {why}{values}{order.get(which or '', '')}."


def _place(conflict: Conflict) -> tuple[int, int, int, int]:
    return conflict.one.position, conflict.one.start, conflict.other.position, conflict.other.start


_ENDED = re.compile(r"(?<=[a-z]{3}[.!?])\s+(?=[A-Z][a-z])")
"""The end of a sentence inside of what the cutting of sentences took for one ("each month. Rent that")."""
_LETTER = re.compile(r"\b[A-Z]\b")
_MOST_SENTENCES = 400
"""Of a passage; a longer one is a document, whose parts speak of many things in the same words."""


def find_all_conflicts(passages: Iterable[object]) -> list[Conflict]:
    """Where passages contradict each other, and where a sentence of one contradicts another sentence of it.

    Args:
        passages: Passages in every form, see `given_passages`.

    Raises:
        PassageError: A passage is in no form that can be read.
    """
    given = given_passages(passages)
    found = find_conflicts(given) if len(given) > 1 else []
    for one in given:
        spoken = _spoken(one.passage)
        inside = find_conflicts(spoken) if 1 < len(spoken) <= _MOST_SENTENCES else []
        # "Hall A" and "hall B" are two things, which one passage often tells of in the same words.
        found += [two for two in inside if _LETTER.findall(two.one.quote) == _LETTER.findall(two.other.quote)]
    return found


def _spoken(passage: Passage) -> list[dict[str, object]]:
    """The sentences of a passage as passages of their own, with its id and their lines."""
    return [
        {
            "chunk_id": passage.id,
            "document": passage.document,
            "text": said,
            "line_start": sentence.line_start,
            "line_end": sentence.line_end,
        }
        for sentence in read_passage(passage).sentences
        if sentence.role not in ("heading", "table_row")
        for said in _ENDED.split(sentence.text)
    ]
