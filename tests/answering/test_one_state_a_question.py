"""One question sees one state: whatever is changed while it is answered, all of its answer is of before or of after."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from trace_cases import reply, text

import spanwise
from spanwise import ScriptedModel
from spanwise.answering import ask, outcome
from spanwise.errors import DocumentNotFoundError, HighlightError
from spanwise.extraction.fields import Field
from spanwise.extraction.run import extract
from spanwise.extraction.sinks import RowsInMemory
from spanwise.ingest.corpus import Corpus

QUESTION = "What is the late fee of the lease?"
WHO = "What does the document say about the windows of the house?"
MOMENTS = [
    (ask, "question_of"),
    (ask, "retrieve"),
    (ask, "check"),
    (ask, "bounded"),
    (outcome, "_missing"),
    (outcome, "trace_of"),
]


def sheet(version: int) -> str:
    """The late fee stands elsewhere in every version, and says of which it is."""
    remarks = "".join(f"Remark {at} of version {version} is about paint.\n\n" for at in range(version))
    fee = f"The late fee of the lease is {version + 5} % (version {version})."
    return f"LEASE\n\n{remarks}{fee}\n\nThe tenant repairs the windows of the house (version {version}).\n"


def other(at: int) -> str:
    return f"NOTE\n\nNote {at} says that the late fee of another lease is waived.\n"


def replaced(corpus: Corpus) -> None:
    corpus.put(spanwise.read(sheet(3).encode(), name="lease.txt"))


def removed(corpus: Corpus) -> None:
    for one in corpus.documents():
        corpus.remove(one.name)


def renamed(corpus: Corpus) -> None:
    corpus.remove("lease.txt")
    corpus.put(spanwise.read(sheet(0).encode(), name="renamed.txt"))


def shortened(corpus: Corpus) -> None:
    corpus.put(spanwise.read(b"Gone.\n", name="lease.txt"))


@pytest.fixture(params=["its own", "another's", "in memory"])
def corpora(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Corpus, Corpus]]:
    """A corpus to ask, and the one that changes it meanwhile."""
    corpus = Corpus.memory() if request.param == "in memory" else Corpus.open(tmp_path / "c.db")
    writer = Corpus.open(tmp_path / "c.db") if request.param == "another's" else corpus
    corpus.put(spanwise.read(sheet(1).encode(), name="lease.txt"))
    corpus.put(*(spanwise.read(other(at).encode(), name=f"note-{at}.txt") for at in range(3)))
    yield corpus, writer
    corpus.close()
    writer.close()


@contextmanager
def at_moment(
    monkeypatch: pytest.MonkeyPatch, moment: tuple[object, str], change: Callable[[], None]
) -> Iterator[list]:
    """Has the change made right before a step of the question, once."""
    module, name = moment
    step, done = getattr(module, name), []

    def interrupted(*arguments, **options):
        if not done:
            done.append(name)
            change()
        return step(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(module, name, interrupted)
        yield done


def check(result: spanwise.Result, versions: dict[str, spanwise.Document]) -> None:
    """Every line that the answer cites stands in the version that it names."""
    nearest = result.missing.nearest if result.missing is not None else ()
    named = result.meta["versions"]
    assert isinstance(named, dict)
    for citation in (*result.citations, *nearest):
        lines = versions[named[citation.document]].lines[citation.line_start - 1 : citation.line_end]
        assert "\n".join(line.text for line in lines) == citation.quote
    kept = {one["stored"]["name"]: one["stored"]["id"] for one in step(result, "proof")["documents"]}
    assert all(named[name] == version for name, version in kept.items() if name in named)
    parsed = {one["name"]: one["id"] for one in step(result, "parsing")["documents"]}
    assert named.items() <= parsed.items()


def step(result: spanwise.Result, name: str) -> dict:
    return next(one.record for one in result.trace.steps if one.name == name)


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment[1])
@pytest.mark.parametrize("change", [replaced, removed, renamed, shortened])
def test_what_is_changed_meanwhile_is_not_there(
    corpora: tuple[Corpus, Corpus],
    monkeypatch: pytest.MonkeyPatch,
    moment: tuple[object, str],
    change: Callable[[Corpus], None],
) -> None:
    corpus, writer = corpora
    versions = {one.id: one for one in map(corpus.document, [one.name for one in corpus.documents()])}
    engine = spanwise.Engine(corpus)
    question = "Which zebra won the tournament in Lisbon?" if moment[1] == "_missing" else QUESTION
    expected = engine.ask(question)
    with at_moment(monkeypatch, moment, lambda: change(writer)) as done:
        result = engine.ask(question)
    assert done
    check(result, versions)
    assert (result.text, result.trace_id, result.citations) == (expected.text, expected.trace_id, expected.citations)
    for one in writer.documents():
        versions[one.id] = writer.document(one.name)
    check(engine.ask(question), versions)


def test_the_next_question_sees_the_change(corpora: tuple[Corpus, Corpus]) -> None:
    corpus, writer = corpora
    engine = spanwise.Engine(corpus)
    assert "version 1" in engine.ask(QUESTION).text
    replaced(writer)
    assert "version 3" in engine.ask(QUESTION).text
    removed(writer)
    assert engine.ask(QUESTION).decision.kind == "not_found"


def test_a_named_document_that_is_gone_before_is_an_error(corpora: tuple[Corpus, Corpus]) -> None:
    corpus, writer = corpora
    renamed(writer)
    with pytest.raises(DocumentNotFoundError, match=r"lease\.txt"):
        spanwise.Engine(corpus).ask(QUESTION, documents=["lease.txt"])
    assert spanwise.Engine(corpus).ask(QUESTION, documents=["renamed.txt"]).text


def answered(call) -> str:
    line = next((line for line in call.prompt.splitlines() if "tenant repairs" in line), None)
    if line is None:
        return reply([])
    number, *_, words = line.split("\t")
    return reply([text(words, int(number))])


async def listed(events: AsyncIterator[object]) -> list[object]:
    return [event async for event in events]


@pytest.mark.parametrize("way", ["ask", "aask", "stream", "astream", "ask_many"])
def test_a_model_that_takes_its_time_is_answered_from_the_same_state(corpora: tuple[Corpus, Corpus], way: str) -> None:
    corpus, writer = corpora
    versions = {one.id: one for one in map(corpus.document, [one.name for one in corpus.documents()])}
    calls: list[str] = []

    def slow(call) -> str:
        if "tenant repairs" not in call.prompt:
            return reply([])
        calls.append(call.prompt)
        if len(calls) == 1:
            replaced(writer)
            writer.remove("note-1.txt")
            return reply([], llm_discovered_keywords=["late fee"])  # another pass
        return answered(call)

    engine = spanwise.Engine(corpus, model=ScriptedModel(slow))
    if way == "ask":
        result = engine.ask(WHO)
    elif way == "aask":
        result = asyncio.run(engine.aask(WHO))
    elif way == "stream":
        *_, last = engine.stream(WHO)
        result = last.result
    elif way == "astream":
        *_, last = asyncio.run(listed(engine.astream(WHO)))
        result = last.result
    else:
        [result] = engine.ask_many([WHO])
    assert len(calls) > 1
    assert "version 1" in result.text
    check(result, versions)


def test_a_stream_that_nobody_reads_to_its_end_lets_go(tmp_path: Path) -> None:
    with Corpus.open(tmp_path / "c.db") as corpus:
        corpus.put(spanwise.read(sheet(1).encode(), name="lease.txt"))
        events = spanwise.Engine(corpus, model=ScriptedModel(answered)).stream(WHO)
        next(events)
        events.close()
        truth = corpus._truth
        assert not truth._states._older
        assert truth._states._now.users == 0


def test_several_questions_can_be_asked_of_one_state(corpora: tuple[Corpus, Corpus]) -> None:
    corpus, writer = corpora
    with corpus.snapshot() as now:
        engine = spanwise.Engine(now)
        first = engine.ask(QUESTION)
        removed(writer)
        assert engine.ask(QUESTION).trace_id == first.trace_id
        assert engine.plan(QUESTION).calls == 0


def test_a_highlight_of_a_version_that_was_replaced_says_so(tmp_path: Path, standard: Path) -> None:
    file = tmp_path / "paper.pdf"
    file.write_bytes(standard.read_bytes())
    with Corpus.open(tmp_path / "c.db") as corpus:
        corpus.add(file)
        result = spanwise.Engine(corpus).ask("What is exact time?")
        file.write_bytes(standard.read_bytes() + b"\n%changed")
        corpus.add(file)
        with pytest.raises(HighlightError, match="has changed since it was read"):
            result.highlight(tmp_path / "out.pdf")


def test_rows_are_of_the_version_that_they_name(tmp_path: Path) -> None:
    field = Field("fee", QUESTION)
    with Corpus.open(tmp_path / "c.db") as corpus, Corpus.open(tmp_path / "c.db") as writer:
        for name in ("a.txt", "b.txt", "c.txt"):
            corpus.put(spanwise.read(sheet(1).encode(), name=name))

        def change(_done: int, _all: int, name: str) -> None:
            if name == "a.txt":
                writer.put(spanwise.read(sheet(3).encode(), name="b.txt"))
                writer.remove("c.txt")

        rows = RowsInMemory()
        extract([field], corpus, rows, progress=change)
        a, b, c = rows.rows
        assert (a.document_id, b.document_id) == (
            spanwise.read(sheet(1).encode(), name="x").id,
            writer.stored("b.txt").id,
        )
        assert "version 1" in str(a.quote)
        assert "version 3" in str(b.quote)
        assert (c.found, c.decision) == (False, "removed")
        json.dumps(c.to_dict())


def test_a_file_that_is_another_one_by_now_is_not_read_again(tmp_path: Path) -> None:
    file = tmp_path / "lease.txt"
    file.write_text(sheet(1))
    with Corpus.open(tmp_path / "c.db") as corpus:
        corpus.add(file)
        file.write_text(sheet(3))
        model = ScriptedModel(lambda _: reply([text("LEASE", 1)], context_structured=False))
        result = spanwise.Engine(corpus, model=model, reader_for_reparse="markdown").ask(WHO)
        assert "version 3" not in json.dumps(result.to_dict())
        assert any("is another one by now" in json.dumps(one.record) for one in result.trace.steps)
