import pytest

import spanwise
from spanwise.contract.result import ANSWERED
from spanwise.errors import DocumentError, InputError, QuestionError
from spanwise.messages import NOT_FOUND
from spanwise.synthesis.extractive.answer import MOST_POSSIBLE


@pytest.fixture(scope="module")
def corpus(standard):
    with spanwise.Corpus.of([spanwise.read(standard)]) as corpus:
        yield corpus


@pytest.fixture(scope="module")
def engine(corpus):
    return spanwise.Engine(corpus)


def test_a_list_is_answered_by_its_elements(engine):
    result = engine.ask("What are the five essential properties of a station?")
    assert [item.text for item in result.answer.items] == [
        "Fixed datum",
        "Continuous power",
        "Damped sensing",
        "Exact time",
        "Open record",
    ]
    assert {(citation.page, citation.page_label) for citation in result.citations} == {(5, "2")}


def test_a_list_goes_on_over_a_page_break_with_footnotes(engine):
    result = engine.ask("What are the three classes of station?")
    assert [item.text for item in result.answer.items] == [
        "Reference station (class A)",
        "Forecast station (class B)",
        "Harbour station (class C)",
    ]
    assert [citation.page for citation in result.citations] == [5, 5, 6]


@pytest.mark.parametrize(
    "question",
    [
        "What does a gigabyte cost?",
        "Which encryption algorithm must operators use?",
        "What is the salary of the operator's chairman?",
        "zzzz",
        "What is it?",
    ],
)
def test_what_the_document_does_not_say_is_not_found(engine, question):
    result = engine.ask(question)
    assert (result.decision.kind, result.text, result.confidence) == ("not_found", NOT_FOUND, 0.0)
    assert result.citations == result.claims == ()
    assert result.answer.items == []
    assert result.missing is not None
    assert result.missing.what
    assert not result.review


@pytest.mark.parametrize(
    "question",
    [
        "What does the document say about the price of a sensor per year?",
        "Which maker of sensors is approved?",
    ],
)
def test_what_is_only_near_is_a_possible_answer_at_most(engine, corpus, question):
    result = engine.ask(question)
    assert result.decision.kind in ("ship", "not_found")
    assert result.possible is result.review is (result.decision.kind == "ship")
    assert result.confidence < ANSWERED
    assert len(result.answer.items) <= MOST_POSSIBLE
    document = corpus.document("station-standard.pdf")
    for citation in result.citations:
        assert citation.quote == document.text(citation.line_start, citation.line_end)
    assert all(claim.citations and claim.verdict == "keep" for claim in result.claims)


@pytest.mark.parametrize(
    "question",
    ["What are the three classes of station?", "What is exact time?", "What is continuous power?"],
)
def test_every_citation_comes_from_the_source(engine, corpus, question):
    [stored] = corpus.documents()
    document = corpus.document(stored.name)
    result = engine.ask(question)
    assert result.decision.kind == "ship"
    for citation, claim in zip(result.citations, result.claims, strict=True):
        assert citation.quote == document.text(citation.line_start, citation.line_end)
        assert citation.page == document.line(citation.line_start).page
        assert citation.boxes == tuple(document.line(n).box for n in range(citation.line_start, citation.line_end + 1))
        assert result.text[slice(*citation.at)] == claim.text
        assert " ".join(claim.text.split()) in " ".join(citation.quote.split())
        assert claim.citations == (citation.id,)
    assert result.used_chunk_ids


def test_the_trace_has_each_step_and_an_id_that_depends_on_the_question_only(engine):
    one, same = (engine.ask("What is exact time?") for _ in range(2))
    names = "settings parsing question dispatch retrieval generation validation route passes proof".split()
    assert [step.name for step in one.trace.steps] == names
    assert one.trace_id == same.trace_id == one.trace.id
    assert one.trace_id != engine.ask("What is a benchmark?").trace_id


def test_a_list_of_the_wrong_length_ships_with_a_caveat_and_a_review_mark(tmp_path):
    (tmp_path / "a.md").write_text("# Benefits\n\n- lower cost of operation\n- higher speed of delivery\n")
    result = spanwise.ask("What are the three benefits?", tmp_path / "a.md")
    assert (result.decision.kind, result.decision.review) == ("ship", "check")
    assert not result.answer.complete_answer_found
    assert result.answer.caveats == ["The question asks for 3 elements, and the list found has 2."]


def test_several_documents_paths_and_documents_can_be_asked_at_once(tmp_path, standard):
    (tmp_path / "a.txt").write_text("The late fee is 7% per month.\n")
    result = spanwise.ask("What is the late fee per month?", [standard, str(tmp_path / "a.txt")])
    assert [citation.document for citation in result.citations] == ["a.txt"]
    assert result.citations[0].page is None
    assert spanwise.ask("What is the late fee?", spanwise.read(tmp_path / "a.txt")).decision.kind == "ship"


def test_one_unreadable_document_fails_the_question_instead_of_hiding(tmp_path, standard):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 but no more")
    with pytest.raises(DocumentError, match=r"a\.pdf") as raised:
        spanwise.ask("What is the late fee?", [standard, tmp_path / "a.pdf"])
    assert raised.value.document.endswith("a.pdf")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [(("", "a.txt"), QuestionError), (("What?", []), InputError), (("What?", "missing.txt"), DocumentError)],
)
def test_bad_input_is_a_typed_error(arguments, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error):
        spanwise.ask(*arguments)


def test_an_unknown_mode_is_refused(corpus):
    with pytest.raises(ValueError, match="there is no mode 'foo'"):
        spanwise.Engine(corpus, mode="foo")
