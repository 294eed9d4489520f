"""`answer_query`: decompose, retrieve, generate and judge, with up to two wider searches before giving up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias, TypedDict

from spanwise.errors import QuestionError, expect
from spanwise.guard.judge import LLMJudge
from spanwise.messages import REFUSAL
from spanwise.mock_data import MockDocumentStore
from spanwise.questions.decomposer import UNKNOWN_INTENT, QueryDecomposer
from spanwise.retrieval.agentic import THRESHOLD, AgenticRetriever, DocumentStore
from spanwise.synthesis.generator import ResponseGenerator
from spanwise.text.terms import FUNCTION_WORDS, STOPWORDS, folded_words, singular, words

LONGEST_QUERY = 10_000
"""Most characters of a question; anything longer is a document."""

_WIDER_THRESHOLD = 1.0

Sections: TypeAlias = Sequence[Mapping[str, object]]


class Decomposer(Protocol):
    """Parses a question into parts."""

    async def decompose(self, query: str) -> Mapping[str, object]:
        """The parts of a question: `intent`, `entities`, `constraints`, `temporals`."""


class Retriever(Protocol):
    """Retrieves sections."""

    async def retrieve(self, query: str, decomposition: Mapping[str, object]) -> Sections:
        """Sections with `title`, `content` and `page_num`, best first."""


class Generator(Protocol):
    """Writes an answer."""

    def generate(self, sections: Sections) -> str:
        """The answer that these sections support."""


class Judge(Protocol):
    """Checks an answer."""

    async def evaluate(self, response: str, sections: Sections) -> Mapping[str, object]:
        """A verdict; its `should_return` says whether the answer may be shown."""


class PipelineResult(TypedDict):
    """The answer, and the steps that led to it."""

    final_output: str
    node_history: list[str]
    """The steps that ran, in order, out of: decompose, retrieve, generate, judge, retry, output."""
    retry_count: int
    judge_verdict: Mapping[str, object]
    retrieved_sections: Sections


async def answer_query(
    query: str,
    *,
    doc_store: DocumentStore | None = None,
    decomposer: Decomposer | None = None,
    retriever: Retriever | None = None,
    generator: Generator | None = None,
    judge: Judge | None = None,
    refusal: str = REFUSAL,
) -> PipelineResult:
    """Answer a question from a document store, or return the refusal if no answer is reliable.

    Without arguments the sample contract is searched. If the judge rejects the answer, it is tried again at most twice
    with a wider search: first over every section instead of the full-text hits, then with the bare keywords, no assumed
    intent and a lower threshold. The retriever learns of both from its arguments.

    Args:
        query: The question.
        doc_store: The store with the sections; not used if a retriever is given.
        decomposer: Parses the question into parts.
        retriever: Retrieves the sections.
        generator: Writes the answer.
        judge: Checks the answer.
        refusal: The text to return if no answer passes.

    Raises:
        QuestionError: The query is empty or far too long.
    """
    _check(query)
    decomposer = decomposer or QueryDecomposer()
    relevant = _all if retriever else _speaking_of(query)
    retriever = retriever or AgenticRetriever(doc_store or MockDocumentStore())
    generator = generator or ResponseGenerator()
    judge = judge or LLMJudge()

    history = ["decompose"]
    for retry, (wording, parts) in enumerate(_searches(query, await decomposer.decompose(query))):
        if retry:
            history.append("retry")
        sections = await retriever.retrieve(wording, parts)
        response = generator.generate(relevant(sections))
        verdict = await judge.evaluate(response, sections)
        history += ["retrieve", "generate", "judge"]
        if verdict.get("should_return"):
            break
    return {
        "final_output": response if verdict.get("should_return") else refusal,
        "node_history": [*history, "output"],
        "retry_count": retry,
        "judge_verdict": verdict,
        "retrieved_sections": sections,
    }


def _check(query: str) -> None:
    expect(query, str, "the question", "it as text", QuestionError)
    if not query.strip():
        raise QuestionError("The question is empty; ask something about the document.")
    if len(query) > LONGEST_QUERY:
        raise QuestionError(
            f"The question has {len(query):,} characters; ask it in at most {LONGEST_QUERY:,} characters."
        )


def _searches(query: str, decomposition: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The query and its parts for each attempt, each wider than the previous one."""
    yield query, decomposition
    yield query, {**decomposition, "scope": "all"}
    keywords = list(dict.fromkeys(word for word in words(query) if word not in FUNCTION_WORDS)) or words(query)
    yield (
        " ".join(keywords) or query,
        {
            **decomposition,
            "scope": "all",
            "intent": UNKNOWN_INTENT,
            "entities": list(dict.fromkeys((*_entities(decomposition), *keywords, *map(singular, keywords)))),
            "threshold": _WIDER_THRESHOLD,
        },
    )


def _entities(decomposition: Mapping[str, object]) -> list[str]:
    entities = decomposition.get("entities")
    return [str(entity) for entity in entities] if isinstance(entities, list | tuple) else []


def _all(sections: Sections) -> Sections:
    return sections


def _speaking_of(query: str) -> Callable[[Sections], Sections]:
    """A filter that drops sections below the threshold which share no word with the question."""
    asked = {singular(word) for word in words(query) if word not in STOPWORDS}

    def speaking(section: Mapping[str, object]) -> bool:
        score = section.get("_relevance_score")
        passed = isinstance(score, float) and score >= THRESHOLD
        return passed or not asked.isdisjoint(folded_words(f"{section.get('title')} {section.get('content')}"))

    return lambda sections: [section for section in sections if speaking(section)]
