"""Folders that machines have under different paths."""

import shutil

import pytest

from spanwise.errors import InputError
from spanwise.ingest.corpus import Corpus


def test_a_file_is_the_same_where_its_folder_has_another_path(tmp_path, monkeypatch):
    one, two, corpus = tmp_path / "one", tmp_path / "two", tmp_path / "c.db"
    (one / "in").mkdir(parents=True)
    (one / "in" / "a.txt").write_text("The fee is 5.\n")
    (one / "b.txt").write_text("The rent is 7.\n")
    monkeypatch.setenv("SPANWISE_ROOTS", f"papers={one}")
    with Corpus.open(corpus) as opened:
        assert opened.add(one).added == ("b.txt", "in/a.txt")
        assert opened.stored("b.txt").source.path == str(one / "b.txt")
    shutil.copytree(one, two)
    shutil.rmtree(one)
    (two / "b.txt").unlink()
    monkeypatch.setenv("SPANWISE_ROOTS", f"other=/nowhere; papers={two}")
    with Corpus.open(corpus) as opened:
        report = opened.add(two)
        assert (report.unchanged, report.removed, report.added) == (("in/a.txt",), ("b.txt",), ())
        assert opened.stored("in/a.txt").source.path == str(two / "in" / "a.txt")
    monkeypatch.delenv("SPANWISE_ROOTS")
    with Corpus.open(corpus) as opened:
        assert opened.stored("in/a.txt").source.path == "root:papers/in/a.txt"


@pytest.mark.parametrize("given", ["papers", "papers=relative", "=/x", "a=/x;a=/y", "a b=/x"])
def test_roots_that_cannot_be_read_are_told(monkeypatch, given):
    monkeypatch.setenv("SPANWISE_ROOTS", given)
    with Corpus.memory() as corpus, pytest.raises(InputError, match="SPANWISE_ROOTS"):
        corpus.add(__file__.replace("test_roots.py", "documents_by_hand.py"))
