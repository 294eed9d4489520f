import io
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace

import pytest

from spanwise.errors import AnswerNotFoundError, StorageError
from spanwise.serving.answer_history import Answers, bundle
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library
from spanwise.serving.corpus_limits import Limits

QUESTIONS = ["What is the late fee?", "When is payment due?", "How are invoices sent?"]


def test_history_is_newest_first_in_pages(library, put):
    put(library, "terms.txt")
    results = [library.ask(question) for question in QUESTIONS]
    assert [asked.question for asked in library.history.newest()] == QUESTIONS[::-1]
    newest, *_ = library.history.newest(limit=1)
    assert (newest.id, newest.decision, newest.confidence) == (
        results[-1].trace_id,
        results[-1].decision.kind,
        results[-1].confidence,
    )
    assert newest.when.endswith("+00:00")
    assert [asked.question for asked in library.history.newest(before=newest.id)] == QUESTIONS[1::-1]
    with pytest.raises(AnswerNotFoundError):
        library.history.newest(before="0" * 16)


def test_same_answer_given_again_is_the_newest_and_stands_once(library, put):
    put(library, "terms.txt")
    for question in (*QUESTIONS, QUESTIONS[0]):
        library.ask(question)
    assert [asked.question for asked in library.history.newest()] == [QUESTIONS[0], QUESTIONS[2], QUESTIONS[1]]


def test_only_the_newest_are_kept(place, put):
    with Library.open(place, limits=Limits(answers=2)) as library:
        put(library, "terms.txt")
        first, *_ = [library.ask(question) for question in QUESTIONS]
        assert len(library.history.newest()) == 2
        with pytest.raises(AnswerNotFoundError):
            library.history.record(first.trace_id)


def test_forgotten_answer_is_gone(library, put):
    put(library, "terms.txt")
    result = library.ask(QUESTIONS[0])
    library.history.forget(result.trace_id)
    assert library.history.newest() == ()
    history = library.history
    for call in (history.forget, history.record, history.trace, history.result):
        with pytest.raises(AnswerNotFoundError):
            call(result.trace_id)


def test_not_found_is_kept_too(library, put):
    put(library, "terms.txt")
    result = library.ask("Who discovered penicillin in London?")
    assert result.decision.kind == "not_found"
    assert library.history.result(result.trace_id).to_dict() == result.to_dict()


def test_possible_answers_are_told_from_answers(library, put):
    put(library, "terms.txt")
    results = [library.ask(one) for one in ("When is payment due?", "Who pays the penalty?")]
    assert [result.possible for result in results] == [False, True]
    assert [asked.possible for asked in library.history.newest()] == [True, False]


@pytest.mark.parametrize(
    ("column", "value"), [("question", "'What is the fee?'"), ("decision", "'not_found'"), ("asked", "'2020'")]
)
def test_a_history_that_changed_on_the_disk_is_told(place, put, column, value):
    with Library.open(place) as library:
        put(library, "terms.txt")
        library.ask(QUESTIONS[0])
    with closing(sqlite3.connect(place.with_name(f"{place.name}.answers.db"))) as connection, connection:
        connection.execute(f"UPDATE answers SET {column} = {value}")
    with Library.open(place) as library, pytest.raises(StorageError, match="is damaged: move the file away"):
        library.history.newest()


def test_a_trace_that_changed_on_the_disk_is_told(place, put):
    with Library.open(place) as library:
        put(library, "terms.txt")
        kept = library.ask(QUESTIONS[0])
    with closing(sqlite3.connect(place.with_name(f"{place.name}.answers.db"))) as connection, connection:
        ((packed,),) = connection.execute("SELECT trace FROM answers").fetchall()
        connection.execute("UPDATE answers SET trace = ?", (packed[:40] + b"\0" + packed[41:],))
    with Library.open(place) as library, pytest.raises(StorageError, match="is damaged: move the file away"):
        library.history.record(kept.trace_id)


def test_file_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    with pytest.raises(StorageError, match="move it away"):
        Answers(path, 10)
    assert path.read_bytes() == before
    path.write_bytes(b"no database at all, but long enough to be looked at" * 10)
    with pytest.raises(StorageError):
        Answers(path, 10)


def test_documents_of_one_name_in_two_folders_are_both_in_the_file_of_a_conversation(library, standard):
    found = []
    for folder in "ab":
        path = library.partial()
        path.write_bytes(standard.read_bytes() + folder.encode())
        found += library.add_all("paper.pdf", path, folder=folder).entries
    first, second = found
    result = library.ask("What is exact time?", documents=[first.id])
    [cited] = {one.document for one in result.citations}
    others = [replace(one, id=f"d{one.id}", document=second.name) for one in result.citations]
    assert (cited, second.name) == ("a/paper.pdf", "b/paper.pdf")
    library.history.keep(replace(result, citations=(*result.citations, *others)))
    with zipfile.ZipFile(io.BytesIO(bundle(library, [result.trace_id], Stop()))) as archive:
        names = [one for one in archive.namelist() if one.endswith(".pdf")]
    assert names == [f"highlighted/paper-{result.trace_id}{end}.pdf" for end in ("", "-2")]
