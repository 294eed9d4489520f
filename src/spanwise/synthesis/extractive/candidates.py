"""What could answer: sentences, lists and clauses, each generator from the question and its passages to candidates.

A sentence carries the chance that the ranker gives it; other kinds (a list, a definition, a row) have a measure of
their own, calibrated to the same scale, so that candidates of all kinds compare by one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, TypeAlias

from spanwise.contract.result import ANSWERED
from spanwise.domain.passage import Passage
from spanwise.domain.question import Question, SentenceModel
from spanwise.store.evidence_store import as_written
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh, calibrated
from spanwise.synthesis.extractive.features import ENTRY, NEGATION, Asked, View, words_of
from spanwise.synthesis.extractive.lists import Element, Listing, enumeration, listings, may_begin, whole_list
from spanwise.synthesis.extractive.ranking import probability, ranked
from spanwise.text.expectations.defining import asked_subject, asked_term, defines, glossed, named_alone, states
from spanwise.text.expectations.forms import expectation
from spanwise.text.framing.frames import WITHHELD, FrameKind, withheld
from spanwise.text.list_marks import BULLETS, DASHES
from spanwise.text.noise import is_dummy, left_blank
from spanwise.text.passage_reading import Reading, Sentence, asks, coverage
from spanwise.text.related import is_filler
from spanwise.text.sentences import blocks_of_lines, on_one_line, sentences
from spanwise.text.terms import terms

_SEEMED = 0.5
"""Chance of a sentence that seems to answer what is asked."""
NEAR = 0.35
"""Least chance of possible answers, all together."""
_LOOKED_AT = 16
"""Sentences that may become candidates: what is ranked behind them is never shown."""
LIST_REACH = 150
"""Lines beyond a passage in which a list that starts in it may go on."""
_NEAR = 3
"""Lines beyond it in which such a list begins."""
ENOUGH_OF_A_LIST = 0.55
"""Least measure of a list that answers: share of the question that its introduction and what is around it cover."""
ENOUGH_BY_MODEL = 0.4
"""Least probability that a sentence model gives; cross-validation is flat between 0.35 and 0.5."""
_TITLE = 0.75
"""What a word counts that is not in a sentence but in the heading above it."""
_TITLE_ALONE = re.compile(
    r"\W*(?:(?:section|article|\d[\d.]*|[a-z])[.)]?\s+){0,3}(?:[^\W\d_][\w'\u2019-]*\s*){1,4}[.:]?", re.IGNORECASE
)
_CONTEXT = 0.5
"""What a word counts that is only elsewhere in its passage."""
_NEVER = 2.0
_LACKING = 0.5
"""What the chance of a sentence is worth that seems to lack the value that is asked for."""
_LOGITS = 1000.0
KINDS_OF_VALUES = frozenset(
    terms("date day time deadline amount price cost fee total sum number count name address place")
)
"""Words of a label that name the kind of its value, which a question asks for by its form ("when", "how much")."""
_HEADERS: Mapping[str, tuple[str, frozenset[str]]] = {
    label: (form, frozenset(terms(f"{words} mail email e-mail message letter")))
    for label, form, words in (
        ("from", "who", "send sends sent sender write writes wrote written author"),
        ("to", "who", "send sent recipient receive received receives get got addressed write wrote written"),
        ("cc", "who", "copy copied"),
        ("date", "when", "send sent write wrote written date dated"),
        ("subject", "what", "subject topic title"),
    )
}
"""Lines at the top of a mail (RFC 5322), by their labels: the form of a question that one answers, and its words."""
_TO = re.compile(r"\bto\b|\bwhom\b|\breceiv|\brecipient|\bg[eo]t\b", re.IGNORECASE)
_BULLET = re.compile(rf"[{BULLETS}+{DASHES}]\s+(?=\S)")
_RANK = 0.04
"""What each place down the ranking costs."""

CandidateKind: TypeAlias = Literal["sentence", "clause", "list", "definition"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer: its elements with their lines, and the chance that it answers."""

    passage: Passage
    elements: tuple[Element, ...]
    relevance: float
    """The chance, in [0, 1]."""
    score: float
    """Candidates are sorted by it; the chance where nothing puts one kind before another."""
    enough: float = NEAR
    """Least chance with which it is shown."""
    sentence: Sentence | None = None
    """The one sentence that it is."""
    near: float = 0.0
    """The chance that it or the next few sentences answer."""
    kind: CandidateKind = "sentence"
    """What it is: the path of an answer, whose chances are calibrated by themselves."""
    at: int = 0
    """Place of the sentence in its passage."""

    @property
    def answers(self) -> bool:
        """True if it may be shown."""
        return max(self.relevance, self.near) >= self.enough


def one_paragraph(readings: Sequence[Reading]) -> bool:
    """True if one paragraph is all there is: whoever gives one expects the answer in it, and has read it."""
    return len(readings) == 1 and len(readings[0].passage.blocks) <= 1


def sentence_candidates(asked: Asked) -> list[Candidate]:
    """One candidate a sentence that is worth a look, the likeliest first."""
    found = []
    # Shown whole, a sentence that denies what is asked is the nearest evidence for yes or no.
    kinds = WITHHELD - {"denied"} if asked.expected.form == "whether" else WITHHELD
    looked_at = ranked(asked)[:_LOOKED_AT]
    # What is only asked, supposed, denied or withdrawn answers nothing.
    shown = [one for one in looked_at if not _is_withheld(one.view, asked, kinds)]
    left_out = sum(one.chance for one in looked_at) - sum(one.chance for one in shown)
    for one in shown:
        sentence, passage = one.view.sentence, one.view.reading.passage
        bullet = _BULLET.match(sentence.text) if sentence.role == "list_item" else None
        text = sentence.text[bullet.end() :] if bullet else sentence.text
        element = Element(text, sentence.line_start, sentence.line_end)
        chance, near, enough = _given_the_rest(one.chance, left_out), one.near, NEAR
        score = chance
        lacking = asked.expected.lacks(sentence.text) or asked.expected.doubts(sentence.text)
        if lacking and (heading := _heading_with_value(one.view)) is not None:
            lines = ((sentence.line_start, sentence.line_end),)
            element = Element(heading.text, heading.line_start, heading.line_end, lines)
        elif is_dummy(sentence.text) or left_blank(sentence.text, asked.wanted):  # nobody filled in what is asked for
            score, near, enough = chance - 1, 0.0, _NEVER
        elif asked.expected.lacks(sentence.text):  # the nearest evidence, perhaps, but no answer
            # Of another language only figures are known, and not numbers in words: there it may still be one.
            chance = score = _LACKING * chance
            if not asked.expected.foreign:
                score, near, enough = chance - 1, 0.0, _NEVER
        elif _is_entry_asked_for(one.view):
            # What the label of an entry names in the question's own words is what a definition is of a term.
            chance = score = max(chance, calibrated("definition", 1.0))
        elif asked.expected.doubts(sentence.text):
            chance = _LACKING * chance  # in its place: it may be named in other words
        found.append(Candidate(passage, (element,), chance, score, enough, sentence, near, at=one.view.at))
    return found


def _is_withheld(view: View, asked: Asked, kinds: frozenset[FrameKind]) -> bool:
    text = view.sentence.text
    # A question may begin with what leads to it: "I cannot see the board. Can you help?"
    only_asked = "asked" in kinds and text.rstrip("*_ )").endswith(("?", "\uff1f"))
    return only_asked or withheld(text, asked.question.text, view.reading.passage.section or "", kinds)


def _given_the_rest(chance: float, left_out: float) -> float:
    """The chance of a sentence where one that seemed to answer is left out; short of an answer without a mark."""
    return chance if left_out < _SEEMED else max(chance, min(chance / max(1 - left_out, chance), ANSWERED - 0.01))


def _heading_with_value(view: View) -> Sentence | None:
    """The heading above a sentence where it gives the time or the version that is asked for."""
    if view.sentence.role == "heading":
        return None
    above = reversed(view.reading.sentences[: view.at])
    return next((one for one in above if one.role == "heading" and view.asked.expected.given_by(one.text)), None)


def asks_of_a_header(stems: Sequence[str]) -> bool:
    """True if the headers of a mail may be all that a question is about."""
    return any(words.issuperset(stems) for _, words in _HEADERS.values())


def _is_entry_asked_for(view: View) -> bool:
    """True for an entry ("Due date: 3 May") whose label says nothing but what is asked, its value in the form asked."""
    match = ENTRY.match(view.sentence.text)
    asked = view.asked
    if match is None or asked.expected.foreign:
        return False
    if (header := _HEADERS.get(match["label"].lower())) is not None and asked.wanted <= header[1]:
        towards = _TO.search(asked.question.text) is not None
        return asked.expected.form == header[0] and (
            header[0] != "who" or towards == (match["label"].lower() != "from")
        )
    label = set(asked.terms(match["label"]))
    own = label - KINDS_OF_VALUES
    wanted = asked.wanted.union(asked.question.stems)
    if not own or not own <= wanted:
        return False
    # "Climb: 380 m" says nothing of which stage has most of it: either the label is all, or the value has the form.
    return wanted <= label or (2 * len(own) >= len(wanted) and asked.expected.held(view.sentence.text) == 1.0)


def modelled_candidates(readings: Sequence[Reading], model: SentenceModel) -> list[Candidate]:
    """One candidate a sentence, by how much it speaks like answers to this intent do; neighbours that do are joined."""
    candidates = []
    for reading in readings:
        logits = [model.logit(features) for features in reading.features]
        for at, (sentence, logit) in enumerate(zip(reading.sentences, logits, strict=True)):
            first, last = at, at
            # A clause is often several sentences of one paragraph.
            while first > 0 and logits[first - 1] > 0 and reading.sentences[first - 1].block == sentence.block:
                first -= 1
            while (
                last + 1 < len(logits) and logits[last + 1] > 0 and reading.sentences[last + 1].block == sentence.block
            ):
                last += 1
            if last + 1 < len(logits) and _is_title(reading.sentences[first : last + 1], reading.sentences[last + 1]):
                last += 1  # "8. Exclusivity." says nothing without the clause that it is the title of
            joined = reading.sentences[first : last + 1]
            element = Element(" ".join(part.text for part in joined), joined[0].line_start, joined[-1].line_end)
            chance = probability(logit)
            # Clauses that answer go before what only shares the words of the question.
            score = 1 + logit / _LOGITS if chance >= ENOUGH_BY_MODEL else chance / 2
            candidates.append(Candidate(reading.passage, (element,), chance, score, ENOUGH_BY_MODEL, kind="clause"))
    return candidates


def _is_title(sentences: Sequence[Sentence], following: Sentence) -> bool:
    """Whether a sentence is but the title of the one that follows it in its paragraph."""
    return (
        len(sentences) == 1
        and sentences[0].block == following.block
        and _TITLE_ALONE.fullmatch(sentences[0].text) is not None
    )


def _lists(store: Store, where: tuple[str, int, int], near: int) -> list[Listing]:
    """The lists among some lines that begin up to a line: a later passage's is found with that one, if it is a hit."""
    found = listings(blocks_of_lines(store.lines(*where)), near)
    return list(takewhile(lambda listing: listing.elements[0].line_start <= near, found))


def list_candidates(
    question: Question,
    readings: Sequence[Reading],
    store: Store,
    weights: Mapping[str, float],
    weigh: Weigh = calibrated,
) -> list[Candidate]:
    """One candidate a list that speaks of the question more than any single sentence does.

    Its heading introduces it as much as the words right before it do.
    """
    floor: float | None = None
    candidates = []
    for rank, reading in enumerate(readings):
        passage = reading.passage
        where = passage.document, passage.line_start, passage.line_end + LIST_REACH
        near = passage.line_end + _NEAR
        written = as_written(store)
        # What the lines order is looked for where they hold a list: it costs more than to find one.
        if not may_begin(written.passages(*where), near) or not _lists(written, where, near):
            continue
        for listing in _lists(store, where, near):
            measure = _relevance(reading.title | set(terms(listing.introduction)), reading, weights)
            score = measure + _list_bonus(question, len(listing.elements)) - _RANK * rank
            if floor is None:  # most passages have no list that the sentences would have to be measured for
                floor = max((_sentence_score(one, at, weights) for at, one in enumerate(readings)), default=0.0)
            if score >= floor:
                relevance, enough = weigh("list", measure), weigh("list", ENOUGH_OF_A_LIST)
                # A list that beats every sentence by this measure goes before all of them, whatever they score.
                first = 1.0 + score if relevance >= enough else 0.0
                elements = whole_list(listing, passage.document, store)
                candidates.append(Candidate(passage, elements, relevance, first, enough, kind="list"))
    return candidates


def _list_bonus(question: Question, size: int) -> float:
    """A question for a list wants the list, not the sentence that counts it; most of all one of the right length."""
    if question.count is None:
        return 0.2
    return 0.45 if question.count == size else 0.05


def _sentence_score(reading: Reading, rank: int, weights: Mapping[str, float]) -> float:
    spoken = (sentence for sentence in reading.sentences if sentence.role != "heading")
    return max((_relevance(frozenset(one.stems), reading, weights) for one in spoken), default=0.0) - _RANK * rank


def _relevance(inside: AbstractSet[str], reading: Reading, weights: Mapping[str, float]) -> float:
    """What the words cover, and at a discount what only their heading or their passage adds."""
    # Of the question's words alone: with all that a passage says, the sets would be twenty times as large.
    asked = weights.keys()
    said, title = inside & asked, reading.title & asked
    own = coverage(said, weights)
    titled = coverage(said | title, weights)
    around = coverage(said | title | (asked & reading.text), weights)
    return own + _TITLE * (titled - own) + _CONTEXT * (around - titled)


_BEFORE = 1.0
_ONE_OF_THEM = 0.4
_LOWER = 0.01
_LONGEST_DEFINITION = 50
"""Content words of a sentence that defines something: what is longer is code or a table read as one."""
_MOST_COLONS = 2
_MOST_LINES = 12
"""Lines below the row of a glossary on which its first sentence may go on."""


def same_question_candidates(asked: Asked) -> list[Candidate]:
    """One candidate a question of a document that asks the same, as pages of frequent questions do: what follows it."""
    found = []
    for reading in asked.readings:
        for at, one in enumerate(reading.sentences):
            if not asks(one.text) or not _asks_the_same(asked, one):
                continue
            led = [place for place in range(at + 1, len(reading.sentences)) if at in reading.leads[place]]
            said = [reading.sentences[place] for place in led]
            said = [other for other in said if other.block == said[0].block and not asks(other.text)]
            if said and said[0].role != "heading":
                text = " ".join(other.text for other in said)
                element = Element(text, said[0].line_start, said[-1].line_end, ((one.line_start, one.line_end),))
                chance = calibrated("definition", 1.0)  # what a definition is to its term
                found.append(Candidate(reading.passage, (element,), chance, _BEFORE + 1.0, kind="definition"))
    return found


def _asks_the_same(asked: Asked, other: Sentence) -> bool:
    if words_of(asked.question.text) == words_of(other.text):
        return True
    stems = frozenset(one for one in other.stems if not is_filler(one))
    same = len(stems) > 1 and stems == asked.wanted and asked.negated == (NEGATION.search(other.text) is not None)
    return same and expectation(other.text, asked.question.language).form == asked.expected.form


def definition_candidates(
    question: Question, readings: Sequence[Reading], store: Store, weigh: Weigh = calibrated
) -> list[Candidate]:
    """One candidate a sentence that says what the question's subject is; the better its passage, the better it is.

    Of a thing that the question takes as known ("Who is the landlord?") only what lays the term down is one.
    """
    general = asked_subject(question.text)
    subject = general or asked_term(question.text)
    if subject is None:
        return []
    found = []
    for rank, reading in enumerate(readings):
        row = _glossary_row(subject, reading, store)
        if row is not None:
            # Whose name stands before it is what it defines, wherever it was found.
            measure = 1.0 - _LOWER * rank
            found.append(
                Candidate(
                    reading.passage, (row,), weigh("definition", measure), _BEFORE + measure, 0.0, kind="definition"
                )
            )
        for one, laid_down in _defining(subject, reading):
            if row is not None and one.line_start == row.line_start:
                continue  # the first line of the row, without the rest of its sentence
            if not (laid_down or general):
                continue
            # "The infrastructure is a ..." speaks of one of them; "An infrastructure is a ..." of what they are.
            one_of_them = f"the {subject.lower()}" in one.text.lower()
            measure = 1.0 - _LOWER * rank if laid_down else (_ONE_OF_THEM if one_of_them else 1.0) / (1 + rank)
            element = Element(one.text, one.line_start, one.line_end)
            relevance = weigh("definition", measure)
            found.append(
                Candidate(reading.passage, (element,), relevance, _BEFORE + measure, 0.0, one, kind="definition")
            )
    return found


def _defining(subject: str, reading: Reading) -> Iterator[tuple[Sentence, bool]]:
    """The sentences of a passage that say what the subject is, each with whether it lays the term down.

    What follows the subject's name in its paragraph or under its heading does.
    """
    wanted = set(terms(subject))
    if not wanted <= reading.text | reading.title:
        return
    before: Sentence | None = None
    for one in reading.sentences:
        named = before is not None and (before.role == "heading" or before.block == one.block)
        said = wanted <= set(one.stems)
        # Under the heading "Deposit" a sentence that names the deposit again speaks of it.
        follows = before is not None and named and not said and named_alone(subject, before.text)
        long = len(one.stems) > _LONGEST_DEFINITION or one.text.count(": ") > _MOST_COLONS
        if one.role not in ("heading", "table_row") and not long:
            laid_down = follows or (said and states(subject, one.text))
            if laid_down or (said and defines(subject, one.text)):
                yield one, laid_down
        before = one


def _glossary_row(subject: str, reading: Reading, store: Store) -> Element | None:
    """What a row of a glossary says the subject is, with the rest of its sentence on the lines below."""
    passage = reading.passage
    rows = passage.text.split("\n")
    for one in reading.sentences:
        if one.role != "table_row" or one.line_end != one.line_start:
            continue
        said = glossed(subject, rows[one.line_start - passage.line_start])
        if said:
            return _whole(Element(said, one.line_start, one.line_end), passage.document, store)
    return None


def _whole(row: Element, document: str, store: Store) -> Element:
    """A row with the lines below it, which may be of another passage, to the end of its first sentence."""
    below = store.lines(document, row.line_end + 1, row.line_end + _MOST_LINES)
    texts = [row.text, *(line.text for line in takewhile(lambda line: line.role == "text", below))]
    text = "\n".join(texts)
    start, end = next(iter(sentences(text)), (0, len(row.text)))
    return Element(on_one_line(text[start:end]), row.line_start, row.line_start + text.count("\n", 0, end))


_SHARE = 0.25
"""Least relevance of a sentence with a list in it, as a share of the best one's: the number asked for is a sign."""
_INTRODUCES = (":", "\u2014", "following", "following.", "as follows.", "below:")

_ANNOUNCES = ("follows:", "following:", "below:")
_POINTS = re.compile(
    r"\b(?:described|defined|discussed|detailed|depicted|explained|given|illustrated|included|listed|outlined|presented"
    r"|provided|set\s+(?:forth|out)|shown|specified|summari[sz]ed)\s+(?:(?:further\s+)?(?:below|above)"
    r"|(?:further\s+)?in\s+(?:the\s+(?:following|next)|figure|table|section|appendix|chapter|annex|exhibit|schedule|note)"
    r"[^,;]{0,60})[.:]?$",
    re.IGNORECASE,
)
"""The end of a sentence that says no more than where to look: "... are illustrated in Figure 2-1."."""
_END = 160
"""Characters at the end of a sentence in which it says where to look."""


def enumerated_candidates(question: Question, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The sentences that name as many elements in a row as the question asks for, as lists."""
    if question.count is None:
        return []
    sentences = [one for one in candidates if one.sentence is not None]
    best = max(sentences, key=lambda one: one.relevance, default=None)
    if best is None or not best.answers:
        return []
    found = []
    for one in sentences:
        elements = named_in_a_row(question, one.elements[0]) if one.relevance >= _SHARE * best.relevance else ()
        if elements:
            found.append(
                Candidate(one.passage, elements, best.relevance, _BEFORE + one.relevance, best.enough, kind="list")
            )
    return found


def named_in_a_row(question: Question, sentence: Element) -> tuple[Element, ...]:
    """The elements that a sentence names in a row, as many as are asked for; none where one only repeats the question.

    "What are the three service models?" is not answered by "five characteristics, three service models, and ...".
    """
    asked = set(terms(question.text))
    elements = enumeration(sentence, question.count)
    return () if any(asked.issuperset(terms(element.text)) for element in elements) else elements


def speaking(question: Question, candidates: Sequence[Candidate], store: Store) -> list[Candidate]:
    """The sentences that say something themselves.

    Not "The number of stores was as follows:" before a table, nor "Hybrid cloud." before what a hybrid cloud is.
    """
    subject = asked_subject(question.text)
    return [
        one
        for one in candidates
        if one.sentence is None
        or not (
            (_announces(one) and not introduced(one, store))
            or (subject is not None and named_alone(subject, one.sentence.text))
        )
    ]


def _announces(candidate: Candidate) -> bool:
    sentence = candidate.sentence
    if sentence is None:
        return False
    return sentence.text.endswith(_ANNOUNCES) or _POINTS.search(sentence.text[-_END:]) is not None


def introduced(candidate: Candidate, store: Store) -> tuple[Element, ...]:
    """The elements of the list that the sentence of a candidate only introduces; none when it says something itself."""
    sentence = candidate.sentence
    if sentence is None or not sentence.text.endswith(_INTRODUCES):
        return ()
    lines = store.lines(candidate.passage.document, sentence.line_start, sentence.line_end + LIST_REACH)
    for listing in listings(blocks_of_lines(lines)):
        between = listing.elements[0].line_start - sentence.line_end
        if 0 <= between <= _NEAR:
            return whole_list(listing, candidate.passage.document, store)
    return ()
