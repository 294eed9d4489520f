from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
import pytest

from spanwise.contract.adapters import given_passages
from spanwise.domain.passage import Hit, Passage
from spanwise.errors import PassageError

PASSAGE = Passage("a.pdf:3-4", "a.pdf", 3, 4, page=2, text="One.\nTwo.", section="Fees")


@dataclass
class ForeignDocument:
    page_content: str
    metadata: dict[str, object] = field(default_factory=dict)


@dataclass
class ForeignNode:
    text: str
    id_: str
    metadata: dict[str, object]


@dataclass
class ScoredNode:
    node: ForeignNode
    score: float


@pytest.mark.parametrize(
    ("item", "text", "name", "title", "page", "score"),
    [
        ("Plain.", "Plain.", "passage 1", None, None, None),
        ({"title": "Fees", "content": "A.", "page_num": 5}, "A.", "passage 1", "Fees", 5, None),
        ({"title": "Fees", "content": None, "page_num": "4"}, "", "passage 1", "Fees", 4, None),
        (
            {"chunk_id": "c1", "text": "A.", "source_url": "u", "score": 0.5, "metadata": {}},
            "A.",
            "c1",
            None,
            None,
            0.5,
        ),
        (PASSAGE, "One.\nTwo.", "a.pdf:3-4", "Fees", 2, None),
        (Hit(PASSAGE, 1.5), "One.\nTwo.", "a.pdf:3-4", "Fees", 2, 1.5),
        (ForeignDocument("A.", {"source": "f.pdf", "page": 3}), "A.", "passage 1", None, 3, None),
        (ScoredNode(ForeignNode("A.", "n1", {"title": "T"}), 0.25), "A.", "n1", "T", None, 0.25),
        ({"text": "A.", "page": "iv", "score": float("nan")}, "A.", "passage 1", None, None, None),
        # Rows of a table: numbers of numpy, NaN for what is missing.
        (
            {"id": np.int64(7), "text": "A.", "title": float("nan"), "page": np.int64(3), "score": np.float32(0.5)},
            "A.",
            "7",
            None,
            3,
            0.5,
        ),
        ({"text": float("nan"), "content": "A.", "page": 3.0}, "A.", "passage 1", None, 3, None),
        ({"id": UUID(int=1), "text": "A.", "page": 2.5}, "A.", str(UUID(int=1)), None, None, None),
    ],
)
def test_every_form(item, text, name, title, page, score):
    [given] = given_passages([item])
    passage = given.passage
    assert (passage.text, passage.id, passage.section, given.page, given.score) == (text, name, title, page, score)
    assert given.item is item
    assert passage.line_end - passage.line_start == text.count("\n")
    assert given_passages([given]) == (given,)


def test_from_section_to_chunk_to_node_and_back_nothing_is_lost():
    section = {"title": "Fees", "content": "One.\nTwo.", "page_num": 5, "_relevance_score": 13.0, "colour": "red"}
    [first] = given_passages([section])
    [second] = given_passages([first.chunk()])
    [third] = given_passages([second.node()])
    back = third.section()
    assert {name: back[name] for name in ("title", "content", "page_num", "_relevance_score")} == {
        name: section[name] for name in ("title", "content", "page_num", "_relevance_score")
    }
    assert back["metadata"]["colour"] == "red"
    [passage] = given_passages([given_passages([PASSAGE])[0].chunk()])
    assert (passage.passage, passage.page) == (PASSAGE, 2)


def test_a_list_is_not_needed_for_one_and_none_is_none():
    assert [given.passage.text for given in given_passages("One text")] == ["One text"]
    assert given_passages(None) == ()
    assert [given.position for given in given_passages(iter(["a", "b"]))] == [1, 2]


@pytest.mark.parametrize("passages", [[3], [{"x": 1}], [None], 5, ["fine", object()]])
def test_what_is_no_passage_is_named(passages):
    with pytest.raises(PassageError):
        given_passages(passages)


@pytest.mark.parametrize("name", ["document", "file_name", "filename", "source", "file_path"])
def test_a_document_has_the_name_that_any_library_gives_it(name):
    (given,) = given_passages([{"text": "The fee.", "metadata": {name: "lease.pdf"}}])
    assert given.passage.document == "lease.pdf"


@pytest.mark.parametrize(("score", "read"), [(1, 1.0), (0.5, 0.5), (True, None), (float("nan"), None), ("1", None)])
def test_a_score_is_a_finite_number(score, read):
    (given,) = given_passages([{"text": "The fee.", "score": score}])
    assert given.score == read
