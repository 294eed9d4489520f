import json
import os

import pytest

from spanwise.extraction.fields import Field
from spanwise.extraction.run import extract
from spanwise.extraction.sinks import open_sink
from spanwise.ingest.corpus import Corpus

ONE = """Master Agreement

The monthly fee is USD 1,500. This Agreement is governed by the laws of Delaware.
"""
TWO = """Lease

The tenant is Harbor Books Ltd. The monthly fee is EUR 900.
"""
FEE = Field("fee", "What is the monthly fee?")
LAW = Field("law", "Which law governs the Agreement?")


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "one.txt").write_text(ONE)
    (tmp_path / "two.txt").write_text(TWO)
    file = tmp_path / "corpus.db"
    with Corpus.open(file) as opened:
        opened.add(tmp_path / "one.txt", tmp_path / "two.txt", workers=1)
    return file


def run(corpus, out, fields=(FEE, LAW), **options):
    with open_sink(out) as sink:
        return extract(list(fields), corpus, sink, **options)


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_field_of_every_document_has_a_row(corpus, tmp_path):
    out = tmp_path / "rows.jsonl"
    done = run(corpus, out)
    rows = records(out)
    assert [(row["document"], row["name"]) for row in rows] == [
        ("one.txt", "fee"),
        ("one.txt", "law"),
        ("two.txt", "fee"),
        ("two.txt", "law"),
    ]
    assert "1,500" in rows[0]["quote"]
    assert (rows[0]["found"], rows[0]["line_start"]) == (True, 3)
    assert not rows[3]["found"]
    assert rows[3]["reason"]
    assert (done.found, done.not_found, done.resumed) == (3, 1, 0)


def test_a_second_run_asks_nothing_again(corpus, tmp_path):
    out = tmp_path / "rows.jsonl"
    run(corpus, out)
    before = out.read_bytes()
    assert run(corpus, out).resumed == 4
    assert out.read_bytes() == before


@pytest.mark.parametrize("lines", [0, 1, 2, 3])
def test_an_interrupted_run_goes_on(corpus, tmp_path, lines):
    whole, out = tmp_path / "whole.jsonl", tmp_path / "rows.jsonl"
    run(corpus, whole)
    kept = whole.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(kept[:lines]) + kept[lines][:40])
    assert run(corpus, out).resumed == lines
    assert sorted(out.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())


def test_a_changed_document_gets_new_rows(corpus, tmp_path):
    out = tmp_path / "rows.jsonl"
    run(corpus, out)
    (tmp_path / "two.txt").write_text(TWO.replace("900", "950"))
    os.utime(tmp_path / "two.txt", ns=(1, 1))
    with Corpus.open(corpus) as opened:
        opened.add(tmp_path / "two.txt", workers=1)
    assert run(corpus, out).resumed == 2
    assert ["950" in row["quote"] for row in records(out) if row["document"] == "two.txt" and row["found"]] == [True]


def test_processes_give_the_same_bytes(corpus, tmp_path):
    alone, together = tmp_path / "alone.jsonl", tmp_path / "together.jsonl"
    run(corpus, alone)
    run(corpus, together, workers=2)
    assert alone.read_bytes() == together.read_bytes()


def test_a_typed_field_has_a_typed_value(corpus, tmp_path):
    out = tmp_path / "rows.jsonl"
    run(corpus, out, [Field("fee", "What is the monthly fee?", "amount")])
    assert [row["typed"]["amount"]["currency"] for row in records(out)] == ["USD", "EUR"]
    assert [row["typed"]["amount"]["value"] for row in records(out)] == [1500.0, 900.0]
