"""The command line and files that would take the machine, block it, or make its libraries talk."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import zlib

import pytest

from spanwise import Corpus
from spanwise.errors import CorpusError
from spanwise.ingest import ingest
from spanwise.readers.port import Limits

QUESTION = "What is the fee per month?"
TEXT = b"BT /F1 12 Tf 72 700 Td (The fee is 5% per month.) Tj ET\n"


def pdf(content: bytes, *more: bytes, resources: bytes = b"") -> bytes:
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font"
        b"/Subtype/Type1/BaseFont/Helvetica>>>>%b>>>>" % resources,
        b"<</Length %d>>stream\n%b\nendstream" % (len(content), content),
        *more,
    ]
    body = b"".join(b"%d 0 obj\n%b\nendobj\n" % (number, one) for number, one in enumerate(objects, 1))
    return b"%PDF-1.7\n" + body + b"trailer<</Size 9/Root 1 0 R>>\nstartxref\n7\n%%EOF"


def bomb() -> bytes:
    """A form that draws itself twice."""
    twice = TEXT + b"/X Do /X Do"
    head = b"<</Type/XObject/Subtype/Form/BBox[0 0 612 792]/Length %d/Resources<</XObject<</X 5 0 R>>>>>>"
    form = head + b"stream\n%b\nendstream"
    return pdf(b"/X Do", form % (len(twice), twice), resources=b"/XObject<</X 5 0 R>>")


@pytest.fixture(autouse=True)
def low(monkeypatch):
    monkeypatch.setattr(ingest, "Limits", lambda: Limits(memory=150_000_000, seconds=20, cpu_seconds=5))


def test_a_bomb_is_one_sentence(spanwise, contract):
    (contract.parent / "bomb.pdf").write_bytes(bomb())
    for command in (("ask", "bomb.pdf", QUESTION), ("verify", "contract.txt", "bomb.pdf")):
        code, out, err = spanwise(*command)
        assert (code, out) == (2, "")
        assert err.startswith("spanwise: bomb.pdf ")
        assert err.count("\n") == 1
        assert "150,000,000 bytes of memory" in err


def test_the_other_files_are_stored_and_what_was_skipped_is_named(spanwise, contract):
    folder = contract.parent / "docs"
    folder.mkdir()
    (folder / "bomb.pdf").write_bytes(bomb())
    (folder / "fine.pdf").write_bytes(pdf(TEXT))
    (folder / "out.txt").symlink_to(contract)
    (folder / "nothing.txt").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.txt")
    code, out, err = spanwise("index", "docs", "--corpus", "corpus.db")
    assert code == 2
    assert out == "corpus.db: 1 added, 1 failed\n"
    told = err.splitlines()
    assert [line.partition(":")[0] for line in told] == ["failed", "skipped", "skipped", "skipped"]
    assert told[1].endswith("nothing.txt is a link that leads nowhere")
    assert told[2].endswith("out.txt is a link out of the folder")
    assert told[3].endswith("pipe.txt is a pipe")
    code, out, _ = spanwise("index", "docs", "--corpus", "corpus.db", "--follow-links", "--json")
    assert json.loads(out)["added"] == ["out.txt"]
    assert [one["reason"] for one in json.loads(out)["skipped"]] == ["a link that leads nowhere", "a pipe"]


@pytest.mark.parametrize("path", ["/dev/zero", "/proc/self/mem", "pipe.txt"])
@pytest.mark.parametrize("command", ["ask", "index", "verify"])
def test_what_never_ends_is_refused_at_once(spanwise, contract, path, command):
    os.mkfifo(contract.parent / "pipe.txt")
    arguments = {
        "ask": (path, QUESTION),
        "index": ("contract.txt", path, "--corpus", "corpus.db"),
        "verify": ("contract.txt", path),
    }
    code, out, err = spanwise(command, *arguments[command])
    assert (code, out) == (2, "")
    assert err.startswith(f"spanwise: {path} ")
    assert err.count("\n") == 1


def test_what_libraries_say_of_a_damaged_file_reaches_no_terminal(spanwise, contract):
    damaged = pdf(TEXT) + b"\nstartxref\n99999999\n%%EOF"
    packed = zlib.compress(b"7 0 " + b"(") + b"torn"
    extra = b"<</Type/ObjStm/N 9/First 4/Filter/FlateDecode/Length %d>>stream\n%b\nendstream" % (len(packed), packed)
    (contract.parent / "damaged.pdf").write_bytes(
        damaged.replace(b"endobj\ntrailer", b"endobj\n5 0 obj" + extra + b"trailer")
    )
    code, out, err = spanwise("ask", "damaged.pdf", QUESTION, "--highlight", "out.pdf")
    assert code == 0
    assert "5%" in out
    assert err == "highlighted copy: out.pdf\n"


def test_ctrl_c_leaves_no_process_and_keeps_what_was_stored(tmp_path):
    """In a process group of its own, as a terminal has it."""
    slow = TEXT + b"BT /F1 12 Tf 72 700 Td " + b"(a) Tj -7 0 Td " * 60_000 + b"ET"
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(pdf(TEXT))
    (folder / "b.pdf").write_bytes(pdf(slow))
    command = [sys.executable, "-m", "spanwise", "index", "docs", "--corpus", "corpus.db"]
    with (
        heard_interrupts(),
        subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True) as index,
    ):
        until = time.monotonic() + 60
        while not stored(tmp_path / "corpus.db"):
            assert time.monotonic() < until
            time.sleep(0.05)
        os.killpg(index.pid, signal.SIGINT)
        _, err = index.communicate(timeout=60)
    assert index.returncode == 130
    assert err == "spanwise: interrupted; what was stored is kept, run the same command again to go on\n"
    with pytest.raises(ProcessLookupError):
        os.killpg(index.pid, 0)
    with Corpus.open(tmp_path / "corpus.db") as corpus:
        assert [document.name for document in corpus.documents()] == ["a.pdf"]


@contextlib.contextmanager
def heard_interrupts():
    """Processes that are begun now hear Ctrl-C, which a shell has what it runs in the background ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def stored(path):
    try:
        with Corpus.open(path, create=False) as corpus:
            return bool(corpus.documents())
    except CorpusError:
        return False
