"""The writer that calls no model: from the hits to a draft, part by part, with what contradicts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spanwise.contract.result import Draft
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.llm.flow import Flow
from spanwise.pipeline.asking import Request, part_of
from spanwise.pipeline.conflicting_answers.finding import with_conflicts
from spanwise.pipeline.parts import answered_by_parts, joined, refers_back, with_antecedent
from spanwise.pipeline.subjects import about
from spanwise.pipeline.writers import Drafted
from spanwise.retrieval.retriever import retrieve
from spanwise.retrieval.subject import decide, without_subject
from spanwise.store.evidence import EvidenceStore
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import extract
from spanwise.synthesis.response import Plan


@dataclass(frozen=True, slots=True)
class Extractive:
    """Sentences, rows, lists and values as they stand in the source; the same input gives the same draft."""

    found: int
    """How many passages are looked for, for each part of a question."""
    name: str = "extractive"
    model: str | None = None
    strategy: None = None

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Draft from the hits, part by part when the question has several."""
        del problems
        yield from ()
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

    def _of_part(
        self,
        at: int,
        whole: Question,
        request: Request,
        hits: Sequence[Hit],
        store: Store,
    ) -> tuple[Draft, Sequence[Hit]]:
        """The draft of one part and what it was made from.

        "How can it be terminated?" is looked for where the whole question leads; where nothing there answers, it is
        asked again with what "it" stands for.
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
        """Nothing: no model is called."""
        del question, hits, store
        return Plan(0, 0, 0)


def _extracted(question: Question, request: Request, hits: Sequence[Hit], store: Store) -> Draft:
    """The draft of one question from what the documents state: what they order to say is no evidence."""
    evidence = EvidenceStore(store, question.text)
    subject = decide(question, store, request.documents)
    rest = without_subject(question, subject)

    def write(found: Sequence[Hit]) -> Draft:
        return with_conflicts(rest, extract(rest, found, evidence), found, evidence)

    return replace(about(question, subject, evidence.hits(hits), evidence, write), asked=question.text)
