"""What a library gives of a document is of one version, and a citation of another version is not shown on this one."""

import pytest

from spanwise.errors import DocumentNotFoundError, DocumentReplacedError
from spanwise.ingest.corpus import Corpus

OLD = b"LEASE\n\nThe late fee is 5 %.\n"
NEW = b"LEASE\n\nA remark.\n\nThe late fee is 8 %.\n"


def test_an_answer_names_the_versions_that_it_cites(library, put):
    entry = put(library, "lease.txt", OLD)
    put(library, "other.txt", b"Nothing of it.\n")
    result = library.ask("What is the late fee?")
    assert result.meta["versions"]["lease.txt"] == entry.sha256
    assert library.history.record(result.trace_id)["meta"]["versions"] == result.meta["versions"]


def test_a_document_is_read_in_one_version(library, put):
    entry = put(library, "lease.txt", OLD)
    with library.opened(entry.id, sha256=entry.sha256) as opened:
        put(library, "lease.txt", NEW)
        assert opened.entry == entry
        assert [line.text for line in opened.lines(1, 99)] == OLD.decode().splitlines()
        assert opened.pages()[0].last_line == 3
        library.remove(entry.id)
        assert [section.title for section in opened.sections()] == ["LEASE"]
        assert opened.lines(3, 3)[0].text == "The late fee is 5 %."
    with pytest.raises(DocumentNotFoundError), library.opened(entry.id):
        pass


def test_another_version_than_the_one_that_is_meant_is_told_in_words(library, put):
    entry = put(library, "lease.txt", OLD)
    put(library, "lease.txt", NEW)
    with pytest.raises(DocumentReplacedError, match="was replaced since: its lines are others now"):
        library.opened(entry.id, sha256=entry.sha256).__enter__()
    with library.opened(entry.id) as opened:
        assert len(opened.lines(1, 99)) == 5
    put(library, "lease.txt", OLD)
    with library.opened(entry.id, sha256=entry.sha256) as opened:
        assert opened.entry.sha256 == entry.sha256


def test_what_was_cited_is_not_marked_in_another_version(library, put, standard, lease_pdf):
    entry = put(library, "paper.pdf", standard)
    result = library.ask("What is cloud computing?")
    assert library.highlighted(result.trace_id, entry.id).startswith(b"%PDF")
    put(library, "paper.pdf", lease_pdf)
    with pytest.raises(DocumentReplacedError, match=r"paper\.pdf was replaced"):
        library.highlighted(result.trace_id, entry.id)
    put(library, "paper.pdf", standard)
    assert library.highlighted(result.trace_id, entry.id).startswith(b"%PDF")


def test_a_check_is_made_against_one_state(library, put, place, monkeypatch):
    """Another program removes a document while the passages of all are collected."""
    for name in ("a.txt", "b.txt", "c.txt"):
        put(library, name, OLD)
    passages = type(library._documents.corpus._truth).snapshot
    with Corpus.open(place) as other:
        looks = []

        def removing(truth):
            looks.append(truth)
            if len(looks) == 2:
                other.remove("c.txt")
            return passages(truth)

        found = library.verify("The late fee is 5 %.", documents=None)
        assert [one.support for one in found.claims] == ["supported"]
        monkeypatch.setattr(type(library._documents.corpus._truth), "snapshot", removing)
        found = library.verify("The late fee is 5 %.", documents=None)
        assert [one.support for one in found.claims] == ["supported"]
