import json
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from spanwise import replay
from spanwise.errors import (
    AnswerNotFoundError,
    CorpusBusyError,
    DamagedDocumentError,
    DocumentNotFoundError,
    EmptyDocumentError,
    HighlightError,
    InputError,
    LimitError,
    StorageError,
    UnsupportedFormatError,
    WorkStoppedError,
)
from spanwise.extraction.fields import fields_of_questions
from spanwise.ingest.corpus import Corpus
from spanwise.readers.port import Limits as ReadingLimits
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library
from spanwise.serving.corpus_limits import Limits

QUESTION = "What is the late fee?"
SECONDS = 120.0
"""How long a test waits for what has to come; only one that fails takes so long."""


def kept(place: Path) -> list[Path]:
    """The files of a corpus that are there."""
    return sorted(one for one in place.with_name("corpus.db.files").rglob("*") if one.is_file())


def test_document_is_kept_with_its_file(library, put, place, standard):
    entry = put(library, "standard.pdf", standard)
    assert (entry.format, entry.media_type, entry.pages) == ("pdf", "application/pdf", 8)
    assert library.documents() == (entry,)
    assert library.entry(entry.id) == entry
    assert library.file(entry.id).read_bytes() == standard.read_bytes()
    assert [path.suffix for path in kept(place)] == [".pdf"]
    assert library.lines(entry.id, 1, 1)[0].text == "COASTAL MEASUREMENT BOARD"
    with library.opened(entry.id) as document:
        assert [page.number for page in document.pages()] == list(range(1, 9))
        assert any("Scope" in section.title for section in document.sections())


def test_name_given_twice_replaces_the_document(library, put, place):
    first = put(library, "terms.txt")
    second = put(library, "terms.txt", b"The late fee is 9 dollars.")
    assert second.id == first.id
    assert second.sha256 != first.sha256
    assert library.documents() == (second,)
    assert [path.read_bytes() for path in kept(place)] == [b"The late fee is 9 dollars."]
    assert "9 dollars" in library.ask(QUESTION).text


def test_same_upload_twice_changes_nothing(library, put, place):
    assert put(library, "terms.txt") == put(library, "terms.txt")
    assert len(kept(place)) == 1


def test_same_content_under_two_names_is_two_documents(library, put, place):
    first, second = put(library, "a.txt"), put(library, "b.txt")
    assert first.sha256 == second.sha256
    library.remove(first.id)
    assert library.documents() == (second,)
    assert library.file(second.id).is_file()
    assert len(kept(place)) == 1


def test_removing_takes_the_file_too_and_keeps_the_answers(library, put, place):
    entry = put(library, "terms.txt")
    result = library.ask(QUESTION)
    library.remove(entry.id)
    assert library.documents() == ()
    assert kept(place) == []
    assert library.history.record(result.trace_id)["text"] == result.text
    with pytest.raises(DocumentNotFoundError):
        library.remove(entry.id)


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("a.pdf", b"this is no PDF", DamagedDocumentError),
        ("a.txt", b"\n \n", EmptyDocumentError),
        ("a.exe", b"\x7fELF" + bytes(200), UnsupportedFormatError),
        ("a", b"\x89PNG\r\n\x1a\n" + bytes(200), DamagedDocumentError),
    ],
)
def test_what_cannot_be_read_leaves_nothing(library, put, place, name, content, error):
    with pytest.raises(error) as raised:
        put(library, name, content)
    assert "corpus.db" not in str(raised.value)
    assert library.documents() == ()
    assert kept(place) == []


def test_content_decides_what_a_file_is(library, put, standard, place):
    entry = put(library, "invoice.txt", standard)
    assert entry.format == "pdf"
    assert [path.suffix for path in kept(place)] == [".pdf"]


def test_more_documents_pages_or_bytes_than_allowed_are_refused(place, put, standard):
    with Library.open(place, limits=Limits(documents=1, reading=ReadingLimits(pages=3, file_bytes=50_000))) as library:
        put(library, "a.txt")
        with pytest.raises(LimitError, match="1 documents"):
            put(library, "b.txt")
        put(library, "a.txt", b"Another text.")
        with pytest.raises(LimitError, match=f"{standard.stat().st_size:,} bytes"):
            put(library, "a.txt", standard)
    with (
        Library.open(place, limits=Limits(reading=ReadingLimits(pages=3))) as library,
        pytest.raises(LimitError, match="8 pages, more than 3"),
    ):
        put(library, "a.txt", standard)


def test_answers_are_kept_and_proved_again(library, put, standard, tmp_path):
    entry = put(library, "standard.pdf", standard)
    result = library.ask("What is exact time?", documents=[entry.id])
    assert library.history.record(result.trace_id) == result.to_dict()
    assert library.history.result(result.trace_id).to_dict() == result.to_dict()
    assert library.history.result(result.trace_id).to("w3c") == result.to("w3c")
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps(library.history.trace(result.trace_id)))
    assert replay(trace).text == result.text
    marked = library.highlighted(result.trace_id, entry.id)
    assert marked.startswith(b"%PDF")
    assert marked != standard.read_bytes()


def test_a_trace_does_not_say_where_the_files_of_its_documents_are(place, standard, tmp_path):
    with Corpus.open(place) as corpus:
        corpus.add(standard)
    with Library.open(place) as library:
        trace = library.history.trace(library.ask("What is exact time?").trace_id)
    told = json.dumps(trace)
    assert standard.name in told
    assert str(standard.parent) not in told
    assert str(tmp_path) not in told
    (tmp_path / "trace.json").write_text(told)
    assert replay(tmp_path / "trace.json").text == trace["result"]["text"]


def test_highlighting_needs_a_pdf_that_is_cited(library, put, standard):
    other = put(library, "standard.pdf", standard)
    text = put(library, "terms.txt")
    result = library.ask(QUESTION, documents=[text.id])
    with pytest.raises(HighlightError):
        library.highlighted(result.trace_id, text.id)
    with pytest.raises(HighlightError):
        library.highlighted(result.trace_id, other.id)
    with pytest.raises(DocumentNotFoundError):
        library.highlighted(result.trace_id, "0" * 16)
    with pytest.raises(AnswerNotFoundError):
        library.highlighted("0" * 16, text.id)


def test_everything_is_there_after_a_restart(place, put):
    with Library.open(place) as library:
        entry = put(library, "terms.txt")
        result = library.ask(QUESTION)
    with Library.open(place) as library:
        assert library.documents() == (entry,)
        assert library.file(entry.id).is_file()
        assert library.history.record(result.trace_id) == result.to_dict()
        assert library.ask(QUESTION).text == result.text


def test_start_puts_right_what_a_crash_left(place, put):
    with Library.open(place) as library:
        entry = put(library, "terms.txt")
        half = library.partial()
    half.write_bytes(b"half an upl")
    orphan = place.with_name("corpus.db.files") / f"{'0' * 16}-{'0' * 64}.txt"
    orphan.write_bytes(b"renamed, and then the power went")
    with Library.open(place) as library:
        assert kept(place) == [library.file(entry.id)]


def test_files_of_others_in_the_folder_of_uploads_are_left_alone(place):
    with Library.open(place):
        pass
    folder = place.with_name("corpus.db.files")
    mine = [folder / "thesis.docx", folder / "partial" / "notes.txt"]
    for one in mine:
        one.write_text("the only copy")
    with Library.open(place):
        assert all(one.exists() for one in mine)


def test_corpus_can_be_moved_with_its_files(tmp_path, put):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    with Library.open(old / "corpus.db") as library:
        entry = put(library, "terms.txt")
    old.rename(new)
    with Library.open(new / "corpus.db") as library:
        assert library.file(entry.id).read_bytes().startswith(b"SERVICE AGREEMENT")


def test_indexed_files_are_served_where_they_lie_until_they_change(place, tmp_path):
    source = tmp_path / "terms.txt"
    source.write_text("The fee is 5 dollars.")
    with Corpus.open(place) as corpus:
        corpus.add(source)
    with Library.open(place) as library:
        (entry,) = library.documents()
        assert library.file(entry.id) == source
        source.write_text("The fee is 7 dollars, and nobody has indexed that.")
        assert library.file(entry.id) is None
        library.remove(entry.id)
    assert source.exists()


def test_another_program_may_index_meanwhile(place, put, tmp_path):
    with Library.open(place) as library, Corpus.open(place) as other:
        put(library, "terms.txt")
        (tmp_path / "second.txt").write_text("The deposit is 20 dollars.")
        other.add(tmp_path / "second.txt")
        assert [entry.name for entry in library.documents()] == ["second.txt", "terms.txt"]
        assert "20 dollars" in library.ask("What is the deposit?").text


def test_stopped_upload_is_not_kept(library, put, place):
    stop = Stop()

    def progress(*step: object) -> None:
        if step[-1] == "storing":
            stop.ask()

    with pytest.raises(WorkStoppedError):
        put(library, "terms.txt", stop=stop, progress=progress)
    assert library.documents() == ()
    assert kept(place) == []


def test_questions_are_answered_while_documents_are_stored(library, put, standard):
    put(library, "terms.txt")
    enough = threading.Event()

    def fill() -> None:
        number = 0
        while not enough.is_set() or number < 2:
            put(library, f"{number % 6}.pdf", standard)
            number += 1

    with ThreadPoolExecutor(1) as pool:
        filling = pool.submit(fill)
        try:
            for _ in range(10):
                assert "1.5%" in library.ask(QUESTION, documents=[library.documents()[-1].id]).text
        finally:
            enough.set()
    filling.result()
    assert 3 <= len(library.documents()) <= 7


def test_a_long_write_holds_up_no_question(library, put):
    put(library, "terms.txt")
    with ThreadPoolExecutor(1) as pool, library._documents._written.writing():
        assert "1.5%" in pool.submit(library.ask, QUESTION).result(SECONDS).text


def test_extraction_gives_rows(library, put):
    put(library, "terms.txt")
    put(library, "other.txt", b"Nothing of the kind stands in here.")
    told = []
    rows = library.extract(fields_of_questions([QUESTION]), progress=lambda *step: told.append(step))
    assert [(row.document, row.found) for row in rows] == [("other.txt", False), ("terms.txt", True)]
    assert told[-1] == (2, 2, "terms.txt")


def test_extraction_is_bounded_and_can_be_stopped(place, put):
    with Library.open(place, limits=Limits(rows=1)) as library:
        put(library, "a.txt")
        put(library, "b.txt")
        with pytest.raises(InputError, match="too many rows"):
            library.extract(fields_of_questions([QUESTION]))
        stop = Stop()
        with pytest.raises(WorkStoppedError):
            library.extract(
                fields_of_questions([QUESTION]),
                documents=[library.documents()[0].id],
                progress=lambda *_: stop.ask(),
                stop=stop,
            )


def test_verification_against_passages_and_documents(library, put):
    entry = put(library, "terms.txt")
    claim = "A late fee of 1.5% per month will apply to any outstanding balance."
    assert library.verify(claim).supported
    assert library.verify(claim, documents=[entry.id]).supported
    assert not library.verify(claim, passages=["There is no fee at all."]).supported
    assert library.verify(claim, passages=["There is no fee."], documents=[entry.id]).evidence
    with pytest.raises(InputError, match="empty"):
        library.verify(" ")
    with pytest.raises(DocumentNotFoundError):
        library.verify(claim, documents=["0" * 16])


def test_verification_is_bounded(place, put):
    with Library.open(place, limits=Limits(passages=0)) as library:
        put(library, "terms.txt")
        with pytest.raises(InputError, match="too many to check"):
            library.verify("A late fee will apply.")


@pytest.mark.parametrize("name", ["", "a b", "../x", "a/b", "-x", "x" * 65])
def test_name_of_a_corpus_is_plain(place, name):
    with pytest.raises(InputError, match="cannot name a corpus"):
        Library.open(place, name=name)


def test_folder_that_cannot_be_written_is_said_so(tmp_path):
    (tmp_path / "corpus.db.files").write_text("in the way")
    with pytest.raises(StorageError):
        Library.open(tmp_path / "corpus.db")


def test_closing_twice_does_no_harm(place):
    library = Library.open(place)
    library.close()
    library.close()


def test_lines_are_bounded(library, put):
    entry = put(library, "long.txt", b"\n".join(b"Line %d." % number for number in range(5_000)))
    assert len(library.lines(entry.id, 1, 100_000)) == 2_000
    assert library.lines(entry.id, 4_999, 9_000)[-1].number == 5_000
    assert library.lines(entry.id, 9_000, 1) == ()


def test_a_long_change_by_another_program_is_waited_for(place, put, monkeypatch):
    with Library.open(place, limits=Limits(busy_seconds=SECONDS)) as library, Corpus.open(place) as other:
        held, refused = threading.Event(), threading.Event()
        keep = library._documents._written.keep

        def noted(*given) -> None:
            try:
                keep(*given)
            except CorpusBusyError:
                refused.set()
                raise

        def hold() -> None:
            with other.writing():
                held.set()
                assert refused.wait(SECONDS)

        monkeypatch.setattr(library._documents._written, "keep", noted)
        with ThreadPoolExecutor(1) as pool:
            holding = pool.submit(hold)
            assert held.wait(SECONDS)
            assert put(library, "terms.txt").name == "terms.txt"
        holding.result()


def test_two_that_serve_one_corpus_leave_each_other_s_uploads_alone(place, put):
    with Library.open(place) as one:
        half = one.partial()
        half.write_bytes(b"half an upload")
        with Library.open(place) as other:
            assert half.exists()
            entry = put(other, "terms.txt")
            assert one.documents() == (entry,)
            assert one.file(entry.id) == other.file(entry.id)
        with Library.open(place):
            assert half.exists()
    with Library.open(place):
        assert not half.exists()


def test_an_upload_is_as_many_documents_as_lie_in_it(library):
    def upload(**files):
        with zipfile.ZipFile(content := library.partial(), "w") as packed:
            for name, text in files.items():
                packed.writestr(name.replace("_", "."), text)
        return library.add_all("case.zip", content)

    first = upload(a_txt="The janitor lives in flat 7.", b_txt="The roof is red.", c_pdf="broken")
    assert [one.name for one in first.entries] == ["case.zip/a.txt", "case.zip/b.txt"]
    assert [one.path for one in first.failed] == ["case.zip/c.pdf"]
    upload(a_txt="The janitor lives in flat 8.")
    assert [one.name for one in library.documents()] == ["case.zip/a.txt"]
    assert "flat 8" in library.lines(library.documents()[0].id, 1, 1)[0].text


def test_the_storage_of_a_corpus_has_its_index_whatever_its_name(tmp_path, put):
    place = tmp_path / "corpus[1].db"
    with Library.open(place) as library:
        put(library, "terms.txt")
        library.ask("What is the late fee?")
        index = [one for one in tmp_path.rglob("*") if one.is_file() and "corpus[1].db.index" in str(one)]
        files = [place, place.with_name(f"{place.name}-wal"), *index]
        assert library.storage()["corpus"] >= sum(one.stat().st_size for one in files)
        assert index
