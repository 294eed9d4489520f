"""Who does what to whom: each verb of a claim has the subject, object and circumstances that a source gives it.

"Trailers travel free of charge" is made of the words of "Bicycles travel free of charge, but trailers are charged", and
false. The clauses of the claim are held against those clauses of the nearest sentences that have the same verb; where
each of them gives it somebody or something else, the claim is in doubt. What cannot be told (pronouns, other verbs,
words that no source has) is left to the score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import NamedTuple

from spanwise.guard.alignment import Pair, same_word
from spanwise.guard.comparators.phrases import SaidClause, any_same, is_known, may_be_same, root, tells
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, nearest_stretch
from spanwise.guard.lexicon import interchangeable, meanings_of
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.syntax.clauses import clauses_of
from spanwise.guard.syntax.lexicon import classes_by_word, verb_forms, word_class
from spanwise.guard.syntax.reading import Phrase
from spanwise.guard.units import Sources, Unit, share

_MOST_LACKING = 0.4
"""Share of a clause's words that a sentence may lack which says the same of the same."""
_REST = 0.85
"""Share of the rest of a claim that a sentence holds which says it of others."""
_ALL = 0.98
"""Share of a claim's words that the sources have where none is new, only put together otherwise."""
_NOT_LEFT_OUT = frozenset("and but or who which not nor".split())
"""Words that a copy does not leave out."""
_FEW_BETWEEN = 2
"""Words that a copy may leave out."""
_LONGEST_READ = 45
"""Words of a sentence of a source that is surely read."""
_MOST_CLAUSES = 2
_MOST_STEMS = 9
"""Clauses and content words of a claim that is surely read."""
_OPPOSITE = {"before": "after", "after": "before"}


class _Match(NamedTuple):
    """A clause of a source with the same verb as one of a claim."""

    other: SaidClause
    sentence: Sequence[SaidClause]
    """All clauses of its sentence."""
    agreed: int
    """Phrases of the claim's clause that it has."""
    differs: Sequence[Word]
    """The words of the claim's clause in whose place it has others."""
    lacking: Sequence[Word]
    """The words of the claim's clause that its sentence lacks, and has no pronoun for."""
    told: Sequence[Word]
    """The words of the claim's clause that it may have a pronoun for."""


def arguments_stay_with_their_verb(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No verb of a claim has a subject, an object or a circumstance that the sources give to another verb."""
    if len(said.wanted) > _MOST_STEMS or _is_copied(nearest_stretch(said, evidence, context)):
        return []
    ours = [SaidClause(clause, words_of(said.plain)) for clause in clauses_of(said.plain)]
    if not _is_surely_read(ours):
        return []
    own = [one for one in ours if _can_be_compared(one, said, context.sources)]
    theirs = _Theirs(own, evidence)
    for one in own:
        unit = (
            _turned_in_time(one, theirs)
            or _of_another_condition(one, theirs)
            or _under_another_verb(one, theirs)
            or _belongs_elsewhere(one, theirs, said, evidence, context)
        )
        if unit is not None:
            reason = f'the source says it of another one: "{unit.text}"'
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


def tells_of_others(said: ReadClaim, unit: Unit, context: Context) -> bool:
    """True if a sentence has the verbs of a claim only with another subject, object or circumstance."""
    ours = [SaidClause(clause, words_of(said.plain)) for clause in clauses_of(said.plain)]
    theirs = [SaidClause(clause, words_of(unit.text), unit) for clause in clauses_of(unit.text)]
    same = [pair for pair in product(ours, theirs) if interchangeable(pair[0].clause.lemma, pair[1].clause.lemma)]
    return bool(same) and all(_compared(one, other, theirs, context)[1] for one, other in same)


def _is_surely_read(ours: Sequence[SaidClause]) -> bool:
    """True if few clauses have all content words of a claim: what is left over was not understood."""
    if not 0 < len(ours) <= _MOST_CLAUSES:
        return False
    read = {at for one in ours for phrase in one.clause.phrases for at in range(phrase.first, phrase.last)}
    read.update(one.clause.verb for one in ours)
    words = enumerate(ours[0].words)
    return all(at in read or not word.content or word.plain in classes_by_word() for at, word in words)


class _Theirs:
    """The clauses of each near sentence with a verb of a claim, the nearest first; each is parsed when reached."""

    def __init__(self, own: Sequence[SaidClause], evidence: Evidence) -> None:
        clauses = [clause for one in own for clause in (one.clause, one.clause.parent) if clause is not None]
        self._meanings = frozenset[str | int]().union(*(meanings_of(clause.lemma) for clause in clauses))
        self._left = (unit for unit, _ in evidence.candidates if unit.fact is None)
        self._read: list[Sequence[SaidClause]] = []

    def __iter__(self) -> Iterator[Sequence[SaidClause]]:
        at = 0
        while at < len(self._read) or self._read_on():
            yield self._read[at]
            at += 1

    def _read_on(self) -> bool:
        """True if there is another sentence, which is read now."""
        for unit in self._left:
            if not self._meanings.isdisjoint(_meanings_in(unit.text)):
                words = words_of(unit.text)
                self._read.append([SaidClause(clause, words, unit) for clause in clauses_of(unit.text)])
                return True
        return False


@lru_cache(maxsize=4096)
def _meanings_in(text: str) -> frozenset[str | int]:
    """The meanings of all words of a text that can be verbs."""
    words = [word.plain for word in words_of(text)]
    bases = {base for word in words for base, _ in verb_forms(word)}
    bases.update(["be"] if any(word in word_class("be") for word in words) else ())
    return frozenset().union(*map(meanings_of, bases))


def _is_copied(pair: Pair | None) -> bool:
    """True if a sentence has all content words of a claim in their order, with little between them."""
    if pair is None:
        return True
    places = [pair.match[at] for at, word in enumerate(pair.ours) if word.content]
    in_order = all(0 <= one < other for one, other in pairwise(places)) and min(places, default=-1) >= 0
    if not in_order or places[-1] - places[0] >= len(pair.ours) + _FEW_BETWEEN:
        return False
    left_out = [pair.theirs[at] for at in range(places[0], places[-1]) if at not in pair.match]
    return len(left_out) <= _FEW_BETWEEN and not any(
        word.plain in _NOT_LEFT_OUT | word_class("modal") for word in left_out
    )


def _belongs_elsewhere(
    one: SaidClause, theirs: _Theirs, said: ReadClaim, evidence: Evidence, context: Context
) -> Unit | None:
    """The sentence that says of others what a clause says, or denies it, where no sentence says it of the same."""
    found: Unit | None = None
    for match in _matches(one, theirs, context):
        if match.differs:
            contradicts = _says_it_of_others(one, match, said, evidence, context.sources)
        elif len(match.lacking) > _MOST_LACKING * len(_own(one)):
            continue
        elif not _is_denied(one, match):
            return None
        else:
            contradicts = True
        if contradicts and found is None and len(match.other.words) <= _LONGEST_READ:
            found = match.other.unit
    return found


def _can_be_compared(one: SaidClause, said: ReadClaim, sources: Sources) -> bool:
    """True if a clause tells a deed, or who somebody is, and of nothing that no source knows."""
    if one.clause.lemma in ("have", "do") or (one.clause.lemma == "be" and not _equates(one, said)):
        return False
    heads = [one.head(phrase) for phrase in one.clause.phrases]
    return all(is_known(head, sources) for head in heads if tells(head))


def _matches(one: SaidClause, theirs: _Theirs, context: Context) -> Iterator[_Match]:
    """The clauses of the sources that have the verb of a clause, each held against it."""
    for sentence in theirs:
        for other in sentence:
            if other.unit is None or not interchangeable(one.clause.lemma, other.clause.lemma):
                continue
            if one.clause.lemma == "be" and not all(map(tells, map(other.head, other.agents))):
                continue
            agreed, differs = _compared(one, other, sentence, context)
            told = _told_by_pronouns(one, other) if not differs or agreed else []
            lacking = [word for word in _lacking(one, other.unit, context.sources) if word not in told]
            yield _Match(other, sentence, agreed, differs, lacking, told)


def _says_it_of_others(one: SaidClause, match: _Match, said: ReadClaim, evidence: Evidence, sources: Sources) -> bool:
    """True if a clause that differs was what the claim was made from, and not just another one with its verb."""
    other, differs, unit = match.other, match.differs, match.other.unit
    if one.clause.lemma != other.clause.lemma:
        return False
    same_verb = one.clause.lemma not in word_class("light") | {"be"}
    rearranged = (match.agreed > 0 or same_verb) and all(word in differs for word in match.lacking)
    if (
        rearranged
        and unit is not None
        and _told(said, unit, [*differs, *match.told, one.words[one.clause.verb]], sources)
    ):
        return True
    if not same_verb:
        return False
    near = unit is not None and any(unit.number == each.number for each in evidence.best)
    alone = near and one.clause.kind == "finite" and _is_all_of(one, said)
    return (alone and not match.agreed and evidence.anywhere >= _ALL) or _acts_beside(one, other, match.sentence)


def _is_all_of(one: SaidClause, said: ReadClaim) -> bool:
    """True if a claim says nothing besides one clause."""
    return len(_own(one)) + 1 >= sum(word.content for word in words_of(said.plain))


def _is_denied(one: SaidClause, match: _Match) -> bool:
    """True if a clause that says the same says that it is not so, or only to be done."""
    other = match.other
    told = any(tells(other.head(phrase)) for phrase in other.agents)
    untold = set() if told else {word for phrase in one.agents for word in one.content(phrase)}
    whole = match.agreed >= _telling_phrases(one, other) and untold.issuperset(match.lacking)
    return whole and _opposed(one, other)


def _telling_phrases(one: SaidClause, other: SaidClause) -> int:
    """How many phrases of a clause tell of whom or what it is, of those that the other one has too; at least one."""
    untold = [*(() if other.agents else one.agents), *(() if other.patients else one.patients)]
    return max(1, sum(tells(one.head(phrase)) for phrase in one.clause.phrases if phrase not in untold))


def _opposed(one: SaidClause, other: SaidClause) -> bool:
    """True if two clauses of the same deed differ in whether it is so, or one is done and the other only to be done."""
    if _denies(one) != _denies(other):
        return True
    done = one.clause.past and not one.clause.modal and one.clause.kind == "finite"
    open_yet = bool(other.clause.modal) or other.clause.connective in word_class("supposing")
    return done and open_yet and not other.clause.past


def _denies(one: SaidClause) -> bool:
    """True if a clause says that something is not so: "needs no consent", "does not need it"."""
    own = [
        one.words[phrase.first].plain
        for phrase in (*one.clause.subjects, *one.clause.objects)
        if [word.plain for word in one.words[phrase.last : phrase.last + 1]] != ["than"]  # "no earlier than 7"
    ]
    outer = one.clause.parent
    carried = outer is not None and outer.negated and one.clause.kind == "infinitive"
    return (one.clause.negated != any(word in word_class("none") for word in own)) != carried


def _equates(one: SaidClause, said: ReadClaim) -> bool:
    """True if all that a claim says is that somebody is something."""
    subjects = [one.head(phrase) for phrase in one.agents]
    return bool(one.patients) and len(clauses_of(said.plain)) == 1 and all(map(tells, subjects))


def _acts_beside(one: SaidClause, other: SaidClause, sentence: Sequence[SaidClause]) -> bool:
    """True if a sentence says of the subject of a clause something else, and of another one what the clause says."""
    if not one.clause.kind == other.clause.kind == "finite":
        return False
    mine = [one.head(each) for each in one.agents]
    theirs = [other.head(each) for each in other.agents]
    if not mine or not theirs or not all(map(tells, mine)) or any_same(mine, theirs):
        return False
    acting = [
        each.head(phrase)
        for each in sentence
        if each.clause is not other.clause and each.clause.kind == "finite"
        for phrase in each.agents
    ]
    return any_same(mine, acting)


def _told_by_pronouns(one: SaidClause, other: SaidClause) -> list[Word]:
    """The words of a clause in whose place another one has a pronoun, or "nothing"."""
    return [
        word
        for ours, theirs in _roles(one, other)
        if theirs and not any(tells(other.head(yours)) for yours in theirs)
        for mine in ours
        for word in one.content(mine)
    ]


def _own(one: SaidClause) -> list[Word]:
    """The content words of a clause, besides its verb."""
    return list(dict.fromkeys(word for phrase in one.clause.phrases for word in one.content(phrase)))


def _lacking(one: SaidClause, unit: Unit, sources: Sources) -> list[Word]:
    """The content words of a clause that a sentence lacks."""
    return [word for word in _own(one) if not word.number and sources.said_as(root(word)) not in unit.known]


def _told(said: ReadClaim, unit: Unit, differs: Sequence[Word], sources: Sources) -> bool:
    """True if a sentence says the rest of a claim, besides the words in whose place it has others."""
    others = {form for word in differs for form in (root(word), sources.said_as(root(word)))}
    return share(unit.known, {one: weight for one, weight in said.wanted.items() if one not in others}) >= _REST


def _compared(
    one: SaidClause, other: SaidClause, sentence: Sequence[SaidClause], context: Context
) -> tuple[int, list[Word]]:
    """How many phrases of a clause another with its verb has, and the words in whose place it has others."""
    agreed, differs = 0, list[Word]()
    for ours, theirs in _roles(one, other):
        if not ours or not theirs:
            continue
        same = any(may_be_same(one, mine, other, yours, context) for mine in ours for yours in theirs)
        agreed += same and any(tells(one.head(mine)) for mine in ours)
        if not same:
            differs += [word for mine in ours for word in one.content(mine)]
    for phrase in one.clause.obliques:
        head = one.head(phrase)
        timed = head.plain in word_class("time")
        if timed and _elsewhere(one, phrase, other, sentence):
            differs += one.content(phrase)
        if not tells(head) or not is_known(head, context.sources):
            continue
        if _has(other, one, phrase, context):
            agreed += 1
        elif _elsewhere(one, phrase, other, sentence) or (
            (phrase.preposition == "by" and one.clause.passive and other.clause.passive and not _behind(other, head))
            or _in_place_of_another(one, phrase, other)
        ):
            differs += one.content(phrase)
    return agreed, differs


def _roles(one: SaidClause, other: SaidClause) -> Iterator[tuple[Sequence[Phrase], Sequence[Phrase]]]:
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
    if _sure_of_subject(one) and _sure_of_subject(other):
        yield one.agents, other.agents
    yield one.patients, other.patients


def _sure_of_subject(one: SaidClause) -> bool:
    """True if a sentence tells whose deed a verb is, as it often does not of an infinitive."""
    return one.clause.kind == "finite" or (one.clause.kind == "ing" and len(one.clause.subjects) == 1)


def _elsewhere(one: SaidClause, phrase: Phrase, other: SaidClause, sentence: Sequence[SaidClause]) -> bool:
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
        and not (other.clause.negated and each.clause.verb == other.clause.verb)  # "use a brush and never wire"
        for mine in each.clause.phrases
        for word in each.content(mine)
    )


def _behind(other: SaidClause, head: Word) -> bool:
    """True if a clause has a word in any phrase behind its verb: "by Delaware", "by the laws of Delaware"."""
    behind = (each for each in other.clause.phrases if each.first > other.clause.verb)
    return any(same_word(head, word) for each in behind for word in other.content(each))


def _in_place_of_another(one: SaidClause, phrase: Phrase, other: SaidClause) -> bool:
    """True if a sentence that lacks a phrase has another one behind its preposition: "on the street", "on the path"."""
    if other.unit is None or root(one.head(phrase)) in other.unit.known or phrase.preposition in ("", "of", "for"):
        return False
    rivals = [each for each in other.clause.obliques if each.preposition == phrase.preposition]
    own = [each for each in one.clause.obliques if each.preposition == phrase.preposition]
    return len(own) == 1 and len(rivals) == 1 and tells(other.head(rivals[0])) and rivals[0].first > other.clause.verb


def _has(other: SaidClause, one: SaidClause, phrase: Phrase, context: Context) -> bool:
    """True if a clause has a circumstance of another: in its own phrases, or in a pronoun of the same preposition."""
    for each in other.clause.phrases:
        if not tells(other.head(each)):
            if each.preposition == phrase.preposition:
                return True
        elif each in other.agents and not same_word(one.head(phrase), other.head(each)):
            continue  # what only tells who it is ("the museum's director") is no circumstance
        elif may_be_same(one, phrase, other, each, context):
            return True
    return False


def _turned_in_time(one: SaidClause, theirs: _Theirs) -> Unit | None:
    """The sentence in which the clauses that "before" or "after" joins have changed places."""
    main, word = one.clause.parent, one.clause.connective
    if main is None or word not in _OPPOSITE:
        return None
    for other in chain.from_iterable(theirs):
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


def _under_another_verb(one: SaidClause, theirs: _Theirs) -> Unit | None:
    """The sentence that says when one thing is so, and has another time or condition for what the claim says it of."""
    main, word = one.clause.parent, one.clause.connective
    if main is None or not word:
        return None
    found: Unit | None = None
    for sentence in theirs:
        twins = [
            each.clause.parent
            for each in sentence
            if each.clause.connective == word and interchangeable(one.clause.lemma, each.clause.lemma)
        ]
        outers = [twin for twin in twins if twin is not None]
        if any(interchangeable(main.lemma, outer.lemma) for outer in outers):
            return None
        mains = [each.clause for each in sentence if interchangeable(main.lemma, each.clause.lemma)]
        if (
            outers
            and found is None
            and any(each.clause.parent in mains and each.clause.connective for each in sentence)
        ):
            found = sentence[0].unit
    return found


def _of_another_condition(one: SaidClause, theirs: _Theirs) -> Unit | None:
    """The sentence that makes the same depend on something else: "stop if it hurts", "stop if it bleeds"."""
    main = one.clause.parent
    if main is None or one.clause.connective not in word_class("supposing") or one.clause.lemma in ("be", "have", "do"):
        return None
    alike = [
        other
        for other in chain.from_iterable(theirs)
        if other.clause.parent is not None
        and other.clause.connective in word_class("supposing")
        and interchangeable(main.lemma, other.clause.parent.lemma)
    ]
    if not alike or any(interchangeable(one.clause.lemma, other.clause.lemma) for other in alike):
        return None
    return alike[0].unit
