"""The writer that calls no model: from hits to a draft, with conflicting answers and a check of the question's premise.

A multi-part question is answered part by part. A premise is what a question takes for granted: "Who left in 1971?" has
a false one if everybody left in 1961.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial

from spanwise.answering.conflicting_answers import with_conflicts
from spanwise.answering.loop import Drafted
from spanwise.answering.part_answers import (
    about,
    answered_by_parts,
    compared,
    joined,
    refers_back,
    trending,
    with_antecedent,
)
from spanwise.answering.request import Request, part_of
from spanwise.answering.statements import statement
from spanwise.contract.answers import BooleanAnswer, TextAnswer
from spanwise.contract.result import ANSWERED, Draft
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.guard.drafts.check import check
from spanwise.guard.verify import verify
from spanwise.llm.flow import Flow
from spanwise.questions.decomposer import premise
from spanwise.questions.parse import demanded
from spanwise.retrieval.retriever import retrieve
from spanwise.retrieval.scope import scope_of
from spanwise.retrieval.subject import decide, without_subject
from spanwise.store.evidence_store import EvidenceStore
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import READ, UNSURE, extract, nothing, of_opening
from spanwise.synthesis.extractive.candidates import asks_of_a_header
from spanwise.synthesis.extractive.features import NEGATION
from spanwise.synthesis.extractive.lists import unread_rest
from spanwise.synthesis.extractive.openings import asks_what_it_is_about
from spanwise.synthesis.extractive.typed.superlatives import superlative
from spanwise.synthesis.extractive.wording import as_read
from spanwise.synthesis.response import Plan
from spanwise.text.expectations.asked_comparisons import AskedComparison, AskedTrend, asked_comparison, asked_trend
from spanwise.text.framing.tense import asks_of_done, time_of, tokens
from spanwise.text.languages import ENGLISH
from spanwise.text.related import FORM, related
from spanwise.text.terms import stem, terms

_AFFIRMED = "The question denies what the source says."
_ONLY_PLANNED = "The source only plans what the question asks of as done."
_DECIDED = frozenset(["definition", "computed", "clause"])
"""How answers were found that say yes or no as they are: below the same question, by figures, by the clause itself."""
_MOST_OF_IT = 0.6
"""Least share of a question's stems that lines must contain to say the same as the question."""
_DENYING = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|cannot|without|neither|nor|except|exclu|forb[ia]d|prohibit|bann|refus|reject|lack"
    r"|fail|prevent|avoid|stop|free|clos|absent|missing|only|unless|instead|rather|other\s+than|un\w{4}|zero|0\b)|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Words which signal that a text denies or excludes something."""


def on_its_premise(question: Question, draft: Draft, store: Store) -> Draft:
    """The draft with its confidence lowered if the cited lines contradict the premise of the question.

    The premise is verified like a claim against the lines of every item. If all items contradict it, a confident answer
    becomes a possible one, and a possible one becomes none; a caveat says why. A line that affirms something does not
    answer a question about what is not the case. An answer is also only possible if it plans what the question says was
    done, if a word of the question was corrected to one that may not have been meant, or if its lines neither support
    nor contradict what a question for yes or no asks about.
    """
    if not draft.answer.answer_found or draft.answer.conflicting_evidence:
        return draft
    cited = [
        "\n".join(line.text for place in places for line in store.lines(*astuple(place))) for places in draft.places
    ]
    affirmed, sure = _affirmed(question, cited), draft.relevance >= ANSWERED
    denial = [_AFFIRMED] if affirmed else _denial(question, cited)
    planned = [_ONLY_PLANNED] if sure and not denial and _only_planned(question, cited) else []
    doubted = sure and (_perhaps_another_word(question) or _is_open(question, draft, cited))
    caveats = [*draft.answer.caveats, *denial, *planned]
    if affirmed or (denial and not sure):
        none = nothing(question, None, (), draft.lacking)
        return replace(none.saying(caveats=caveats), nearest=draft.nearest)
    if not sure or not (denial or planned or doubted):
        return draft
    unsure = draft.saying(caveats=caveats, confidence=min(draft.answer.confidence, UNSURE))
    return replace(unsure, relevance=UNSURE, possible=True)


def _affirmed(question: Question, cited: Sequence[str]) -> bool:
    """True if the lines of each item affirm what the question denies: "What does it not contain?"."""
    said = premise(question.text)
    if said is None or not NEGATION.search(said) or not question.stems:
        return False
    least = _MOST_OF_IT * len(question.stems)
    return all(
        not _DENYING.search(text) and len(set(question.stems).intersection(terms(text))) >= least for text in cited
    )


def _only_planned(question: Question, cited: Sequence[str]) -> bool:
    """True if the lines of each item only plan what the question says was done ("Who mended it?", "will be mended")."""
    if question.language != ENGLISH or not asks_of_done(question.text):
        return False
    forms = {form for one in question.stems for form, share in related(one).items() if share >= FORM}
    return all(_plans(text, forms.union(question.stems)) for text in cited)


def _plans(text: str, stems: Collection[str]) -> bool:
    words = tokens(text)
    times = {time_of(words, at) for at, word in enumerate(words) if stem(word) in stems}
    return "planned" in times and "done" not in times


def _is_open(question: Question, draft: Draft, cited: Sequence[str]) -> bool:
    """True if the lines leave open what a question for yes or no asks about; a "no" stands on its denial."""
    asked = statement(question.text) if question.language == ENGLISH else None
    if asked is None or draft.path in _DECIDED:
        return False
    if isinstance(draft.answer, BooleanAnswer):
        yes = all(item.boolean for item in draft.answer.items)
        return yes and not any(_says(asked, text) for text in cited)
    return all(_says(asked, text) is None for text in cited)


def _says(statement: str, text: str) -> bool | None:
    """True if a text supports a statement, False if it denies it, None if it does neither."""
    found = verify(statement, [text])
    if found.claims and found.claims[0].support == "supported":
        return True
    return False if any(one.kind == "negated" for one in found.findings) else None


def _denial(question: Question, cited: Sequence[str]) -> list[str]:
    """The reason, in at most one sentence, why the lines of each item contradict the question; empty unless all do."""
    said = premise(question.text, question.language)
    if said is None:
        return []
    told: list[str] = []
    for text in cited:
        told.append(_denied(said, text))
        if not told[-1]:
            return []  # usually the first item already agrees
    return told[:1]


def _perhaps_another_word(question: Question) -> bool:
    """True if a correction replaced a letter by another one: "nitrite" may be "nitrate" misspelled, or be meant."""
    return any(
        len(written) == len(meant) and sorted(written.lower()) != sorted(meant.lower())
        for written, meant in question.corrections.items()
    )


def _denied(said: str, text: str) -> str:
    """The reason why a text contradicts a statement; empty if it does not.

    "The late payment fee" and "balances that are not paid" contradict nothing: a statement that denies something is
    contradicted only by a text that affirms it. A question with "have to" also accepts a "should".
    """
    found = verify(said, [text])
    denying = [one for one in found.findings if one.denies and one.claim == 0 and one.kind != "overstated"]
    if not any(one.at != (0, len(said)) or NEGATION.search(said) for one in denying):
        return ""
    told = found.claims[0].reason.replace("the answer", "the question", 1)
    return f"{told[0].upper()}{told[1:]}."


@dataclass(frozen=True, slots=True)
class Extractive:
    """Drafts of sentences, rows, lists and values as the source words them; the same input gives the same draft."""

    found: int
    """Number of passages to retrieve for each part of a question."""
    name: str = "extractive"
    model: str | None = None
    strategy: None = None

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Draft from the hits: a comparison or trend by computation, other questions directly or part by part."""
        del problems
        yield from ()
        hits = with_all_of_little(question, hits, store, request.documents)
        asked = asked_comparison(question.text) if question.demanded in (None, "boolean") else None
        if asked is not None:
            return self._compared(asked, question, request, hits, store)
        trend = asked_trend(question.text) if question.demanded in (None, "boolean") else None
        if trend is not None:
            return self._trend(trend, question, request, hits, store)
        if not answered_by_parts(question):
            return Drafted(_extracted(question, request, hits, store), tuple(hits))
        known, drafts = {hit.passage.id: hit for hit in hits}, list[Draft]()
        for at in range(len(question.parts)):
            draft, near = self._of_part(at, question, request, hits, store)
            drafts.append(draft)
            known |= {hit.passage.id: hit for hit in near if hit.passage.id not in known}
        if not any(draft.answer.answer_found for draft in drafts):
            return Drafted(_extracted(question, request, hits, store), tuple(hits))
        return Drafted(joined(question.parts, drafts), tuple(known.values()))

    def _compared(
        self, asked: AskedComparison, question: Question, request: Request, hits: Sequence[Hit], store: Store
    ) -> Drafted:
        """The draft of a comparison of table cells, of two values or two definitions, else of the question's words."""
        plain = Drafted(_extracted(question, request, hits, store), tuple(hits))
        if any(plain.draft.computations):
            return plain
        made = compared(asked, question.text, partial(self._value, question, request, store), store)
        if made is not None and check(made[0], store).answer.answer_found:
            near = {hit.passage.id: hit for hit in made[1]}
            return Drafted(replace(made[0], possible=_unsure(made[0])), tuple(near.values()))
        sure = plain.draft.answer.answer_found and plain.draft.relevance >= ANSWERED
        if asked.kind != "difference" or question.demanded is not None or sure:
            return plain
        parts = tuple(f"What is {name}?" for name in (asked.one, asked.other))
        drafts, known = list[Draft](), dict[str, Hit]()
        for part in parts:
            one = part_of(part, question, request, store)
            found = retrieve(one, store, documents=request.documents, k=self.found)
            drafts.append(_extracted(one, request, found, store))
            known |= {hit.passage.id: hit for hit in found}
        told = all(draft.answer.answer_found for draft in drafts)
        return Drafted(joined(parts, drafts), tuple(known.values())) if told else plain

    def _trend(
        self, asked: AskedTrend, question: Question, request: Request, hits: Sequence[Hit], store: Store
    ) -> Drafted:
        """The draft for a question whether a figure rose or fell: by a computation, else by the question's words."""
        plain = Drafted(_extracted(question, request, hits, store), tuple(hits))
        if isinstance(plain.draft.answer, BooleanAnswer) and plain.draft.relevance >= ANSWERED:
            return plain
        figure = part_of(asked.figure, replace(question, demanded=None), request, store)
        near = retrieve(figure, store, documents=request.documents, k=self.found)
        made = trending(asked, question.text, _extracted(figure, request, near, store), store)
        if made is None or not check(made, store).answer.answer_found:
            return plain
        return Drafted(replace(made, possible=_unsure(made)), tuple(near))

    def _value(
        self, whole: Question, request: Request, store: Store, part: str, kind: str
    ) -> tuple[Draft, tuple[Hit, ...]]:
        """The draft of the value of one type that a part asks for, and the hits it was made from."""
        asked = demanded(part_of(part, replace(whole, demanded=None), request, store), kind, None)
        near = retrieve(asked, store, documents=request.documents, k=self.found)
        return _extracted(asked, request, near, store), tuple(near)

    def _of_part(
        self, at: int, whole: Question, request: Request, hits: Sequence[Hit], store: Store
    ) -> tuple[Draft, Sequence[Hit]]:
        """The draft of one part of a question, and the hits it was made from.

        A part that refers back ("How can it be terminated?") is answered from the hits of the whole question; if they
        do not answer it, it is asked again with the antecedent of "it".
        """
        part, before = whole.parts[at], whole.parts[:at]
        asked = part_of(part, whole, request, store)
        if not refers_back(part):
            near: Sequence[Hit] = retrieve(asked, store, documents=request.documents, k=self.found)
            return _extracted(asked, request, near, store), near
        draft = _extracted(asked, request, hits, store)
        if draft.answer.answer_found:
            return draft, hits
        named = with_antecedent(part, before)
        if named is None:
            return draft, hits
        again = part_of(named, whole, request, store)
        near = retrieve(again, store, documents=request.documents, k=self.found)
        return _extracted(again, request, near, store), near

    def plan(self, question: Question, hits: Sequence[Hit], store: Store) -> Plan:
        """A plan of zero calls: no model is used."""
        del question, hits, store
        return Plan(0, 0, 0)


def with_all_of_little(
    question: Question, hits: Sequence[Hit], store: Store, documents: Collection[str] | None = None
) -> Sequence[Hit]:
    """The hits, plus all passages of a short document if nothing matched or if message headers may be asked for."""
    if scope_of(question, documents).limited or (hits and not asks_of_a_header(question.stems)):
        return hits
    names = {hit.passage.document for hit in hits}
    if not names:
        names = set(documents) if documents is not None else {one.name for one in store.documents()[:2]}
    name = names.pop() if len(names) == 1 else None
    if name is None or store.stored(name).passages > READ:
        return hits
    known = {hit.passage.id for hit in hits}
    return (*hits, *(Hit(one, 0.0) for one in store.passages(name) if one.id not in known))


def _extracted(question: Question, request: Request, hits: Sequence[Hit], store: Store) -> Draft:
    """The draft of one question from the documents' statements, without lines that address a reader model."""
    evidence = EvidenceStore(store, question.text)
    if question.demanded is None and asks_what_it_is_about(question):
        names = [*request.documents] if request.documents is not None else [one.name for one in store.documents()[:2]]
        draft = of_opening(question, names[0], evidence) if len(names) == 1 else None
        if draft is not None:
            return replace(draft, asked=question.text)
    subject = decide(question, store, request.documents)
    rest = without_subject(question, subject)

    def write(found: Sequence[Hit]) -> Draft:
        draft = superlative(rest, found, evidence) or extract(rest, found, evidence)
        return as_read(_with_rest(with_conflicts(rest, draft, found, evidence), evidence), evidence)

    draft = about(question, subject, evidence.hits(hits), evidence, write)
    possible = (draft.possible or _unsure(draft)) and not draft.answer.conflicting_evidence
    if not draft.answer.answer_found and not any(hit.score for hit in hits):  # the whole text was read in vain
        draft = replace(draft, nearest=())
    return on_its_premise(question, replace(draft, asked=question.text, possible=possible), evidence)


def _with_rest(draft: Draft, store: Store) -> Draft:
    """The draft, called incomplete if it is a list that continues in a section which was not found."""
    answer = draft.answer
    if len(answer.items) < 2 or not isinstance(answer, TextAnswer):
        return draft
    rest = unread_rest(draft.sources[-1][0], answer.items[-1].spans[0].line_end, store)
    if rest is None:
        return draft
    caveats = [*answer.caveats, f"The list goes on in {rest}, which was not found."]
    return draft.saying(complete_answer_found=False, caveats=caveats, llm_discovered_keywords=[rest])


def _unsure(draft: Draft) -> bool:
    """True if a one-item draft is below the threshold of an answer; several items may be one answer together."""
    return len(draft.answer.items) == 1 and draft.relevance < ANSWERED
