"""What an engine is asked wrongly is told in a sentence, with a typed error."""

from types import SimpleNamespace

import pytest

import spanwise
from spanwise.errors import InputError, QuestionError


@pytest.fixture
def note(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("Work is guaranteed for 24 months.\n")
    return path


@pytest.mark.parametrize("documents", [None, b"%PDF-1.7", 3, object()])
def test_what_is_no_document(documents):
    with pytest.raises(InputError, match="documents are paths or Documents"):
        spanwise.ask("How long is the guarantee?", documents)


def test_a_corpus_has_its_own_way_to_be_asked():
    with spanwise.Corpus.memory() as corpus, pytest.raises(InputError, match=r"spanwise\.Engine\(corpus\)\.ask"):
        spanwise.ask("How long is the guarantee?", corpus)


def test_a_question_that_is_no_text(note):
    with pytest.raises(QuestionError, match="of type int"):
        spanwise.ask(3, note)


def test_one_question_is_no_list_of_questions(note):
    with spanwise.Corpus.memory() as corpus:
        corpus.add(note)
        engine = spanwise.Engine(corpus)
        with pytest.raises(InputError, match="a list of questions"):
            engine.ask_many("How long is work guaranteed?")
        wrong, right = engine.ask_many([None, "How long is work guaranteed?"])
        assert isinstance(wrong, QuestionError)
        assert "24 months" in right.text
        assert [citation.quote for citation in right.citations] == ["Work is guaranteed for 24 months."]


def test_one_name_is_a_document(note):
    with spanwise.Corpus.memory() as corpus:
        corpus.add(note)
        result = spanwise.Engine(corpus).ask("How long is work guaranteed?", documents="note.txt")
        assert "24 months" in result.text
        assert [citation.document for citation in result.citations] == ["note.txt"]


def test_a_file_in_the_place_of_the_question_is_told(note):
    with pytest.raises(InputError, match=r"the question comes first: spanwise.ask\('How long is work guaranteed\?'"):
        spanwise.ask(str(note), "How long is work guaranteed?")


@pytest.mark.parametrize("documents", ["", " ", [""]])
def test_an_empty_path_is_not_the_current_folder(note, monkeypatch, documents):
    monkeypatch.chdir(note.parent)
    with pytest.raises(InputError, match="a path is empty"):
        spanwise.ask("How long is the guarantee?", documents)
    with spanwise.Corpus.memory() as corpus, pytest.raises(InputError, match="a path is empty"):
        corpus.add("")


@pytest.mark.parametrize("documents", [[None], [3], [b"Work is guaranteed for 24 months."]])
def test_a_list_of_what_is_no_path(documents):
    with pytest.raises(InputError, match="a path is of type"):
        spanwise.ask("How long is the guarantee?", documents)


@pytest.mark.parametrize("corpus", [None, 3, "corpus.db"])
def test_an_engine_wants_a_corpus(corpus):
    with pytest.raises(InputError, match=r"give spanwise\.Corpus\.open"):
        spanwise.Engine(corpus)


@pytest.mark.parametrize("option", ["model", "mode", "type", "shape", "profile", "policy", "language"])
def test_an_option_that_is_no_text(note, option):
    with pytest.raises(InputError):
        spanwise.ask("How long is work guaranteed?", note, **{option: 3})


def test_names_that_are_no_text():
    with pytest.raises(InputError, match="a model is named by text"):
        spanwise.model_from(None)
    with pytest.raises(QuestionError, match="of type NoneType"):
        spanwise.parse_question(None)


def test_what_is_no_model_and_no_input_of_a_synthesizer():
    for made in (spanwise.Synthesizer, spanwise.ResponseSynthesizer):
        with pytest.raises(InputError, match="a model is a name"):
            made(model=3)
    another = SimpleNamespace(profile=None, invoke=print)  # chat models of LangChain have a profile too
    with pytest.raises(InputError, match=r"not SimpleNamespace; .* is checked by spanwise\.verify"):
        spanwise.answer("How long?", ["Work is guaranteed."], model=another, mode="compact")
    writer = spanwise.Synthesizer(model=spanwise.ScriptedModel([]))
    with pytest.raises(QuestionError, match="of type int"):
        writer.synthesize(3, ["Work is guaranteed."])
    with pytest.raises(InputError, match=r"give a spanwise\.SynthesisInput, not dict"):
        spanwise.ResponseSynthesizer(spanwise.ScriptedModel([])).synthesize({"query": "How long?"})


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: spanwise.read(None), "the file is of type NoneType: give its path, or its bytes"),
        (lambda: spanwise.Corpus.open(3), "the path of a corpus is of type int"),
        (lambda: spanwise.Corpus.memory().search(None), "the query is of type NoneType"),
        (lambda: spanwise.Corpus.memory().search("guarantee", "3"), "k is of type str"),
        (lambda: spanwise.route(None), "the answer is of type NoneType"),
        (lambda: spanwise.validate_answer(None, None), "the answer is of type NoneType"),
        (lambda: spanwise.find_tables(None), "the document is of type NoneType"),
        (lambda: spanwise.replay(None), "the path of a trace is of type NoneType"),
    ],
)
def test_what_is_of_a_wrong_type_is_told_at_every_door(call, told):
    with pytest.raises(InputError, match=told):
        call()
