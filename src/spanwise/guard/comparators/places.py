"""Names, parties and figures in the place of others: each is compared by the words around it.

One idea for who does what to whom, which figure belongs to what, and which year: where the claim's words around a name
are those that the source has around another name of the same kind, and not those around its own, the claim has put it
in the other's place. What keeps its own partner (a figure its year, a name its figure) has only moved with its clause:
"A in X and B in Y" is "B in Y and A in X".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.alignment import Word
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import BE, ROLES
from spanwise.guard.sentence.synonyms import groups_of
from spanwise.text.terms import stem

_AROUND = 4
"""Content words of context on either side of a filler."""
_FAR = 9
"""Words on either side, small ones included."""
_LONGEST = 70
"""Words of either sentence; in a longer one most words are not about the filler."""
_MARGIN = 0.3
"""How much better another filler's surroundings have to fit than its own."""
_OF = 2
"""Words between two parts of one name: "of", "of the"."""
_TURNS = frozenset("and but while whereas against versus compared then to from than".split())
"""Words with which a sentence goes on to the next thing."""
_END = re.compile(r"[.;!?]\s")
_FITS = 0.5
"""How well the other's surroundings have to fit at least."""
_COPIED = 0.5
"""Share of the claim's words in the order of the sentence from which an exchange is a denial, and not only a doubt."""
_JOINS = frozenset(["and", "or", "&", "nor", "with"])
_IS = BE | {"the", "a", "an", "its", "their"}
"""Words that join two names of one thing."""
_LEADS = frozenset(["to", "from", "by", "against", "for", "of", "in", "at", "on", "than", "into", "between", "under"])
"""Prepositions that tell roles apart."""


@dataclass(frozen=True, slots=True)
class _Filler:
    """Words that name or count something, by index, `first` to `last` exclusive."""

    kind: str
    plain: frozenset[str]
    first: int
    last: int


def fillers_keep_their_places(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No name, party or figure of the claim stands where its source has another one of the same sentence."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or max(len(pair.ours), len(pair.theirs)) > _LONGEST:
        return []
    return list(_moved(pair, said))


def _moved(pair: Pair, said: ReadClaim) -> Iterator[Difference]:
    ours, theirs = _fillers(pair.ours), _fillers(pair.theirs)
    if len(theirs) < 2:
        return
    taken = {}
    around = [_surroundings(other, pair.theirs, theirs) for other in theirs]
    for index, one in enumerate(ours):
        place = _taken(one, pair, ours, theirs, around)
        if place is None or _joined(one, theirs[place], pair):
            continue
        if not _keeps_partner(index, place, _Side(ours, pair.ours), _Side(theirs, pair.theirs)):
            taken[index] = place
    for index, place in taken.items():
        exchanged = any(
            _same(ours[index], theirs[other]) and _same(ours[number], theirs[place]) for number, other in taken.items()
        )
        if exchanged:
            yield _fault(ours[index], theirs[place], pair, said)


def _same(one: _Filler, other: _Filler) -> bool:
    return one.kind == other.kind and bool(one.plain & other.plain)


def _taken(
    one: _Filler,
    pair: Pair,
    ours: Sequence[_Filler],
    theirs: Sequence[_Filler],
    around: Sequence[Mapping[tuple[str, str], float]],
) -> int | None:
    """The filler of the sentence, of the same kind, whose surroundings the claim's one has rather than its own."""
    own = [index for index, other in enumerate(theirs) if _same(one, other)]
    rivals = [index for index, other in enumerate(theirs) if one.kind == other.kind and index not in own]
    if not own or not rivals:
        return None
    mine = _surroundings(one, pair.ours, ours)
    fits = [_fit(mine, other) for other in around]
    best = max(rivals, key=lambda index: fits[index])
    return best if fits[best] >= max(_FITS, max(fits[index] for index in own) + _MARGIN) else None


@dataclass(frozen=True, slots=True)
class _Side:
    """The fillers of one of the two sentences, and its words."""

    fillers: Sequence[_Filler]
    words: Sequence[Word]

    def partners(self, index: int, kind: str) -> list[_Filler]:
        """The fillers of another kind that belong to one: beside it in its clause, or the one "respectively" means."""
        one = self.fillers[index]
        own = [other for other in self.fillers if other.kind == one.kind]
        others = [other for other in self.fillers if other.kind == kind]
        if len(own) == len(others) and any(word.plain == "respectively" for word in self.words):
            return [others[own.index(one)]]
        before = [other for other in others if other.last <= one.first][-1:]
        behind = [other for other in others if other.first >= one.last][:1]
        return [other for other in (*before, *behind) if not self._apart(one, other)]

    def _apart(self, one: _Filler, other: _Filler) -> bool:
        """True if a clause ends between two fillers."""
        first, second = sorted((one, other), key=lambda filler: filler.first)
        turns = any(word.plain in _TURNS for word in self.words[first.last : second.first])
        beside = pairwise(self.words[first.last - 1 : second.first + 1])
        return turns or any(after.start - before.end > 1 for before, after in beside)


def _keeps_partner(index: int, rival: int, ours: _Side, theirs: _Side) -> bool:
    """True if a filler has the same partner of another kind in both sentences, and its rival another one."""
    one = ours.fillers[index]
    own = [number for number, other in enumerate(theirs.fillers) if _same(one, other)]
    for kind in {other.kind for other in ours.fillers} - {one.kind}:
        mine = [partner for number in own for partner in theirs.partners(number, kind)]
        others = theirs.partners(rival, kind)
        for here in ours.partners(index, kind):
            kept = any(_same(here, partner) for partner in mine)
            if kept and not any(_same(here, partner) for partner in others):
                return True
    return False


def _joined(one: _Filler, rival: _Filler, pair: Pair) -> bool:
    """True if their order carries no meaning: a conjunction ("Mary and John met"), or an apposition."""
    own = [filler for filler in _fillers(pair.theirs) if filler.plain & one.plain and filler.kind == one.kind]
    for other in own:
        first, second = sorted((other, rival), key=lambda filler: filler.first)
        between = pair.theirs[first.last : second.first]
        joined = all(word.plain in _JOINS or word.plain in _IS or word.initial for word in between)
        text = pair.unit.text[pair.theirs[first.last - 1].end : pair.theirs[second.first].start]
        if joined and len(between) <= _AROUND and _END.search(text) is None:
            return one.kind in ("name", "party")
    return False


def _fillers(words: Sequence[Word]) -> list[_Filler]:
    found: list[_Filler] = []
    index = 0
    while index < len(words):
        word, last = words[index], index + 1
        if word.number:
            found.append(_Filler(_number_kind(word, words[last : last + 1]), frozenset([word.plain]), index, last))
        elif word.plain in ROLES:
            found.append(_Filler("party", frozenset([word.plain]), index, last))
        elif _is_name(words, index):
            while last < len(words) and words[last].capital and not words[last].number:
                last += 1
            found.append(_Filler("name", frozenset(word.plain for word in words[index:last]), index, last))
        index = last
    if any(one.kind == "name" for one in found):  # "Acme shall indemnify the Buyer": they exchange places too
        found = [replace(one, kind="name") if one.kind == "party" else one for one in found]
    return _one_phrase(found, words)


def _one_phrase(found: Sequence[_Filler], words: Sequence[Word]) -> list[_Filler]:
    """Names that belong together as one: "Acme's vendor" and "the vendor of Acme"."""
    joined: list[_Filler] = []
    for one in found:
        before = joined[-1] if joined else None
        if before is not None and one.kind == before.kind == "name":
            between = [word.plain for word in words[before.last : one.first]]
            beside = not between and words[one.first].start - words[before.last - 1].end <= 1
            if beside or (between[:1] == ["of"] and len(between) <= _OF):
                joined[-1] = _Filler("name", before.plain | one.plain, before.first, one.last)
                continue
        joined.append(one)
    return joined


def _is_name(words: Sequence[Word], index: int) -> bool:
    word = words[index]
    if not is_content(word):
        return False
    return word.capital or (index == 0 and word.plain.isalpha() and word.initial)


def _number_kind(word: Word, following: Sequence[Word]) -> str:
    if word.plain.isdigit() and len(word.plain) == 4 and word.plain[:2] in ("18", "19", "20"):
        return "year"
    return "percent" if following and following[0].plain in ("%", "percent") else "number"


def _surroundings(one: _Filler, words: Sequence[Word], fillers: Sequence[_Filler]) -> Mapping[tuple[str, str], float]:
    """The words around a filler with their side, each the more the nearer it stands; a participle is turned round.

    Other fillers of its kind count as such, whichever they are: those are what may have changed places.
    """
    found: dict[tuple[str, str], float] = {}
    turned: dict[tuple[str, str], float] = {}
    kinds = {place: other.kind for other in fillers for place in range(other.first, other.last)}
    for side, places in (
        ("left", range(one.first - 1, max(-1, one.first - _FAR), -1)),
        ("right", range(one.last, min(len(words), one.last + _FAR))),
    ):
        near = 0
        for step, place in enumerate(places):
            word = words[place]
            if not is_content(word):
                if step < 2 and side == "left" and word.plain in _LEADS:
                    found["leads", word.plain] = 0.4
                continue
            near += 1
            passive = _passive(words, place)
            told, into = (_turned(side), turned) if passive else (side, found)
            for key in {f"@{one.kind}"} if kinds.get(place) == one.kind else _keys(word):
                into[told, key] = max(into.get((told, key), 0), 1 / near)
            if near == _AROUND:
                break
    # Behind a passive the words of the clause stand beside the agent; in the active voice beside the other one.
    return turned if turned and one.kind in ("name", "party") else turned | found


def _turned(side: str) -> str:
    return "right" if side == "left" else "left"


def _passive(words: Sequence[Word], place: int) -> bool:
    """True if a word is the participle of a passive whose agent is named: "was bought by"."""
    behind = [word.plain for word in words[place + 1 : place + 4]]
    before = [word.plain for word in words[max(0, place - 4) : place]]
    return "by" in behind and not BE.isdisjoint(before)


def _keys(word: Word) -> set[str]:
    if word.number:
        return {word.plain}
    root = stem(word.plain)
    return {root, *(f"#{group}" for group in groups_of(root))}


def _fit(ours: Mapping[tuple[str, str], float], theirs: Mapping[tuple[str, str], float]) -> float:
    """Share of the context of one filler that the other has on the same side."""
    best: dict[tuple[str, str], float] = {}
    for side, key in ours.keys() & theirs.keys():
        weight = min(ours[side, key], theirs[side, key])
        word = (side, "" if key.startswith("#") else key)  # a synonym counts once, whatever groups it shares
        best[word] = max(best.get(word, 0.0), weight)
    return sum(best.values())


def _fault(one: _Filler, rival: _Filler, pair: Pair, said: ReadClaim) -> Difference:
    at = said.start + pair.ours[one.first].start, said.start + pair.ours[one.last - 1].end
    written = said.plain[pair.ours[one.first].start : pair.ours[one.last - 1].end]
    source = pair.unit.text[pair.theirs[rival.first].start : pair.theirs[rival.last - 1].end]
    reason = f'the answer has "{written}" where the source has "{source}"'
    return Difference("swapped", reason, at, pair.unit, denies=pair.alignment.share >= _COPIED, doubts=True)
