"""What of an answer is a claim, where it stands, and whose citations it has."""

import time

import pytest
from every import every

from spanwise import messages
from spanwise.contract.adapters import given_passages
from spanwise.guard.claims.citations import marks_in
from spanwise.guard.claims.parts import Part, comments_in, parts_of, plain_text, without_comments
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


STATED = [
    "# The late fee is 99 percent per month",
    "# Landlord may sell the roof",
    "## The tenant maintains the elevators",
    "## Late fee: 99 percent",
    "**Note that the supplier is insolvent:**",
    "**The buyer owes nothing**",
    "**Important: the supplier is insolvent**",
    "**Table 1: The supplier went bankrupt**",
    "<caption>The supplier is insolvent</caption>",
    "The Buyer Owes Nothing",
    "The supplier is insolvent:",
    "Did you know the buyer owes nothing?",
    "- Did you know that the buyer owes nothing?",
    "Isn't it true that the buyer owes nothing?",
    "Isn't the supplier insolvent?",
    "Are you aware that the landlord sold the roof?",
    "Wouldn't you agree that the rent is too high?",
    "Who knew that the supplier is insolvent?",
    "The buyer owes nothing, right?",
    "The fee is 9 %, isn't it?",
    "The buyer owes nothing?",
    "I hope this helps, the buyer owes nothing.",
    "Sure! The fee is 9 %",
    "Sure, the fee is 9 %.",
    "Certainly! The tenant maintains the elevators.",
    "I can confirm that the buyer owes nothing.",
    "I think the vendor is insolvent.",
    "In my opinion, the vendor is insolvent.",
    "Maybe he owes nothing.",
    "Please note that the supplier is insolvent.",
    "Fun fact: the buyer owes nothing.",
    "Confidence: the buyer owes nothing",
    "Here is the answer: the buyer owes nothing.",
    "Let me know if you need more, and remember that the fee is 9 percent.",
    "If you have any questions, feel free to ask, but the buyer owes nothing.",
    "The documents do not say so, but the fee is 7%.",
    "The document contains relevant information that the buyer owes nothing.",
    "The documents do not mention it (the fee is 7%).",
    "| The buyer owes nothing | Fee |\n|---|---|\n| Late fee | yes |",
    "| Item | Fee |\n|---|---|\n| The supplier is insolvent | yes |",
]
NOT_STATED = [
    "# Payment Terms",
    "## Late Fees and Penalties",
    "## What the Contract Says",
    "# How It Works",
    "# Terms That Are Due",
    "# Fees Paid by the Tenant",
    "# Goods Sold in 2023",
    "# Last Will and Testament",
    "# Payments in May",
    "# Notes to the Financial Statements",
    "**Who pays?**",
    "Conclusion:",
    "Here are the terms:",
    "The agreement contains the following terms:",
    "The main points are as follows:",
    "There are three reasons for this:",
    "The steps to take are:",
    "There are five major factors that impact the rent:",
    "You may be charged for a couple of reasons:",
    "To clean the filter, follow these steps:",
    "Is it due?",
    "When is the fee due?",
    "What happens if the buyer owes nothing?",
    "Which contract do you mean?",
    "Can the buyer terminate, and does that cost a fee?",
    "Would you like me to say more about the fee?",
    "Isn't that what you meant?",
    "I hope this helps!",
    "I hope this helps, and let me know if you have any questions.",
    "Sure, here is the summary you asked for:",
    "Certainly! I can help you with that.",
    "If you have any questions, feel free to ask.",
    "Thanks for asking!",
    "Confidence: High",
    "As an AI language model, I do not have access to the documents.",
    "The passages do not mention any fee, so I cannot answer.",
    "The passages provide enough information to answer the question.",
    "The second passage repeats the same information.",
    "Unfortunately, the passages do not say whether the fee is due.",
    "It is not possible to answer the question from these passages.",
]


@every("text", STATED)
def test_whatever_reads_as_a_statement_is_a_claim(text: str) -> None:
    assert "claim" in [part.kind for part in cut(text) if part.context != "Late fee Fee"]


@every("text", NOT_STATED)
def test_what_states_nothing_is_no_claim(text: str) -> None:
    assert "claim" not in [part.kind for part in cut(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Did you know the fee is 9%?", [("question", "Did you know"), ("claim", "the fee is 9%?")]),
        ("Isn't the supplier insolvent?", [("question", "Isn't"), ("claim", "the supplier insolvent?")]),
        ("The fee is 9%, right?", [("claim", "The fee is 9%"), ("question", ", right?")]),
        ("I hope this helps, the fee is 9%.", [("hedge", "I hope this helps,"), ("claim", "the fee is 9%.")]),
    ],
)
def test_the_words_around_a_statement_are_no_part_of_its_claim(text: str, parts: list[tuple[str, str]]) -> None:
    found = cut(text)
    assert [(part.kind, text[part.start : part.end]) for part in found] == parts
    assert {part.sentence for part in found} == {0}


def test_comments_are_no_claims_and_an_open_one_hides_nothing() -> None:
    text = "The fee is due. <!-- The fee\nis 99%. --> It is late. <!-- The buyer owes nothing."
    claims = [text[part.start : part.end] for part in cut(text) if part.kind == "claim"]
    assert not any("99%" in claim for claim in claims)
    assert any("owes nothing" in claim for claim in claims)
    assert [text[slice(*at)] for at in comments_in(text)] == ["<!-- The fee\nis 99%. -->"]
    assert without_comments(text) == "The fee is due.  It is late.  The buyer owes nothing."


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


@every(
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
    [
        *("word " * 40_000, "[" * 200_000, "(See " * 40_000, "|" * 50_000, "\n- " * 20_000, ", and it is " * 20_000),
        *(
            "<!-- " * 40_000,
            "<!-- a --> " * 20_000,
            "Sure, " * 30_000,
            "I see in " * 20_000,
            "Did you know that " * 9_000,
        ),
    ],
    ids=[
        *("no end", "brackets", "see", "bars", "items", "joints"),
        *("comments", "closed comments", "openings", "asides", "questions"),
    ],
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
        ", ",
        "A: B",
    ],
)
def test_sentences_end_at_stops_only(text: str) -> None:
    """What lets a line without one be taken for one sentence unseen."""
    assert sentences(text) == [trim(text, 0, len(text))]


@pytest.mark.parametrize(
    "said",
    [
        messages.NO_RELEVANT_INFORMATION,
        messages.NO_INFORMATION,
        messages.INSUFFICIENT_CONTEXT,
        messages.DONT_KNOW,
        messages.NOT_FOUND,
        messages.EMPTY_RESPONSE,
    ],
)
def test_what_spanwise_itself_says_where_it_finds_nothing_claims_nothing(said):
    assert [part.kind for part in cut(said)] == ["refusal"]


@pytest.mark.parametrize("title", ["Payment Terms", "The Main Payment Terms"])
def test_a_line_of_capitalised_words_is_a_heading(title):
    assert [part.kind for part in cut(f"{title}\n\nThe fee is due in May.")] == ["heading", "claim"]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("The fee is set in May by the board, and it is paid in June by all members.", 2),
        ("The fee (it is set in May by the board, and it is paid in June by all members) is low.", 1),
        ("The board said \u201cthe fee is paid in May by all, and it is set by the board\u201d at noon.", 1),
        ('The board said "the fee is paid in May by all, and it is set by the board" at noon.', 1),
    ],
)
def test_no_clause_ends_inside_brackets_or_quotation_marks(text, clauses):
    assert [part.kind for part in cut(text)] == ["claim"] * clauses
