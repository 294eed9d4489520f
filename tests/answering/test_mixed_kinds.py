"""Kinds of documents side by side in one corpus: a question is of a kind only where it means something of that kind."""

import pytest

import spanwise
from spanwise.answering.request import Request, question_of

FILING = """\
# Annual report

Form 10-K of the registrant to the Securities and Exchange Commission for the fiscal year that ended on 28 January 2023.

# Business

Our stations are of the same class of business: we sell fuel to customers who stop at our stations and stores.

Revenue was $46,298 in fiscal 2023.
"""


@pytest.fixture(scope="module")
def corpus(standard, tmp_path_factory):
    filing = tmp_path_factory.mktemp("filing") / "filing.md"
    filing.write_text(FILING, encoding="utf-8")
    with spanwise.Corpus.of([spanwise.read(standard), spanwise.read(filing)]) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "profile"),
    [("What are the three classes of station?", None), ("What was the total revenue in fiscal 2023?", "filings")],
)
def test_a_question_is_of_the_kind_whose_words_it_uses(corpus, question, profile):
    assert question_of(Request(question), corpus).profile == profile


def test_a_question_about_one_of_them_is_answered_from_it(corpus):
    result = spanwise.Engine(corpus).ask("What are the three classes of station?")
    assert [item.text for item in result.answer.items] == [
        "Reference station (class A)",
        "Forecast station (class B)",
        "Harbour station (class C)",
    ]
