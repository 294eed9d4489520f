"""What only a database has: other machines, rights, versions, connections that are cut and servers that are gone."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from documents_by_hand import make_document, read
from postgres_server import PASSWORD, USER, Server

from spanwise import batch
from spanwise.errors import (
    CorpusBusyError,
    DatabaseDownError,
    InputError,
    NotACorpusError,
    SpanwiseError,
    StorageError,
)
from spanwise.ingest.corpus import Corpus
from spanwise.serving.corpus_library import Library
from spanwise.store import indexed
from spanwise.store import postgres as database_store
from spanwise.store.address import address_of, shown
from spanwise.store.codec import encode
from spanwise.store.postgres import open_postgres

KILLS = 3
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'spanwise'"
INGEST = """
import sys
from spanwise.ingest.corpus import Corpus
with Corpus.open(sys.argv[1]) as corpus:
    corpus.add(sys.argv[2], workers=1, progress=lambda step: print(step.name, flush=True))
"""


@contextmanager
def other_machine(monkeypatch: pytest.MonkeyPatch, place: Path) -> Iterator[None]:
    """Indexes of what is opened meanwhile lie somewhere else."""
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(place))
        yield


def name_of(url: str) -> str:
    return address_of(url).database


def words(count: int) -> dict[str, str]:
    return {f"d{number}.txt": f"Clause {number} has the mark m{number}x.\n" for number in range(count)}


def test_machines_see_what_one_of_them_acknowledged(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Corpus.open(database) as mine:
        with other_machine(monkeypatch, tmp_path / "other"):
            other = Corpus.open(database)
        with other:
            for at, (writer, reader) in enumerate([(mine, other), (other, mine), (mine, other)]):
                writer.put(make_document(f"The penalty number {at}."))
                assert [hit.passage.text for hit in reader.search("penalty")] == [f"The penalty number {at}."]
            mine.remove("a.txt")
            assert other.search("penalty") == []
    assert len(list(tmp_path.glob("*/spanwise/postgresql-*/3/meta.json"))) == 2


def test_a_reader_follows_while_another_machine_writes(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with other_machine(monkeypatch, tmp_path / "other"):
        other = Corpus.open(database)
    with Corpus.open(database) as mine, other, mine.writing() as writing:
        for at in range(3):
            writing.put(encode(make_document(f"The penalty number {at}.", name=f"d{at}")))
            assert len(other.search("penalty")) == at + 1
        with pytest.raises(CorpusBusyError, match="Another program is writing to the corpus postgresql://"):
            other.put(make_document("No."))


def test_kills_lose_nothing_that_was_acknowledged(database: str, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in words(150).items():
        (folder / name).write_text(text)
    told: set[str] = set()
    for kill in range(KILLS):
        process = subprocess.Popen([sys.executable, "-c", INGEST, database, folder], stdout=subprocess.PIPE, text=True)
        with process:
            try:
                assert process.stdout is not None
                lines = [process.stdout.readline() for _ in range(7 + 20 * kill)]
            finally:
                process.kill()
            lines += process.stdout.readlines()
        told |= {line.strip() for line in lines if line.endswith("\n")}
        with Corpus.open(database) as corpus:
            assert told <= {one.name for one in corpus.documents()}
            assert len(corpus.search("clause mark", k=1000)) == corpus.count()
    with Corpus.open(database) as corpus:
        assert not corpus.add(folder, workers=1).failed
        assert {hit.passage.document for hit in corpus.search("clause mark", k=1000)} == set(words(150))


def test_a_cut_connection_ends_a_change_and_loses_nothing_before_it(
    postgres: Server, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Corpus.open(database) as corpus:
        store = corpus
        with pytest.raises(DatabaseDownError, match="does not answer"), store.writing() as writing:  # noqa: PT012
            writing.put(encode(make_document("The penalty.", name="before")))
            postgres.sql(CUT)
            # Another machine has the right to write now: what the first one indexed is not all that there is.
            with other_machine(monkeypatch, tmp_path / "other"), Corpus.open(database) as other:
                other.put(make_document("The penalty too.", name="meanwhile"))
            writing.put(encode(make_document("The penalty.", name="after")))
        assert [hit.passage.document for hit in corpus.search("penalty")] == ["before", "meanwhile"]
        corpus.put(make_document("The penalty.", name="later"))
        assert len(corpus.search("penalty")) == 3


def test_a_full_disk_leaves_nothing_half_written(postgres: Server, database: str) -> None:
    address = address_of(database)
    with Corpus.open(database) as corpus:
        corpus.put(make_document("The penalty.", name="before"))
        postgres.sql(
            f"SET search_path = {address.schema}",
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END $$",
            "CREATE TRIGGER t BEFORE INSERT ON changes EXECUTE FUNCTION full_disk()",
            database=address.database,
        )
        with pytest.raises(StorageError, match=r"has no room \(No space left on device\): make some"):
            corpus.put(make_document("The penalty.", name="after"))
        assert [one.name for one in corpus.documents()] == ["before"]
        postgres.sql(f"DROP TRIGGER t ON {address.schema}.changes", database=address.database)
        corpus.put(make_document("The penalty.", name="after"))
        assert [hit.passage.document for hit in corpus.search("penalty")] == ["after", "before"]


def test_a_database_that_is_gone_is_told_and_found_again(postgres: Server, database: str) -> None:
    with Corpus.open(database) as corpus:
        corpus.put(make_document("The penalty."))
        with corpus.snapshot() as before:
            postgres.stop()
            try:
                for call in (lambda: corpus.search("penalty"), lambda: corpus.put(make_document("No."))):
                    with pytest.raises(DatabaseDownError, match=r"does not answer \(.+\): look whether it runs"):
                        call()
                with pytest.raises(DatabaseDownError, match="does not answer"):
                    before.lines("a.txt", 1, 1)
            finally:
                postgres.start()
        assert [line.text for line in corpus.lines("a.txt", 1, 1)] == ["The penalty."]
        postgres.sql(CUT)  # every idle connection
        corpus.put(make_document("The penalty.", name="b"))
        assert len(corpus.search("penalty")) == 2


def test_opening_an_empty_database_from_many_threads(database: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        for made in pool.map(lambda _: open_postgres(address_of(database), create=True), range(4)):
            made.close()


def test_a_corpus_that_is_not_there_is_not_made_unasked(postgres: Server, empty_database: str) -> None:
    with pytest.raises(NotACorpusError, match="There is no corpus at postgresql://"):
        Corpus.open(empty_database, create=False)
    assert (
        postgres.sql("SELECT nspname FROM pg_namespace WHERE nspname = 'spanwise'", database=name_of(empty_database))
        == []
    )


def test_versions_lead_from_one_to_the_next(
    postgres: Server, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Corpus.open(empty_database) as corpus:
        corpus.put(make_document("One."))
        with monkeypatch.context() as newer:
            newer.setattr(database_store, "STEPS", ("ALTER TABLE documents ADD COLUMN more BIGINT",))
            open_postgres(address_of(empty_database), create=False).close()
        columns = "SELECT column_name FROM information_schema.columns WHERE column_name = 'more'"
        assert postgres.sql(columns, database=name_of(empty_database)) == ["more"]
        # A program that was running already may neither read nor write what it does not know.
        for call in (lambda: corpus.search("one"), lambda: corpus.put(make_document("Two."))):
            with pytest.raises(NotACorpusError, match=r"has version 2.* reads version 1; update"):
                call()
    with pytest.raises(NotACorpusError, match=r"has version 2.* reads version 1; update"):
        Corpus.open(empty_database)


def test_tables_of_another_program_are_left_alone(postgres: Server, empty_database: str) -> None:
    postgres.sql("CREATE TABLE theirs (x int)", database=name_of(empty_database))
    with pytest.raises(NotACorpusError, match=r"schema public .* has tables of another program"):
        Corpus.open(f"{empty_database}&schema=public")
    with Corpus.open(f"{empty_database}&schema=Odd%20%22name"), Corpus.open(empty_database) as corpus:
        assert corpus.count() == 0


def test_rights_that_are_missing(postgres: Server, empty_database: str) -> None:
    guest = empty_database.replace(f"{USER}:", "guest:")
    with pytest.raises(StorageError, match="lets this user not in: check name and password"):
        Corpus.open(guest)
    postgres.sql(f"CREATE ROLE guest LOGIN PASSWORD '{PASSWORD}'")
    try:
        with pytest.raises(StorageError, match=r"forbids this .* GRANT CREATE ON DATABASE"):
            Corpus.open(guest)
        with Corpus.open(empty_database) as corpus:
            corpus.put(make_document("The penalty."))
        allowed = "GRANT USAGE ON SCHEMA spanwise TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA spanwise TO guest"
        postgres.sql(allowed, database=name_of(empty_database))
        with Corpus.open(guest) as corpus:
            assert len(corpus.search("penalty")) == 1
            with pytest.raises(StorageError, match="forbids this"):
                corpus.remove("a.txt")
    finally:
        postgres.sql("DROP OWNED BY guest", database=name_of(empty_database))
        postgres.sql("DROP ROLE guest")


@pytest.mark.parametrize(
    ("url", "kind", "told"),
    [
        ("postgresql://u:top-secret@/db?host=/nowhere", DatabaseDownError, "does not answer"),
        ("postgresql://u:top[secret@h/db", InputError, "cannot be read: write it as"),
        ("postgresql://u:top-secret@h:port/db", InputError, "cannot be read: write it as"),
        ("postgresql://u:top-secret@h/db#more", InputError, "cannot be read: write it as"),
        ("postgresql://u:top-secret@h/db?foo=1", InputError, "'foo' is no option"),
        ("postgresql://u:top-secret@h/db?sslmode=maybe", InputError, "'maybe' is no sslmode"),
    ],
)
def test_addresses_that_lead_nowhere_and_keep_the_password(url: str, kind: type[SpanwiseError], told: str) -> None:
    with pytest.raises(kind, match=told) as raised:
        Corpus.open(url)
    assert "secret" not in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://me:pw@db.example:6543/team", "postgresql://me@db.example:6543/team"),
        ("postgres://m%40e:p%2Fw@[::1]/team?schema=x", "postgresql://m%40e@[::1]:5432/team?schema=x"),
        ("postgresql:///team?host=/run/pg&user=me&password=pw", "postgresql://me@:5432/team?host=/run/pg"),
        ("corpus.db", "corpus.db"),
    ],
)
def test_a_corpus_is_shown_without_its_password(url: str, name: str) -> None:
    assert shown(url) == name


def test_a_library_serves_it(database: str, tmp_path: Path) -> None:
    with Library.open(database) as mine, Library.open(database) as other:
        upload = mine.partial()
        upload.write_text("The late fee is 7% per month.\n")
        entry = mine.add("rent.txt", upload)
        assert other.entry(entry.id).name == "rent.txt"
        assert "7%" in other.ask("What is the late fee?").text
    assert list(tmp_path.glob("data/spanwise/postgresql-*.files"))


def test_text_that_a_database_does_not_take_is_kept(database: str) -> None:
    with closing(open_postgres(address_of(database), create=True)) as truth:
        odd = make_document("\x00\x1a", "\x1a1\x1a0\x00", name="\x1a")
        truth.put(encode(odd), None)
        assert read(truth, "document", "\x1a") == odd


def test_another_machine_catches_up_in_few_statements(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Corpus.open(database) as corpus:
        corpus.put(*(make_document("The penalty.", name=f"d{number}") for number in range(120)))
        ran: list[str] = []
        run = database_store.Postgres.rows
        monkeypatch.setattr(
            database_store.Postgres, "rows", lambda self, *said: ran.append(said[0]) or run(self, *said)
        )
        with corpus._truth.snapshot() as now:
            assert indexed._new_index(None, now).now.passages == 120
        assert len(ran) < 12


def test_a_batch_writes_its_rows_beside_the_corpus_and_goes_on(postgres: Server, database: str, tmp_path: Path) -> None:
    lease = tmp_path / "lease.txt"
    lease.write_text("Lease\n\nThe monthly fee is EUR 900.\n")
    out = f"{database}&table=facts"
    with Corpus.open(database) as corpus, ThreadPoolExecutor(1) as client:
        corpus.add(lease)
        first = batch.run(["What is the monthly fee?"], corpus, out, client=client)
        lease.write_text("Lease\n\nThe monthly fee is EUR 950.\n")
        corpus.add(lease)
        second = batch.run(["What is the monthly fee?", "Who is the tenant?"], corpus, out, client=client)
        third = batch.run(["What is the monthly fee?", "Who is the tenant?"], corpus, out, client=client)
    assert (first.found, second.resumed, third.resumed) == (1, 0, 2)
    schema = address_of(database).schema
    asked = f'SELECT name, found, quote FROM "{schema}".facts ORDER BY name'
    told = postgres.sql(asked, database=name_of(database))
    assert told == ["what_is_the_monthly_fee|1|The monthly fee is EUR 950.", "who_is_the_tenant|0|"]
    with pytest.raises(InputError, match="cannot name a table"):
        batch.run(["Who?"], database, f"{database}&table=a;b")
