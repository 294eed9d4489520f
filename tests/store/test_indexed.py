from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from documents_by_hand import make_document

from spanwise.domain.passage import Passage
from spanwise.errors import DocumentNotFoundError, InputError, StorageError
from spanwise.ingest.corpus import Corpus
from spanwise.store.codec import encode
from spanwise.store.index import open_index
from spanwise.store.indexed import IndexedStore, memory_store, open_store


@pytest.fixture(params=["file", "memory", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[IndexedStore]:
    if request.param == "postgres":
        made = open_store(request.getfixturevalue("database"))
    else:
        made = open_store(tmp_path / "c.db") if request.param == "file" else memory_store()
    yield made
    made.close()


def put(store: IndexedStore, **texts: str) -> None:
    with store.writing() as writing:
        for name, text in texts.items():
            writing.put(encode(make_document(*text.split("\n"), name=name)))


def found(store: IndexedStore, query: str, k: int = 10, documents: list[str] | None = None) -> list[str]:
    return [hit.passage.id for hit in store.search(query, k, documents)]


def test_finds_what_was_put(store: IndexedStore) -> None:
    put(store, a="The penalty is ten percent.", b="The sun is hot.")
    assert found(store, "what is the penalty?") == ["a:1-1"]


def test_finds_nothing_in_an_empty_store(store: IndexedStore) -> None:
    assert found(store, "penalty") == []


@pytest.mark.parametrize("query", ["", "   ", "?!", "zebra", "\ud800", 'body:"', "a" * 100_000, "word " * 50_000])
def test_any_text_is_a_query(store: IndexedStore, query: str) -> None:
    put(store, a="The penalty is ten percent.")
    assert found(store, query) == []


def test_replaced_and_removed_documents_are_not_found(store: IndexedStore) -> None:
    put(store, a="The penalty.", b="The penalty.")
    put(store, a="A bonus.")
    with store.writing() as writing:
        writing.remove("b")
    assert found(store, "penalty bonus") == ["a:1-1"]


def test_removing_what_is_not_there(store: IndexedStore) -> None:
    with store.writing() as writing, pytest.raises(DocumentNotFoundError):
        writing.remove("a")


def test_ties_are_ordered_by_name_and_line_whatever_k(store: IndexedStore) -> None:
    names = [f"d{number:03}" for number in range(200)]
    put(store, **dict.fromkeys(reversed(names), "The same clause."))
    for k in (1, 7, 50, 200):
        assert found(store, "clause", k) == [f"{name}:1-1" for name in names[:k]]


def test_only_in_named_documents(store: IndexedStore) -> None:
    put(store, a="The penalty.", b="The penalty.", c="The penalty.")
    assert found(store, "penalty", documents=["c", "b"]) == ["b:1-1", "c:1-1"]
    assert found(store, "penalty", documents=[]) == []


def test_unknown_document_in_the_filter(store: IndexedStore) -> None:
    with pytest.raises(DocumentNotFoundError, match="nope"):
        store.search("penalty", documents=["nope"])


@pytest.mark.parametrize("k", [0, -1, 10**9])
def test_k_out_of_bounds(store: IndexedStore, k: int) -> None:
    with pytest.raises(InputError, match="k has to be between 1"):
        store.search("penalty", k)


def test_hit_names_what_made_its_score(store: IndexedStore) -> None:
    put(store, a="The penalty.")
    [hit] = store.search("penalty")
    assert hit.factors == {"bm25": hit.score}
    assert hit.score > 0


def test_search_from_many_threads_while_writing(store: IndexedStore) -> None:
    put(store, a="The penalty.")
    with ThreadPoolExecutor(8) as pool:
        searches = [pool.submit(found, store, "penalty", documents=["a"]) for _ in range(200)]
        for number in range(5):
            put(store, **{f"b{number}": "The penalty again."})
        assert all(search.result() == ["a:1-1"] for search in searches)


# How the index follows the truth -------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "c.db"
    with_documents = open_store(path)
    put(with_documents, a="The penalty.", b="A bonus.")
    with_documents.close()
    return path


@pytest.fixture
def opened() -> Iterator[list[IndexedStore]]:
    stores: list[IndexedStore] = []
    yield stores
    for store in stores:
        store.close()


def change_truth(path: Path, **texts: str) -> None:
    """What a process leaves that is killed between truth and index."""
    store = open_store(path)
    for name, text in texts.items():
        store._truth.put(encode(make_document(text, name=name)), None)
    store.close()


def reopen(path: Path, opened: list[IndexedStore]) -> IndexedStore:
    opened.append(open_store(path))
    return opened[-1]


def test_index_that_lags_catches_up(path: Path, opened: list[IndexedStore]) -> None:
    change_truth(path, a="A bonus.", c="A penalty.")
    store = reopen(path, opened)
    assert found(store, "penalty") == ["c:1-1"]
    assert found(store, "bonus") == ["a:1-1", "b:1-1"]


def test_write_after_a_lag_catches_up_first(path: Path, opened: list[IndexedStore]) -> None:
    change_truth(path, c="A penalty.")
    store = reopen(path, opened)
    put(store, d="A penalty.")
    assert found(store, "penalty") == ["a:1-1", "c:1-1", "d:1-1"]


def test_missing_index_is_made_anew(path: Path, opened: list[IndexedStore]) -> None:
    shutil.rmtree(f"{path}.index")
    assert found(reopen(path, opened), "penalty") == ["a:1-1"]


@pytest.mark.parametrize("pattern", ["*.json", "*.store", "*.term", "*.idx", "*.fast", "*"])
@pytest.mark.parametrize("content", [b"", b"garbage" * 100, None])
def test_damaged_index_is_made_anew(
    path: Path, opened: list[IndexedStore], pattern: str, content: bytes | None
) -> None:
    for file in Path(f"{path}.index/1").glob(pattern):
        file.unlink()  # not written in place: a thread that lets go of the file may still have it mapped
        if content is not None:
            file.write_bytes(content)
    assert found(reopen(path, opened), "penalty") == ["a:1-1"]


def test_index_damaged_before_a_write_is_made_anew(path: Path, opened: list[IndexedStore]) -> None:
    for file in Path(f"{path}.index/1").glob("*"):
        file.unlink()
        file.write_bytes(b"garbage")
    store = reopen(path, opened)
    put(store, c="A penalty.")
    assert found(store, "penalty") == ["a:1-1", "c:1-1"]


def test_index_of_another_corpus_is_not_believed(path: Path, tmp_path: Path, opened: list[IndexedStore]) -> None:
    other = open_store(tmp_path / "other.db")
    put(other, x="The penalty.", y="The penalty.")
    other.close()
    shutil.rmtree(f"{path}.index")
    shutil.copytree(tmp_path / "other.db.index", f"{path}.index")
    assert found(reopen(path, opened), "penalty") == ["a:1-1"]


def test_index_left_behind_by_a_deleted_corpus_is_not_believed(path: Path, opened: list[IndexedStore]) -> None:
    path.unlink()
    store = reopen(path, opened)
    assert found(store, "penalty") == []
    put(store, z="The penalty.")
    assert found(store, "penalty") == ["z:1-1"]


def test_index_with_a_passage_too_many_is_made_anew(path: Path, opened: list[IndexedStore]) -> None:
    index = open_index(Path(f"{path}.index"))
    with index.writing() as writer:
        writer.replace("ghost", {99: Passage("ghost:1-1", "ghost", 1, 1, 1, "The penalty.", None, (1,))})
        writer.commit(index.now.state)
    store = reopen(path, opened)
    assert found(store, "penalty") == ["a:1-1"]
    with store.snapshot() as now:
        assert now.ranking.passages == 2


def test_truth_put_back_from_a_copy(path: Path, tmp_path: Path, opened: list[IndexedStore]) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    change_truth(path, c="A penalty.")
    assert found(reopen(path, opened), "penalty") == ["a:1-1", "c:1-1"]
    opened.pop().close()
    shutil.copy(copy, path)
    change_truth(path, d="A penalty.")
    assert found(reopen(path, opened), "penalty") == ["a:1-1", "d:1-1"]


def test_index_that_cannot_be_written(path: Path, opened: list[IndexedStore]) -> None:
    shutil.rmtree(f"{path}.index")
    Path(f"{path}.index").touch()
    store = reopen(path, opened)
    assert found(store, "penalty") == ["a:1-1"]
    with pytest.raises(StorageError, match="index cannot be written"):
        put(store, c="A penalty.")
    assert [document.name for document in store.documents()] == ["a", "b"]


def test_reader_goes_on_while_another_writes(path: Path, opened: list[IndexedStore]) -> None:
    reader, writer = reopen(path, opened), reopen(path, opened)
    assert found(reader, "penalty") == ["a:1-1"]
    with writer.writing() as writing:
        writing.remove("a")
        writing.put(encode(make_document("A penalty.", name="c")))
        # The index does not have it yet, and what it still has is not so any more.
        assert found(reader, "penalty") == ["c:1-1"]
        assert [document.name for document in reader.documents()] == ["b", "c"]
    assert found(reader, "penalty") == ["c:1-1"]


def test_reader_without_index_answers_while_another_writes(path: Path, opened: list[IndexedStore]) -> None:
    reader, writer = reopen(path, opened), reopen(path, opened)
    with writer.writing():
        shutil.rmtree(f"{path}.index")
        assert found(reader, "penalty") == ["a:1-1"]


def test_interrupted_change_is_not_taken_for_indexed(
    path: Path, opened: list[IndexedStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = reopen(path, opened)
    put_truth = store._truth.put

    def put_and_break(*arguments: object) -> None:
        put_truth(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store._truth, "put", put_and_break)
        with pytest.raises(KeyboardInterrupt):
            put(store, c="A penalty.")
    assert found(store, "penalty") == ["a:1-1", "c:1-1"]


def test_lock_is_free_after_a_write_in_another_thread(path: Path, opened: list[IndexedStore]) -> None:
    store = reopen(path, opened)
    thread = threading.Thread(target=put, args=(store,), kwargs={"c": "A penalty."})
    thread.start()
    thread.join()
    put(store, d="A penalty.")
    assert found(store, "penalty") == ["a:1-1", "c:1-1", "d:1-1"]


def test_a_corpus_that_cannot_be_written_can_still_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.db"
    (tmp_path / "a.txt").write_text("The late fee is 7% per month.\n")
    with Corpus.open(path) as corpus:
        corpus.add(tmp_path / "a.txt")
    before = sorted(file.name for file in tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Corpus.open(path) as corpus:
        assert [hit.passage.document for hit in corpus.search("late fee")] == ["a.txt"]
        assert corpus.document("a.txt").line(1).text == "The late fee is 7% per month."
        with pytest.raises(StorageError, match="check the permissions"):
            corpus.remove("a.txt")
    assert sorted(file.name for file in tmp_path.iterdir()) == before
