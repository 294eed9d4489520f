from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from spanwise.domain.document import Document, Line, Page
from spanwise.errors import CorpusBusyError, DocumentNotFoundError
from spanwise.ingest import ingest
from spanwise.ingest.corpus import Corpus
from spanwise.ingest.ingest import IngestProgress, IngestReport
from spanwise.readers.registry import register_reader, unregister_reader
from spanwise.store import indexed


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path / "c.db") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", a="The penalty.", b="A bonus.")


def write(folder: Path, **texts: str) -> Path:
    """Files that were written long enough ago for their times to be trusted."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        path = folder / f"{name}.txt"
        path.write_text(text)
        age(path, 100)
    return folder


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def names(corpus: Corpus) -> list[str]:
    return [document.name for document in corpus.documents()]


# What is added -------------------------------------------------------------------------------------------------------


def test_folder_is_read_to_the_bottom(corpus: Corpus, folder: Path) -> None:
    write(folder / "sub" / "deep", c="Deep.")
    assert corpus.add(folder) == IngestReport(added=("a.txt", "b.txt", "sub/deep/c.txt"))
    assert names(corpus) == ["a.txt", "b.txt", "sub/deep/c.txt"]


def test_hidden_and_unknown_files_in_a_folder_are_left_out(corpus: Corpus, folder: Path) -> None:
    write(folder, **{".hidden": "x"})
    write(folder / ".git", config="x")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    assert corpus.add(folder).added == ("a.txt", "b.txt")


def test_file(corpus: Corpus, folder: Path) -> None:
    assert corpus.add(folder / "a.txt").added == ("a.txt",)


def test_glob(corpus: Corpus, folder: Path) -> None:
    write(folder / "sub", a2="x", z="x")
    assert corpus.add(str(folder / "**" / "a*.txt")).added == ("a.txt", "sub/a2.txt")


def test_file_whose_name_looks_like_a_glob(corpus: Corpus, folder: Path) -> None:
    write(folder, **{"a[1]": "x"})
    assert corpus.add(folder / "a[1].txt").added == ("a[1].txt",)


def test_file_named_twice_is_one_document(corpus: Corpus, folder: Path) -> None:
    assert corpus.add(folder / "a.txt", folder, folder / "a.txt").added == ("a.txt", "b.txt")


def test_same_name_from_other_places_gets_longer(corpus: Corpus, tmp_path: Path) -> None:
    for place in ("x", "y", "z/y"):
        write(tmp_path / place, a=place)
    report = corpus.add(tmp_path / "x/a.txt", tmp_path / "y/a.txt", tmp_path / "z/y/a.txt")
    assert report.added == ("a.txt", "y/a.txt", "z/y/a.txt")
    assert corpus.add(tmp_path / "z/y/a.txt").unchanged == ("z/y/a.txt",)


def test_name_that_is_not_utf8(corpus: Corpus, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(path, "wb") as file:
        file.write(b"Text.")
    [name] = corpus.add(os.fsdecode(path)).added
    assert corpus.document(name).lines[0].text == "Text."
    assert corpus.add(os.fsdecode(path)).unchanged == (name,)


# What is done again --------------------------------------------------------------------------------------------------


def test_second_run_reads_nothing(corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.add(folder)
    monkeypatch.setattr(ingest, "read_job", None)
    monkeypatch.setattr(ingest, "read_all", None)
    assert corpus.add(folder) == IngestReport(unchanged=("a.txt", "b.txt"))


def test_changed_file_is_replaced(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder)
    write(folder, a="The fee.")
    age(folder / "a.txt", 50)
    assert corpus.add(folder) == IngestReport(replaced=("a.txt",), unchanged=("b.txt",))
    assert [hit.passage.text for hit in corpus.search("fee penalty")] == ["The fee."]


@pytest.mark.parametrize("ahead", [0, 86_400])  # a clock that ran backwards since: the file is of tomorrow
def test_change_right_after_reading_is_seen(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    if not ahead:  # "right after", however long the steps of this test take
        monkeypatch.setattr(ingest, "_RACY_NS", 3600 * 10**9)
    path = tmp_path / "a.txt"
    then = time.time_ns() + ahead * 10**9
    for text, done in (("One.", "added"), ("Two.", "replaced")):
        path.write_text(text)
        os.utime(path, ns=(then, then))
        assert getattr(corpus.add(path), done) == ("a.txt",)


def test_touched_file_is_unchanged(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder)
    age(folder / "a.txt", 10)
    assert corpus.add(folder).unchanged == ("a.txt", "b.txt")


def test_removed_file_is_removed_with_its_folder(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder)
    (folder / "a.txt").unlink()
    assert corpus.add(folder / "b.txt").removed == ()
    assert corpus.add(folder) == IngestReport(unchanged=("b.txt",), removed=("a.txt",))
    assert corpus.search("penalty") == []


def test_removed_file_is_removed_with_its_glob(corpus: Corpus, folder: Path) -> None:
    corpus.add(str(folder / "*.txt"))
    (folder / "a.txt").unlink()
    assert corpus.add(str(folder / "*.txt")).removed == ("a.txt",)


def test_known_file_is_linked_to_a_folder_that_is_added_later(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder / "a.txt")
    corpus.add(folder)
    (folder / "a.txt").unlink()
    assert corpus.add(folder).removed == ("a.txt",)


def test_folder_that_became_empty_is_emptied(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder)
    for path in folder.iterdir():
        path.unlink()
    assert corpus.add(folder).removed == ("a.txt", "b.txt")


def test_removed_and_added_again(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder)
    (folder / "a.txt").unlink()
    corpus.add(folder)
    write(folder, a="The penalty.")
    assert corpus.add(folder).added == ("a.txt",)


def test_moved_folder_is_recognised(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder)
    moved = folder.rename(folder.with_name("moved"))
    assert corpus.add(moved).unchanged == ("a.txt", "b.txt")
    (moved / "a.txt").unlink()
    assert corpus.add(moved).removed == ("a.txt",)


# What fails ----------------------------------------------------------------------------------------------------------


def test_missing_path(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(DocumentNotFoundError, match="no file or folder"):
        corpus.add(tmp_path / "nope")


def test_missing_path_stops_before_anything_is_done(corpus: Corpus, folder: Path) -> None:
    with pytest.raises(DocumentNotFoundError):
        corpus.add(folder, folder / "nope")
    assert names(corpus) == []


@pytest.mark.parametrize("path", ["", "x" * 5000, "a\0b"])
def test_path_that_cannot_be(corpus: Corpus, path: str) -> None:
    with pytest.raises(DocumentNotFoundError, match="no file or folder"):
        corpus.add(path or "./nope/")


def test_folder_without_documents(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DocumentNotFoundError, match=r"has no document that can be read \(.*\.pdf.*name another"):
        corpus.add(tmp_path / "empty")


def test_glob_without_matches(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(DocumentNotFoundError, match="finds no document"):
        corpus.add(str(tmp_path / "*.pdf"))


def test_failing_file_stops_no_other(corpus: Corpus, folder: Path) -> None:
    (folder / "a2.txt").write_bytes(b"")
    report = corpus.add(folder)
    assert report.added == ("a.txt", "b.txt")
    [failure] = report.failed
    assert (failure.path, failure.error) == (str(folder / "a2.txt"), "EmptyDocumentError")
    assert "empty" in failure.message


def test_document_whose_file_breaks_is_kept(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder)
    (folder / "a.txt").write_bytes(b"")
    assert len(corpus.add(folder).failed) == 1
    assert names(corpus) == ["a.txt", "b.txt"]


def test_second_writer_is_told(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    def add_elsewhere(_: IngestProgress) -> None:
        with Corpus.open(tmp_path / "c.db") as other, pytest.raises(CorpusBusyError, match="Another process"):
            other.add(folder)

    assert corpus.add(folder, progress=add_elsewhere).added == ("a.txt", "b.txt")


# How it goes ---------------------------------------------------------------------------------------------------------


def test_progress_tells_what_is_stored(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    steps: list[IngestProgress] = []

    def note(step: IngestProgress) -> None:
        steps.append(step)
        with Corpus.open(tmp_path / "c.db") as other:
            assert other.document(step.name)

    corpus.add(folder, progress=note)
    assert steps == [IngestProgress(1, 2, "a.txt", "added"), IngestProgress(2, 2, "b.txt", "added")]


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_ingest_goes_on_where_it_was(corpus: Corpus, tmp_path: Path, workers: int) -> None:
    folder = write(tmp_path / "many", **{f"f{number}": f"Clause {number}. " + "x " * 100_000 for number in range(12)})
    done: list[str] = []

    def interrupt(step: IngestProgress) -> None:
        done.append(step.name)
        if len(done) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.add(folder, progress=interrupt, workers=workers)
    assert names(corpus) == sorted(done)
    assert len(corpus.search("clause", k=50)) == 3
    report = corpus.add(folder, workers=workers)
    assert (len(report.added), report.unchanged) == (9, tuple(sorted(done)))


def test_several_processes_make_the_same_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What each commit leaves behind weighs a little in every score, and a slow machine commits more often.
    monkeypatch.setattr(indexed, "_SECONDS_A_COMMIT", math.inf)
    folder = write(tmp_path / "many", **{f"f{number}": f"Clause {number}.\n" * 20_000 for number in range(6)})
    (folder / "bad.pdf").write_bytes(b"no")
    with Corpus.memory() as one, Corpus.memory() as several:
        assert one.add(folder, workers=1) == several.add(folder, workers=3)
        assert names(one) == names(several)
        assert all(one.document(name) == several.document(name) for name in names(one))
        assert one.search("clause 3", k=5) == several.search("clause 3", k=5)


def test_reader_that_was_registered_here_reads(corpus: Corpus, tmp_path: Path) -> None:
    def reader(data: bytes, name: str) -> Document:
        return Document("", name, "", (Line(1, 1, 1, data.decode()),), (Page(1, "1", 0, 0, 1, 1),))

    register_reader("own", reader, suffixes=[".own"])
    try:
        for number in range(3):
            (tmp_path / f"{number}.own").write_text(f"own {number} " + "x" * 1_000_000)
        assert corpus.add(tmp_path, workers=2).added == ("0.own", "1.own", "2.own")
    finally:
        unregister_reader("own")
