"""Whether the source asserts it: frames, conditions, tense, denials and words that take away what a noun says."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from spanwise.guard.alignment import Pair
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, is_quoted, nearest_stretch
from spanwise.guard.lexicon import AUXILIARIES, BE, ROLES, UNITS, denies_softly, is_negation, may_negate, words_of_class
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.units import Unit, share
from spanwise.guard.verification import FindingKind
from spanwise.text.expectations.polarity import NEGATION
from spanwise.text.framing.frames import Frame, FrameKind, comment_frame, frames
from spanwise.text.framing.tense import has_auxiliary, is_over, is_set_up, time_of
from spanwise.text.injection.directed import directed_in, gives_way
from spanwise.text.injection.orders import in_order
from spanwise.text.terms import placed_terms, stem, terms

# Frames: a claim states what its source denies, doubts, reports as opinion, asks, orders, supposes or withdraws.

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
PERSONAL = frozenset("it he she they we you i".split())
_TOLD_BY = re.compile(r"\b(?:say|says|said|state|states|stated|report|reports|reported|tell|told) (?:\w+ ){0,2}?that\b")
_ACCORDING = re.compile(r"\baccording to ([^,;.]{1,60})", re.IGNORECASE)
_LOOSE = frozenset(["hypothetical", "conditional"])
"""Kinds under which a free wording of the clause often holds all the same ("if you want")."""
_GOVERNED = frozenset(["asked", "doubted", "alleged", "denied"])
"""Kinds of clauses that a word before them governs ("will discuss whether", "a witness thinks that")."""
_FEWEST = 2
_ENOUGH = 3
"""Content words of a clause that tell that a claim repeats it: the fewest, and enough of a long question."""
_ASKING = frozenset("whether if unclear uncertain unknown open ask asks asked question questions not no".split())
"""Words of a claim that leave open what its source asks."""
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
    content = [index for index, word in enumerate(pair.ours) if word.content]
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
    clause = [at for at, word in enumerate(pair.theirs) if frame.start <= word.start < frame.end and word.content]
    before = [at for at, word in enumerate(pair.theirs) if word.start < frame.cue[1] and word.content][-1:]
    governing = [at for at in before if ";" not in pair.unit.text[pair.theirs[at].end : frame.cue[1]]]
    said = sum(at in pair.match for at in clause)
    least = min(_ENOUGH, _MOST * len(clause)) if frame.kind == "asked" else _MOST * len(clause)
    governed = any(at in pair.match for at in governing)
    if governed and frame.kind == "asked":  # "shows that S" for "too short to show whether S"
        governed = not _ASKING.isdisjoint(word.plain for word in pair.ours)
    return said >= max(_FEWEST, least) and not governed


def _meant(frame: Frame, pair: Pair, places: Sequence[int]) -> int:
    """Matched words before a framed clause that its subject, a pronoun, stands for ("she believes that it ...")."""
    clause = [word for word in pair.theirs if frame.start <= word.start < frame.end]
    if not clause or clause[0].plain not in PRONOUNS or clause[0].start - frame.cue[1] > _RIGHT_BEHIND:
        return 0
    content = [word.start for word in clause if word.content]
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


# Conditions: what a source says only under a condition or with an exception, the claim does not say without it.

_STRICT = ("unless", "except", "only if", "provided", "on condition", "as long as", "so long as", "until")
"""Beginnings of conditions without which a statement is another one, in any kind of sentence."""
_RULES = frozenset("may must shall can will should cannot".split())
"""Words of rules, of which every condition counts."""
_PART = re.compile(r"[;.:]\s|\bbut\s")
"""Where a sentence goes on to what has no part in a condition."""
_LEAST = 0.5
"""Share of the claim's words that the sentence outside of its condition has."""


def conditions_are_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim that repeats a rule keeps its condition, or says in its own way that there is one."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None or not pair.one_unit:
        return []
    if dropped := _limit_dropped(said, pair.unit):
        reason = f'the source says it with a narrower condition: "{dropped}"'
        return [Difference("overstated", reason, (said.start, said.end), pair.unit, doubts=True, always=True)]
    words = frozenset(word.plain for word in words_of(said.sentence)) & words_of_class("scope", "conditional")
    text, known = pair.unit.text, frozenset(terms(said.sentence))
    for frame in frames(text):
        cue = text[frame.cue[0] : frame.cue[1]].lower()
        if frame.kind != "conditional" or frame.start < frame.cue[1]:
            continue
        strict = cue.startswith(_STRICT) or text[: frame.cue[0]].rstrip().endswith("only")
        ends = [0, *(mark.end() for mark in _PART.finditer(text)), len(text)]
        first = max(end for end in ends if end <= frame.cue[0])
        last = min(end for end in ends if end >= frame.end)
        rest = f"{text[first : frame.cue[0]]} {text[frame.end : last]}"
        if not words <= frozenset(word.plain for word in words_of(rest)):
            continue
        rule = not _RULES.isdisjoint(word.plain for word in words_of(rest))
        condition = frozenset(terms(text[frame.start : frame.end]))
        stated = condition - frozenset(terms(rest))
        if not (strict or rule) or not stated or stated & known:
            continue
        if len(known & frozenset(terms(rest))) >= _LEAST * len(known):
            reason = f'the source says it with a condition: "{text[frame.cue[0] : frame.end]}"'
            return [Difference("overstated", reason, (said.start, said.end), pair.unit, doubts=True)]
    return []


_WHOEVER = re.compile(
    r"\b(?:(?:any(?:one|body)|every(?:one|body)|those|persons|people|(?:an?|any|every|each|all|no) [\w-]{1,30}) who"
    r"|(?:any|every|each|all) [\w-]{1,30} (?:that|which)|whoever|when(?= (?:an?|any|you|we|they) ))\s"
    r"|(?:^|[,;.] )should (?=(?:you|we|they|he|she|it|an?|the) )",
    re.IGNORECASE,
)
"""What begins a condition without "if"."""
_CLAUSE_END = re.compile(r"[,;:.]")
_LIMITING = frozenset(
    "without not no never unless only first last more less least most over under within before after".split()
)
"""Small words that narrow a condition."""
_DONE = 0.7
"""Share of what a condition says besides its limit that a claim says which keeps the condition."""


def _limit_dropped(said: ReadClaim, unit: Unit) -> str:
    """The condition of a sentence that a claim keeps without its figure or "without" ("if you cancel"); or nothing."""
    own = words_of(said.sentence)
    known = frozenset(stem(word.plain) for word in own)
    for condition in _conditions(unit.text):
        words = words_of(condition)
        limits = [at for at, word in enumerate(words) if word.number or word.plain in _LIMITING]
        if not limits or any(words[at].plain in {word.plain for word in own} for at in limits):
            continue
        deed = [stem(word.plain) for word in words[: limits[0]] if word.content]
        rest = words_of(unit.text.replace(condition, ""))
        figured = any(word.number and word.plain not in {other.plain for other in rest} for word in own)
        # Where words do not tell where a relative clause ends, what follows from it stands behind its limit.
        follows = any(stem(word.plain) in known for word in (*rest, *words[limits[0] + 1 :]) if word.content)
        if deed and sum(one in known for one in deed) >= _DONE * len(deed) and follows and not figured:
            return condition
    return ""


def _conditions(text: str) -> Iterator[str]:
    """The conditions of a sentence: behind "if", in a relative clause of whoever it may be, or turned round."""
    for frame in frames(text):
        if frame.kind == "conditional" and 0 <= frame.start - frame.cue[1] <= _RIGHT_BEHIND:
            yield text[frame.start : frame.end]
    for match in _WHOEVER.finditer(text):
        end = _CLAUSE_END.search(text, match.end())
        yield text[match.start() : end.start() if end else len(text)].lstrip(",;. ")


# Times of deeds: a claim tells as done what its source only plans, or as being so what it says was so once.

_NEAR = 6
"""Words from a verb to its subject, and to what follows it, at most."""
_IS = frozenset(["is", "are"])
_PLANNED = 'the source only plans what the answer tells as done with "{}"'
_WAS_SO = 'the source says what "{}" tells of an earlier time only'


def tense_is_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """What a source only plans is not told as done, and what was so once is not told as being so."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None:
        return []
    own, theirs = [word.plain for word in pair.ours], [word.plain for word in pair.theirs]
    content = [index for index, word in enumerate(pair.ours) if word.content]
    for subject, index, behind in zip(content, content[1:], [*content[2:], None], strict=False):
        word, place = pair.ours[index], pair.match[index]
        if place < 0 or word.initial:
            continue
        if not (_done_to_it(pair, subject, index, place) or _between_the_same(pair, subject, place, behind)):
            continue
        if (told := _told(own, index, theirs, place)) is None or (told == _WAS_SO and not _once_only(said, pair)):
            continue
        at = said.start + word.start, said.start + word.end
        return [Difference("overstated", told.format(word.plain), at, pair.unit, doubts=True)]
    return []


def _done_to_it(pair: Pair, before: int, index: int, place: int) -> bool:
    """True if the claim says in the passive what a sentence says of its object ("the bay was mapped")."""
    passive = not BE.isdisjoint(word.plain for word in pair.ours[before:index])
    return passive and place < pair.match[before] <= place + _NEAR


def _between_the_same(pair: Pair, before: int, place: int, behind: int | None) -> bool:
    """True if the claim's content words before and behind a verb are those that the sentence has around its own."""
    if pair.match[before] < 0:  # "the company" of "we"
        near = [word.plain for word in pair.theirs[max(0, place - _NEAR) : place]]
        if PERSONAL.isdisjoint(near):
            return False
    elif not pair.match[before] < place <= pair.match[before] + _NEAR:
        return False
    return behind is None or place < pair.match[behind] <= place + _NEAR


def _told(own: Sequence[str], index: int, theirs: Sequence[str], place: int) -> str | None:
    """What is to say of a verb of the claim beside the sentence's; nothing where both tell one time."""
    ours, other = time_of(own, index), time_of(theirs, place)
    if ours == "done" and other in ("planned", "under way"):
        # "The winner notified on Monday" may well be the one who will be notified.
        return _PLANNED if own[index] != theirs[place] or has_auxiliary(own, index) else None
    if ours == "going on" and own[index - 1] in _IS:
        if other == "under way":  # "is built" of what is being built
            return _PLANNED
        if own[index] == theirs[place] and is_set_up(theirs, place):  # "is open" of what is to open
            return _PLANNED
    return _WAS_SO if ours == "going on" and other == "done" and own[index] != theirs[place] else None


def _once_only(said: ReadClaim, pair: Pair) -> bool:
    return is_over(pair.unit.text) and not is_over(said.sentence)


# Polarity: a claim denies what the sentences about the same thing say, or says what they deny, in any wording.

_ABOUT = 0.6
"""Share of a claim's words, figures aside, that a sentence holds which is about the same."""
_SURELY = 0.85
"""The same, for a sentence that may deny the claim, and not only leave it in doubt."""
_FEWEST_POLARITY = 3
"""Content words of a claim that any such sentence may deny; a shorter one only a sentence that says nothing else."""
_LONGEST = 60
"""Words of either; in a longer sentence a negation may belong to something else."""
_SCOPE = 6
"""Words after a negation that its scope may reach."""
_LIMITS = frozenset("later less more fewer only earlier exceed exceeds exceeded exceeding than greater longer".split())
"""Words with which a negation makes a bound."""
_PARTIAL = frozenset(["all", "every", "each", "both", "everyone", "everybody", "always", "entirely"])
"""Words with which a negation denies only a part."""
_LIGHT = frozenset(
    "required require obliged obligated allowed permitted entitled able event any way party parties case longer".split()
)
"""Words between a negation and the word that it turns around."""


def polarity_is_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim denies where the sentences about the same thing deny, and only there."""
    if is_quoted(said, evidence, context) or len(words := words_of(said.plain)) > _LONGEST:
        return []
    about = {one: weight for one, weight in said.wanted.items() if not one[0].isdigit()}
    near, plain = [], not may_negate(said.plain)
    for unit, _ in evidence.candidates:
        held = share(context.sources.told_of(unit), about) if unit.fact is None else 0.0
        if held >= _ABOUT and len(unit.stems) <= _LONGEST:
            if plain and not may_negate(unit.text):  # neither denies anything
                return []
            near.append((unit, held))
    if not near or any(ours == theirs for ours, theirs in (_denying(words, unit, context) for unit, _ in near)):
        return []
    unit, held = near[0]
    ours, _ = _denying(words, unit, context)
    reason = "the answer denies what the source says" if ours else "the answer says what the source denies"
    alone = len(said.wanted) >= _FEWEST_POLARITY or unit.known <= said.wanted.keys()
    denies = alone and held >= _SURELY
    return [Difference("negated", reason, (said.start, said.end), unit, denies=denies, doubts=True)]


def _denying(words: Sequence[Word], unit: Unit, context: Context) -> tuple[bool, bool]:
    """Two flags, of the claim and of the sentence: True if it denies something that the other states."""
    theirs = words_of(unit.text)
    here, there = _stems(words, context), _stems(theirs, context)
    shared = frozenset(here).intersection(there)
    our_turned, our_scope, our_clause = _turned(words, here, shared)
    their_turned, their_scope, their_clause = _turned(theirs, there, shared)
    found = bool(our_turned - their_scope), bool(their_turned - our_scope)
    if found[0] == found[1]:
        return found
    # "No proof was found" and "they found no proof", "fees are not charged" and "they pay no fees"
    return bool(our_turned - their_clause), bool(their_turned - our_clause)


def _stems(words: Sequence[Word], context: Context) -> list[str]:
    """The stem of each content word as the sources say it; empty for any other."""
    content = (word.content and not word.number and word.plain not in UNITS for word in words)
    return [context.sources.said_as(stem(word.plain)) if own else "" for word, own in zip(words, content, strict=True)]


def _turned(
    words: Sequence[Word], stems: Sequence[str], shared: AbstractSet[str]
) -> tuple[AbstractSet[str], AbstractSet[str], AbstractSet[str]]:
    """The shared stems that a negation turns around and nothing affirms, all near behind one, and before it as well.

    Two negations of a word undo each other.
    """
    turned: Counter[str] = Counter()
    scope, before = set[str](), set[str]()
    for index, word in enumerate(words):
        behind = range(index + 1, min(len(words), index + 1 + _SCOPE))
        hard = is_negation(word.plain) and bool(behind) and not _bounds(words, index)
        if behind and is_numero(words, index):
            continue
        if hard and words[index + 1].plain in _PARTIAL:
            scope.update(stems)  # "not all did" may say what "some did not" says
            continue
        if hard or denies_softly(word.plain):  # "unable to walk" may say what "cannot walk" says
            scope.update(stems[place] for place in behind)
        if hard:
            before.update(stems[_clause_start(words, index) : index])
            said = (place for place in behind if stems[place] and words[place].plain not in _LIGHT | ROLES)
            turned.update(stems[place] for place in [*said][:1])
    told = {one for one, count in turned.items() if one in shared and count % 2 and stems.count(one) == count}
    return told, scope, scope | before


def is_numero(words: Sequence[Word], at: int) -> bool:
    """True for the "no" of "No. 17"; "no one" denies."""
    behind = words[at + 1]
    return words[at].plain == "no" and behind.number and (behind.plain != "1" or behind.start - words[at].end > 1)


def _bounds(words: Sequence[Word], at: int) -> bool:
    """True if a negation makes a bound: "no longer than ten days", but not "no longer sold"."""
    behind = [word.plain for word in words[at + 1 : at + 3]]
    return behind[0] in _LIMITS and not (words[at].plain == "no" and behind[0] == "longer" and behind[-1] != "than")


def _clause_start(words: Sequence[Word], at: int) -> int:
    """The index of the first word of the clause that a word is in, no more than its scope before it."""
    for place in range(at, max(0, at - _SCOPE), -1):
        if words[place].start - words[place - 1].end > 1 or words[place - 1].plain in _JOINTS:
            return place
    return max(0, at - _SCOPE)


# Denied words: a claim affirms what the sentence that says most of it denies, in any wording.

_ABOUT_DENIED = 0.35
"""Share of a claim's other words that a sentence holds which tells of one of them."""
_LONGEST_DENIED = 30
"""Words of a sentence; in a longer one a negation may belong to something else."""
_SHORT = 2
"""Content words behind a negation that it denies, and of a clause that only denies ("Dogs are not allowed")."""
_OPEN = frozenset(["if", "when", "need", "needs", "without", "before", "except"])
_JOINTS = frozenset(["but", "and", "because", "until", "who", "which", "that", "if", "when"])
"""Words with which another clause begins."""


def nothing_denied_is_affirmed(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No word of a claim without any negation is one that every sentence about the same thing denies."""
    del context
    near = [unit for unit, _ in evidence.candidates if unit.fact is None]
    denying = frozenset[str]().union(*(unit.known for unit in near if _holds_a_negation(unit.text)))
    if denying.isdisjoint(said.wanted) or _tells_of_denial(words_of(said.sentence)):
        return []
    own = frozenset(stem(word.plain) for word in words_of(said.sentence))
    for one in (one for one in said.wanted if one in denying):
        rest = {other: weight for other, weight in said.wanted.items() if other != one}
        units = [unit for unit in near if one in unit.known]
        if not rest or not units:
            continue
        most = max(share(unit.known, rest) for unit in units)
        for about in (unit for unit in units if share(unit.known, rest) >= most):
            beside = evidence.best and abs(about.number - evidence.best[0].number) <= 1
            if any(
                one in denied and (share(clause, rest) >= _ABOUT_DENIED or (beside and len(clause) <= _SHORT))
                for denied, clause, unless in (_denied(about.text) if len(about.stems) <= _LONGEST_DENIED else ())
                if unless.isdisjoint(own)
            ):
                reason = f'the source denies it: "{about.text}"'
                return [Difference("negated", reason, (said.start, said.end), about, doubts=True)]
    return []


def _holds_a_negation(text: str) -> bool:
    return may_negate(text) and any(is_negation(word.plain) for word in words_of(text))


def _tells_of_denial(words: Sequence[Word]) -> bool:
    """True if a claim denies something itself; "free" does so before "of" alone ("a free network", "free of nuts")."""
    behind = [*(word.plain for word in words[1:]), ""]
    return any(
        _negative(word) and (word.plain != "free" or after in ("of", "from"))
        for word, after in zip(words, behind, strict=False)
    )


def _negative(word: Word) -> bool:
    return is_negation(word.plain) or denies_softly(word.plain) or word.plain in words_of_class("scope", "negative")


def _denies(clause: Sequence[Word], at: int) -> bool:
    """True if a word denies what its clause says; in "a bill not paid within a month" it only tells which bill."""
    short = at == 0 and sum(word.content for word in clause) <= _SHORT  # "..., not by the warden"
    told = clause[at].plain != "not" or short or (at > 0 and clause[at - 1].plain in AUXILIARIES)
    behind = clause[at + 1]
    return (
        is_negation(clause[at].plain)
        and clause[at].plain != "non"
        and told
        and not _bounds(clause, at)
        and (not behind.number or (clause[at].plain == "no" and not is_numero(clause, at)))
    )


def _left_open(clause: Sequence[Word]) -> bool:
    """True if a clause says what happens when something is not so, or that it need not be."""
    return not _OPEN.isdisjoint(word.plain for word in clause)


@lru_cache(maxsize=1024)
def _denied(text: str) -> tuple[tuple[frozenset[str], frozenset[str], frozenset[str]], ...]:
    """What each clause with a negation denies and no other clause has, all words of the clause, and its condition.

    All are stems; the condition is what stands behind "unless".
    """
    found, clauses = [], list(_clauses(text))
    for clause in clauses:
        content = [stem(word.plain) for word in clause if word.content]
        at = next((at for at in range(len(clause) - 1) if _denies(clause, at)), None)
        if at is None or _left_open(clause):
            continue
        behind = [stem(word.plain) for word in clause[at:] if word.content][:_SHORT]
        affirmed = {stem(word.plain) for other in clauses if other is not clause for word in other}
        last = next((at for at, word in enumerate(clause) if word.plain == "unless"), len(clause))
        unless = frozenset(stem(word.plain) for word in clause[last:] if word.content)
        denied = frozenset(content if len(content) <= _SHORT else behind) - affirmed - unless
        found.append((denied, frozenset(content) - unless, unless))
    return tuple(found)


def _clauses(text: str) -> Iterator[list[Word]]:
    words = words_of(text)
    clause: list[Word] = []
    for word, behind in zip(words, (*words[1:], None), strict=True):
        clause.append(word)
        gap = text[word.end : behind.start] if behind is not None else "."
        if behind is None or any(mark in gap for mark in ",;:.()|") or behind.plain in _JOINTS:
            yield clause
            clause = []


# Words that take away what the noun behind them says: a former chair is no chair, a deputy judge is not the judge.
# The privative adjectives of semantics (Partee 2010), and titles that are another office than the one they are built
# of.

_POSSESSIVES = frozenset(["my", "your", "his", "her", "its", "our", "their"])


def privatives_stay(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Whoever a source calls a former or deputy something is not called that thing itself, unless it was long ago."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None:
        return []
    privative, since = words_of_class("scope", "privative"), words_of_class("scope", "no_longer")
    own, theirs = {word.plain for word in pair.ours}, [word.plain for word in pair.theirs]
    if own & (privative | since):
        return []
    for index, place in enumerate(pair.match):
        noun = pair.ours[index]
        if place < 1 or not noun.content or theirs[place - 1] not in privative:
            continue
        if index and pair.ours[index - 1].plain in _POSSESSIVES:
            continue  # "leaving their economy": whose it was is what tells it
        between = theirs[place : max(pair.match)]
        if theirs.count(theirs[place]) > 1 or not words_of_class("scope", "succession").isdisjoint(between):
            continue  # "the former chair, who was followed by X": the claim may speak of X
        told = f'the source says "{theirs[place - 1]} {theirs[place]}", the answer "{noun.plain}"'
        at = said.start + noun.start, said.start + noun.end
        return [Difference("overstated", told, at, pair.unit, denies=True, doubts=True)]
    return []
