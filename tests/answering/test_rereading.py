"""Garbled documents: their files are read again by another reader, and the answer comes from that reading."""

from contextlib import contextmanager

import pytest
from trace_cases import POLICY, reply, text, written

import spanwise
from spanwise import ScriptedModel
from spanwise.answering.loop import Rereader
from spanwise.errors import DamagedDocumentError, DocumentNotFoundError
from spanwise.readers.registry import UnknownReaderError, unregister_reader

QUESTION = "What are the exclusions of the home policy?"
GARBLED = "Exc1us1ons of the home po1icy\n\nfl00d w@r\n"


class Stub:
    """A reader that sees what the usual one does not; it keeps the names that it was given."""

    def __init__(self, error=None, content=POLICY):
        self.content = content
        self.seen = []
        self.error = error

    def __call__(self, _data, name):
        self.seen.append(name)
        if self.error is not None:
            raise self.error
        return spanwise.read(self.content.encode(), name="other.md", reader="markdown")


@pytest.fixture
def garbled(tmp_path):
    return written(tmp_path, GARBLED, "policy.txt")


@contextmanager
def registered(reader, **kinds):
    spanwise.register_reader("scans", reader, **kinds)
    try:
        yield reader
    finally:
        unregister_reader("scans")


def model():
    """Says that the text is garbled until it reads otherwise."""

    def answer(call):
        if "price" in call.prompt:
            return reply([])
        if "flood" not in call.prompt:
            return reply([text("fl00d w@r", 3)], context_structured=False)
        return reply([text("damage by flood", 5), text("damage by war", 6)])

    return ScriptedModel(answer)


def corpus_with(path):
    corpus = spanwise.Corpus.memory()
    corpus.put(spanwise.read(b"The home policy has a price.\n", name="another.txt"))
    corpus.add(path)
    return corpus


def passes_of(result):
    return next(step.record for step in result.trace.steps if step.name == "passes")["records"]


@pytest.mark.parametrize(
    ("kinds", "options"),
    [
        ({}, {"reader_for_reparse": "scans"}),
        ({"suffixes": [".txt"]}, {}),
        ({"mime": ["text/plain"]}, {}),
    ],
    ids=["by its name", "by its suffix", "by its kind"],
)
def test_another_reader_reads_the_file_again(garbled, tmp_path, kinds, options):
    with corpus_with(garbled) as corpus, registered(Stub(), **kinds) as reader:
        engine = spanwise.Engine(corpus, model=model(), **options)
        result = engine.ask(QUESTION, documents=["policy.txt"])
        again = engine.ask(QUESTION, documents=["policy.txt"])
        result.save_trace(tmp_path / "trace.json")
        replayed = spanwise.replay(tmp_path / "trace.json")
        stored = corpus.stored("policy.txt").format
    assert (result.decision.kind, set(reader.seen), stored) == ("ship", {"policy.txt"}, "text")
    assert [item.text for item in result.answer.items] == ["damage by flood", "damage by war"]
    assert {citation.document for citation in result.citations} == {"policy.txt"}
    first, second = passes_of(result)
    assert (first["action_taken"], first["pages"], first["readers"]) == ("reparse", [1], {"policy.txt": "scans"})
    assert (second["trigger"], second["action_taken"]) == ("reparse", "ship")
    assert again.to_dict() | {"metrics": 0} == result.to_dict() | {"metrics": 0}
    assert (replayed.warnings, replayed.text) == ((), result.text)
    later = spanwise.replay(tmp_path / "trace.json")  # the reader is gone
    assert "scans" in later.warning_details[-1]["message"]


def test_the_other_reading_stands_in_for_the_stored_one(garbled):
    with corpus_with(garbled) as corpus, registered(Stub(), suffixes=[".txt"]):
        over = Rereader().again(corpus, ["policy.txt"], {}).store
        names = [one.name for one in over.documents()]
        assert names == [one.name for one in corpus.documents()] == ["another.txt", "policy.txt"]
        assert over.document("policy.txt").format == over.stored("policy.txt").format == "scans"
        assert over.stored("policy.txt").source == corpus.stored("policy.txt").source
        assert over.document("another.txt") == corpus.document("another.txt")
        assert [one.title for one in over.sections("policy.txt")] == ["4. Exclusions", "5. Limits"]
        assert over.lines("policy.txt", 5, 5)[0].text.endswith("damage by flood")
        assert over.pages("another.txt") == corpus.pages("another.txt")
        found = over.search("home policy", k=3)
        assert {hit.passage.document for hit in found} == {"policy.txt", "another.txt"}
        assert [hit.passage.document for hit in over.search("home", k=9, documents=["another.txt"])] == ["another.txt"]
        assert over.search("home", k=9, documents=[]) == []
        with pytest.raises(DocumentNotFoundError):
            over.lines("none.txt", 1, 1)


def test_all_documents_stay_searched(garbled):
    with corpus_with(garbled) as corpus, registered(Stub(), suffixes=[".txt"]):
        scripted = model()
        result = spanwise.Engine(corpus, model=scripted).ask(QUESTION)
    assert result.decision.kind == "ship"
    assert any("The home policy has a price." in call.prompt for call in scripted.calls[1:])


def test_without_another_reader_the_next_rule_decides(garbled):
    with corpus_with(garbled) as corpus:
        result = spanwise.Engine(corpus, model=model()).ask(QUESTION, documents=["policy.txt"])
    assert (result.decision.kind, result.text) == ("ship", "fl00d w@r")
    assert "no other reader takes policy.txt" in result.decision.reason
    (only,) = passes_of(result)
    assert (only["pages"], only["readers"]) == ([1], {})


def test_a_document_that_was_no_file_is_not_read_again():
    with spanwise.Corpus.of([spanwise.read(GARBLED.encode(), name="policy.txt")]) as corpus:
        result = spanwise.Engine(corpus, model=model()).ask(QUESTION)
    assert "did not come from a file" in result.decision.reason


def test_a_reader_that_fails_is_named(garbled):
    failing = Stub(DamagedDocumentError("the scan is black", document="policy.txt"))
    with corpus_with(garbled) as corpus, registered(failing, suffixes=[".txt"]):
        result = spanwise.Engine(corpus, model=model()).ask(QUESTION, documents=["policy.txt"])
    assert (result.decision.kind, "the scan is black" in result.decision.reason) == ("ship", True)


def test_what_stays_garbled_ends(garbled):
    scripted = ScriptedModel(lambda _: reply([text("w@r", 3)], context_structured=False))
    same = Stub(content=GARBLED)
    with corpus_with(garbled) as corpus, registered(same, suffixes=[".txt"]) as reader:
        result = spanwise.Engine(corpus, model=scripted).ask(QUESTION, documents=["policy.txt"])
    assert (len(reader.seen), len(scripted.calls) <= 3) == (1, True)
    assert result.decision.kind in ("ship", "not_found")


def test_an_empty_garbled_answer_names_the_pages_of_the_best_hit(garbled):
    scripted = ScriptedModel(
        lambda call: (
            reply([text("damage by flood", 5)]) if "flood" in call.prompt else reply([], context_structured=False)
        )
    )
    with corpus_with(garbled) as corpus, registered(Stub(), suffixes=[".txt"]):
        result = spanwise.Engine(corpus, model=scripted).ask(QUESTION, documents=["policy.txt"])
    assert (result.decision.kind, passes_of(result)[0]["pages"]) == ("ship", [1])


def test_an_unknown_reader_fails_before_the_first_question(garbled):
    with corpus_with(garbled) as corpus, pytest.raises(UnknownReaderError):
        spanwise.Engine(corpus, model=model(), reader_for_reparse="none")
