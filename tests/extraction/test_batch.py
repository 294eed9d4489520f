"""Batches: the same rows on every executor, resumed by row, with every failure named and none tried for ever."""

import json
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import pytest

from spanwise import batch, executors
from spanwise.engine import Engine
from spanwise.errors import InputError, NotACorpusError, ServiceError
from spanwise.executors import Died, mapped, pool_of
from spanwise.extraction.fields import Field
from spanwise.extraction.sinks import open_sink
from spanwise.extraction.value_rows import DIED, FAILED, keys_of, nothing
from spanwise.ingest.corpus import Corpus
from spanwise.llm.port import ModelProfile
from spanwise.llm.scripted import ScriptedModel

TEXTS = {
    "one.txt": "Agreement\n\nThe monthly fee is USD 1,500. This Agreement is governed by the laws of Delaware.\n",
    "two.txt": "Lease\n\nThe tenant is Harbor Books Ltd. The monthly fee is EUR 900.\n",
    "six.txt": "Notes\n\nThe orchard was planted in 1987.\n",
}
QUESTIONS = """\
"What is the monthly fee?"

{"question": "Which law governs the Agreement?", "name": "law", "documents": ["one.txt", "nowhere.txt"]}
{"question": "Who is the tenant?", "name": "tenant", "across": true}
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch")
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    (folder / "questions.jsonl").write_text(QUESTIONS)
    with Corpus.open(folder / "corpus.db") as opened:
        opened.add(*(folder / name for name in TEXTS), workers=1)
    return folder / "corpus.db"


@contextmanager
def cluster():
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address="127.0.0.1:0", protocol="inproc"
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        yield client


EXECUTORS = {
    "threads": lambda: ThreadPoolExecutor(2),
    "processes": lambda: ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")),
    "dask": cluster,
}


@pytest.fixture(scope="module")
def plain(corpus):
    """The rows of the plain loop, one question after the other."""
    asked, _ = batch.read_questions(corpus.parent / "questions.jsonl")
    with Corpus.open(corpus) as opened:
        tasks = batch.tasks_of(asked, opened)
    asking = batch.Asking(str(corpus))
    return [json.loads(json.dumps(row.to_dict())) for task in tasks for row in batch.answer(asking, task).rows]


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.enable_socket
@pytest.mark.parametrize("name", EXECUTORS)
def test_any_executor_gives_the_rows_of_the_plain_loop(corpus, plain, tmp_path, name):
    out, seen = tmp_path / "rows.jsonl", []
    with EXECUTORS[name]() as client:
        report = batch.run(corpus.parent / "questions.jsonl", corpus, out, client=client, progress=seen.append)
    assert records(out) == plain
    assert [(row["document"], row["name"], row["decision"]) for row in plain] == [
        ("one.txt", "what_is_the_monthly_fee", "ship"),
        ("one.txt", "law", "ship"),
        ("six.txt", "what_is_the_monthly_fee", "not_found"),
        ("two.txt", "what_is_the_monthly_fee", "ship"),
        ("nowhere.txt", "law", "removed"),
        ("", "tenant", "ship"),
    ]
    assert (plain[-1]["cited_document"], "Harbor Books" in plain[-1]["quote"]) == ("two.txt", True)
    assert (report.found, report.not_found, report.failed, report.broken) == (4, 2, 0, ())
    assert (seen[0].done, seen[-1].done, seen[-1].total, seen[-1].seconds_left) == (0, 6, 6, 0.0)


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "sqlite", "parquet"])
def test_a_batch_is_gone_on_from_by_row(corpus, plain, tmp_path, suffix):
    out, asked = tmp_path / f"rows.{suffix}", corpus.parent / "questions.jsonl"
    with ThreadPoolExecutor(1) as client:

        class Killed(BaseException):
            pass

        def kill(now):
            if now.done >= 3:
                raise Killed

        with pytest.raises(Killed):
            batch.run(asked, corpus, out, client=client, progress=kill)
        report = batch.run(asked, corpus, out, client=client)
        assert (report.resumed, report.found + report.not_found) == (3, 3)
        before = out.read_bytes()
        assert batch.run(asked, corpus, out, client=client).resumed == 6
    assert out.read_bytes() == before
    assert held(out) == {(row["document"], row["name"]) for row in plain}


def held(out):
    with open_sink(out) as sink:
        return {(document, asked[0]) for (document, _), some in sink.held().items() for asked in some}


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "sqlite", "parquet"])
def test_what_failed_is_asked_again_and_what_died_is_not(tmp_path, suffix):
    out, field = tmp_path / f"rows.{suffix}", Field("fee", "What is the fee?")
    rows = [nothing(field, name, "1", decision=name, reason="why") for name in (FAILED, DIED, "not_found")]
    keys = keys_of(rows)
    for _ in range(2):
        with open_sink(out) as sink:
            sink.keep(keys)
            sink.write([row for row in rows if (row.document, "1") not in sink.held()])
        assert held(out) == {(DIED, "fee"), ("not_found", "fee")}


def test_parquet_has_types_and_the_order_of_the_rows(corpus, plain, tmp_path):
    from pyarrow import parquet

    with ThreadPoolExecutor(2) as client:
        batch.run(corpus.parent / "questions.jsonl", corpus, tmp_path / "facts.parquet", client=client)
    assert [path.name for path in tmp_path.iterdir()] == ["facts.parquet"]
    rows = parquet.read_table(tmp_path / "facts.parquet").to_pylist()
    assert [(row["document"], row["found"], row["line_start"], row["quote"]) for row in rows] == [
        (row["document"], row["found"], row["line_start"], row["quote"]) for row in plain
    ]


def test_broken_lines_are_named_by_their_number_and_the_others_asked(tmp_path):
    path = tmp_path / "questions.jsonl"
    good = b'\xef\xbb\xbf"Who is the tenant?"\n'
    broken = [
        b'{"question": "Who',
        b"[1]",
        b'{"question": ""}',
        b'{"question": "Who is it?", "colour": 1}',
        b'{"question": "Who is it?", "type": "amuont"}',
        b'{"question": "Who is it?", "documents": []}',
        b'"Who is the tenant?"',
        b'"\xff"',
        b"[" * 50_000,
        b'"' + b"x" * 200_000 + b'"',
    ]
    path.write_bytes(good + b"\n" + b"\n".join(broken) + b'\n"Which law governs it?"')
    asked, told = batch.read_questions(path)
    assert [one.field.question for one in asked] == ["Who is the tenant?", "Which law governs it?"]
    assert [line.number for line in told] == list(range(3, 13))
    assert all(words in told[at].message for at, words in {0: "JSON", 3: "colour", 4: "amount", 6: "line 1"}.items())
    path.write_text("\n")
    with pytest.raises(InputError, match="no question"):
        batch.read_questions(path)


def test_a_worker_without_the_corpus_ends_the_batch_with_a_sentence(tmp_path):
    with pytest.raises(NotACorpusError, match="no corpus"):
        batch.run(["Who?"], tmp_path / "none.db", tmp_path / "rows.jsonl")
    with pytest.raises(InputError, match="tcp://"), pool_of("scheduler:8786", 1):
        pass
    with pytest.raises(InputError, match="client is of type"), pool_of(7, 1):
        pass


def test_workers_that_cannot_do_the_work_cost_no_row(corpus, plain, tmp_path, monkeypatch):
    out, asked = tmp_path / "rows.jsonl", corpus.parent / "questions.jsonl"
    with ThreadPoolExecutor(1) as client:
        with monkeypatch.context() as other:
            other.setattr("spanwise.executors._of_one_version", partial(elsewhere, executors._of_one_version))
            with pytest.raises(ServiceError, match=r"has version 9 .* by version"):
                batch.run(asked, corpus, out, client=client)
        with monkeypatch.context() as other, Corpus.open(tmp_path / "stale.db") as stale:
            stale.add(corpus.parent / "two.txt")  # what a worker sees whose copy is old
            other.setattr("spanwise.extraction.run.opened_here", lambda _: stale)
            batch.run(asked, corpus, out, client=client)
        assert {row["decision"] for row in records(out) if row["document"] == "one.txt"} == {"removed"}
        batch.run(asked, corpus, out, client=client)
    assert held(out) == {(row["document"], row["name"]) for row in plain}
    assert {row["decision"] for row in records(out) if row["document"] == "one.txt"} == {"ship"}


def elsewhere(run, version, *task):
    with pytest.MonkeyPatch.context() as other:
        other.setattr("spanwise.executors._version", lambda: "9")
        return run(version, *task)


def test_a_task_that_kills_its_worker_is_named_once_and_costs_no_other(tmp_path):
    tasks = [("a", tmp_path), ("poison", tmp_path), ("b", tmp_path), ("c", tmp_path)]
    with pool_of(None, 1) as pool:
        outcomes = list(mapped(letter, tasks, pool))
    assert [one if isinstance(one, str) else type(one) for one in outcomes] == ["A", Died, "B", "C"]
    assert len(list(tmp_path.iterdir())) <= 2  # beside others, and alone
    with EXECUTORS["processes"]() as given, pool_of(given, 1) as pool, pytest.raises(ServiceError, match="have ended"):
        list(mapped(letter, tasks, pool))


def test_processes_that_cannot_be_started_are_no_documents_that_kill_them(corpus, tmp_path):
    """A script without a guard of its main module starts itself anew in each process."""
    script = tmp_path / "unguarded.py"
    script.write_text(
        "from spanwise import batch\nfrom spanwise.extraction.fields import Field\n"
        "fields = [Field('fee', 'What is the fee?', 'quantity')]\n"
        f"batch.run(fields, {str(corpus)!r}, {str(tmp_path / 'rows.jsonl')!r}, workers=2)"
    )
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 1
    told = [line for line in ended.stderr.splitlines() if line.startswith("spanwise.")]
    assert "no process could be started" in told[-1]  # Python may warn of its own processes behind it
    assert (tmp_path / "rows.jsonl").read_text() == ""


def letter(task):
    name, folder = task
    if name == "poison":
        (folder / str(os.getpid())).touch()
        os._exit(9)
    return name.upper()


class Priced(ScriptedModel):
    """Costs one dollar a call."""

    def __init__(self):
        profile = ModelProfile(
            "priced", context_window=8_000, max_output_tokens=10, input_price=0, output_price=100_000
        )
        super().__init__(lambda _: "The monthly fee is USD 1,500 [1].", profile=profile)

    def complete(self, call):
        reply = super().complete(replace(call, max_output_tokens=10))
        return replace(reply, usage=replace(reply.usage, cost_usd=1.0))


def test_processes_do_not_run_modules_of_the_folder_they_are_started_in(tmp_path):
    script, folder = tmp_path / "script.py", tmp_path / "documents"
    folder.mkdir()
    (folder / "signal.py").write_text("open('run', 'w').close()\n")
    script.write_text(
        "from spanwise.executors import mapped, pool_of\n"
        "if __name__ == '__main__':\n"
        "    with pool_of(None, 1) as pool:\n"
        "        print(list(mapped(abs, [-1], pool)))\n"
    )
    done = subprocess.run(
        [sys.executable, script], cwd=folder, env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.stdout, [one.name for one in folder.iterdir()]) == ("[1]\n", ["signal.py"]), done.stderr


def test_workers_share_a_budget_and_go_on_with_another_one(corpus, tmp_path, monkeypatch):
    replies = tmp_path / "replies.json"
    replies.write_text("[]")
    out, asked = tmp_path / "rows.jsonl", ["What is the monthly fee?", "What does it cost a month?"]
    options = {"model": f"scripted:{replies}", "mode": "compact", "requests_per_minute": 60_000}
    with ThreadPoolExecutor(2) as client:
        with pytest.raises(InputError, match="prices"):
            batch.run(asked, corpus, out, client=client, budget_usd=1.0, **options)
        monkeypatch.setattr("spanwise.llm.providers._scripted", lambda _: Priced())
        short = batch.run(asked, corpus, out, client=client, budget_usd=12.0, **options)
        assert 0 < short.cost_usd <= 12
        assert 0 < short.unasked < 6
        rest = batch.run(asked, corpus, out, client=client, **options)
    assert (rest.resumed, rest.unasked) == (6 - short.unasked, 0)
    assert {row["document"] for row in records(out)} == set(TEXTS)
    assert 0 < sum(row["cost_usd"] or 0 for row in records(out)) <= short.cost_usd + rest.cost_usd


def test_answers_are_verified_by_any_executor():
    texts = [("The fee is 5 dollars.", ["The fee is 5 dollars."]), ("The fee is 6 dollars.", ["The fee is 5 dollars."])]
    with ThreadPoolExecutor(2) as client:
        found = list(batch.verify_many(texts, client=client))
    assert [one.claims[0].support for one in found] == ["supported", "contradicted"]


def test_many_questions_are_asked_by_any_executor(corpus):
    questions = ["What is the monthly fee?", " ", "Who is the tenant?"]
    with Corpus.open(corpus) as opened, ThreadPoolExecutor(2) as client:
        plain = Engine(opened).ask_many(questions)
        outcomes = Engine(opened).ask_many(questions, client=client)
        with Corpus.memory() as memory, pytest.raises(InputError, match="file or a database"):
            Engine(memory).ask_many(questions, client=client)
    assert [type(one) for one in outcomes] == [type(one) for one in plain]
    assert [getattr(one, "text", "") for one in outcomes] == [getattr(one, "text", "") for one in plain]


@pytest.mark.parametrize("workers", [1, 2])
def test_files_are_read_by_any_executor(corpus, tmp_path, workers):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "lease.md").write_text("# Lease\n\nThe rent is 900 EUR.\n" * 5_000)
    with Corpus.open(tmp_path / "c.db") as opened, ThreadPoolExecutor(workers) as client:
        report = opened.add(tmp_path / "broken.pdf", tmp_path / "lease.md", corpus.parent / "two.txt", client=client)
    assert (report.added, [failure.error for failure in report.failed]) == (
        ("lease.md", "two.txt"),
        ["DamagedDocumentError"],
    )
