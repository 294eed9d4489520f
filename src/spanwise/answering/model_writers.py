"""The two writers with a model: `Typed` fills the typed contract for each document, `Prose` writes running text.

The guard checks the typed values against the lines they cite, and verifies running text claim by claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from spanwise.answering.decision import LAST_ATTEMPT
from spanwise.answering.loop import Drafted
from spanwise.answering.request import Request
from spanwise.contract.answers import AnswerBase, TextAnswer
from spanwise.contract.items import Item
from spanwise.contract.registry import resolve
from spanwise.contract.rendering import worded
from spanwise.contract.result import Draft, Source
from spanwise.contract.validate import validate_answer
from spanwise.contract.validation.problems import Problem
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import StructuredOutputError
from spanwise.llm.flow import Flow
from spanwise.llm.port import Model, ModelProfile
from spanwise.llm.structured import parse_structured
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import nothing
from spanwise.synthesis.generation.examples import Example, close_to
from spanwise.synthesis.generation.writing import OUTPUT, VERSION, WINDOW, Strategy, Task, Written
from spanwise.synthesis.response import Plan
from spanwise.synthesis.synthesizer import Synthesizer
from spanwise.text.terms import terms


@dataclass(frozen=True, slots=True)
class Typed:
    """A model that fills the typed contract from numbered lines, for each document."""

    profile: ModelProfile
    strategy: Strategy = "combined"
    answer_class: type[AnswerBase] | None = None
    """The class of the answer; by default it follows from the question."""
    examples: tuple[Example, ...] = ()
    """Checked answers; those to similar questions are shown to the model."""
    name: str = "typed"

    @property
    def model(self) -> str | None:
        """Name of the model."""
        return self.profile.name

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Ask about each document, validate each answer against its document, and merge the answers."""
        del request
        task, notes = self._task(question, store, problems)
        written = yield from task.write(hits)
        draft, wrong = drafted_from(question, written, task.answer_class, hits, store)
        return Drafted(
            draft,
            tuple(hits),
            wrong,
            written.usage,
            tuple(_call(written)),
            {
                "fragments_applied": list(dict.fromkeys(n for one in written.asked for n in one.prompt.fragments)),
                "prompt_version": VERSION,
                "prompt_hashes": [one.prompt.hash for one in written.asked],
                "raw_response": [one.reply.text for one in written.asked],
                "left_out": list(written.left_out),
                "notes": [*question.notes, *(note for note in notes if note not in question.notes)],
            },
        )

    def _task(self, question: Question, store: Store, problems: Sequence[str] = ()) -> tuple[Task, Sequence[str]]:
        """The task for the model, and notes if another answer class was taken than the one asked for."""
        resolution = resolve(question.answer_shape, question.demanded or question.answer_type)
        answer_class = self.answer_class or resolution.answer_class
        close = close_to(question.text, self.examples, answer_class.__name__) if self.examples else ()
        task = Task(question, store, answer_class, self.profile, self.strategy, problems, close)
        return task, resolution.notes

    def plan(self, question: Question, hits: Sequence[Hit], store: Store) -> Plan:
        """The cost of three passes over every document, with one repair each unless the model accepts schemas."""
        return self._task(question, store)[0].plan(hits).times(LAST_ATTEMPT * (1 if self.profile.native_schema else 2))


def drafted_from(
    question: Question, written: Written, answer_class: type[AnswerBase], hits: Sequence[Hit], store: Store
) -> tuple[Draft, tuple[Problem, ...]]:
    """A draft merged from a model's answers about each document, and the validation problems of these answers."""
    answers = {name: _with_keywords_found(one, question, hits) for name, one in written.answers.items()}
    wrong = [
        problem
        for name, answer in answers.items()
        for problem in validate_answer(answer, store.document(name), question=question)
    ]
    return _together(question, answers, answer_class, hits, written), tuple(wrong)


def _call(written: Written) -> list[dict[str, object]]:
    return [
        {
            "document": one.document,
            "system": one.prompt.system,
            "prompt": one.prompt.user,
            "reply": one.reply.text,
            "error": None if one.reply.error is None else str(one.reply.error),
            "prompt_tokens": one.reply.usage.prompt_tokens,
            "completion_tokens": one.reply.usage.completion_tokens,
        }
        for one in written.asked
    ]


def _with_keywords_found(answer: AnswerBase, question: Question, hits: Sequence[Hit]) -> AnswerBase:
    """The answer with the keywords that occur in the passages shown, counted by code instead of the model."""
    shown = {term for hit in hits for term in terms(hit.passage.text)}
    found = [
        keyword.text
        for keyword in question.keywords
        if keyword.source == "direct" and keyword.stems and shown.issuperset(keyword.stems)
    ]
    return answer.model_copy(update={"keywords_found": found})


def _together(
    question: Question,
    answers: Mapping[str, AnswerBase],
    answer_class: type[AnswerBase],
    hits: Sequence[Hit],
    written: Written,
) -> Draft:
    """A draft of the answers about each document, equal items merged; a conflict if single values differ."""
    nearest = tuple(Source(hit.passage.document, hit.passage.line_start, hit.passage.line_end) for hit in hits[:3])
    caveats = [f"{name} was not asked: {error}" for name, error in written.failed.items()]
    if not answers:
        flags = {"answer_found": False, "complete_answer_found": False, "extraction_method": "na", "caveats": caveats}
        return Draft(answer_class.of_items([], 0.0, **flags), (), 0.0, nearest)
    found = {name: answer for name, answer in answers.items() if answer.items}
    if not found:
        first = next(iter(answers.values()))
        gathered = list(dict.fromkeys(caveat for answer in answers.values() for caveat in answer.caveats))
        return Draft(first.model_copy(update={"caveats": [*gathered, *caveats]}), (), 0.0, nearest)
    items, sources = merged(found)
    base = next(iter(found.values()))
    conflicting = any(answer.conflicting_evidence for answer in found.values())
    if len(found) > 1 and question.answer_shape == "single" and len(items) > 1:
        conflicting = True
        caveats.append(
            "The documents give different answers: "
            + "; ".join(
                f"{documents[0]}: {worded(item)}" for item, documents in zip(items, sources, strict=True) if documents
            )
        )
    keywords = dict.fromkeys(word for answer in answers.values() for word in answer.llm_discovered_keywords)
    answer = base.model_copy(
        update={
            "items": items,
            "caveats": [*dict.fromkeys(c for one in found.values() for c in one.caveats), *caveats],
            "confidence": min(one.confidence for one in found.values()),
            "complete_answer_found": all(one.complete_answer_found for one in found.values()),
            "llm_discovered_keywords": list(keywords),
            "conflicting_evidence": conflicting,
        }
    )
    return Draft(answer, tuple(sources), answer.confidence, nearest, asked=question.text, reworded=True)


def merged(found: Mapping[str, AnswerBase]) -> tuple[list[Item], list[tuple[str, ...]]]:
    """The items of all answers, equal ones merged with their spans, and the document of each span."""
    items: dict[str, Item] = {}
    sources: dict[str, tuple[str, ...]] = {}
    for name, answer in found.items():
        for item in answer.items:
            key = item.model_dump_json(exclude={"spans"})
            earlier = items.get(key)
            spans = [*(earlier.spans if earlier is not None else ()), *item.spans]
            items[key] = item.model_copy(update={"spans": spans})
            sources[key] = (*sources.get(key, ()), *(name for _ in item.spans))
    return list(items.values()), list(sources.values())


@dataclass(frozen=True)
class Prose:
    """A model that writes running text in one of the response modes (`compact`, `refine`, `tree_summarize`, ...)."""

    name: str
    """The response mode."""
    writer: Synthesizer = field(repr=False)
    typed: Typed = field(repr=False)
    """The writer used instead if the caller demands a type, which running text does not have."""
    strategy: None = None

    @classmethod
    def of(cls, mode: str, model: Model, *, max_concurrency: int = 8) -> Prose:
        """A writer in that mode; window and output limit come from the model's profile where it has them."""
        profile = model.profile
        window = profile.context_window or WINDOW
        output = min(OUTPUT, profile.max_output_tokens or OUTPUT, window // 4)
        return cls(
            mode,
            Synthesizer(mode, model, context_window=window, max_output_tokens=output, max_concurrency=max_concurrency),
            Typed(profile),
        )

    @property
    def model(self) -> str | None:
        """Name of the model."""
        return None if self.writer.model is None else self.writer.model.profile.name

    def write(
        self, question: Question, request: Request, hits: Sequence[Hit], store: Store, problems: Sequence[str]
    ) -> Flow[Drafted]:
        """Write running text from the hits, best first."""
        if question.demanded not in (None, "text"):
            return (yield from self.typed.write(question, request, hits, store, problems))
        response = yield from self.writer.flow(question.text, [hit.passage for hit in hits])
        calls = ({"mode": self.name, "reply": response.response, "calls": response.calls},) if response.calls else ()
        structured = _structured(question, response.response)
        if structured is not None and hits:
            # If a model fills the typed contract although running text was asked for, its lines are checked all the
            # same.
            written = Written({hits[0].passage.document: structured}, ())
            filled, wrong = drafted_from(question, written, type(structured), hits, store)
            return Drafted(filled, tuple(hits), wrong, response.usage, calls, {"raw_response": [response.response]})
        read = tuple(Source(hit.passage.document, hit.passage.line_start, hit.passage.line_end) for hit in hits)
        unchecked = nothing(question).answer
        draft = Draft(
            unchecked if isinstance(unchecked, TextAnswer) else TextAnswer.model_validate(unchecked.model_dump()),
            (),
            0.0,
            nearest=read[:3],
            asked=question.text,
            reworded=True,
            prose="\n\n".join(response.responses),
            read=read,
        )
        return Drafted(
            draft,
            tuple(hits),
            usage=response.usage,
            calls=calls,
            meta={
                "raw_response": list(response.responses),
                "left_out": [{k: v for k, v in asdict(one).items() if k != "item"} for one in response.missing],
                "rejected_markers": [asdict(one) for one in response.rejected],
                "partial": response.partial,
            },
        )

    def plan(self, question: Question, hits: Sequence[Hit], store: Store) -> Plan:
        """The cost of the mode for these passages, times the number of passes."""
        if question.demanded not in (None, "text"):
            return self.typed.plan(question, hits, store)
        return self.writer.plan(question.text, [hit.passage for hit in hits]).times(LAST_ATTEMPT)


def _structured(question: Question, text: str) -> AnswerBase | None:
    """The typed answer in a model's text; None if it is running text."""
    if '"items"' not in text:
        return None
    try:
        return parse_structured(text, resolve(question.answer_shape, question.answer_type).answer_class)
    except StructuredOutputError:
        return None
