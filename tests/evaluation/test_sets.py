import pytest
from sets import cuad, financebench, nist, squad2
from tiny_sets import financebench_rows, write

from spanwise.errors import InputError
from spanwise.evaluation.cases import Case, Observation
from spanwise.evaluation.sets import sets_of


def said(text: str, **more: object) -> Observation:
    fields = {"confidence": 0.9, "score": 0.9, "polarity": None, "cited_pages": (), "hit_pages": (), "seconds": 0.1}
    return Observation(decision="ship", text=text, **(fields | more))


SILENT = Observation("not_found", "not found in this document", 0.0, 0.2, None, (), (), 0.1)


@pytest.mark.parametrize(
    ("kind", "gold", "answer", "contained", "share"),
    [
        ("list", ("Private cloud", "Public cloud"), "- Public cloud\n- Private cloud", True, 1.0),
        ("list", ("Private cloud", "Public cloud"), "- Public cloud", False, 0.5),
        ("number", ("five",), "There are 5 of them.", True, 1.0),
        ("span", ("On the premises of the cloud provider.",), "on premises of the provider", False, 0.0),
        ("span", ("one two three four five",), "1, 2, 3 and 4", True, 1.0),
    ],
)
def test_nist_wants_the_words_of_every_element(kind, gold, answer, contained, share):
    metrics = nist.score(Case("a", "?", gold, (), kind), said(answer))
    assert metrics["contained"] is contained
    assert metrics["share"] == share


@pytest.mark.parametrize(("polarity", "right"), [("no", True), ("yes", False), (None, False)])
def test_a_boolean_is_right_when_it_is_said(polarity, right):
    case = Case("a", "?", ("No",), (), "boolean")
    assert nist.score(case, said("The user cannot turn it off.", polarity=polarity))["right"] is right


def test_not_found_holds_no_gold_words():
    metrics = nist.score(Case("a", "?", ("document",), (), "span"), SILENT)
    assert metrics["contained"] is False
    assert metrics["share"] == 0


@pytest.mark.parametrize(
    ("kind", "gold", "answer", "contained"),
    [
        ("a value", "$1577.00", "Capital expenditures (1,577)", True),
        ("a value", "from 24.6% to 21.6%", "it was 24.6%", False),
        ("words", "Boeing's customers are airlines and the government", "airlines, mostly", True),
        ("words", "Boeing's customers are airlines and the government", "Boeing's customers", False),
    ],
)
def test_financebench_compares_values_and_new_words(kind, gold, answer, contained):
    case = Case("a", "Who are Boeing's customers?", (gold,), (), kind, ("novel-generated",))
    assert financebench.score(case, said(answer))["contained"] is contained


def test_the_numbers_of_a_long_explanation_are_incidental(data):
    (question, *_) = financebench_rows()
    long = (
        "Airlines and the government buy planes, helicopters, satellites, rockets, parts and service, 40% of it at home"
    )
    write(data / "financebench" / "questions.jsonl.gz", [question, question | {"id": "f3", "answer": long}])
    assert [case.kind for case in financebench.load(data, None)[0].cases] == ["a value", "words"]


def test_financebench_wants_yes_or_no_said():
    case = Case("a", "?", ("Yes, the margin improved.",), (), "yes or no", ("novel-generated",))
    assert financebench.score(case, said("Yes", polarity="yes"))["right"]
    assert not financebench.score(case, said("Yes, the margin improved."))["right"]


def test_financebench_reads_pdfs_and_page_texts(data):
    text, paper = sorted(financebench.load(data, None), key=lambda job: job.document.name)
    assert text.document.name == "ACME_2019_10K.txt"
    assert str(text.document.content).split("\f")[2].startswith("Total net revenue")
    assert text.cases[0].tags == ("metrics-generated", "over page texts", "look-up")
    assert paper.cases[0].tags == ("novel-generated", "over a PDF")


@pytest.mark.parametrize(
    ("answer", "held"),
    [
        ("This agreement is governed by the laws of the State of Delaware", True),
        ("the State of Delaware", True),  # a piece of the clause that the question does not have
        ("Agreement", False),  # a piece that the question has
        ("the State of Nevada", False),
        ("", False),
    ],
)
def test_cuad_wants_half_of_the_clause_or_a_piece_that_says_something(answer, held):
    clause = "The laws of the State of Delaware shall govern this Agreement in all respects whatsoever."
    assert cuad.clause_held(answer, clause, "Which law governs this agreement?") is held


def test_cuad_asks_texts_and_pdfs(data):
    texts, papers = cuad.load(data, None)
    assert [case.answerable for case in texts.cases] == [True, False]
    assert [case.pages for case in papers.cases] == [(3,), ()]


def test_squad_asks_the_article_and_the_paragraphs(data):
    article, *paragraphs = squad2.load(data, None)
    assert [case.id for case in article.cases] == ["s1", "s2"]
    assert article.document.content == "\n\n".join(str(job.document.content) for job in paragraphs)


def test_squad_takes_silence_for_an_empty_answer():
    assert squad2.score(Case("a", "?", ()), SILENT)["f1"] == 1
    assert squad2.score(Case("a", "?", ("x",)), SILENT)["f1"] == 0


def test_a_limit_keeps_both_kinds_of_question(data):
    assert sum(len(job.cases) for job in nist.load(data, 1)) == 1
    assert sum(len(job.cases) for job in nist.load(data, 0)) == 2


def test_an_unknown_set_is_answered_with_the_known_ones():
    with pytest.raises(
        InputError, match=r"nist, financebench, cuad, squad2, tatqa, everyday, .*arcd, docqa, .* or all"
    ):
        sets_of(None).chosen("trivia")
