import pytest

import spanwise
from spanwise.answering.part_answers import joined, with_antecedent
from spanwise.contract.answers import AmountAnswer, TextAnswer
from spanwise.contract.items import AmountItem, TextItem
from spanwise.contract.result import Draft
from spanwise.contract.values import Amount, Span

TEXT = """\
The late fee is 7% per month. The deposit is 500 dollars and is paid to the landlord.

The lease ends on 3 May 2027. The tenant may not sublet the flat.
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    path = tmp_path_factory.mktemp("parts") / "lease.txt"
    path.write_text(TEXT)
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        yield spanwise.Engine(corpus).ask


def test_every_part_is_answered(ask):
    result = ask("What is the late fee and what is the deposit?")
    assert result.decision.kind == "ship"
    assert len(result.answer.items) == 2
    assert "7%" in result.answer.items[0].text
    assert "500 dollars" in result.answer.items[1].text
    assert len(result.citations) == 2


def test_a_sentence_that_answers_two_parts_is_shown_once():
    said = "The fee of 6 dollars is due in May."
    quoted = [Span(line_start=3, line_end=3, quote=said)]
    fee = AmountItem(spans=quoted, amount=Amount(value=6, currency="USD"))
    when = TextItem(text=said, spans=[Span(line_start=3, line_end=3)])
    drafts = [
        Draft(TextAnswer.of_items([when], 0.9), (("a.txt",),), 0.9),
        Draft(AmountAnswer.of_items([fee], 0.9), (("a.txt",),), 0.9, written=(said,)),
    ]
    assert [item.text for item in joined(["When is it due?", "How much is it?"], drafts).answer.items] == [said]


def test_a_part_without_an_answer_is_named(ask):
    result = ask("What is the late fee and who insured the elephants?")
    assert (result.decision.kind, result.decision.review) == ("ship", "check")
    assert not result.answer.complete_answer_found
    assert any("who insured the elephants?" in caveat for caveat in result.answer.caveats)


def test_no_part_with_an_answer_is_not_found(ask):
    assert ask("Who fed the tigers and who insured the elephants?").decision.kind == "not_found"


def test_yes_or_no_among_parts_is_the_sentence_that_says_it(ask):
    result = ask("What is the late fee and may the tenant sublet the flat?")
    assert "The tenant may not sublet the flat." in [item.text for item in result.answer.items]


def test_a_vague_question_is_asked_back_before_anything_is_looked_for(ask):
    result = ask("What's the limit?")
    assert result.decision.kind == "clarify"
    assert result.text == result.decision.message == result.answer.suggested_clarification
    assert "Which limit" in result.text
    assert result.meta["retrieved_context"] == []
    assert (result.confidence, result.citations, result.answer.items) == (0.0, (), [])


CONTRACT = """\
MAINTENANCE AGREEMENT

THIS MAINTENANCE AGREEMENT (this "Agreement") is dated as of July 23, 2003, and made by Universal Access, Inc., a \
corporation (the "Company"), and CityNet Telecommunications, Inc., a corporation (the "Provider").

1. Term

Either party may terminate this Agreement at any time by thirty (30) days written notice to the other party.

2. Law

The laws of the State of Delaware govern this Agreement.
"""
GROWTH = """\
| Years ended December 31, | 2022 | 2021 |
| --- | --- | --- |
| Net revenue | $1,200 | $1,000 |
| Cost of sales | (700) | (650) |

The headquarters of the company are in Boston, Massachusetts.
"""


def ask_of(text, question, name="contract.txt"):
    with spanwise.Corpus.of([spanwise.read(text.encode(), name=name)]) as corpus:
        return spanwise.Engine(corpus).ask(question)


def test_facts_of_a_contract_are_answered_part_by_part():
    result = ask_of(
        CONTRACT, "When was the agreement made, who are the parties, what law governs it, and how does it end?"
    )
    assert result.decision.kind == "ship"
    for words in ("July 23, 2003", "Universal Access, Inc.", "CityNet Telecommunications, Inc.", "Delaware"):
        assert words in result.text


def test_what_a_pronoun_stands_for_is_looked_for_where_the_whole_question_leads_nowhere():
    result = ask_of(CONTRACT, "Who are the parties, what law governs the agreement, and how can it be terminated?")
    assert "Either party may terminate this Agreement at any time" in result.text
    assert result.answer.complete_answer_found


def test_a_computed_part_is_kept_beside_words_and_proved_again(tmp_path):
    question = "Where are the headquarters of the company and how much did net revenue grow from 2021 to 2022?"
    result = ask_of(GROWTH, question, "report.md")
    assert result.answer.extraction_method == "computed"
    assert (result.decision.kind, result.decision.review) == ("ship", "check")
    assert [item.text for item in result.answer.items][1] == "$200"
    assert [made is None for made in result.meta["computations"]] == [True, False]
    result.save_trace(tmp_path / "trace.json")
    assert spanwise.replay(tmp_path / "trace.json").text == result.text


@pytest.mark.parametrize(
    ("part", "before", "asked"),
    [
        ("How is it different from Clear?", ["What does Purge mean?"], "How is Purge different from Clear?"),
        ("who is its chairman?", ["How many people did Boeing employ?"], "who is Boeing's chairman?"),
        ("how much did it grow?", ["What was net revenue in 2022?"], "how much did net revenue grow?"),
        ("how can it end?", ["Who are the parties?", "what law governs the lease?"], "how can the lease end?"),
        ("when is it due?", ["Who pays?"], None),
        ("when do these end?", ["What is the fee?"], None),
    ],
)
def test_the_nearest_thing_that_was_named_is_meant(part, before, asked):
    assert with_antecedent(part, before) == asked
