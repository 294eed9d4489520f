"""What of an answer is a claim, where it stands, and whose citations it has."""

import time

import pytest

from spanwise.contract.given import given_passages
from spanwise.guard.citing import marks_in
from spanwise.guard.cutting import Part, parts_of, plain_text
from spanwise.text.sentences import sentences, trim

GIVEN = given_passages([{"chunk_id": "c1", "text": "a"}, {"title": "Fees", "content": "b", "page_num": 3}, "[7] c"])


def cut(text: str) -> list[Part]:
    marks = marks_in(text, GIVEN)
    return parts_of(plain_text(text, marks), marks)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("# Fees\nThe fee is 5%.", ["heading", "claim"]),
        ("**Fees:**\n- The fee is 5%.\n- It is due in May.", ["heading", "claim", "claim"]),
        ("Is it due? It is due in May.", ["question", "claim"]),
        ("Sure! Here is a summary of it in 50 words:\nIt is due in May.", ["hedge", "hedge", "claim"]),
        ("I don't know.", ["refusal"]),
        ("The passages do not mention any fee.", ["refusal"]),
        ("The Confidential Information does not include public facts.", ["claim"]),
        ("The fee is 1.5% per month. See U.S. law.", ["claim", "claim"]),
        ("The fee is 5% of the price; the vendor keeps the rest.", ["claim", "claim"]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_kinds(text: str, kinds: list[str]) -> None:
    assert [part.kind for part in cut(text)] == kinds


def test_offsets_and_clauses_of_one_sentence() -> None:
    text = "  - The fee is 5% of the price, but the vendor keeps the rest."
    parts = cut(text)
    assert [text[part.start : part.end] for part in parts] == [
        "The fee is 5% of the price",
        "the vendor keeps the rest.",
    ]
    assert {part.sentence for part in parts} == {0}


def test_cells_of_a_table_know_their_row_and_column() -> None:
    text = "| Item | 2022 | 2023 |\n|---|---|---|\n| Revenue | 12 | 13 |"
    cells = [(text[part.start : part.end], part.context) for part in cut(text) if part.kind == "claim"]
    assert cells == [("12", "Revenue 2022"), ("13", "Revenue 2023")]


@pytest.mark.parametrize(
    ("citation", "cited", "unknown"),
    [
        ("[1]", (1,), ()),
        ("[1, 2]", (1, 2), ()),
        ("[1-3]", (1, 2, 3), ()),
        ("[^2]", (2,), ()),
        ("[c1]", (1,), ()),
        ("[CHUNK 2]", (2,), ()),
        ("(See Fees, page 3)", (2,), ()),
        ("(passage 1 and 2)", (1, 2), ()),
        ("\u30102\u2020source\u3011", (2,), ()),
        ("<sup>1</sup>", (1,), ()),
        ("\u00b2", (2,), ()),
        ("[7]", (3,), ()),
        ("[99]", (), ("99",)),
        ("[doc_12]", (), ("doc_12",)),
    ],
)
def test_citations_in_many_styles(citation: str, cited: tuple[int, ...], unknown: tuple[str, ...]) -> None:
    (mark,) = marks_in(f"The fee is 5%{citation}.", GIVEN)
    assert (mark.cited, mark.unknown) == (cited, unknown)


@pytest.mark.parametrize("text", ["It was in [2020].", "See [the law](http://x.org).", "An area of 5 m\u00b2.", "a[i]"])
def test_no_citations(text: str) -> None:
    assert marks_in(text, GIVEN) == []


@pytest.mark.parametrize(
    "text",
    ["word " * 40_000, "[" * 200_000, "(See " * 40_000, "|" * 50_000, "\n- " * 20_000, ", and it is " * 20_000],
    ids=["no end", "brackets", "see", "bars", "items", "joints"],
)
def test_runaways_are_bounded(text: str) -> None:
    began = time.process_time()
    cut(text)
    assert time.process_time() - began < 30


def test_many_citations_of_one_claim_cost_as_much_as_each_alone() -> None:
    def seconds(citations: str) -> float:
        began = time.process_time()
        cut(f"The fee is 5%{citations}")
        return time.process_time() - began

    few = min(seconds("[1]" * 8_000) for _ in range(3))
    many = min(seconds("[1]" * 96_000) for _ in range(2))
    assert many < 45 * few  # of 12 times as many; looking back for each takes 90 times as long


@pytest.mark.parametrize(
    ("between", "same"), [("", True), (" ", True), ("\n", True), ("\n\n", False), ("\n\nIt is due.\n", False)]
)
def test_citation_behind_a_paragraph_is_of_none_before(between: str, same: bool) -> None:
    first = cut(f"The fee is 5%.{between}[2]")[0]
    assert [mark.cited for mark in first.marks] == ([(2,)] if same else [])


@pytest.mark.parametrize(
    "text",
    [
        "the fee\nis 5%",
        "Art 4 Inc (a) the fee; 7 pct: U S law",
        " - \u201cno\u201d, he said\u00a0",
        "\u4e2d\u3002\u4e2d",
        ", ",
        "A: B",
    ],
)
def test_sentences_end_at_stops_only(text: str) -> None:
    """What lets a line without one be taken for one sentence unseen."""
    assert sentences(text) == [trim(text, 0, len(text))]
