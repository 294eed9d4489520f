from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

import spanwise
from spanwise.domain.document import Document, Line, Page
from spanwise.errors import DocumentNotFoundError, NotACorpusError
from spanwise.ingest.corpus import Corpus
from spanwise.store.port import Store


def document(name: str, text: str) -> Document:
    identity = hashlib.sha256(text.encode()).hexdigest()
    return Document(identity, name, "text", (Line(1, 1, 1, text),), (Page(1, "1", 0.0, 0.0, 1, 1),))


def test_corpus_is_a_store() -> None:
    with Corpus.memory() as corpus:
        store: Store = corpus
        assert store.documents() == ()


def test_corpus_of_documents() -> None:
    given = document("a", "The penalty.")
    with Corpus.of([given]) as corpus:
        assert corpus.document("a") == given
        assert corpus.lines("a", 1, 9) == given.lines
        assert corpus.pages("a") == given.pages
        assert corpus.sections("a") == ()
        assert [passage.text for passage in corpus.passages("a")] == ["The penalty."]
        assert [hit.passage.document for hit in corpus.search("penalties")] == ["a"]
        assert corpus.stored("a").id == given.id


def test_put_replaces_by_name() -> None:
    with Corpus.of([document("a", "The penalty."), document("a", "The fee.")]) as corpus:
        assert [stored.lines for stored in corpus.documents()] == [1]
        assert corpus.search("penalty") == []


def test_remove() -> None:
    with Corpus.of([document("a", "The penalty.")]) as corpus:
        corpus.remove("a")
        assert corpus.search("penalty") == []
        with pytest.raises(DocumentNotFoundError):
            corpus.remove("a")


def test_what_is_added_is_there_when_opened_again(tmp_path: Path) -> None:
    with Corpus.open(tmp_path / "c.db") as corpus:
        corpus.put(document("a", "The penalty."))
    with Corpus.open(str(tmp_path / "c.db"), create=False) as corpus:
        assert [hit.passage.id for hit in corpus.search("penalty")] == ["a:1-1"]


def test_missing_corpus_is_not_made_unasked(tmp_path: Path) -> None:
    with pytest.raises(NotACorpusError, match="no corpus at"):
        Corpus.open(tmp_path / "c.db", create=False)


def test_closing_twice_does_no_harm(tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "c.db")
    corpus.close()
    corpus.close()


def test_closed_corpus_says_so(tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "c.db")
    corpus.close()
    with pytest.raises(spanwise.errors.SpanwiseError, match="closed"):
        corpus.search("penalty")


def test_reading_needs_no_reader_library() -> None:
    code = "import sys, spanwise; spanwise.Corpus.memory().close(); print('pypdfium2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
