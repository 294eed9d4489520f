"""Parts of one sentence: a claim joins a name of one part with what another part says of another name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.alignment import Word, words_of
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.contrasts import MONTHS
from spanwise.guard.sentence.operators import is_content
from spanwise.text.terms import stem

_TURNS = re.compile(r"[,;:]\s|\s(?:and|while|whereas|but)\s")
"""Where a sentence goes on to the next part."""
_LONGEST = 40
"""Words of the sentence; of a longer one nobody knows its parts."""
_FEWEST = 2
"""Words of another part that a claim has, to be about that part."""


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
            if other != index and theirs and not theirs & claimed and len(told) >= _FEWEST and known[index] - own:
                reason = f'the source says it of another one: "{pair.unit.text}"'
                return [Difference("swapped", reason, (said.start, said.end), pair.unit, doubts=True)]
    return []


def _names(word: Word) -> bool:
    return word.capital and word.plain not in MONTHS and not word.plain.rstrip("s").endswith("day")


def _parts(text: str) -> Iterator[list[Word]]:
    cuts = [match.start() for match in _TURNS.finditer(text)]
    words = words_of(text)
    for low, high in zip([0, *cuts], [*cuts, len(text)], strict=True):
        yield [word for word in words if low <= word.start < high]
