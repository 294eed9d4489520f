"""Whom a claim says it of: its subject is the one of the sentence that says it, and of those that its words come from.

"Either side may end it" is no copy of "The tenant may end it", and "the landlord pays for electricity" joins two
sentences of two payers. A sentence whose subject is a pronoun speaks of the sentence before it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from spanwise.guard.claims.predication import finite_verbs, predicate_at
from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.alignment import Word, words_of
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.sentence.operators import is_content
from spanwise.text.terms import STOPWORDS, stem

_LONGEST = 45
"""Words of a sentence; a longer one has several subjects."""
_MOST = 4
"""Content words of a subject."""
_FEWEST = 2
"""Content words of a claim besides its subject."""
_ABOUT = 0.6
"""Share of a claim's words besides its subject that a sentence holds which says the same of somebody else."""
_RARE = 4
"""Sentences that have a word, at most, for it to tell whose it is."""
_NEXT = 3
"""Words behind "and" among which the member of a list stands."""
_MODALS = frozenset("may must shall can will should cannot".split())
_REPORTING = frozenset(
    "say says said state states stated report reports reported tell tells told show shows showed shown find finds "
    "found think thinks thought believe believes believed claim claims claimed suggest suggests suggested confirm "
    "confirms confirmed note notes noted propose proposes proposed warn warns warned".split()
)
_POINTING = frozenset("it he she they we you i this that these those who which one both all".split())
_ADVERBIAL = frozenset(
    "in on at for from to with without by after before during until under over since if when while as because "
    "of".split()
)
"""First words of what may stand before a subject, and end without a comma."""


def subject_is_kept(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No claim says of one known subject what the sources say of another one."""
    pair = nearest_stretch(said, evidence, context)
    ours = subject_of(said.plain)
    if pair is None or pair.unit.fact is not None or not ours or not pair.one_unit:
        return []
    sources = context.sources
    subject = frozenset(map(sources.said_as, ours))
    rest = {one: weight for one, weight in said.wanted.items() if one not in subject and one not in ours}
    if len(rest) < _FEWEST or not any(one in sources.postings for one in subject):
        return []
    told = [unit for unit, _ in evidence.candidates if share(known_of(unit, context), rest) >= _ABOUT]
    if pair.unit not in told or any(not subject.isdisjoint(known_of(unit, context)) for unit in told):
        return []
    if of_another(pair.unit, subject, said, context) and _comparable(said.plain, pair.unit.text):
        return [_fault(said, pair.unit)]
    return []


def listed_words_belong(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No member of a claim's list is one that the sources name of another subject only."""
    pair = nearest_stretch(said, evidence, context)
    ours = subject_of(said.plain)
    if pair is None or pair.unit.fact is not None or not ours:
        return []
    sources = context.sources
    subject = frozenset(map(sources.said_as, ours))
    for one in _listed(said.plain) - ours:
        member = sources.said_as(one)
        numbers = sources.postings.get(member, ())
        if member in known_of(pair.unit, context) or not 0 < len(numbers) <= _RARE:
            continue
        units = [sources.units[number] for number in numbers]
        if all(of_another(unit, subject, said, context) for unit in units):
            return [_fault(said, units[0])]
    return []


def _after_noun(words: Sequence[Word]) -> int:
    """Index of the word behind a plural or a name that a sentence begins with ("The tenants pay"); 0 without one."""
    if len(words) <= _FEWEST + 1 or not is_content(words[2]):
        return 0
    if words[0].plain in ("the", "all", "these") and is_content(words[1]):
        return 2 if words[1].plain.endswith("s") else 0
    name = next((at for at, word in enumerate(words) if not word.initial or word.plain in STOPWORDS), 0)
    return name if words[name].plain.endswith(("ed", "s")) else 0


def _listed(text: str) -> frozenset[str]:
    """Stems of the words on either side of "and" and "or"."""
    words = words_of(text)
    beside = [
        next((word for word in side if is_content(word) and not word.number), None)
        for at, joint in enumerate(words)
        if joint.plain in ("and", "or")
        for side in (words[max(0, at - 1) : at], words[at + 1 : at + 1 + _NEXT])
    ]
    return frozenset(stem(word.plain) for word in beside if word is not None and not _acts(word.plain))


def _acts(word: str) -> bool:
    return word in finite_verbs() or word.endswith(("ed", "ing"))


def of_another(unit: Unit, subject: AbstractSet[str], said: ReadClaim, context: Context) -> bool:
    """True if a sentence has a subject of its own, which is neither the claim's nor another name of it."""
    theirs = subject_of(unit.text) if unit.fact is None else None
    if not theirs or not subject.isdisjoint(known_of(unit, context)) or not theirs.isdisjoint(said.wanted):
        return False
    return not any(context.sources.adjacent(one, other) for one in subject for other in theirs)


def _comparable(ours: str, theirs: str) -> bool:
    """True if two subjects are not two words for one thing, as they may be in a story.

    Names are, and those of two rules, and who tells something.
    """
    both = [frozenset(word.plain for word in words_of(text)) for text in (ours, theirs)]
    rules, reports = (all(not group.isdisjoint(words) for words in both) for group in (_MODALS, _REPORTING))
    return rules or reports or all(map(_named, (ours, theirs)))


def _named(text: str) -> bool:
    """True if a sentence begins with a name: a capital that its first word would not have anyway, or one of two."""
    words = words_of(text)[:2]
    return len(words) > 1 and all(word.initial for word in words) and words[0].plain not in STOPWORDS


def known_of(unit: Unit, context: Context) -> AbstractSet[str]:
    """The stems of a sentence, of its title, and of the sentence before it where its subject is a pronoun."""
    sources = context.sources
    known = unit.known | sources.sources[unit.source].title
    before = sources.units[unit.number - 1] if unit.number else None
    points = before is not None and before.source == unit.source and subject_of(unit.text) == frozenset()
    return known | before.known if points and before is not None else known


def _fault(said: ReadClaim, unit: Unit) -> Difference:
    reason = f'the source says it of another one: "{unit.text}"'
    return Difference("swapped", reason, (said.start, said.end), unit, doubts=True)


@lru_cache(maxsize=8192)
def subject_of(text: str) -> frozenset[str] | None:
    """Stems of the subject of a sentence, none of a pronoun; None where it cannot be told."""
    words = words_of(text)
    if len(words) > _LONGEST:
        return None
    last = predicate_at([word.plain for word in words]) or _after_noun(words)
    if not last:
        return None
    commas = [at for at in range(last) if "," in text[words[at].end : words[at + 1].start]]
    first = commas[-1] + 1 if commas else 0
    own = words[first:last]
    if not own or (own[0].plain in _ADVERBIAL and not commas):
        return None
    end = next((at for at, word in enumerate(own) if at and word.plain in _ADVERBIAL | _POINTING), len(own))
    if own[0].plain in _POINTING:
        return frozenset() if len(own) == 1 else None
    found = frozenset(stem(word.plain) for word in own[:end] if is_content(word) and not word.number)
    return found if 0 < len(found) <= _MOST else None
