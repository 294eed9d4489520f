"""Parts of one sentence: a claim joins a name of one part with what another part says of another name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, pairwise

from spanwise.guard.claims.predication import finite_verbs, states
from spanwise.guard.comparators.difference import Difference
from spanwise.guard.comparators.framing import PRONOUNS
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair, same_word
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.contrasts import MONTHS
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import AUXILIARIES, is_negation
from spanwise.guard.sentence.words import Word, words_of
from spanwise.text.terms import stem

_TURNS = re.compile(r"[,;:]\s|\s(?:and|while|whereas|but)\s")
"""Where a sentence goes on to the next part."""
_LONGEST = 40
"""Words of the sentence; of a longer one nobody knows its parts."""
_JOINING = frozenset(
    "and but while whereas both also respectively more less fewer together total when if because since after until who "
    "which that although though where".split()
)
"""Words of a claim that joins several statements rightly."""
_JOINTS = frozenset(["and", "but", "while", "whereas", "yet", "or", "then"])
_LEADING = frozenset("the a an its their his her each every another".split())
"""Words with which a new subject begins behind a joint."""
_OPENING = 6
"""Words of a statement among which its subject stands."""
_MOST = 4
"""Statements of a sentence; more of them are a list."""
_SAID = 0.85
"""Share of a claim's content words that a sentence has which it only puts together otherwise."""
_FEWEST = 2
"""Words of another part that a claim has, to be about that part."""
_FEW = 5
"""Words of a part that is no more than an office and a name."""
_OFFICE = 6
"""Letters that the office and what its holder does have in common ("conductor", "conducts")."""


def names_stay_in_their_part(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """What one part of a sentence says of a name, the claim does not say of a name of another part."""
    pair = nearest_stretch(said, evidence, context)
    if (
        pair is None
        or not pair.one_unit
        or pair.unit.fact is not None
        or len(pair.theirs) > _LONGEST
        or not any(word.capital or word.initial for word in pair.ours)
    ):
        return []
    claimed = {stem(word.plain) for word in words_of(said.sentence)}
    parts = list(_parts(pair.unit.text))
    known = [frozenset(stem(word.plain) for word in part if is_content(word)) for part in parts]
    names = [frozenset(stem(word.plain) for word in part if _names(word)) for part in parts]
    subjects = [
        own or frozenset(stem(word.plain) for word in part if word.initial and is_content(word))
        for own, part in zip(names, parts, strict=True)
    ]
    for index, own in enumerate(names):
        if not own & claimed or (known[index] - own) & claimed:
            continue
        for other, theirs in enumerate(subjects):
            told = (known[other] - known[index]) & claimed
            enough = len(told) >= _FEWEST or _holds_office(parts[other], claimed - own)
            if other != index and theirs and not theirs & claimed and enough and known[index] - own:
                reason = f'the source says it of another one: "{pair.unit.text}"'
                return [Difference("swapped", reason, (said.start, said.end), pair.unit, doubts=True)]
    return []


def statements_stay_apart(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim does not join the words of two statements that a sentence keeps apart by a semicolon.

    "The reservoir's water is filtered; the well's is only chlorinated" does not say that well water is filtered. A
    statement with a pronoun for its subject goes on with the words of the one before it, but not with its figures.
    """
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None or ";" not in pair.unit.text:
        return []
    if any(word.plain in _JOINING for word in pair.ours):
        return []
    first, *others = pair.unit.text.split(";")[:_MOST]
    parts = [first, *(part for part in others if states(part))]
    if ":" in pair.unit.text:  # a list
        return []
    words = [words_of(part) for part in parts]
    own: list[set[str]] = [set() for _ in parts]
    figures: list[set[str]] = [set() for _ in parts]
    for ours in pair.ours:
        having = [at for at, theirs in enumerate(words) if any(same_word(ours, other) for other in theirs)]
        if is_content(ours) and len(having) == 1:
            (figures if ours.number else own)[having[0]].add(ours.plain)
    for low, high in combinations(range(len(parts)), 2):
        pronoun = any(word.plain in PRONOUNS for word in words[high][:_OPENING])
        earlier = figures[low] if pronoun else own[low] | figures[low]
        if earlier and (own[high] or (figures[high] and not pronoun)):
            reason = f'the answer joins what the source says apart: "{pair.unit.text}"'
            return [Difference("swapped", reason, (said.start, said.end), pair.unit, doubts=True)]
    return []


def deeds_keep_their_objects(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Nothing follows a deed of the claim that its sentence says of a later deed, or of a later subject.

    "Loses the vote but keeps the shares" is not said by "loses the shares".
    """
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None or not pair.one_unit or len(pair.theirs) > _LONGEST:
        return []
    content = [index for index, word in enumerate(pair.ours) if is_content(word)]
    if sum(map(pair.explained, content)) < _SAID * len(content):
        return []
    for one, other in pairwise(content):
        low, high = pair.match[one], pair.match[other]
        plain = not any(is_negation(word.plain) or word.plain in _JOINING for word in pair.ours[one:other])
        if plain and 0 <= low < high and _jumped(pair, low, high):
            at = said.start + pair.ours[one].start, said.start + pair.ours[other].end
            reason = f'the answer joins what the source says apart: "{pair.unit.text}"'
            return [Difference("swapped", reason, at, pair.unit, doubts=True)]
    return []


def _holds_office(part: Sequence[Word], claimed: AbstractSet[str]) -> bool:
    """True if a part is an office with its holder ("our conductor Ben"), and the claim has a form of the office."""
    named = [at for at, word in enumerate(part) if _names(word) and not word.initial]
    if len(part) > _FEW or not named or named != list(range(named[0], len(part))) or not named[0]:
        return False
    office = part[named[0] - 1].plain[:_OFFICE]
    return len(office) == _OFFICE and any(one.startswith(office) for one in claimed)


def _jumped(pair: Pair, low: int, high: int) -> bool:
    """True if another verb that the claim lacks begins, behind a joint, between two words of the sentence."""
    text, words = pair.unit.text, pair.theirs
    joints = [at for at in range(low + 1, high) if words[at].plain in _JOINTS]
    joints += [at for at in range(low, high) if ";" in text[words[at].end : words[at + 1].start]]
    behind = range(max(joints) + 1, high) if joints else ()
    if behind and "," in text[words[behind[0]].start : words[high].start]:  # an apposition has ended
        return False
    new = [at for at in behind if at not in pair.match]
    deed = any(
        words[at].plain in finite_verbs() or (words[at].plain.endswith("ed") and not is_content(words[at + 1]))
        for at in new
    )
    led = any(words[at].plain in _LEADING and is_content(words[at + 1]) for at in new[:-1])
    does = words[high].plain in finite_verbs() or any(words[at].plain in AUXILIARIES for at in behind)
    return deed or (led and does and any(is_content(words[at]) for at in new))


def _names(word: Word) -> bool:
    return word.capital and word.plain not in MONTHS and not word.plain.rstrip("s").endswith("day")


def _parts(text: str) -> Iterator[list[Word]]:
    cuts = [match.start() for match in _TURNS.finditer(text)]
    words = words_of(text)
    for low, high in zip([0, *cuts], [*cuts, len(text)], strict=True):
        yield [word for word in words if low <= word.start < high]
