"""Results as messages, nodes and documents of frameworks: no place is lost on the way out and back."""

import json

import pytest
from pydantic import TypeAdapter

from spanwise import answer, ask
from spanwise.contract.adapters import given_passages
from spanwise.export.provider_formats import place_of

LEASE = "examples/documents/lease.pdf"
QUESTION = "What is the Rent?"


@pytest.fixture(scope="module")
def result():
    return ask(QUESTION, LEASE)


def places(name, value):
    """The metadata of each citation."""
    if name == "langchain":
        return [one["extras"] for one in value["content"][0]["annotations"]]
    if name == "llamaindex":
        return [one["node"]["metadata"] for one in value["source_nodes"]]
    if name == "haystack":
        return [one["meta"] for one in value["init_parameters"]["documents"]]
    return value["parts"][0]["provider_details"]["citations"]


@pytest.mark.parametrize("name", ["langchain", "llamaindex", "haystack", "pydantic-ai"])
def test_every_place_is_there(name, result):
    value = json.loads(json.dumps(result.to(name)))
    assert result.citations
    assert [one | place for one, place in zip(map(place_of, result.citations), places(name, value), strict=True)] == (
        places(name, value)
    )


@pytest.mark.parametrize("name", ["langchain", "pydantic-ai"])
def test_ranges_count_in_the_text(name, result):
    value = result.to(name)
    if name == "langchain":
        [block] = value["content"]
        told = [block["text"][one["start_index"] : one["end_index"]] for one in block["annotations"]]
    else:
        [part] = value["parts"]
        told = [part["content"][one["anchor"]["start"] : one["anchor"]["end"]] for one in part["citations"]]
    assert told == [result.text[slice(*one.at)] for one in result.citations]


@pytest.mark.parametrize("name", ["llamaindex", "haystack"])
def test_nodes_and_documents_come_back_as_passages_in_their_places(name, result):
    value = result.to(name)
    nodes = (
        [one["node"] for one in value["source_nodes"]]
        if name == "llamaindex"
        else value["init_parameters"]["documents"]
    )
    for given, citation in zip(given_passages(nodes), result.citations, strict=True):
        passage = given.passage
        assert (passage.document, passage.line_start, passage.line_end) == (
            citation.document,
            citation.line_start,
            citation.line_end,
        )
        assert given.page == citation.page
    before = {(one.document, one.line_start, one.page, one.boxes) for one in result.citations}
    again = {(one.document, one.line_start, one.page, one.boxes) for one in answer(QUESTION, nodes).citations}
    assert again
    assert again <= before


def test_pydantic_ai_reads_its_message(result):
    from pydantic_ai.messages import ModelMessage

    message = TypeAdapter(ModelMessage).validate_python(result.to("pydantic-ai"))
    assert message.parts[0].citations[0].sources[0].title == "lease.pdf"
