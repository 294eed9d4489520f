"""A byte that has changed in the files of a corpus: told in one sentence, or put right. `make campaign` flips more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from spanwise import Corpus
from spanwise.errors import StorageError
from spanwise.store.indexed import IndexedStore

TEXTS = {f"{number}.txt": f"The late fee of contract {number} is {number + 10} dollars.\n" for number in range(5)}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    path = tmp_path / "corpus.db"
    with Corpus.open(path) as opened:
        opened.add(folder)
    return path


def found(path: Path) -> list[tuple[str, float]]:
    with Corpus.open(path) as opened:
        return [(hit.passage.id, hit.score) for hit in opened.search("late fee of contract 3", 5)]


def index_files(path: Path) -> list[Path]:
    inside = path.with_name(f"{path.name}.index").rglob("*")
    return sorted(one for one in inside if one.is_file() and one.stat().st_size)


def put(file: Path, data: bytes) -> None:
    """Put other bytes in the place of a file, not into it: a thread that lets go of it may still have it mapped."""
    changed = file.parent.parent / "changed"
    changed.write_bytes(data)
    changed.replace(file)


def test_an_index_in_which_a_byte_changed_is_made_anew(corpus: Path) -> None:
    sound = found(corpus)
    assert [name for name, _ in sound] == ["3.txt:1-1", "0.txt:1-1", "1.txt:1-1", "2.txt:1-1", "4.txt:1-1"]
    for number in range(len(index_files(corpus))):
        files = index_files(corpus)
        file = files[number % len(files)]
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 4
        put(file, data)
        assert found(corpus) == sound, file


def test_a_file_of_the_index_that_was_cut_is_made_anew(corpus: Path) -> None:
    sound = found(corpus)
    file = next(one for one in index_files(corpus) if one.suffix == ".term")
    put(file, file.read_bytes()[:20])
    assert found(corpus) == sound


def test_an_index_that_cannot_be_read_after_a_change_is_made_anew(corpus: Path) -> None:
    listed = next(one for one in index_files(corpus) if one.name == "meta.json")
    fields = listed.read_text()
    assert fields.count('"stored": true') == 1
    listed.write_text(fields.replace('"stored": true', '"stored": false'))
    (corpus.parent / "6.txt").write_text("The late fee of contract 6 is 16 dollars.")
    with Corpus.open(corpus) as opened:
        assert opened.add(corpus.parent / "6.txt").added
        assert opened.search("contract 6", 1)[0].passage.document == "6.txt"


def flip(path: Path, before: bytes, after: bytes) -> None:
    data = path.read_bytes()
    assert before in data
    path.write_bytes(data.replace(before, after))


def test_a_text_that_changed_is_told(corpus: Path) -> None:
    flip(corpus, b"is 13 dollars", b"is 53 dollars")
    with Corpus.open(corpus) as opened:
        with pytest.raises(StorageError, match="The corpus is damaged"):
            opened.search("late fee of contract 3", 5)
        opened.remove("3.txt")
        assert len(opened.search("late fee", 5)) == 4


def test_lines_that_changed_are_told(corpus: Path) -> None:
    with closing(sqlite3.connect(corpus)) as tables, tables:
        [(packed,)] = tables.execute("SELECT runs.lines FROM runs JOIN documents ON id = document WHERE name = '3.txt'")
        broken = bytearray(packed)
        broken[len(broken) // 2] ^= 1
        tables.execute(
            "UPDATE runs SET lines = ? WHERE document = (SELECT id FROM documents WHERE name = '3.txt')",
            (bytes(broken),),
        )
    with Corpus.open(corpus) as opened:
        with pytest.raises(StorageError, match=r"^The corpus is damaged \([^\n]*\): remove the document"):
            opened.lines("3.txt", 1, 1)
        assert opened.lines("2.txt", 1, 1)[0].text == "The late fee of contract 2 is 12 dollars."


def everything(path: Path) -> list[object]:
    """All that a corpus tells of what it holds."""
    with Corpus.open(path) as opened, opened.snapshot() as now:
        listed = now.documents()
        documents = [now.document(one.name) for one in listed]
        hits = now.search("late fee of contract 3", 5)
        found = [IndexedStore.linked(opened, str(path.parent / "documents"))]
        return [listed, documents, hits, *found, [now.passages(one.name) for one in listed]]


CHANGES = [
    ("documents", "name", "'6.txt'", "name = '3.txt'"),
    ("documents", "digest", "'00'", "name = '3.txt'"),
    ("documents", "lines", "lines + 1", "name = '3.txt'"),
    ("documents", "source", "'/elsewhere/3.txt'", "name = '3.txt'"),
    ("parts", "data", "(SELECT data FROM parts WHERE document = 1 AND part = 'pages')", "part = 'sections'"),
    ("parts", "part", "'page'", "part = 'pages'"),
    ("runs", "lines", "(SELECT lines FROM runs WHERE document = 2)", "document = 3"),
    ("runs", "first_line", "2", "document = 3"),
    ("passages", "section", "'Rent'", "document = 3"),
    ("passages", "page", "page + 1", "document = 3"),
    ("passages", "text", "replace(text, '1', '7')", "document = 3"),
    ("passages", "blocks", "'[[1, \"table_row\"]]'", "document = 3"),
    ("passages", "document", "2", "document = 3"),
    ("passages", "id", "99", "document = 3"),
    ("origins", "seal", "seal + 1", "document = 3"),
    ("passages", "text", "CAST(x'66c328' AS TEXT)", "document = 3"),
    ("changes", "token", "'0'", "sequence = 5"),
    ("changes", "passages", "passages - 1", "sequence = 5"),
]


@pytest.mark.parametrize(("table", "column", "value", "which"), CHANGES)
def test_every_value_of_a_corpus_is_told_where_it_changed(
    corpus: Path, table: str, column: str, value: str, which: str
) -> None:
    sound = everything(corpus)
    with closing(sqlite3.connect(corpus)) as tables, tables:
        assert tables.execute(f"UPDATE {table} SET {column} = {value} WHERE {which}").rowcount
    with pytest.raises(StorageError, match=r"^The corpus is damaged \([^\n]*\): remove the document"):
        assert everything(corpus) != sound


@pytest.mark.parametrize("table", ["documents", "parts", "runs", "passages"])
def test_a_row_that_is_missing_is_told(corpus: Path, table: str) -> None:
    with closing(sqlite3.connect(corpus)) as tables, tables:
        tables.execute(f"DELETE FROM {table} WHERE {'id' if table == 'documents' else 'document'} = 3")
    with pytest.raises(StorageError, match="The corpus is damaged"):
        everything(corpus)


def test_a_source_that_is_told_anew_is_sealed_anew(corpus: Path) -> None:
    with Corpus.open(corpus) as opened:
        opened.moved("3.txt", corpus)
        assert opened.stored("3.txt").source.path == str(corpus.resolve())
