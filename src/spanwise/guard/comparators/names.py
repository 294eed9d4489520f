"""Names and subjects: who does what to whom, and of whom a sentence says it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise, product

from spanwise.guard.alignment import Pair, same_word
from spanwise.guard.claims.predication import predicate_at, states
from spanwise.guard.comparators.framing import PERSONAL, PRONOUNS
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, nearest_stretch
from spanwise.guard.lexicon import BE, MONTHS, ROLES, interchangeable
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.units import Source, Unit, share
from spanwise.text.patterns import lazy_pattern, may_hold
from spanwise.text.related import opposite
from spanwise.text.terms import STOPWORDS, placed_terms, stem, terms

# Who does what to whom: two names, or two nouns, that change places around a verb ("Beta bought Acme").

_CANDIDATES = 3
_LONGEST = 600
"""Characters of a sentence that is looked at."""
_NAME = r"[A-Z][\w&'\u2019-]{0,40}(?:\.(?=\s[a-z]))?(?:\s(?:of\s)?[A-Z][\w&'\u2019-]{0,40}(?:\.(?=\s[a-z]))?){0,4}"
_AUX = "was|were|is|are|been|be|being|has|have|had|will|would|later|then|also|must|shall|may|can|should"
_DEED = lazy_pattern(
    rf"(?P<one>{_NAME}),?\s(?P<aux>(?:(?:{_AUX})\s){{0,3}})"
    rf"(?P<verb>[a-z]{{3,20}})\s(?P<by>by\s)?(?:(?:the|its|all of)\s)?(?P<other>{_NAME})"
)
_DET = r"(?:the|a|an|its|their|each|every|any)\s"
_NOUN = r"[a-z][a-z-]{1,24}"
_DEED_OF_THINGS = lazy_pattern(
    rf"\b{_DET}(?:{_NOUN}\s){{0,2}}?(?P<one>{_NOUN})\s(?P<aux>(?:(?:{_AUX})\s){{0,3}})"
    rf"(?P<verb>[a-z]{{3,20}})\s(?P<by>by\s)?{_DET}(?P<other>{_NOUN}(?:\s{_NOUN}){{0,2}})",
    re.IGNORECASE,
)
"""The same of what is named by a noun ("The director is appointed by the committee")."""
_FROM_TO = lazy_pattern(
    r"\bfrom\s(?:the\s)?(?P<start>[^\W\d_]\w{1,30})\sto\s(?:the\s)?(?P<end>[^\W\d_]\w{1,30})", re.IGNORECASE
)
_BE = frozenset(["was", "were", "is", "are", "been", "be", "being"])
_MUTUAL = frozenset(
    stem(word)
    for word in (
        "married marries wed met meets joined fought fights faced faces played plays and with via near versus merged "
        "partnered resembles dated equals borders neighbors accompanied engaged divorced contacted"
    ).split()
)
"""Stems of verbs that say the same in both directions, and of words that are no verb."""


@dataclass(frozen=True, slots=True)
class _Deed:
    """Who did what to whom, as the words of the names."""

    agent: frozenset[str]
    verb: str
    patient: frozenset[str]
    start: int
    end: int
    text: str
    named: bool
    """Whether both are names; two things may do the same to each other in two sentences."""


def names_keep_their_places(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Where a claim says that one did something to another, no near sentence says that the other did it."""
    del context
    deeds = [fault for deed in _deeds(said.plain) if (fault := _turned(deed, said, evidence)) is not None]
    return [*deeds, *_ends_turned(said, evidence)]


def _ends_turned(said: ReadClaim, evidence: Evidence) -> Iterator[Difference]:
    """Moves and stretches whose two ends change places: "from Monday to Friday" for "from Friday to Monday"."""
    for match in _FROM_TO.finditer(said.plain):
        ends = match["start"].lower(), match["end"].lower()
        told = [
            (unit, one["start"].lower(), one["end"].lower())
            for unit, _ in evidence.candidates[:_CANDIDATES]
            for one in _FROM_TO.finditer(unit.text[:_LONGEST])
        ]
        turned = next((unit for unit, start, end in told if (end, start) == ends), None)
        if turned is not None and all(one[1:] != ends for one in told):
            at = said.start + match.start(), said.start + match.end()
            yield Difference(
                "swapped", f'the source says it the other way round: "{turned.text}"', at, turned, denies=True
            )


def _turned(deed: _Deed, said: ReadClaim, evidence: Evidence) -> Difference | None:
    turned: Unit | None = None
    told = ""
    for unit, _ in evidence.candidates[:_CANDIDATES]:
        stated = list(_deeds(unit.text))
        if turned is None and _paired_otherwise(deed, stated):
            turned, told = unit, unit.text
        for theirs in stated:
            if deed.named != theirs.named or not interchangeable(deed.verb, theirs.verb):
                continue
            if deed.agent & theirs.agent and deed.patient & theirs.patient:
                return None
            if deed.agent & theirs.patient and deed.patient & theirs.agent and turned is None:
                turned, told = unit, theirs.text
    if turned is None:
        return None
    reason = f'the answer says "{deed.text}", the source "{told}"'
    at = said.start + deed.start, said.start + deed.end
    return Difference("swapped", reason, at, turned, denies=deed.named, doubts=True)


def _paired_otherwise(deed: _Deed, stated: Sequence[_Deed]) -> bool:
    """True if a sentence says that one did it to a third, and another to the second ("A pays C and B pays D")."""
    same = [one for one in stated if deed.named and one.named and interchangeable(deed.verb, one.verb)]
    return any(deed.agent & one.agent for one in same) and any(deed.patient & one.patient for one in same)


def _deeds(text: str) -> Iterator[_Deed]:
    for pattern in (_DEED, _DEED_OF_THINGS):
        named = pattern is _DEED
        for match in pattern.finditer(text[:_LONGEST]):
            verb = match["verb"].lower()
            passive = match["by"] is not None and not _BE.isdisjoint(match["aux"].lower().split())
            if verb in STOPWORDS or stem(verb) in _MUTUAL or (match["by"] is not None and not passive):
                continue
            one, other = (_words(match[side]) if named else _stems(match[side]) for side in ("one", "other"))
            agent, patient = (other, one) if passive else (one, other)
            if agent and patient and agent.isdisjoint(patient):
                yield _Deed(agent, verb, patient, match.start(), match.end(), match.group(), named)


def _stems(phrase: str) -> frozenset[str]:
    return frozenset(stem(word) for word in phrase.lower().split() if word not in STOPWORDS)


def _words(name: str) -> frozenset[str]:
    words = (word.lower().removesuffix("'s").removesuffix("\u2019s") for word in re.findall(r"[\w&'\u2019-]+", name))
    return frozenset(word for word in words if word not in STOPWORDS and len(word) > 1)


# Rivals: two names of a claim, or a name and a thing, that stand in each other's place of the sentence. Whoever does
# a thing and whom it is done to stand behind small words: "sold by Ann to Tom" is no paraphrase of "sold by Tom to
# Ann".

_NEARLY_ALL = 0.75
"""Share of the claim's content words that the sentence has, for it to be the one that the claim is made from."""
_FEWEST = 4
"""Content words that both have."""
_SPARE = frozenset("the a an its their his her our your my this that these those another other".split())
"""Small words between a preposition and its word."""
_LEADS = frozenset("by to from of in on with for at against than".split())


def names_change_no_places(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No two names, or a name and a thing, of the claim stand in each other's place of the sentence."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None or _passive(pair.ours) != _passive(pair.theirs):
        return []
    if _compares(pair.ours) != _compares(pair.theirs):  # "lower in 2019 than in 2017", "highest in 2017"
        return []
    content = [index for index, word in enumerate(pair.ours) if word.content]
    shared = [index for index in content if pair.match[index] >= 0]
    places = [pair.match[index] for index in shared]
    if len(shared) < max(_FEWEST, _NEARLY_ALL * len(content)) or _rising(places) == len(places):
        return []
    runs = _runs(shared, pair)
    for first, last in combinations(range(len(runs)), 2):
        turned = [*runs[:first], runs[last], *runs[first + 1 : last], runs[first], *runs[last + 1 :]]
        in_order = [pair.match[index] for run in turned for index in run]
        if _rising(in_order) == len(in_order) and _in_place_of(runs[first], runs[last], pair):
            one, other = runs[first][0], runs[last][0]
            if pair.in_one_figure(one, other):
                continue
            fault = _fault(pair.ours[one], pair.theirs[pair.match[other]], pair, said)
            return [replace(fault, denies=pair.ours[one].number and 2 * pair.alignment.share >= 1)]
    return []


def _runs(shared: Sequence[int], pair: Pair) -> list[list[int]]:
    """The claim's words that the sentence has, cut where it has another one between them, or another order."""
    runs = [[shared[0]]]
    for one, other in pairwise(shared):
        low, high = pair.match[one], pair.match[other]
        if low < high and not any(word.content for word in pair.theirs[low + 1 : high]):
            runs[-1].append(other)
        else:
            runs.append([other])
    return runs


def _in_place_of(first: Sequence[int], last: Sequence[int], pair: Pair) -> bool:
    """True if two parts, one of them a name, have the claim's small words before them in each other's place.

    Two figures, and two names with a verb between them, need none: "Ann hired and Tom trained them".
    """
    one, other = ([pair.ours[index] for index in run] for run in (first, last))
    if any(word.number for word in (*one, *other)):
        return len(one) == len(other) == 1 and one[0].number and other[0].number
    names = [_is_name(words) for words in (one, other)]
    if all(names):
        return any(_acts(word) for word in pair.ours[first[-1] + 1 : last[0]])
    leads = [_lead(pair.ours, first[0]), _lead(pair.ours, last[0])]
    theirs = [_lead(pair.theirs, pair.match[last[0]]), _lead(pair.theirs, pair.match[first[0]])]
    return (any(names) or "by" in leads) and leads == theirs and any(leads)


def _is_name(words: Sequence[Word]) -> bool:
    """True for "Tarn", and for "the city of Tarn"."""
    return all(word.initial and word.plain not in MONTHS for word in words) or (
        words[-1].capital and words[-1].plain not in MONTHS
    )


def _acts(word: Word) -> bool:
    return word.content and not word.initial and not word.number


def _lead(words: Sequence[Word], index: int) -> str:
    """The preposition before a word; empty without one."""
    before = [word.plain for word in words[max(0, index - 2) : index] if word.plain not in _SPARE][-1:]
    return before[0] if before and before[0] in _LEADS else ""


def _compares(words: Sequence[Word]) -> bool:
    return any(word.plain == "than" for word in words)


def _passive(words: Sequence[Word]) -> bool:
    plain = [word.plain for word in words]
    return "by" in plain and not BE.isdisjoint(plain)


def _rising(places: Sequence[int]) -> int:
    """Length of the longest rising subsequence."""
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends)


def _fault(ours: Word, theirs: Word, pair: Pair, said: ReadClaim) -> Difference:
    written, source = said.plain[ours.start : ours.end], pair.unit.text[theirs.start : theirs.end]
    reason = f'the answer has "{written}" where the source has "{source}"'
    return Difference("swapped", reason, (said.start + ours.start, said.start + ours.end), pair.unit, doubts=True)


# Borrowed names: somebody whom only other sentences name, in the place of the one whom the claim's own names.

_FEWEST_BORROWED = 2
"""Content words of a claim besides its figures and the name it begins with."""
_ABOUT = 0.8
"""Share of these words that the sentence holds which the claim is about."""
_LITTLE = 0.4
"""The most of them that a sentence holds which names the claim's: who did one thing did others like it.

Two things with numbers are told apart by them, and much may be said of both.
"""
_MOST = 12
"""Sentences that are looked at."""
_LONGEST_BORROWED = 400
"""Characters; a longer sentence says several things."""
_NAME_BORROWED = re.compile(
    r"(?!(?:The|This|These|That|In|On|At|For|If|When|A|An)\b)"
    r"(?:(?P<numbered>[A-Z]\w{1,30}[ -]\d{1,4}\b(?![.,]\d))"
    r"|[A-Z][a-z'\u2019-]{1,30}(?: (?:[A-Z]\. )?[A-Z][a-z'\u2019-]{1,30}){1,3}\b)"
)
_OPENING = ' -*\u2022#"\u201c'


def names_stay_with_words(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """The name that a claim begins with is no other sentence's where the one it is about names somebody else.

    A sentence whose subject is a pronoun names whom the sentence before it names; what a title says is said of all.
    """
    match = _NAME_BORROWED.match(said.plain.lstrip(_OPENING))
    if match is None:
        return []
    name, numbered = frozenset(terms(match.group())), match.lastgroup is not None
    near = _near(evidence)
    having = [unit for unit in near if _has(unit, match, name)]
    whole = {stem: weight for stem, weight in _besides_figures(said).items() if stem not in name}
    titles = _titles(near, context)
    title = frozenset[str]().union(
        *(one.known for one in titles), *(source.title for source in _sources(near, context))
    )
    about = {stem: weight for stem, weight in whole.items() if stem not in title} or whole
    most = _ABOUT if numbered else _LITTLE
    strange = bool(having) and not any(share(unit.known, about) > most or unit.titled for unit in having)
    if len(whole) + numbered < _FEWEST_BORROWED or not strange or not (numbered or _proper(match.group(), near)):
        return []
    for unit in near:
        if share(unit.known, about) < _ABOUT:
            continue
        before = before_pronoun(unit, context)
        if any(_has(one, match, name) for one in before):
            return []
        named = [other for one in (unit, *before, *(titles if numbered else ())) for other in _names(one, numbered)]
        others = [
            other for other in named if about.keys().isdisjoint(terms(other)) and (numbered or _proper(other, near))
        ]
        if others and match.group() not in named:
            reason = f"the source says it of {others[0]}, not of {match.group()}"
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


def _has(unit: Unit, match: re.Match[str], name: frozenset[str]) -> bool:
    """True if a sentence names what the claim names: a word of it, or the thing with its very number."""
    return match.group() in unit.text if match.lastgroup else not unit.known.isdisjoint(name)


def _sources(near: Sequence[Unit], context: Context) -> list[Source]:
    return [context.sources.sources[number] for number in dict.fromkeys(unit.source for unit in near)]


def _titles(near: Sequence[Unit], context: Context) -> list[Unit]:
    """The titles of the passages that some sentences are from, where they begin with one."""
    first = [source.units[0] for source in _sources(near, context) if source.units]
    return [unit for unit in first if unit.titled]


def _besides_figures(said: ReadClaim) -> Mapping[str, float]:
    """The weights of the claim's stems outside its figures and dates."""
    inside = {place for one in said.quantities for place in range(one.start, one.end)}
    placed = placed_terms(said.plain)
    counted = {stem for place, stem in placed if place in inside} - {
        stem for place, stem in placed if place not in inside
    }
    return {stem: weight for stem, weight in said.wanted.items() if stem not in counted and not stem[0].isdigit()}


def _near(evidence: Evidence) -> list[Unit]:
    return list(dict.fromkeys([*evidence.best, *(unit for unit, _ in evidence.candidates)]))[:_MOST]


def _names(unit: Unit, numbered: bool) -> list[str]:
    """The names of two words or more in a sentence, or those with a number."""
    if unit.fact is not None or len(unit.text) > _LONGEST_BORROWED:
        return []
    return [match.group() for match in _NAME_BORROWED.finditer(unit.text) if (match.lastgroup is not None) == numbered]


def _proper(name: str, near: Sequence[Unit]) -> bool:
    """True if no word of it occurs in lower case nearby, as those of "Confidential Information" do."""
    words = [word.lower() for word in name.split()]
    return not any(word in unit.text.split() for unit in near for word in words)


# Whom a claim says it of: its subject is the one of the sentence that says it, and of those that its words come from.
# "Either side may end it" is no copy of "The tenant may end it", and "the landlord pays for electricity" joins two
# sentences of two payers. A sentence whose subject is a pronoun speaks of the sentence before it too.

_LONGEST_SUBJECT = 45
"""Words of a sentence; a longer one has several subjects."""
_MOST_SUBJECT = 4
"""Content words of a subject."""
_FEWEST_SUBJECT = 2
"""Content words of a claim besides its subject."""
_ABOUT_SUBJECT = 0.6
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
_POINTING = PERSONAL | frozenset("this that these those who which one both all".split())
_MAY_POINT = may_hold(_POINTING)
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
    if len(rest) < _FEWEST_SUBJECT or not any(one in sources.postings for one in subject):
        return []
    if _done_to(pair, subject, said, context):
        return [_subject_fault(said, pair.unit)]
    told = []
    for unit, _ in evidence.candidates:
        known = known_of(unit, context)
        if (held := share(known, rest)) >= _ABOUT_SUBJECT:
            if not subject.isdisjoint(known):
                return []
            told.append((unit, held))
    for unit, held in told:
        nearest = unit is pair.unit or (held >= _ALL_ELSE and _named(said.plain))
        if nearest and of_another(unit, subject, said, context):
            copied = unit is pair.unit and held >= _ALL_ELSE and _act_both(subject, unit, context)
            if copied or _comparable(said.plain, unit.text):
                return [_subject_fault(said, unit)]
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
    alike = sum(one in pair.unit.known for one in rest) >= _ABOUT_SUBJECT * len(rest)
    related = {one[:_BEGINNING] for one in subject} & {one[:_BEGINNING] for one in theirs}
    return bool(told) and alike and subject.isdisjoint(before) and not related


def _after_noun(words: Sequence[Word]) -> int:
    """Index of the word behind a plural or a name that a sentence begins with ("The tenants pay"); 0 without one."""
    if len(words) <= _FEWEST_SUBJECT + 1 or not words[2].content:
        return 0
    if words[0].plain in ("the", "all", "these") and words[1].content:
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
    if context.sources.units[unit.number] is not unit:  # lines that were put together
        return _known_of(unit, context)
    if unit.number not in context.known:
        context.known[unit.number] = _known_of(unit, context)
    return context.known[unit.number]


def _known_of(unit: Unit, context: Context) -> AbstractSet[str]:
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
    return not text.isascii() or _MAY_POINT.search(text.lower()) is not None


def _subject_fault(said: ReadClaim, unit: Unit) -> Difference:
    reason = f'the source says it of another one: "{unit.text}"'
    return Difference("swapped", reason, (said.start, said.end), unit, doubts=True)


@lru_cache(maxsize=8192)
def subject_of(text: str) -> frozenset[str] | None:
    """Stems of the subject of a sentence, none of a pronoun; None where it cannot be told."""
    words = words_of(text)
    if len(words) > _LONGEST_SUBJECT:
        return None
    if words and words[0].plain.partition("'")[0] in PERSONAL:
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
    found = frozenset(stem(word.plain) for word in own[:end] if word.content and not word.number)
    return found if 0 < len(found) <= _MOST_SUBJECT else None


# Statements of one sentence: a claim joins words of two that stand apart.

_JOINING = frozenset(
    "and but while whereas both also respectively more less fewer together total when if because since after until who "
    "which that although though where".split()
)
"""Words of a claim that joins several statements rightly."""
_OPENING_WORDS = 6
"""Words of a statement among which its subject stands."""
_MOST_JOINED = 4
"""Statements of a sentence; more of them are a list."""


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
    first, *others = pair.unit.text.split(";")[:_MOST_JOINED]
    parts = [first, *(part for part in others if states(part))]
    if ":" in pair.unit.text:  # a list
        return []
    words = [words_of(part) for part in parts]
    own: list[set[str]] = [set() for _ in parts]
    figures: list[set[str]] = [set() for _ in parts]
    for ours in pair.ours:
        having = [at for at, theirs in enumerate(words) if any(same_word(ours, other) for other in theirs)]
        if ours.content and len(having) == 1:
            (figures if ours.number else own)[having[0]].add(ours.plain)
    for low, high in combinations(range(len(parts)), 2):
        pronoun = any(word.plain in PRONOUNS for word in words[high][:_OPENING_WORDS])
        earlier = figures[low] if pronoun else own[low] | figures[low]
        if earlier and (own[high] or (figures[high] and not pronoun)):
            reason = f'the answer joins what the source says apart: "{pair.unit.text}"'
            return [Difference("swapped", reason, (said.start, said.end), pair.unit, doubts=True)]
    return []
