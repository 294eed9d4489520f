"""A snapshot shows one state of documents and ranking, whoever changes them, and costs nothing that it keeps."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from documents_by_hand import make_document

from spanwise.errors import CorpusBusyError, DocumentNotFoundError, StorageError
from spanwise.store import index, indexed, sqlite
from spanwise.store.codec import encode
from spanwise.store.index import IndexUnusableError, Ranking
from spanwise.store.indexed import IndexedStore, memory_store, open_store
from spanwise.store.port import Source
from spanwise.store.snapshot import StoreSnapshot
from spanwise.store.tables import Tables


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "c.db"


@pytest.fixture
def beside(path: Path) -> Iterator[IndexedStore]:
    """Another handle, as another process has it."""
    made = open_store(path)
    yield made
    made.close()


@pytest.fixture(params=["its own", "another's", "in memory", "a database's", "another's in a database"])
def stores(request: pytest.FixtureRequest, path: Path) -> Iterator[tuple[IndexedStore, IndexedStore]]:
    """A store to read from, and the one that changes it."""
    with ExitStack() as opened:
        place = request.getfixturevalue("database") if "database" in request.param else path
        store = memory_store() if request.param == "in memory" else open_store(place)
        opened.callback(store.close)
        writer = store
        if request.param.startswith("another's"):
            writer = open_store(place)
            opened.callback(writer.close)
        put(store, a="The penalty.", b="A bonus.")
        yield store, writer


def put(store: IndexedStore, **texts: str) -> None:
    with store.writing() as writing:
        for name, text in texts.items():
            writing.put(encode(make_document(*text.split("\n"), name=name)))


def remove(store: IndexedStore, name: str) -> None:
    with store.writing() as writing:
        writing.remove(name)


def found(now: StoreSnapshot | IndexedStore, query: str) -> list[tuple[str, str]]:
    return [(hit.passage.id, hit.passage.text) for hit in now.search(query)]


def shifted(at: int) -> str:
    """A version in which everything stands two lines lower than in the one before."""
    return "Filler.\n\n" * at + f"The penalty number {at}."


def everything(now: StoreSnapshot) -> object:
    names = [one.name for one in now.documents()]
    return (
        now.documents(),
        now.count(),
        [(now.stored(name), now.document(name), now.pages(name), now.sections(name)) for name in names],
        [(now.lines(name, 1, 99), now.passages(name)) for name in names],
        found(now, "penalty"),
        found(now, "bonus"),
        now.openings(["penalty"]),
        now.similar_terms("penalty"),
    )


def open_files(path: Path) -> int:
    links = (Path("/proc/self/fd", one) for one in os.listdir("/proc/self/fd"))
    return sum(os.readlink(link) in (str(path), f"{path}-wal") for link in links if os.path.lexists(link))


def test_nothing_changes_in_a_snapshot(stores: tuple[IndexedStore, IndexedStore]) -> None:
    store, writer = stores
    with store.snapshot() as now:
        before = everything(now)
        put(writer, a="Shifted.\n\nThe penalty again.", c="A penalty too.")
        assert everything(now) == before
        remove(writer, "b")
        with writer.writing() as writing:
            writing.set_source("a", Source("/a", 1, 2))
        assert everything(now) == before
        with store.snapshot() as later:
            assert found(later, "penalty bonus") != found(now, "penalty bonus")
            assert later.stored("a").source == Source("/a", 1, 2)
            with pytest.raises(DocumentNotFoundError):
                later.stored("b")
        assert now.stored("b").name == "b"
    assert sorted(found(store, "penalty bonus")) == [
        ("a:1-3", "Shifted.\n\nThe penalty again."),
        ("c:1-1", "A penalty too."),
    ]


def test_what_is_read_only_after_the_change_is_of_before(stores: tuple[IndexedStore, IndexedStore]) -> None:
    store, writer = stores
    with store.snapshot() as now:
        put(writer, a="Shifted.\n\nThe penalty again.")
        remove(writer, "b")
        assert found(now, "penalty bonus") == [("a:1-1", "The penalty."), ("b:1-1", "A bonus.")]
        assert [line.text for line in now.lines("a", 1, 9)] == ["The penalty."]
        assert now.pages("b")


def test_each_snapshot_has_its_own_state(stores: tuple[IndexedStore, IndexedStore]) -> None:
    store, writer = stores
    with ExitStack() as opened:
        snapshots = []
        for at in range(6):
            put(writer, a=shifted(at))
            snapshots.append(opened.enter_context(store.snapshot()))
        for at, now in enumerate(snapshots):
            [(_, text)] = found(now, "number")
            assert text.endswith(f"number {at}.")
            assert now.stored("a").lines == 2 * at + 1


def test_while_somebody_writes_the_new_version_is_found_and_the_old_one_is_not(
    path: Path, beside: IndexedStore
) -> None:
    store = open_store(path)
    put(store, a="The penalty.", b="A bonus.", d="The penalty is due.")
    assert len(found(beside, "penalty")) == 2
    with store.writing() as writing:
        writing.put(encode(make_document("Shifted.", "", "The penalty of the new version.", name="a")))
        with beside.snapshot() as now:
            assert sorted(found(now, "penalty")) == [
                ("a:1-3", "Shifted.\n\nThe penalty of the new version."),
                ("d:1-1", "The penalty is due."),
            ]
            writing.put(encode(make_document("A penalty.", name="c")))
            writing.remove("d")
            assert {place for place, _ in found(now, "penalty")} == {"a:1-3", "d:1-1"}
        assert {place for place, _ in found(beside, "penalty")} == {"a:1-3", "c:1-1"}
        with pytest.raises(DocumentNotFoundError):
            beside.search("penalty", documents=["d"])
        assert beside.openings(["penalty"]) == ["c", "a"] or set(beside.openings(["penalty"])) == {"a", "c"}
        assert beside.similar_terms("version") == {"version": 1}
    assert {place for place, _ in found(beside, "penalty")} == {"a:1-3", "c:1-1"}
    store.close()


def test_scores_of_what_is_not_indexed_yet_compare(path: Path, beside: IndexedStore) -> None:
    """Ranked apart, a word is rare where it stands in one of two passages, and common where it stands in all."""
    store = open_store(path)
    put(store, **{f"d{at}": f"The penalty of clause {at} concerns the delivery." for at in range(40)})
    put(store, best="The penalty for late payment is ten percent.")
    whole = [(hit.passage.document, hit.score) for hit in store.search("late payment penalty", 5)]
    remove(store, "best")
    with store.writing() as writing:
        writing.put(encode(make_document("The penalty for late payment is ten percent.", name="best")))
        writing.put(encode(make_document("A penalty.", name="weak")))
        apart = [(hit.passage.document, hit.score) for hit in beside.search("late payment penalty", 5)]
    assert apart[0][0] == whole[0][0] == "best"
    assert "weak" not in [name for name, _ in apart[:1]]
    store.close()


def test_a_long_write_is_ranked_step_by_step(path: Path, beside: IndexedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[str] = []
    numbered = Tables.numbered
    monkeypatch.setattr(Tables, "numbered", lambda now, names: added.extend(names) or numbered(now, names))
    store = open_store(path)
    put(store, a="The penalty.")
    with store.writing() as writing:
        for at in range(5):
            writing.put(encode(make_document(f"Penalty number {at}.", name=f"n{at}")))
            assert len(found(beside, "penalty")) == at + 2
            assert len(found(beside, "number")) == at + 1
    assert added.count("n0") == 1
    store.close()


def test_very_much_that_is_not_indexed_yet_is_found_later(
    path: Path, beside: IndexedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexed, "_MOST_NEWER", 3)
    store = open_store(path)
    put(store, a="The penalty.")
    with store.writing() as writing:
        writing.put(
            encode(make_document(*(f"{'Long filler words. ' * 90}{at} penalty" for at in range(8)), name="long"))
        )
        writing.put(encode(make_document("A short penalty.", name="short")))
        assert {place.split(":")[0] for place, _ in found(beside, "penalty")} == {"a", "short"}
    assert {place.split(":")[0] for place, _ in found(beside, "penalty")} == {"a", "short", "long"}
    store.close()


def test_an_index_that_runs_ahead_is_waited_for(path: Path, beside: IndexedStore) -> None:
    """Between the look at the tables and the one at the index somebody replaces everything."""
    store = open_store(path)
    put(beside, a="The penalty.")
    assert found(store, "penalty")
    taken, rounds = store._truth.snapshot, [0]

    @contextmanager
    def interrupted():
        with taken() as tables:
            rounds[0] += 1
            if rounds[0] < 4:
                put(beside, a=shifted(rounds[0]))
                assert found(beside, "penalty")
            yield tables

    store._truth.snapshot = interrupted  # type: ignore[method-assign]
    with store.snapshot() as now:
        assert not now.lags
        assert [text for _, text in found(now, "penalty")] == [passage.text for passage in now.passages("a")]
    store.close()


def test_a_ranking_that_cannot_be_read_is_made_anew_from_the_same_state(
    stores: tuple[IndexedStore, IndexedStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, writer = stores
    search = Ranking.search

    def damaged(ranking: Ranking, *arguments: object) -> object:
        if ranking is first:
            raise IndexUnusableError("gone")
        return search(ranking, *arguments)  # type: ignore[arg-type]

    with store.snapshot() as now:
        first = now.ranking
        put(writer, a="Another text.", c="A penalty.")
        monkeypatch.setattr(Ranking, "search", damaged)
        assert found(now, "penalty") == [("a:1-1", "The penalty.")]
    assert found(store, "penalty") == [("c:1-1", "A penalty.")]


def test_an_index_in_memory_stands_in_only_until_the_one_on_the_disk_can_be_used(
    path: Path, beside: IndexedStore
) -> None:
    put(beside, a="The penalty.")
    store = open_store(path)
    with beside.writing() as writing:
        for file in Path(f"{path}.index").rglob("*.json"):
            file.unlink()
        assert found(store, "penalty") == [("a:1-1", "The penalty.")]
        assert store._stands_in
        writing.set_source("a", Source("/a", 1, 2))
    put(beside, b="A penalty.")
    assert len(found(store, "penalty")) == 2
    assert not store._stands_in
    store.close()


def test_readers_leave_nothing_open(path: Path) -> None:
    store, writer = open_store(path), open_store(path)
    put(writer, a="The penalty.")
    found(store, "penalty")
    put(writer, a="The penalty.")
    before = open_files(path)
    for at in range(20):
        with store.snapshot() as now, ExitStack() as others:
            put(writer, a=f"The penalty {at}.")
            for _ in range(3):
                others.enter_context(store.snapshot())
            assert now.lines("a", 1, 1)
    assert open_files(path) <= before + 2  # SQLite keeps a few files to use them again
    assert not store._truth._states._older
    store.close()
    writer.close()
    assert open_files(path) == 0


def test_an_abandoned_generator_lets_go(path: Path) -> None:
    store = open_store(path)
    put(store, a="The penalty.")

    def reading():
        with store.snapshot() as now:
            yield now

    unread = [reading() for _ in range(3)]
    for one in unread:
        next(one)
    held = store._truth._states._now
    put(store, a="Another.")
    unread.append(unread)  # type: ignore[arg-type]  # only the garbage collector ends it
    del unread, one
    with store._truth._states._lock:  # as where it ends it in a thread that is just taking a snapshot
        gc.collect()
        assert held.users
    found(store, "another")
    assert held.users == 0 or held not in store._truth._states._older
    store.close()


def test_the_journal_stays_short_though_somebody_always_reads(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_LONG_JOURNAL", 1_000_000)
    monkeypatch.setattr(sqlite, "_TIDYING_MS", 500)
    store, writer = open_store(path), open_store(path)
    put(writer, a="The penalty.")
    longest = 0
    noise = [os.urandom(400).hex() for _ in range(400)]
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            with store.snapshot() as now:
                now.lines("a", 1, 99)
                ended.wait(0.01)

    with ThreadPoolExecutor(3) as pool:
        reading = [pool.submit(read) for _ in range(3)]
        try:
            for at in range(60):
                put(writer, a="\n".join(noise[at : at + 300]))
                longest = max(longest, os.stat(f"{path}-wal").st_size)
        finally:
            ended.set()
        for one in reading:
            one.result()
    assert longest < 5_000_000
    store.close()
    writer.close()


def test_who_only_reads_refuses_no_writer(path: Path) -> None:
    """A reader that finds the index behind holds the lock for a moment, to bring it up to date."""
    store, writer = open_store(path), open_store(path)
    put(writer, a="The penalty.")
    ended = threading.Event()

    def hold() -> None:
        while not ended.is_set():
            with suppress(CorpusBusyError), store._write_lock.held():
                ended.wait(0.02)
            ended.wait(0.05)  # a reader has other things to do: a lock that is taken again at once lets nobody in

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        try:
            for at in range(10):
                put(writer, a=f"The penalty {at}.")
        finally:
            ended.set()
        holding.result()
    assert found(store, "penalty") == [("a:1-1", "The penalty 9.")]
    store.close()
    writer.close()


def test_older_tables_ask_for_no_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, writer = open_store(path), open_store(path)
    put(writer, a="The penalty.")
    with store._truth.snapshot() as before:
        put(writer, a="Another.")
        store._opened_index()
        held = store._write_lock.held
        asked: list[object] = []
        monkeypatch.setattr(store._write_lock, "held", lambda *wait: asked.append(wait) or held(*wait))
        store._ranking(before)
    assert not asked
    store.close()
    writer.close()


def test_a_copy_of_a_store_in_memory_is_made_only_for_who_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[object] = []
    opened = sqlite.open_memory
    monkeypatch.setattr(sqlite, "open_memory", lambda **options: copies.append(options) or opened(**options))
    store = memory_store()
    copies.clear()
    for at in range(5):
        put(store, a=f"The penalty {at}.")
        assert found(store, "penalty")
    assert not copies
    with store.snapshot() as now, store.snapshot():
        put(store, a="Another.")
        put(store, a="Another still.")
        assert found(now, "penalty")
    assert len(copies) == 1
    store.close()


def test_a_snapshot_of_a_closed_store_says_so(stores: tuple[IndexedStore, IndexedStore]) -> None:
    store, writer = stores
    with store.snapshot() as now:
        writer.close()
        store.close()
        if not isinstance(store._truth, sqlite.MemoryTruth):
            with pytest.raises(StorageError, match="closed"):
                now.lines("a", 1, 1)
    with pytest.raises(StorageError, match="closed"), store.snapshot():
        pass


@pytest.mark.parametrize("where", ["in memory", "in a file", "in a database"])
def test_many_threads_each_see_one_version(request: pytest.FixtureRequest, path: Path, where: str) -> None:
    place = request.getfixturevalue("database") if where == "in a database" else path
    store = memory_store() if where == "in memory" else open_store(place)
    writer = store if where == "in memory" else open_store(place)
    ended = threading.Event()

    def version(at: int) -> str:
        return "\n".join([*["Filler."] * (at % 7), f"Penalty of version {at}.", f"Fee of version {at}."])

    def look(_: int) -> list[tuple[set[str], set[str]]]:
        seen = []
        while not ended.is_set():
            with store.snapshot() as now:
                hits = {text.split("version ")[-1] for _, text in found(now, "penalty fee version")}
                lines = {line.text.split("version ")[1] for line in now.lines("a", 1, 99) if "version" in line.text}
                seen.append((hits, lines))
        return seen

    put(writer, a=version(0))
    with ThreadPoolExecutor(3) as pool:
        looks = [pool.submit(look, at) for at in range(3)]
        try:
            for at in range(1, 25):
                put(writer, a=version(at))
        finally:
            ended.set()
        every = [one for each in looks for one in each.result()]
    assert len(every) > 3
    assert all(hits == lines and len(lines) == 1 for hits, lines in every)
    store.close()
    writer.close()


def test_an_index_that_has_seen_many_commits_is_opened_again(
    path: Path, beside: IndexedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_WORN", 3)
    opened: list[Path] = []
    monkeypatch.setattr(indexed, "open_index", lambda place: opened.append(place) or index.open_index(place))
    with ExitStack() as ends:
        store = open_store(path)
        ends.callback(store.close)
        with store.snapshot() as before:
            put(beside, a="The penalty.")
            seen = []
            for number in range(20):
                put(beside, b=f"The bonus is {number}.")
                writes = len(opened)
                assert [hit.passage.text for hit in store.search("bonus")] == [f"The bonus is {number}."]
                seen.append(len(opened) - writes)
            assert before.documents() == ()
    assert 3 <= sum(seen) <= 7
