"""LlamaIndex: the adapters inside its query engine, its directory reader and its evaluation."""

import asyncio
from datetime import UTC, datetime

import pytest
from llama_index.core import SimpleDirectoryReader
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode

from spanwise import ScriptedModel, answer
from spanwise.errors import InputError
from spanwise.integrations.llama_index import (
    SpanwiseEvaluator,
    SpanwiseReader,
    SpanwiseRetriever,
    SpanwiseSynthesizer,
)

QUESTION = "What is the Rent?"


@pytest.fixture(autouse=True)
def _no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def engine(lease_corpus):
    def made(**options):
        return RetrieverQueryEngine(SpanwiseRetriever(lease_corpus, 5), SpanwiseSynthesizer(**options))

    return made


def test_a_query_is_answered_and_cited(engine, rent):
    response = engine().query(QUESTION)
    [source] = response.source_nodes
    assert str(response) == "£8,400 a month"
    assert source.text == "Rent means £8,400 a month."
    assert rent(source.metadata)
    assert source.score > 0
    assert source.node.source_node.node_id == "lease.pdf:8-23"
    assert response.metadata["spanwise"]["decision"] == "ship"
    again = answer(QUESTION, [TextNode.from_dict(source.node.to_dict())])
    assert rent(again.to_dict()["citations"][0])


def test_async_and_streamed_answers_are_the_same(engine, rent):
    async def asked():
        plain = await engine().aquery(QUESTION)
        streamed = await engine(streaming=True).aquery(QUESTION)
        return plain, "".join([piece async for piece in streamed.async_response_gen()]), streamed

    plain, text, streamed = asyncio.run(asked())
    now = engine(streaming=True).query(QUESTION)
    assert str(plain) == text == "".join(now.response_gen) == "£8,400 a month"
    assert all(rent(one.source_nodes[0].metadata) for one in (plain, streamed, now))


def test_in_a_loop_that_runs_already_a_model_is_asked_too(engine):
    async def cell():
        return engine(model=ScriptedModel(["The Rent is £8,400 a month [1]."]), mode="compact").query(QUESTION)

    assert "8,400" in str(asyncio.run(cell()))


def test_a_cancelled_query_ends(engine, cancelled):
    assert cancelled(lambda model: engine(model=model, mode="compact").aquery(QUESTION))


def test_nothing_found_and_no_nodes(engine):
    assert engine().query("Who is the president of France?").metadata["spanwise"]["decision"] == "not_found"
    nothing = SpanwiseSynthesizer().synthesize(QUESTION, [])
    assert (nothing.source_nodes, nothing.metadata["spanwise"]["decision"]) == ([], "not_found")
    assert SpanwiseSynthesizer().get_response(QUESTION, ["The Rent is £8,400 a month."]) == "£8,400 a month"


def test_odd_metadata_and_further_sources(engine):
    odd = {"when": datetime(2026, 1, 1, tzinfo=UTC), "it": object(), "boxes": [{"x0": float("nan")}], "line_start": "x"}
    nodes = [NodeWithScore(node=TextNode(text="The Rent is £8,400 a month.", metadata=odd))]
    further = [NodeWithScore(node=TextNode(text="more"))]
    response = engine()._response_synthesizer.synthesize(QUESTION, nodes, further)
    assert [one.text for one in response.source_nodes] == ["The Rent is £8,400 a month.", "more"]
    assert response.source_nodes[0].metadata["it"] is odd["it"]


def test_ten_thousand_nodes():
    texts = (f"The fee of unit {number} is {number % 7 + 1} euros." for number in range(10_000, 20_000))
    nodes = [NodeWithScore(node=TextNode(text=text)) for text in texts]
    response = SpanwiseSynthesizer().synthesize("What is the fee of unit 17077?", nodes)
    assert response.source_nodes[0].node.source_node.node_id == nodes[7077].node_id


def test_prompts_of_others_are_refused():
    with pytest.raises(InputError, match=r"spanwise\.Synthesizer"):
        SpanwiseSynthesizer().update_prompts({"text_qa_template": object()})
    assert SpanwiseSynthesizer().get_prompts() == {}


def test_a_wrong_option_fails_at_once():
    with pytest.raises(InputError, match="no mode"):
        SpanwiseSynthesizer(mode="quick", model=ScriptedModel([]))


def test_files_become_nodes_in_their_places(lease_pdf):
    reader = SimpleDirectoryReader(input_files=[lease_pdf], file_extractor={".pdf": SpanwiseReader()})
    documents = reader.load_data()
    assert len(documents) > 5
    assert [one.metadata["line_start"] for one in documents] == sorted(
        {one.metadata["line_start"] for one in documents}
    )
    assert "x0" not in documents[1].get_content(MetadataMode.LLM) + documents[1].get_content(MetadataMode.EMBED)
    [citation] = answer(QUESTION, documents).citations
    assert (citation.line_start, citation.page, len(citation.boxes)) == (20, 1, 1)


def test_a_split_node_has_no_line_rather_than_a_wrong_one(lease_pdf):
    whole = SpanwiseReader().load_data(lease_pdf)[1]
    pieces = [TextNode(text=text, metadata=whole.metadata) for text in whole.text.split("\n", 11)[-2:]]
    [citation] = answer(QUESTION, pieces).citations
    assert citation.quote == "Rent means £8,400 a month."
    assert citation.page == 1
    assert citation.boxes == ()


def test_responses_are_evaluated(engine):
    response = engine().query(QUESTION)
    assert SpanwiseEvaluator().evaluate_response(response=response).passing
    told = SpanwiseEvaluator().evaluate(response="The Rent is £9,400.", contexts=["Rent means £8,400 a month."])
    assert not told.passing
    assert "£8,400" in told.feedback
    with pytest.raises(InputError, match="contexts"):
        SpanwiseEvaluator().evaluate(response="The Rent is £9,400.")


def test_a_text_alone_tells_that_its_answers_are_possible_ones():
    question, texts = (
        "Who keeps the garden tidy?",
        ["The caretaker sweeps the stairs on Fridays.", "Keep off the grass."],
    )
    result = answer(question, texts)
    assert result.possible
    synthesizer = SpanwiseSynthesizer()
    shown = synthesizer.get_response(question, texts)
    assert shown.startswith("No line answers this for certain.")
    assert shown.endswith(result.text)
    assert asyncio.run(synthesizer.aget_response(question, texts)) == shown
