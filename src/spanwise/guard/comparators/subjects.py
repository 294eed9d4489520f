"""Whom a claim says it of: its subject is the one of the sentence that says it, and of those that its words come from.

"Either side may end it" is no copy of "The tenant may end it", and "the landlord pays for electricity" joins two
sentences of two payers. A sentence whose subject is a pronoun speaks of the sentence before it too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import product

from spanwise.guard.claims.predication import predicate_at
from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import ROLES
from spanwise.guard.sentence.words import Word, words_of
from spanwise.text.opposites import opposite
from spanwise.text.terms import STOPWORDS, stem

_LONGEST = 45
"""Words of a sentence; a longer one has several subjects."""
_MOST = 4
"""Content words of a subject."""
_FEWEST = 2
"""Content words of a claim besides its subject."""
_ABOUT = 0.6
"""Share of a claim's words besides its subject that a sentence holds which says the same of somebody else."""
_ALL_ELSE = 0.9
"""The same for a sentence that has nothing else to do with the claim, which says it of another name."""
_SENTENCE_END = re.compile(r"[.;]\s")
_BEGINNING = 4
"""Letters that words of one family share."""
_MODALS = frozenset("may must shall can will should cannot".split())
_REPORTING = frozenset(
    "say says said state states stated report reports reported tell tells told show shows showed shown find finds "
    "found think thinks thought believe believes believed claim claims claimed suggest suggests suggested confirm "
    "confirms confirmed note notes noted propose proposes proposed warn warns warned".split()
)
_FEW_SENTENCES = 400
"""Sentences of a passage among which another one with the same subject is looked for."""
_CHAIN = 3
"""Sentences in a row that may speak of one subject by pronouns."""
_PRONOUNS = frozenset("it he she they we you i".split())
_POINTING = _PRONOUNS | frozenset("this that these those who which one both all".split())
_MAY_POINT = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(_POINTING))})(?![a-z])", re.IGNORECASE | re.ASCII)
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
    if _done_to(pair, subject, said, context):
        return [_fault(said, pair.unit)]
    told = [(unit, share(known_of(unit, context), rest)) for unit, _ in evidence.candidates]
    told = [(unit, held) for unit, held in told if held >= _ABOUT]
    if any(not subject.isdisjoint(known_of(unit, context)) for unit, _ in told):
        return []
    for unit, held in told:
        nearest = unit is pair.unit or (held >= _ALL_ELSE and _named(said.plain))
        if nearest and of_another(unit, subject, said, context):
            copied = unit is pair.unit and held >= _ALL_ELSE and _act_both(subject, unit, context)
            if copied or _comparable(said.plain, unit.text):
                return [_fault(said, unit)]
    return []


def _done_to(pair: Pair, subject: AbstractSet[str], said: ReadClaim, context: Context) -> bool:
    """True if the claim's subject stands behind the verb of its sentence, which has another subject before it."""
    theirs = None if _SENTENCE_END.search(pair.unit.text) else subject_of(pair.unit.text)
    if not theirs or not theirs.isdisjoint(said.wanted) or not subject <= pair.unit.known:
        return False
    if any(word.plain == "by" for word in (*pair.ours, *pair.theirs)):  # the agent of a passive
        return False
    verb = predicate_at([word.plain for word in pair.ours])
    words = [word.plain for word in pair.theirs]
    told = words.index(pair.ours[verb].plain) if verb and pair.ours[verb].plain in words else 0
    before = {context.sources.said_as(stem(word.plain)) for word in pair.theirs[:told]}
    rest = [one for one in said.wanted if one not in subject]
    alike = sum(one in pair.unit.known for one in rest) >= _ABOUT * len(rest)
    related = {one[:_BEGINNING] for one in subject} & {one[:_BEGINNING] for one in theirs}
    return bool(told) and alike and subject.isdisjoint(before) and not related


def _after_noun(words: Sequence[Word]) -> int:
    """Index of the word behind a plural or a name that a sentence begins with ("The tenants pay"); 0 without one."""
    if len(words) <= _FEWEST + 1 or not is_content(words[2]):
        return 0
    if words[0].plain in ("the", "all", "these") and is_content(words[1]):
        return 2 if words[1].plain.endswith("s") else 0
    name = next((at for at, word in enumerate(words) if not word.initial or word.plain in STOPWORDS), 0)
    return name if words[name].plain.endswith(("ed", "s")) else 0


def of_another(unit: Unit, subject: AbstractSet[str], said: ReadClaim, context: Context) -> bool:
    """True if a sentence has a subject of its own, which is neither the claim's nor another name of it."""
    theirs = subject_of(unit.text) if unit.fact is None else None
    if not theirs or not subject.isdisjoint(known_of(unit, context)) or not theirs.isdisjoint(said.wanted):
        return False
    return not any(context.sources.adjacent(one, other) for one in subject for other in theirs)


def _act_both(subject: AbstractSet[str], unit: Unit, context: Context) -> bool:
    """True if other sentences of the passage begin with this subject, and others with that of a sentence."""
    own = context.sources.sources[unit.source].units
    first = {one.stems[0] for one in own if one is not unit} if len(own) <= _FEW_SENTENCES else set()
    return not first.isdisjoint(subject) and not first.isdisjoint(subject_of(unit.text) or ())


def _comparable(ours: str, theirs: str) -> bool:
    """True if two subjects are not two words for one thing, as they may be in a story.

    Names are, and those of two rules, who tells something, and two parties.
    """
    both = [frozenset(word.plain for word in words_of(text)) for text in (ours, theirs)]
    rules, reports = (all(not group.isdisjoint(words) for words in both) for group in (_MODALS, _REPORTING))
    parties = product(*(words & ROLES for words in both))
    return rules or reports or all(map(_named, (ours, theirs))) or any(opposite(*pair) for pair in parties)


def _named(text: str) -> bool:
    """True if a sentence begins with a name: a capital that its first word would not have anyway, or one of two."""
    words = words_of(text)[:2]
    return len(words) > 1 and all(word.initial for word in words) and words[0].plain not in STOPWORDS


def known_of(unit: Unit, context: Context) -> AbstractSet[str]:
    """The stems of a sentence, of its title, and of the sentences before it where its subject is a pronoun."""
    title = context.sources.sources[unit.source].title
    return unit.known.union(title, *(one.known for one in before_pronoun(unit, context)))


def before_pronoun(unit: Unit, context: Context) -> list[Unit]:
    """The sentences before one that its subject, a pronoun, may stand for: up to the first with another subject."""
    found: list[Unit] = []
    while len(found) < _CHAIN and unit.number and _may_point(unit.text) and subject_of(unit.text) == frozenset():
        before = context.sources.units[unit.number - 1]
        if before.source != unit.source:
            break
        found.append(before)
        unit = before
    return found


def _may_point(text: str) -> bool:
    """True unless no word of a sentence can be the pronoun that is its subject: a look before it is read."""
    return not text.isascii() or _MAY_POINT.search(text) is not None


def _fault(said: ReadClaim, unit: Unit) -> Difference:
    reason = f'the source says it of another one: "{unit.text}"'
    return Difference("swapped", reason, (said.start, said.end), unit, doubts=True)


@lru_cache(maxsize=8192)
def subject_of(text: str) -> frozenset[str] | None:
    """Stems of the subject of a sentence, none of a pronoun; None where it cannot be told."""
    words = words_of(text)
    if len(words) > _LONGEST:
        return None
    if words and words[0].plain in _PRONOUNS:
        return frozenset()
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
