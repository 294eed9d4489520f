"""LangChain and LangGraph: the adapters inside chains and a graph."""

import asyncio
from typing import Any, TypedDict

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, message_to_dict, messages_from_dict
from langchain_core.runnables import RunnableParallel, RunnablePassthrough
from langgraph.graph import END, StateGraph

from spanwise import ScriptedModel, answer
from spanwise.errors import CorpusError, InputError
from spanwise.integrations.langchain import GuardedAnswer, SpanwiseGuard, SpanwiseLoader, SpanwiseRetriever

QUESTION = "What is the Rent?"


@pytest.fixture
def chain(lease_corpus):
    def made(**options):
        found = RunnableParallel(question=RunnablePassthrough(), documents=SpanwiseRetriever(corpus=lease_corpus, k=5))
        return found | GuardedAnswer(**options)

    return made


def test_a_chain_answers_and_cites(chain, rent):
    message = chain().invoke(QUESTION)
    [block] = message.content_blocks
    [citation] = block["annotations"]
    assert (message.text, block["text"]) == ("£8,400 a month", "£8,400 a month")
    assert (citation["type"], citation["cited_text"]) == ("citation", "Rent means £8,400 a month.")
    assert block["text"][citation["start_index"] : citation["end_index"]] == "£8,400 a month"
    assert rent(citation["extras"])
    assert message.response_metadata["decision"] == "ship"
    assert messages_from_dict([message_to_dict(message)]) == [message]
    back = Document(page_content=citation["cited_text"], metadata=citation["extras"])
    assert rent(answer(QUESTION, [back]).to_dict()["citations"][0])


def test_async_and_batched_answers_are_the_same(chain):
    first = chain().invoke(QUESTION)
    assert asyncio.run(chain().ainvoke(QUESTION)) == first
    assert chain().batch([QUESTION, QUESTION]) == [first, first]
    assert list(chain().stream(QUESTION)) == [first]


def test_in_a_loop_that_runs_already_a_model_is_asked_too(chain):
    async def cell():
        return chain(model=ScriptedModel(["The Rent is £8,400 a month [1]."]), mode="compact").invoke(QUESTION)

    assert "8,400" in asyncio.run(cell()).text


def test_a_cancelled_chain_ends(chain, cancelled):
    assert cancelled(lambda model: chain(model=model, mode="compact").ainvoke(QUESTION))


def test_documents_without_ids_and_with_odd_metadata():
    documents = [Document(page_content="The Rent is £8,400 a month.", metadata={"source": object(), "boxes": 3})]
    message = GuardedAnswer().invoke({"question": QUESTION, "documents": documents})
    assert message.content[0]["annotations"][0]["title"] == "passage 1"
    nothing = GuardedAnswer().invoke({"question": QUESTION, "documents": []})
    assert nothing.response_metadata["decision"] == "not_found"


@pytest.mark.parametrize("given", [{"question": QUESTION}, {"input": QUESTION, "context": []}, QUESTION])
def test_another_input_is_an_error_in_words(given):
    with pytest.raises(InputError, match="documents"):
        GuardedAnswer().invoke(given)


def test_a_corpus_that_is_not_there_is_an_error_in_words(tmp_path):
    with pytest.raises(CorpusError, match="nothing"):
        SpanwiseRetriever(corpus=tmp_path / "nothing.db")


def test_files_become_documents_in_their_places(lease_pdf):
    documents = SpanwiseLoader(lease_pdf).load()
    assert documents == list(SpanwiseLoader(lease_pdf).lazy_load()) == asyncio.run(SpanwiseLoader(lease_pdf).aload())
    [citation] = answer(QUESTION, documents).citations
    assert (citation.line_start, citation.page, len(citation.boxes)) == (20, 1, 1)


class State(TypedDict, total=False):
    question: str
    documents: list[Any]
    answer: Any
    guard: dict[str, Any]


def test_a_graph_writes_again_what_does_not_hold():
    drafts = iter([AIMessage("The Rent is £9,400 a month."), [AIMessage("The Rent is £8,400 a month.")]])
    findings = []

    def write(state):
        findings.append(state.get("guard", {}).get("finding"))
        return {"answer": next(drafts)}

    guard = SpanwiseGuard()
    graph = StateGraph(State)
    graph.add_node("write", write)
    graph.add_node("check", guard)
    graph.set_entry_point("write")
    graph.add_edge("write", "check")
    graph.add_conditional_edges("check", guard.route, {"holds": END, "fails": "write"})
    documents = [Document(page_content="Rent means £8,400 a month.")]
    ended = graph.compile().invoke({"question": QUESTION, "documents": documents})
    assert ended["guard"] == {"holds": True, "score": ended["guard"]["score"], "finding": ""}
    assert findings[0] is None
    assert "£8,400" in findings[1]
    with pytest.raises(InputError, match="'documents'"):
        guard({"answer": "The Rent is £8,400."})
