"""Kinds of documents side by side in one corpus: a question is of a kind only where it means something of that kind."""

import pytest

import spanwise
from spanwise.pipeline.asking import Request, question_of

FILING = """\
# Annual report

Form 10-K of the registrant to the Securities and Exchange Commission for the fiscal year that ended on 28 January 2023.

# Business

Our service models of the business sell a model of service to customers who buy our services in our stores.

Revenue was $46,298 in fiscal 2023.
"""


@pytest.fixture(scope="module")
def corpus(nist, tmp_path_factory):
    filing = tmp_path_factory.mktemp("filing") / "filing.md"
    filing.write_text(FILING, encoding="utf-8")
    with spanwise.Corpus.of([spanwise.read(nist), spanwise.read(filing)]) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "profile"),
    [("What are the three service models?", None), ("What was the total revenue in fiscal 2023?", "filings")],
)
def test_a_question_is_of_the_kind_whose_words_it_uses(corpus, question, profile):
    assert question_of(Request(question), corpus).profile == profile


def test_a_question_about_one_of_them_is_answered_from_it(corpus):
    result = spanwise.Engine(corpus).ask("What are the three service models?")
    assert [item.text for item in result.answer.items] == [
        "Software as a Service (SaaS)",
        "Platform as a Service (PaaS)",
        "Infrastructure as a Service (IaaS)",
    ]
