import pytest

import spanwise
from spanwise.questions.parse import parse_with
from spanwise.retrieval.retriever import retrieve
from spanwise.retrieval.subject import OPENED, decide


def report(company: str, year: int, revenue: int) -> str:
    return f"""\
ANNUAL REPORT
For the fiscal year ended December 31, {year}
{company.upper()}, INC.
Registered office: 5 Long Quay, Portsmouth

Business
{company} sells garden furniture in eleven countries and employs {revenue // 3} people.

Results
Revenue in {year} was ${revenue} million, compared with ${revenue - 20} million in {year - 1}.
The company paid a dividend of two cents a share.
"""


def lease(landlord: str, tenant: str, notice: int) -> str:
    return f"""\
LEASE AGREEMENT
This agreement is made on March 3, 2020 between {landlord} LLC (the "Landlord") and {tenant} Ltd. (the "Tenant").

1. Notice
Either party may terminate this agreement with {notice} days of written notice.
"""


def minutes(day: str, fee: int) -> str:
    return f"""\
Minutes of the harbour council, {day}

The council met at seven. It set the mooring fee at {fee} dollars a night.
Ms Orlov of Norvale spoke about the furniture of the quay.
"""


def manual(model: str, seconds: int) -> str:
    return f"""\
{model} User Manual

Reset
Hold the red button for {seconds} seconds to reset the kettle.
"""


DOCUMENTS = {
    "a.txt": report("Norvale", 2020, 300),
    "b.txt": report("Norvale", 2021, 330),
    "c.txt": report("Tarnwick Garden", 2021, 510),
    "d.txt": lease("Bright Harbor", "Orlov Nets", 30),
    "e.txt": lease("Stonegate", "Quill and Daughters", 90),
    "f.txt": minutes("June 14, 2022", 12),
    "g.txt": minutes("July 12, 2022", 15),
    "h.txt": manual("Kettle KX-100", 5),
    "i.txt": manual("Kettle KX-200", 9),
}


@pytest.fixture(scope="module")
def corpus():
    with spanwise.Corpus.of([spanwise.read(text.encode(), name=name) for name, text in DOCUMENTS.items()]) as corpus:
        yield corpus


def decided(corpus, question: str, documents=None):
    return decide(parse_with(question, []), corpus, documents)


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("What was Norvale's revenue in 2021?", {"b.txt"}),
        ("What was the revenue of Norvale in FY2020?", {"a.txt"}),
        ("Did Tarnwick Garden pay a dividend?", {"c.txt"}),
        ("Did Tarnwick pay a dividend in 2021?", {"c.txt"}),
        ("How did revenue change from 2019 to 2020 for Norvale?", {"a.txt"}),
        ("What is the notice period in the lease between Stonegate and Quill and Daughters?", {"e.txt"}),
        ("What is Orlov Nets' notice period?", {"d.txt"}),
        ("What did the council decide about the mooring fee on July 12, 2022?", {"g.txt"}),
    ],
)
def test_only_the_documents_of_the_subject_may_answer(corpus, question, documents):
    subject = decided(corpus, question)
    assert subject.kind == "one"
    assert set(subject.documents) == documents
    assert {hit.passage.document for hit in retrieve(parse_with(question, []), corpus)} == documents


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("How do I reset the KX-200?", "i.txt"),
        ("how do i reset the kx-100 kettle", "h.txt"),
        ("What does the Stonegate lease say about notice?", "e.txt"),
    ],
)
def test_a_name_that_owns_nothing_comes_first_and_excludes_none(corpus, question, document):
    subject = decided(corpus, question)
    assert subject.kind == "likely"
    assert document in subject.preferred
    assert retrieve(parse_with(question, []), corpus)[0].passage.document == document


@pytest.mark.parametrize(
    "question",
    [
        "What is the mooring fee?",
        "What did Ms Orlova say?",
        "How many days of written notice are needed to terminate?",
        "What is Norvale?",
        "In which year was the agreement made?",
    ],
)
def test_questions_without_a_subject_search_everything(corpus, question):
    assert decided(corpus, question).documents is None


def test_reports_of_several_years_answer_one_by_one(corpus):
    subject = decided(corpus, "What was Norvale's revenue?")
    assert subject.kind == "several"
    assert [documents for _, documents in subject.groups] == [("a.txt",), ("b.txt",)]


def test_two_companies_answer_one_by_one(corpus):
    subject = decided(corpus, "What was Norvale's revenue and what was Tarnwick Garden's revenue in 2021?")
    assert [documents for _, documents in subject.groups] == [("b.txt",), ("c.txt",)]
    first = [
        hit.passage.document
        for hit in retrieve(parse_with("Norvale's and Tarnwick Garden's revenue in 2021?", []), corpus)
    ]
    assert set(first[:2]) == {"b.txt", "c.txt"}


def test_an_owner_that_no_document_knows(corpus):
    subject = decided(corpus, "What was Zembla's revenue in 2021?")
    assert subject.kind == "absent"
    assert "Zembla" in subject.message
    assert decided(corpus, "What was Norvale's and Zembla's revenue in 2021?").missing == "Zembla"


def test_a_misspelled_owner_is_not_called_unknown(corpus):
    assert decided(corpus, "What was Tarnwik's revenue from garden furniture?").kind != "absent"


def test_an_owner_that_is_only_mentioned(corpus):
    subject = decided(corpus, "What did Long Quay earn in 2021?", ["c.txt"])
    assert subject.kind == "mentioned"


def test_only_documents_that_were_asked_count(corpus):
    assert decided(corpus, "What was Norvale's revenue in 2021?", ["a.txt", "c.txt"]).documents == ("a.txt",)


def test_names_of_files_count():
    texts = {
        f"{name}_{year}_report.txt": f"Revenue was {year - 1000} million.\n"
        for name in ("BRIGHTHARBOR", "TARNWICK")
        for year in (2020, 2021)
    }
    with spanwise.Corpus.of([spanwise.read(text.encode(), name=name) for name, text in texts.items()]) as corpus:
        subject = decided(corpus, "What was Bright Harbor's revenue in FY2021?")
        assert subject.documents == ("BRIGHTHARBOR_2021_report.txt",)


def test_more_documents_than_are_looked_at_exclude_none():
    texts = {f"{number}.txt": f"Norvale Bulletin\nNorvale sold {number} chairs.\n" for number in range(OPENED + 5)}
    with spanwise.Corpus.of([spanwise.read(text.encode(), name=name) for name, text in texts.items()]) as corpus:
        assert decided(corpus, "How many chairs did Norvale sell?").documents is None
