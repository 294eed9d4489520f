"""What an engine is asked wrongly is told in a sentence, with a typed error."""

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
