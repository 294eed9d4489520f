"""Hybrid search: vectors beside the index follow the corpus, help the words and never replace them."""

import json
import sqlite3
import zlib
from contextlib import closing

import pytest

from spanwise import Corpus, Engine, Scope, read
from spanwise.errors import InputError, ProviderDownError, StorageError
from spanwise.llm.embedding import embedder_from
from spanwise.retrieval.hybrid import Hybrid
from spanwise.store import vectors as vectors_room
from spanwise.testing import FakeProvider, Fault

LEASE = "# Lease\n\nThe tenant owes 900 pounds every month.\n\n# Pets\n\nCats are welcome.\n"
QUESTION = "What does the tenant owe every month?"
MANUAL = "# Manual\n\nTurn the handle to the left.\n\n# Noise\n\nThe engine hums.\n"


class Meaning:
    """An embedder that knows a few words as the same, and all others by a hash."""

    def __init__(self, name="meaning", dimension=64):
        self.name, self.dimension, self.seen = name, dimension, []

    def embed(self, texts, role="passage"):
        self.seen += [(role, text) for text in texts]
        return [self._vector(text) for text in texts]

    def _vector(self, text):
        vector = [0.001] * self.dimension
        for word in text.lower().replace(".", "").replace("?", "").split():
            same = {"felines": "cats", "allowed": "welcome"}.get(word, word)
            vector[zlib.crc32(same.encode()) % self.dimension] += 1.0
        return vector

    @property
    def passages(self):
        return [text for role, text in self.seen if role == "passage"]


def documents():
    return read(LEASE.encode(), name="lease.md"), read(MANUAL.encode(), name="manual.md")


@pytest.fixture
def corpus(tmp_path):
    with Corpus.open(tmp_path / "corpus.db") as opened:
        opened.put(*documents())
        yield opened


def found(corpus, question, embedder=None, documents=None, **options):
    from spanwise.questions.parse import parse_question
    from spanwise.retrieval.retriever import retrieve

    made = Hybrid(embedder, **options)
    try:
        with corpus.snapshot() as now:
            return retrieve(parse_question(question), made.beside(now), documents=documents)
    finally:
        made.close()


def test_a_passage_without_a_word_of_the_question_is_found_by_meaning_and_words_still_count(corpus):
    question = "Are felines allowed?"
    assert "Cats" not in "".join(hit.passage.text for hit in found(corpus, question))
    [best, *_] = found(corpus, question, Meaning())
    assert "Cats are welcome." in best.passage.text
    assert best.factors["vectors"] == 1.0
    [best, *_] = found(corpus, QUESTION, Meaning())
    assert "900" in best.passage.text
    assert best.factors["full_text"] == 1.0
    assert Engine(corpus, embedder=Meaning()).ask(QUESTION).citations[0].line_start == 3
    assert all(hit.passage.document == "manual.md" for hit in found(corpus, question, Meaning(), ["manual.md"]))


def test_the_only_passage_is_the_nearest_one(corpus):
    corpus.put(read(b"Cats are welcome.", name="note.txt"))
    [only] = found(corpus, "Are felines allowed?", Meaning(), documents=["note.txt"])
    assert only.factors["vectors"] == 1.0


def test_nothing_changes_without_an_embedder(corpus, tmp_path):
    question = "What does the tenant owe?"
    before = Engine(corpus).ask(question)
    assert "vectors" not in json.dumps(before.to_dict()) + str(before.trace)
    Engine(corpus, embedder=Meaning()).ask(question)
    after = Engine(corpus).ask(question)
    drop = {"metrics": None, "trace_id": None}
    assert {**before.to_dict(), **drop} == {**after.to_dict(), **drop}
    assert (tmp_path / "corpus.db.index" / "vectors.db").is_file()


def test_only_what_changed_is_embedded_again_and_what_is_gone_is_forgotten(corpus):
    embedder = Meaning()
    assert corpus.embed(embedder) == len(embedder.passages) == 4
    assert corpus.embed(embedder) == 0
    corpus.put(read(LEASE.replace("Cats", "Dogs").encode(), name="lease.md"))
    assert corpus.embed(embedder) == 1  # the other passage of the document says what it said
    assert "Dogs" in embedder.passages[-1]
    assert found(corpus, "Are dogs allowed?", embedder)[0].passage.text.endswith("Dogs are welcome.")
    corpus.remove("lease.md")
    assert {hit.passage.document for hit in found(corpus, "Are dogs allowed?", embedder)} == {"manual.md"}
    assert len(embedder.passages) == 5


def test_another_embedder_is_told_in_a_sentence_and_all_is_embedded_anew(corpus):
    corpus.embed(Meaning())
    for other in (Meaning("another"), Meaning("another", dimension=32)):
        with pytest.warns(UserWarning, match=r"were of the embedder .*: all passages are embedded anew"):
            assert corpus.embed(other) == 4
    assert found(corpus, "Are felines allowed?", Meaning("another", 32))[0].passage.document == "lease.md"


def test_vectors_of_another_corpus_and_damaged_ones_are_made_anew(corpus, tmp_path):
    corpus.embed(Meaning())
    corpus.close()
    (tmp_path / "corpus.db").unlink()
    with Corpus.open(tmp_path / "corpus.db") as other:
        other.put(documents()[1])
        with pytest.warns(UserWarning, match="another corpus"):
            assert other.embed(Meaning()) == 2
    (tmp_path / "corpus.db.index" / "vectors.db").write_bytes(b"nothing of the kind" * 100)
    for left in (tmp_path / "corpus.db.index").glob("vectors.db-*"):
        left.unlink()
    with Corpus.open(tmp_path / "corpus.db") as other:
        assert other.embed(Meaning()) == 2


def test_a_damaged_vector_of_a_changed_document_is_made_anew_and_a_lost_table_is_told(corpus, tmp_path):
    corpus.embed(Meaning())
    file = tmp_path / "corpus.db.index" / "vectors.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("UPDATE vectors SET seal = seal + 1")
    corpus.put(read(LEASE.replace("Cats", "Dogs").encode(), name="lease.md"))
    assert corpus.embed(Meaning()) == 4
    made = Hybrid(Meaning())
    with corpus.snapshot() as now:
        made.follow(now)
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("DROP TABLE vectors")
    corpus.put(read(LEASE.replace("Cats", "Birds").encode(), name="lease.md"))
    with corpus.snapshot() as now, pytest.raises(StorageError, match="no such table"):
        made.follow(now)
    made.close()


def test_a_question_sees_one_state_whatever_is_embedded_meanwhile(corpus):
    made = Hybrid(Meaning())
    with corpus.snapshot() as now:
        beside = made.beside(now)
        corpus.put(read(LEASE.replace("Cats", "Dogs").encode(), name="lease.md"))
        with corpus.snapshot() as newer:
            made.beside(newer)
        texts = [hit.passage.text for hit in beside.companion.near("Are felines allowed?", None)]
    assert texts[0].endswith("Cats are welcome.")
    assert not any("Dogs" in text for text in texts)
    made.close()


def test_an_interrupted_run_keeps_what_it_has(corpus, monkeypatch):
    class Failing(Meaning):
        def embed(self, texts, role="passage"):
            if len(self.seen) >= 2:
                raise ProviderDownError("it is down")
            return super().embed(texts, role)

    monkeypatch.setattr(vectors_room, "_TOGETHER", 1)
    with pytest.raises(ProviderDownError):
        corpus.embed(Failing())
    assert corpus.embed(Meaning()) == 2


def test_a_scope_limits_what_is_found_by_meaning(corpus):
    engine = Engine(corpus, embedder=Meaning())
    result = engine.ask("Are felines allowed?", documents=["lease.md"], scope=Scope(first_line=1, last_line=4))
    assert all(citation.line_end <= 4 for citation in result.citations)


def test_beyond_the_bound_a_graph_finds_what_the_comparison_of_all_finds(corpus, tmp_path, monkeypatch):
    exact = [(hit.passage.id, hit.score) for hit in found(corpus, "Are felines allowed?", Meaning())]
    monkeypatch.setattr(vectors_room, "EXACT", 2)
    graph = tmp_path / "corpus.db.index" / "vectors.usearch"
    assert [(hit.passage.id, hit.score) for hit in found(corpus, "Are felines allowed?", Meaning())] == exact
    assert graph.is_file()
    corpus.put(read(LEASE.replace("Cats", "Felines").encode(), name="lease.md"))
    assert "Felines" in found(corpus, "Are felines allowed?", Meaning())[0].passage.text
    damaged = bytearray(graph.read_bytes())
    damaged[len(damaged) // 2] ^= 255
    graph.write_bytes(damaged)
    assert "Felines" in found(corpus, "Are felines allowed?", Meaning())[0].passage.text


@pytest.mark.enable_socket
def test_a_database_gives_the_same_hits_as_a_file_and_embeds_what_another_machine_changed(corpus, database):
    with Corpus.open(database) as one, Corpus.open(database) as other:
        one.put(*documents())
        question = "Are felines allowed?"
        hits = [found(each, question, Meaning()) for each in (corpus, one)]
        assert hits[0] == hits[1]
        embedder = Meaning()
        other.put(read(LEASE.replace("Cats", "Dogs").encode(), name="lease.md"))
        assert "Dogs" in found(one, "Are dogs allowed?", embedder)[0].passage.text
        assert len(embedder.passages) == 1


def test_a_reranker_orders_and_each_place_keeps_its_score(corpus):
    plain = found(corpus, "What does the tenant owe?", Meaning())
    turned = found(corpus, "What does the tenant owe?", Meaning(), reranker=lambda _, texts: range(len(texts)))
    assert [hit.passage for hit in turned] == [hit.passage for hit in plain][::-1]
    assert [hit.score for hit in turned] == [hit.score for hit in plain]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"embedder": object()}, "an embedder has"),
        ({"reranker": 3}, "a reranker is called"),
        ({"embedder": Meaning(), "vector_weight": 0}, "above 0"),
        ({"vector_weight": 2}, "name an embedder too"),
        ({"embedder": "nobody:knows"}, "no provider"),
        ({"embedder": "model.onnx"}, "no file"),
        ({"reranker": lambda _question, _texts: ["best"]}, "scores for"),
        ({"embedder": type("Cut", (Meaning,), {"embed": lambda *_: [[1.0]]})()}, "mend it"),
        ({"embedder": type("Nan", (Meaning,), {"_vector": lambda *_: [float("nan")] * 64})()}, "mend it"),
    ],
)
def test_bad_input_is_told_in_a_sentence(corpus, options, message):
    with pytest.raises(InputError, match=message):
        Engine(corpus, **options).ask("What does the tenant owe?")


@pytest.mark.enable_socket
@pytest.mark.parametrize("run", ["ask", "aask", "stream"])
def test_an_endpoint_serves_all_ways_to_ask(corpus, run):
    import asyncio

    def vectors(request):
        return json.dumps(Meaning().embed(request.body["input"]))

    with FakeProvider(vectors) as provider:
        engine = Engine(corpus, embedder=embedder_from("mini", base_url=provider.url, api_key="secret-key-1234"))
        result = {
            "ask": lambda: engine.ask(QUESTION),
            "aask": lambda: asyncio.run(engine.aask(QUESTION)),
            "stream": lambda: list(engine.stream(QUESTION))[-1].result,
        }[run]()
    assert "900" in result.text
    assert [len(request.body["input"]) for request in provider.requests] == [1, 4, 1]


@pytest.fixture
def spanwise(monkeypatch):
    """Calls the command line; the exit code."""
    from spanwise.cli import main

    def call(*words):
        monkeypatch.setattr("sys.argv", ["spanwise", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code

    return call


@pytest.mark.enable_socket
def test_the_command_line_indexes_and_asks(tmp_path, capsys, spanwise):
    (tmp_path / "lease.md").write_text(LEASE)
    corpus = str(tmp_path / "corpus.db")
    with FakeProvider(lambda request: json.dumps(Meaning().embed(request.body["input"]))) as provider:
        options = ["--corpus", corpus, "--embedder", "mini", "--embedder-url", provider.url]
        assert spanwise("index", str(tmp_path / "lease.md"), *options) == 0
        assert spanwise("ask", QUESTION, *options) == 0
        shown = capsys.readouterr().out
        assert "2 passages embedded" in shown
        assert "900" in shown
    with FakeProvider([Fault.rejected("no such model", 404)]) as provider:
        assert spanwise("ask", "What?", "--corpus", corpus, "--embedder", "x", "--embedder-url", provider.url) == 3


def asks(library):
    """What a server does with a library, and then it ends."""
    assert "'vectors'" in str(library.ask(QUESTION).trace)


@pytest.mark.enable_socket
@pytest.mark.parametrize("command", ["extract", "batch", "serve", "mcp", "watch"])
def test_every_command_that_finds_or_reads_takes_an_embedder(command, tmp_path, monkeypatch, spanwise):
    def ended(_seconds):
        raise KeyboardInterrupt

    (tmp_path / "lease.md").write_text(LEASE)
    (tmp_path / "questions.txt").write_text(QUESTION)
    monkeypatch.setattr("spanwise.cli.serving._serve", lambda _plan, libraries, *_, **__: asks(libraries[0]))
    monkeypatch.setattr("spanwise.cli.serving._leave", lambda: None)  # it ends the process, for threads that wait
    monkeypatch.setattr("spanwise.mcp.server.Server.run", lambda server, _transport: asks(server._library))
    monkeypatch.setattr("spanwise.cli.watching.run_watch.__kwdefaults__", {"search": None, "wait": ended})
    monkeypatch.chdir(tmp_path)
    assert spanwise("index", "lease.md", "--corpus", "corpus.db") == 0
    given = {
        "extract": ["--ask", QUESTION, "--workers", "1"],
        "batch": ["questions.txt", "--out", "rows.jsonl", "--workers", "1"],
        "serve": ["--port", "0"],
        "mcp": ["--root", "."],
        "watch": ["lease.md"],
    }[command]
    with FakeProvider(lambda request: json.dumps(Meaning().embed(request.body["input"]))) as provider:
        options = ["--corpus", "corpus.db", "--embedder", "mini", "--embedder-url", provider.url]
        assert spanwise(command, *given, *options) == 0
    embedded = [text for request in provider.requests for text in request.body["input"]]
    assert sum("Cats are welcome." in text for text in embedded) == 1
    assert (QUESTION in embedded) == (command != "watch")
    if command != "watch":
        assert spanwise(command, *given, "--corpus", "corpus.db", "--embedder-url", provider.url) == 2
        assert spanwise(command, *given, "--corpus", "corpus.db", "--reranker", "none.onnx") == 2


def test_a_library_embeds_what_comes_in_for_all_its_engines_and_collections_of_it_too(tmp_path):
    from spanwise.serving.corpus_library import Library

    def put(library):
        (path := library.partial()).write_bytes(LEASE.encode())
        library.add("lease.md", path)

    embedder = Meaning()
    with Library.open(tmp_path / "one.db", hybrid=Hybrid(embedder)) as library:
        put(library)
        assert len(embedder.passages) == 2
        for profile in (None, "contracts"):
            assert "'vectors'" in str(library.ask(QUESTION, profile=profile).trace)
        assert [role for role, _ in embedder.seen] == ["passage", "passage", "query"]
        with library.another(tmp_path / "two.db", "two", "two") as other:
            put(other)
            assert "'vectors'" in str(other.ask(QUESTION).trace)
    assert len(embedder.passages) == 4


def test_who_writes_rows_waits_for_whoever_embeds(corpus):
    import threading

    from spanwise.extraction.fields import fields_of_questions
    from spanwise.extraction.run import extract
    from spanwise.extraction.sinks import RowsInMemory

    first, go_on, sink = threading.Event(), threading.Event(), RowsInMemory()

    class Slow(Meaning):
        def embed(self, texts, role="passage"):
            first.set()
            assert go_on.wait(10)
            return super().embed(texts, role)

    embedder = Meaning()
    fields = fields_of_questions([QUESTION])
    others = [
        threading.Thread(target=corpus.embed, args=[Slow()]),
        threading.Thread(target=extract, args=[fields, corpus, sink], kwargs={"search": Hybrid(embedder)}),
    ]
    others[0].start()
    assert first.wait(10)
    others[1].start()
    others[1].join(0.2)
    assert others[1].is_alive()
    go_on.set()
    for one in others:
        one.join(10)
    assert embedder.passages == []
    assert [row.found for row in sink.rows] == [True, False]
