"""Who does what to whom: each verb of a claim has the subject, object and circumstances that a source gives it.

"Trailers travel free of charge" is made of the words of "Bicycles travel free of charge, but trailers are charged", and
false. The clauses of the claim are held against those clauses of the nearest sentences that have the same verb; where
each of them gives it somebody or something else, the claim is in doubt. What cannot be told (pronouns, other verbs,
words that no source has) is left to the score.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from spanwise.guard.alignment import Pair, same_word
from spanwise.guard.comparators.names import before_pronoun, subject_of
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, nearest_stretch
from spanwise.guard.lexicon import interchangeable
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.syntax.clauses import clauses_of
from spanwise.guard.syntax.lexicon import verb_forms, word_class
from spanwise.guard.syntax.reading import Clause, Phrase
from spanwise.guard.units import Sources, Unit, share
from spanwise.text.terms import stem

_NO_DEED = frozenset(["have", "do"])
_ALL_OF = frozenset("all every any each both always".split())
_PART_OF = frozenset("only some most many several few certain two three four five six seven eight nine ten".split())
_JOINTS = frozenset("and but or who which not nor".split())
"""Words that a copy does not leave out."""
_MOST_LACKING = 0.4
"""Share of a clause's words that a sentence may lack which says the same of the same."""
_BETWEEN = frozenset(
    "a an the his her its their our called named known as is was are were that this mr mrs ms dr".split()
)
"""Words between two names of one thing, besides other names."""
_BESIDE = 4
_MOST_UNITS = 20
_REST = 0.85
"""Share of the rest of a claim that a sentence holds which says it of others."""
_ALL = 0.98
"""Share of a claim's words that the sources have where none is new, only put together otherwise."""
_NONE = frozenset("no none neither nobody nothing".split())
_SUPPOSING = frozenset(["if", "unless", "whether"])
_THIRD_PERSON = frozenset("he she they him her them his their".split())
"""Pronouns that stand for somebody; "it" often stands for nothing ("it is wrong to ...")."""
_FEW_BETWEEN = 2
"""Words that a copy may leave out."""
_OPPOSITE = {"before": "after", "after": "before"}


class _Said(NamedTuple):
    """A clause with the words of its sentence."""

    clause: Clause
    words: Sequence[Word]
    unit: Unit | None = None

    def head(self, phrase: Phrase) -> Word:
        """The noun that says what a phrase is about: "some of the members" is about members."""
        head = self.words[phrase.head]
        return head if _telling(head) else self.words[phrase.last - 1]

    def content(self, phrase: Phrase) -> list[Word]:
        return [word for word in self.words[phrase.first : phrase.last] if word.content]

    @property
    def agents(self) -> list[Phrase]:
        """Those that do it."""
        if self.clause.passive:
            return [one for one in self.clause.obliques if one.preposition == "by"]
        return self.clause.subjects

    @property
    def patients(self) -> list[Phrase]:
        """Those that it is done to."""
        return self.clause.subjects if self.clause.passive else self.clause.objects


def arguments_stay_with_their_verb(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No verb of a claim has a subject, an object or a circumstance that the sources give to another verb."""
    if _is_copied(nearest_stretch(said, evidence, context)):
        return []
    ours = [_Said(clause, words_of(said.plain)) for clause in clauses_of(said.plain)]
    verbs = {one.clause.lemma for one in ours}
    theirs = [
        _Said(clause, words_of(unit.text), unit)
        for unit, _ in (evidence.candidates if ours else ())
        if unit.fact is None and _has_verb(unit, verbs)
        for clause in clauses_of(unit.text)
    ]
    for one in ours:
        unit = _turned_in_time(one, theirs) or _belongs_elsewhere(one, theirs, said, evidence, context)
        if unit is not None:
            reason = f'the source says it of another one: "{unit.text}"'
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


def _has_verb(unit: Unit, verbs: Collection[str]) -> bool:
    """True if some word of a sentence can be a form of one of the verbs, or of another that may stand for it."""
    bases = _bases_of(unit.text)
    return not bases.isdisjoint(verbs) or any(interchangeable(verb, base) for verb in verbs for base in bases)


@lru_cache(maxsize=4096)
def _bases_of(text: str) -> frozenset[str]:
    """The base forms of all words of a text that can be verbs."""
    return frozenset(base for word in words_of(text) for base, _ in verb_forms(word.plain))


def _is_copied(pair: Pair | None) -> bool:
    """True if a sentence has all content words of a claim in their order, with little between them."""
    if pair is None:
        return True
    places = [pair.match[at] for at, word in enumerate(pair.ours) if word.content]
    in_order = all(0 <= one < other for one, other in pairwise(places)) and min(places, default=-1) >= 0
    if not in_order or places[-1] - places[0] >= len(pair.ours) + _FEW_BETWEEN:
        return False
    left_out = [pair.theirs[at] for at in range(places[0], places[-1]) if at not in pair.match]
    return not any(word.plain in _JOINTS | word_class("modal") for word in left_out)


def _belongs_elsewhere(
    one: _Said, theirs: Sequence[_Said], said: ReadClaim, evidence: Evidence, context: Context
) -> Unit | None:
    """The sentence that says of others what a clause says, where no sentence says it of the same."""
    lemma = one.clause.lemma
    heads = [one.head(phrase) for phrase in one.clause.phrases]
    if lemma in _NO_DEED or (lemma == "be" and not _equates(one, said)):
        return None
    if any(_telling(head) and not _known(head, context.sources) for head in heads):
        return None
    found: Unit | None = None
    for other in theirs:
        if other.unit is None or not interchangeable(lemma, other.clause.lemma):
            continue
        if lemma == "be" and not all(map(_telling, map(other.head, other.agents))):
            continue
        sentence = [each for each in theirs if each.unit is other.unit]
        lacking = _lacking(one, other.unit, context.sources)
        agreed, differs = _compared(one, other, sentence, context)
        if not differs:
            if len(lacking) > _MOST_LACKING * len(_own(one)):
                continue
            told = any(_telling(other.head(phrase)) for phrase in other.agents)
            agents = [] if told else [word for phrase in one.agents for word in one.content(phrase)]
            if (
                any(word not in agents for word in lacking)
                or agreed < _telling_phrases(one, other)
                or not _opposed(one, other)
            ):
                return None
            found = found or other.unit
            continue
        same_verb = lemma == other.clause.lemma and lemma not in word_class("light") | {"be"}
        rearranged = (agreed > 0 or same_verb) and all(word in differs for word in lacking)
        if found is None and (
            (rearranged and _told(said, other.unit, [*differs, one.words[one.clause.verb]], context.sources))
            or (same_verb and not agreed and _stands_alone(one) and evidence.anywhere >= _ALL)
            or (same_verb and _acts_beside(one, other, sentence))
        ):
            found = other.unit
    return found


def _telling_phrases(one: _Said, other: _Said) -> int:
    """How many phrases of a clause tell of whom or what it is, of those that the other one has too; at least one."""
    untold = [*(() if other.agents else one.agents), *(() if other.patients else one.patients)]
    return max(1, sum(_telling(one.head(phrase)) for phrase in one.clause.phrases if phrase not in untold))


def _opposed(one: _Said, other: _Said) -> bool:
    """True if two clauses of the same deed differ in whether it is so, or one is done and the other only to be done."""
    if _denies(one) != _denies(other):
        return True
    done = one.clause.past and not one.clause.modal and one.clause.kind == "finite"
    open_yet = bool(other.clause.modal) or other.clause.connective in _SUPPOSING
    return done and open_yet and not other.clause.past


def _denies(one: _Said) -> bool:
    """True if a clause says that something is not so: "needs no consent", "does not need it"."""
    own = [one.words[phrase.first].plain for phrase in (*one.clause.subjects, *one.clause.objects)]
    outer = one.clause.parent
    carried = outer is not None and outer.negated and one.clause.kind == "infinitive"
    return (one.clause.negated != any(word in _NONE for word in own)) != carried


def _equates(one: _Said, said: ReadClaim) -> bool:
    """True if all that a claim says is that somebody is something."""
    subjects = [one.head(phrase) for phrase in one.agents]
    return bool(one.patients) and len(clauses_of(said.plain)) == 1 and all(map(_telling, subjects))


def _stands_alone(one: _Said) -> bool:
    """True if a clause is a statement of its own."""
    return one.clause.kind == "finite" and one.clause.parent is None


def _acts_beside(one: _Said, other: _Said, sentence: Sequence[_Said]) -> bool:
    """True if a sentence says of the subject of a clause something else, and of another one what the clause says."""
    if not one.clause.kind == other.clause.kind == "finite":
        return False
    mine = [one.head(each) for each in one.agents]
    theirs = [other.head(each) for each in other.agents]
    if not mine or not theirs or not all(map(_telling, mine)) or _any_same(mine, theirs):
        return False
    acting = [
        each.head(phrase)
        for each in sentence
        if each.clause is not other.clause and each.clause.kind == "finite"
        for phrase in each.agents
    ]
    return _any_same(mine, acting)


def _any_same(ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    return any(same_word(one, other) for one in ours for other in theirs)


def _own(one: _Said) -> list[Word]:
    """The content words of a clause, besides its verb."""
    return list(dict.fromkeys(word for phrase in one.clause.phrases for word in one.content(phrase)))


def _lacking(one: _Said, unit: Unit, sources: Sources) -> list[Word]:
    """The content words of a clause that a sentence lacks."""
    return [word for word in _own(one) if not word.number and sources.said_as(stem(word.plain)) not in unit.known]


def _told(said: ReadClaim, unit: Unit, differs: Sequence[Word], sources: Sources) -> bool:
    """True if a sentence says the rest of a claim, besides the words in whose place it has others."""
    others = {form for word in differs for form in (stem(word.plain), sources.said_as(stem(word.plain)))}
    return share(unit.known, {one: weight for one, weight in said.wanted.items() if one not in others}) >= _REST


def _compared(one: _Said, other: _Said, sentence: Sequence[_Said], context: Context) -> tuple[int, list[Word]]:
    """How many phrases of a clause another with its verb has, and the words in whose place it has others."""
    agreed, differs = 0, list[Word]()
    for ours, theirs in _roles(one, other):
        if not ours or not theirs:
            continue
        same = any(_same(one, mine, other, yours, context) for mine in ours for yours in theirs)
        agreed += same and any(_telling(one.head(mine)) for mine in ours)
        if not same:
            differs += [word for mine in ours for word in one.content(mine)]
    for phrase in one.clause.obliques:
        head = one.head(phrase)
        timed = head.plain in word_class("time")
        if timed and _elsewhere(one, phrase, other, sentence):
            differs += one.content(phrase)
        if not _telling(head) or not _known(head, context.sources):
            continue
        if _has(other, one, phrase, context):
            agreed += 1
        elif _elsewhere(one, phrase, other, sentence) or (
            phrase.preposition == "by" and one.clause.passive and other.clause.passive
        ):
            differs += one.content(phrase)
    return agreed, differs


def _roles(one: _Said, other: _Said) -> Iterator[tuple[Sequence[Phrase], Sequence[Phrase]]]:
    """The phrases of two clauses that play the same part."""
    if not one.patients or not other.patients:  # "the door opens", "he opens the door"
        if not (_sure_of_subject(one) and _sure_of_subject(other)) and not (
            one.clause.passive and other.clause.passive
        ):
            return
        yield (one.agents or one.patients), [*other.agents, *other.patients]
        return
    if one.clause.lemma in word_class("mutual"):
        yield [*one.agents, *one.patients], [*other.agents, *other.patients]
        return
    if _sure_of_subject(one) and _sure_of_subject(
        other
    ):  # whose deed an infinitive is the sentence does not always tell
        yield one.agents, other.agents
    yield one.patients, other.patients


def _sure_of_subject(one: _Said) -> bool:
    """True if a sentence tells whose deed a verb is, as it often does not of an infinitive."""
    return one.clause.kind == "finite" or (one.clause.kind == "ing" and len(one.clause.subjects) == 1)


def _same(one: _Said, mine: Phrase, other: _Said, yours: Phrase, context: Context) -> bool:
    """True if two phrases may speak of the same, as far as their words tell."""
    ours, theirs = one.head(mine), other.head(yours)
    if not _telling(ours) or not _known(ours, context.sources):
        return True
    if not _telling(theirs):
        # Whom a text names is not the one who tells it; other pronouns may stand for what came before.
        third = theirs.plain.split("'")[0] in _THIRD_PERSON
        return theirs.plain != "i" and (not third or _may_stand_for(ours, other, yours, context))
    if stem(ours.plain) == stem(theirs.plain):
        return not (_told_apart(one, mine, other, yours) or _of_others(one, mine, other, yours))
    if same_word(ours, theirs):  # a word that the sentence has itself is not meant by a synonym
        return other.unit is None or stem(ours.plain) not in other.unit.known
    inside = _any_same([ours], other.content(yours)) or _any_same([theirs], one.content(mine))
    return inside or _one_thing(stem(ours.plain), stem(theirs.plain), context.sources)


def _may_stand_for(ours: Word, other: _Said, yours: Phrase, context: Context) -> bool:
    """True if a pronoun may stand for a word: one of its sentence, or of those before where it is their subject."""
    unit = other.unit
    if unit is None or _any_same([ours], other.words[: yours.first]):
        return True
    earlier = any(_telling(word) for word in other.words[: yours.first])
    before = [] if earlier else before_pronoun(unit, context)
    if not earlier and (not before or subject_of(before[-1].text) == frozenset()):
        return True
    return any(context.sources.said_as(stem(ours.plain)) in each.known for each in before)


def _of_others(one: _Said, mine: Phrase, other: _Said, yours: Phrase) -> bool:
    """True if what stands beside two phrases tells them apart: "the guarantee on the pump", "that on the boiler"."""
    for phrase in one.clause.obliques:
        theirs = [
            each
            for each in other.clause.obliques
            if each.beside == yours.head and each.preposition == phrase.preposition and each.first < other.clause.verb
        ]
        if phrase.beside == mine.head and phrase.first < one.clause.verb and theirs and _telling(one.head(phrase)):
            own = [word for each in other.clause.phrases for word in other.content(each)]
            return not any(same_word(one.head(phrase), word) for word in own)
    return False


def _one_thing(one: str, other: str, sources: Sources) -> bool:
    """True if some sentence puts two nouns side by side as names of one thing: "the treasurer, Olga Brandt"."""
    both = set(sources.postings.get(one, ())).intersection(sources.postings.get(other, ()))
    for number in sorted(both)[:_MOST_UNITS]:
        words = words_of(sources.units[number].text)
        places = [[at for at, word in enumerate(words) if stem(word.plain) == name] for name in (one, other)]
        for low, high in (sorted(pair) for pair in product(*places)):
            if high - low <= _BESIDE and all(_is_between(word) for word in words[low + 1 : high]):
                return True
    return False


def _is_between(word: Word) -> bool:
    return word.initial or word.plain in _BETWEEN


def _told_apart(one: _Said, mine: Phrase, other: _Said, yours: Phrase) -> bool:
    """True if other words of two phrases with one head tell two things apart: "block A", "blocks B and C"."""
    ours, theirs = one.content(mine), other.content(yours)
    named, others = ({word.plain for word in words if word.number or word.capital} for words in (ours, theirs))
    if named and others and named.isdisjoint(others):
        return True
    whole, part = (
        {word.plain for word in said.words[phrase.first : phrase.last]}
        for said, phrase in ((one, mine), (other, yours))
    )
    before = {word.plain for word in other.words[max(0, yours.first - 1) : yours.first]}
    if whole & _ALL_OF and not part & _ALL_OF and (part | before) & _PART_OF:
        return True
    kinds, other_kinds = ([word for word in words if not same_word(word, one.head(mine))] for words in (ours, theirs))
    elsewhere = [word for at, word in enumerate(other.words) if not yours.first <= at < yours.last]
    return bool(other_kinds) and any(_any_same([kind], elsewhere) and not _any_same([kind], theirs) for kind in kinds)


def _telling(word: Word) -> bool:
    """True if a word says of whom or what it is."""
    plain = word.plain.split("'")[0]
    return (
        word.content
        and not word.number
        and not any(plain in word_class(name) for name in ("pronoun", "vague", "time"))
    )


def _known(word: Word, sources: Sources) -> bool:
    return sources.said_as(stem(word.plain)) in sources.postings


def _elsewhere(one: _Said, phrase: Phrase, other: _Said, sentence: Sequence[_Said]) -> bool:
    """True if the sentence gives a phrase to another verb, and to that one alone."""
    head = one.head(phrase)
    if any(same_word(head, word) for mine in other.clause.phrases for word in other.content(mine)):
        return False
    return any(
        same_word(head, word)
        for each in sentence
        if each.clause is not other.clause
        and each.clause.parent is not other.clause
        and other.clause.parent is not each.clause
        for mine in each.clause.phrases
        for word in each.content(mine)
    )


def _has(other: _Said, one: _Said, phrase: Phrase, context: Context) -> bool:
    """True if a clause has a circumstance of another: in its own phrases, or in a pronoun of the same preposition."""
    for each in other.clause.phrases:
        if not _telling(other.head(each)):
            if each.preposition == phrase.preposition:
                return True
        elif each in other.agents and not same_word(one.head(phrase), other.head(each)):
            continue  # what only tells who it is ("the museum's director") is no circumstance
        elif _same(one, phrase, other, each, context):
            return True
    return False


def _turned_in_time(one: _Said, theirs: Sequence[_Said]) -> Unit | None:
    """The sentence in which the clauses that "before" or "after" joins have changed places."""
    main, word = one.clause.parent, one.clause.connective
    if main is None or word not in _OPPOSITE:
        return None
    for other in theirs:
        outer = other.clause.parent
        if outer is None or other.clause.connective not in _OPPOSITE:
            continue
        straight = interchangeable(one.clause.lemma, other.clause.lemma) and interchangeable(main.lemma, outer.lemma)
        turned = interchangeable(one.clause.lemma, outer.lemma) and interchangeable(main.lemma, other.clause.lemma)
        if straight == turned:
            continue
        if (straight and other.clause.connective != word) or (turned and other.clause.connective == word):
            return other.unit
    return None
