"""Frames: a claim states what its source denies, doubts, reports as opinion, asks, orders, supposes or withdraws."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.verification import FindingKind
from spanwise.text.expectations.polarity import NEGATION
from spanwise.text.framing.frames import Frame, FrameKind, comment_frame, frames
from spanwise.text.injection.directed import directed_in, gives_way
from spanwise.text.injection.orders import in_order
from spanwise.text.terms import placed_terms, stem, terms

_MOST = 0.6
"""Share of the matched words of a claim that a frame has to hold to be a frame of the claim."""
_AS_WELL = 0.9
"""Share of what the framed sentence holds from which another one says the claim just as well."""
_CANDIDATES = 6
_CLOSE = 0.7
"""Share of a claim's content words that the frame has to hold: of a free wording the fitted score decides."""
_LONGEST_LABEL = 40
_RIGHT_BEHIND = 2
"""Characters between the words that make a frame and the clause right behind them."""
_SENTENCE_END = re.compile(r"(?<=[a-z)\"\u201d][.!?])\s(?=[A-Z\"\u201c])")
PRONOUNS = frozenset(["it", "this", "that", "he", "she", "they", "these", "those"])
_TOLD_BY = re.compile(r"\b(?:say|says|said|state|states|stated|report|reports|reported|tell|told) (?:\w+ ){0,2}?that\b")
_ACCORDING = re.compile(r"\baccording to ([^,;.]{1,60})", re.IGNORECASE)
_LOOSE = frozenset(["hypothetical", "conditional"])
"""Kinds under which a free wording of the clause often holds all the same ("if you want")."""
_GOVERNED = frozenset(["asked", "doubted", "alleged", "denied"])
"""Kinds of clauses that a word before them governs ("will discuss whether", "a witness thinks that")."""
_FEWEST = 2
_ENOUGH = 3
"""Content words of a clause that tell that a claim repeats it: the fewest, and enough of a long question."""
_EXCEPTING = frozenset(map(stem, ["except", "excluding", "apart", "besides", "other"]))
_REACH = 400
"""Characters of a stretch that poses as an answer, in which the answer stands; it may run to the end of the text."""
_POSING = "the source only poses as an answer, and another line says something else"
_TOLD = {
    "denied": "denies it",
    "doubted": "does not hold it for settled",
    "alleged": "only reports it as somebody's view",
    "asked": "only asks it",
    "ordered": "is an instruction and proves nothing",
    "conditional": "says it only of a condition",
    "hypothetical": "only supposes it",
    "superseded": "says that it holds no longer",
    "restricted": "says it only of a part",
}


def frame_is_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim states plainly only what some sentence states plainly; others may deny or suppose it."""
    pair = nearest_stretch(said, evidence, context)
    posing = _posing(said, evidence, context)
    if posing is not None:
        return [Difference("overstated", _POSING, (said.start, said.end), posing, doubts=True, always=True)]
    if pair is None:
        return []
    framed = (
        _frame_of(pair, said) or _commented(pair, context) or _labelled(pair, context) or _in_order(pair.unit, context)
    )
    if framed is None or _stated_elsewhere(said, pair.unit, evidence):
        return []
    denies = framed.kind == "denied" and pair.alignment.near_copy
    kind: FindingKind = "negated" if framed.kind == "denied" else "overstated"
    reason = f'the source {_TOLD[framed.kind]}: "{framed.text}"'
    always = framed.kind == "ordered" or framed.repeated
    return [Difference(kind, reason, (said.start, said.end), pair.unit, denies=denies, doubts=True, always=always)]


class _Framed(NamedTuple):
    kind: FrameKind
    text: str
    """The words that make it so."""
    repeated: bool = False
    """True if the claim has the whole clause under it."""


def _in_order(unit: Unit, context: Context) -> _Framed | None:
    """The order that a sentence is part of, behind one that gives a model a role or voids its instructions."""
    passage = context.sources.sources[unit.source].given.passage
    ordered = in_order(passage.text, unit.start, unit.end) or any(
        one.orders and one.start <= unit.start < one.end for one in directed_in(passage)
    )
    return _Framed("ordered", unit.text) if ordered else None


def _posing(said: ReadClaim, evidence: Evidence, context: Context) -> Unit | None:
    """What only poses as an answer (a forged exchange, a planted answer), where another line says otherwise."""
    posing = [one for one in evidence.best if _directed(one, context, _REACH)]
    if not posing:
        return None
    others = [one.text for one, _ in evidence.candidates if not _directed(one, context)]
    told = " ".join(one.text for one in posing)
    return posing[0] if gives_way(told, others, said.sentence) else None


def _directed(unit: Unit, context: Context, reach: int = sys.maxsize) -> bool:
    """True if a sentence lies in a stretch that speaks to a model, and begins so near to the beginning of that."""
    passage = context.sources.sources[unit.source].given.passage
    return any(one.start < unit.end and unit.start < min(one.end, one.start + reach) for one in directed_in(passage))


def _commented(pair: Pair, context: Context) -> _Framed | None:
    """The frame that the next sentence puts on the one that the claim repeats ("This is not true.")."""
    unit, units = pair.unit, context.sources.units
    if not pair.alignment.near_copy:
        return None
    behind = units[unit.number + 1] if unit.number + 1 < len(units) else None
    if behind is None or behind.source != unit.source or behind.start < unit.end:
        return None
    kind = comment_frame(behind.text)
    return _Framed(kind, behind.text) if kind else None


def _labelled(pair: Pair, context: Context) -> _Framed | None:
    """The frame of a label on the line before ("Myth:")."""
    unit, units = pair.unit, context.sources.units
    before = units[unit.number - 1] if unit.number and pair.one_unit else None
    if before is None or before.source != unit.source or not before.text.rstrip().endswith(":"):
        return None
    if len(before.text) > _LONGEST_LABEL:
        return None
    framed = frames(f"{before.text.strip()} {unit.text}")
    kind = next((frame.kind for frame in framed if frame.cue[0] == 0 and frame.start <= len(before.text) + 1), None)
    return _Framed(kind, before.text) if kind else None


def _frame_of(pair: Pair, said: ReadClaim) -> _Framed | None:
    """The frame that covers most of the matched words of the sentence, and that the claim drops."""
    theirs = _frames_in(pair.unit)
    if not theirs:
        return None
    content = [index for index, word in enumerate(pair.ours) if is_content(word)]
    places = [pair.theirs[pair.match[index]].start for index in content if pair.match[index] >= 0]
    if not places:
        return None
    ours = {(frame.kind, _cue(frame, said.sentence)) for frame in frames(said.sentence)}
    copied = {(frame.kind, _cue(frame, pair.unit.text)) for frame in theirs} & ours
    kinds = {kind for kind, _ in ours - copied}
    known = frozenset(terms(said.sentence))
    first, found = min(places), len(places)
    for frame in theirs:
        whole = [other for other in theirs if (other.cue, other.kind) == (frame.cue, frame.kind)]
        inside = sum(any(part.start <= place < part.end for part in whole) for place in places)
        # A list or an apposition may end what is read of a clause early; what follows its beginning belongs to it.
        under = frame.start <= first < frame.end and 0 <= frame.start - frame.cue[1] <= _RIGHT_BEHIND
        repeated = _repeated(frame, pair)
        inside = len(content) if repeated else found if under else inside + _meant(frame, pair, places)
        kept = (
            frame.kind in kinds
            or _kept_otherwise(frame, kinds, pair, said)
            or (frame.kind, _cue(frame, pair.unit.text)) in copied
        )
        if inside < max(_MOST * found, _CLOSE * len(content)) or kept or _keeps_cue(frame, pair, known):
            continue
        if frame.kind in _LOOSE and not pair.alignment.near_copy and not _unreal(frame, pair):
            continue
        if frame.kind != "conditional" or under:  # what depends on a condition is often said without it
            return _Framed(frame.kind, pair.unit.text[frame.cue[0] : frame.cue[1]], repeated)
    return None


def _repeated(frame: Frame, pair: Pair) -> bool:
    """True if the claim has all of a clause, and in place of what governs it ("will discuss whether") other words."""
    if frame.kind not in _GOVERNED or frame.start < frame.cue[1]:
        return False
    clause = [at for at, word in enumerate(pair.theirs) if frame.start <= word.start < frame.end and is_content(word)]
    before = [at for at, word in enumerate(pair.theirs) if word.start < frame.cue[1] and is_content(word)][-1:]
    governing = [at for at in before if ";" not in pair.unit.text[pair.theirs[at].end : frame.cue[1]]]
    said = sum(at in pair.match for at in clause)
    least = min(_ENOUGH, _MOST * len(clause)) if frame.kind == "asked" else _MOST * len(clause)
    return said >= max(_FEWEST, least) and not any(at in pair.match for at in governing)


def _meant(frame: Frame, pair: Pair, places: Sequence[int]) -> int:
    """Matched words before a framed clause that its subject, a pronoun, stands for ("she believes that it ...")."""
    clause = [word for word in pair.theirs if frame.start <= word.start < frame.end]
    if not clause or clause[0].plain not in PRONOUNS or clause[0].start - frame.cue[1] > _RIGHT_BEHIND:
        return 0
    content = [word.start for word in clause if is_content(word)]
    inside = sum(place in places for place in content)
    return sum(place < frame.cue[0] for place in places) if inside >= _MOST * len(content) > 0 else 0


def _kept_otherwise(frame: Frame, kinds: AbstractSet[str], pair: Pair, said: ReadClaim) -> bool:
    """Whether the claim says in its own way whose view it is ("according to"), or on what it depends ("if")."""
    if frame.kind == "restricted":
        # "Except for the first month" and "not in the first month"
        part = frozenset(terms(pair.unit.text[frame.cue[0] : frame.cue[1]])) - _EXCEPTING
        rest = f"{pair.unit.text[: frame.cue[0]]} {pair.unit.text[frame.end :]}"
        turned = (NEGATION.search(said.sentence) is None) == (NEGATION.search(rest) is not None)
        excepted = bool(part) and part <= frozenset(terms(said.sentence)) and turned
        return excepted or "conditional" in kinds
    if frame.kind != "alleged":
        return False
    holder = frozenset(terms(pair.unit.text[: frame.start]))
    named = _ACCORDING.search(said.sentence)
    told = _TOLD_BY.search(said.sentence)
    return (named is not None and not holder.isdisjoint(terms(named[1]))) or (
        told is not None and not holder.isdisjoint(terms(said.sentence[: told.start()]))
    )


def _unreal(frame: Frame, pair: Pair) -> bool:
    """True if a clause says what would have been, and the claim that it was."""
    clause = [word.plain for word in pair.theirs if frame.start <= word.start < frame.end]
    return "have" in clause and "would" in clause and "would" not in (word.plain for word in pair.ours)


def _frames_in(unit: Unit) -> list[Frame]:
    """The frames of each sentence of a stretch, at their places in it."""
    found, start = [], 0
    for sentence in _SENTENCE_END.split(unit.text):
        for frame in frames(sentence):
            cue = (frame.cue[0] + start, frame.cue[1] + start)
            found.append(Frame(frame.kind, frame.start + start, frame.end + start, cue))
        start += len(sentence) + 1
    return found


def _cue(frame: Frame, text: str) -> str:
    return text[frame.cue[0] : frame.cue[1]].lower()


def _keeps_cue(frame: Frame, pair: Pair, known: frozenset[str]) -> bool:
    """True if the claim keeps the cue of the frame, or has matched words outside of it."""
    cue = terms(pair.unit.text[frame.cue[0] : frame.cue[1]])
    return bool(cue) and all(stem in known for stem in cue)


def _stated_elsewhere(said: ReadClaim, framed: Unit, evidence: Evidence) -> bool:
    """True if another sentence says as much of the claim, outside of any frame."""
    least = _AS_WELL * share(framed.known, said.wanted)
    return any(
        share(_unframed(unit), said.wanted) >= least
        for unit, held in evidence.candidates[:_CANDIDATES]
        if held >= least and (unit.source, unit.start) != (framed.source, framed.start) and not _overlap(unit, framed)
    )


def _overlap(one: Unit, other: Unit) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end


def _unframed(unit: Unit) -> frozenset[str]:
    """The stems of a sentence outside of all of its frames."""
    found = frames(unit.text)
    if not found:
        return unit.known
    return frozenset(
        stem for place, stem in placed_terms(unit.text) if not any(one.start <= place < one.end for one in found)
    )
