"""The pipeline of the seeds' components."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from spanwise.answering.simple import PipelineResult, Sections, answer_query
from spanwise.errors import QuestionError
from spanwise.messages import NO_RELEVANT_INFORMATION, REFUSAL
from spanwise.mock_data import MockDocumentStore
from spanwise.retrieval.agentic import AgenticRetriever

PASS = ["retrieve", "generate", "judge"]


class Strict:
    """A judge that lets an answer through only at the n-th look (never at 0)."""

    def __init__(self, accepts_at: int = 0) -> None:
        self.accepts_at, self.looks = accepts_at, 0

    async def evaluate(self, response: str, sections: Sections) -> Mapping[str, object]:
        assert response
        assert sections
        self.looks += 1
        return {"should_return": self.looks == self.accepts_at}


class Spy:
    """A retriever that notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Mapping[str, object]]] = []
        self.found: list[list[str]] = []
        self.inner = AgenticRetriever(MockDocumentStore())

    async def retrieve(self, query: str, decomposition: Mapping[str, object]) -> Sections:
        self.asked.append((query, decomposition))
        sections = await self.inner.retrieve(query, decomposition)
        self.found.append([section["title"] for section in sections])
        return sections


class Empty:
    """A store without a document."""

    async def full_text_search(self, query: str) -> Sequence[Mapping[str, object]]:
        assert query
        return []

    async def all_sections(self) -> Sequence[Mapping[str, object]]:
        return []


def answer(query: str, **parts: object) -> PipelineResult:
    return asyncio.run(answer_query(query, **parts))  # type: ignore[arg-type]


def test_rc08_a_good_query_goes_straight_through() -> None:
    result = answer("What are the payment terms?")
    assert result["node_history"] == ["decompose", *PASS, "output"]
    assert result["retry_count"] == 0
    assert result["judge_verdict"]["should_return"] is True
    assert result["retrieved_sections"][0]["title"] == "Payment Terms"


@pytest.mark.parametrize(
    ("query", "citation"),
    [
        ("What are the payment terms?", "(See Payment Terms, page 4)"),
        ("What is the late payment penalty?", "(See Late Payment Penalties, page 5)"),
        ("What intellectual property rights does the client retain?", "(See Intellectual Property Rights, page 12)"),
        ("Who must indemnify whom?", "(See Indemnification, page 9)"),
        ("Can the client terminate?", "(See Termination for Convenience, page 8)"),
        ("What is confidential?", "(See Confidentiality, page 6)"),
        ("Which services are in scope?", "(See Scope of Services, page 2)"),
    ],
)
def test_r016_every_intent_is_answered_from_the_sample_contract(query: str, citation: str) -> None:
    assert citation in answer(query)["final_output"]


def test_r049_rc07_three_searches_then_the_refusal() -> None:
    spy = Spy()
    result = answer("What are the payment terms?", retriever=spy, judge=Strict())
    assert result["final_output"] == REFUSAL
    assert result["node_history"] == ["decompose", *PASS, "retry", *PASS, "retry", *PASS, "output"]
    assert result["retry_count"] == 2
    assert len(spy.asked) == 3


def test_r049_the_refusal_can_be_set() -> None:
    assert answer("What are the payment terms?", judge=Strict(), refusal="Nein.")["final_output"] == "Nein."


def test_rc07_every_retry_asks_something_else() -> None:
    spy = Spy()
    answer("What are the payment terms?", retriever=spy, judge=Strict())
    assert all(one != other for one, other in zip(spy.asked, spy.asked[1:], strict=False))
    assert [asked["scope"] for _, asked in spy.asked[1:]] == ["all", "all"]
    assert spy.asked[2][1]["threshold"] == 1.0


def test_rc07_retries_find_more() -> None:
    spy = Spy()
    answer("Who warrants defects?", retriever=spy, judge=Strict())
    assert set(spy.found[0]) < set(spy.found[2])


@pytest.mark.parametrize(("accepts_at", "retries"), [(1, 0), (2, 1), (3, 2)])
def test_a_retry_that_passes_is_output(accepts_at: int, retries: int) -> None:
    result = answer("What are the payment terms?", judge=Strict(accepts_at))
    assert result["retry_count"] == retries
    assert result["final_output"] != REFUSAL


@pytest.mark.parametrize("query", ["zzzz", "???", "\u4ed8", "Which colour has the moon?"])
def test_a_question_about_nothing_in_the_document_finds_nothing(query: str) -> None:
    assert answer(query)["final_output"] == NO_RELEVANT_INFORMATION


def test_an_empty_store_finds_nothing() -> None:
    result = answer("What are the payment terms?", doc_store=Empty())
    assert result["final_output"] == NO_RELEVANT_INFORMATION
    assert result["retrieved_sections"] == []


@pytest.mark.parametrize(
    ("query", "told"), [("", "empty"), (" \n", "empty"), ("why " * 25_000, "100,000"), (None, "give it as text")]
)
def test_questions_that_are_none_are_told_so(query: str, told: str) -> None:
    with pytest.raises(QuestionError, match=told):
        answer(query)
