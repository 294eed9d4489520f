"""A bomb is one sentence at every door, and the file beside it is read there."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import spanwise as library
from spanwise.errors import DocumentError
from spanwise.ingest import ingest
from spanwise.readers.port import Limits
from spanwise.serving.corpus_library import Library
from spanwise.serving.corpus_limits import Limits as ServedLimits

_spec = importlib.util.spec_from_file_location("bombs", Path(__file__).parent.parent / "campaign" / "bombs.py")
assert _spec is not None
assert _spec.loader is not None
bombs = importlib.util.module_from_spec(_spec)
sys.modules["bombs"] = bombs
_spec.loader.exec_module(bombs)

MAKERS = {bomb.name: bomb.make for bomb in bombs.BOMBS}
LIMITS = Limits(memory=150_000_000, seconds=20, cpu_seconds=5)
QUESTION = "What is the late fee of the club?"
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(params=["form-draws-itself-twice.pdf", "one-entry-many-times.docx", "deep.html"])
def bomb(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bomb in a folder beside a file that is fine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ingest, "Limits", lambda: LIMITS)
    path = tmp_path / "docs" / request.param
    path.parent.mkdir()
    path.write_bytes(MAKERS[request.param](1))
    path.with_name("fine.txt").write_text("Rules of the club\n\nThe late fee of the club is 7 dollars a week.\n")
    return path


def sentence(told: str, name: str) -> None:
    assert name in told
    assert "\n" not in told.strip()
    assert "Traceback" not in told


def test_the_command_line(bomb: Path, spanwise: Command) -> None:
    code, out, err = spanwise("ask", f"docs/{bomb.name}", QUESTION)
    assert (code, out) == (2, "")
    sentence(err, bomb.name)
    code, out, err = spanwise("index", "docs", "--corpus", "corpus.db")
    assert (code, out) == (2, "corpus.db: 1 added, 1 failed\n")
    sentence(err, bomb.name)
    code, out, _ = spanwise("ask", "--corpus", "corpus.db", QUESTION)
    assert code == 0
    assert "7 dollars" in out


def test_the_library(bomb: Path) -> None:
    with pytest.raises(DocumentError) as told:
        library.ask(QUESTION, bomb)
    sentence(str(told.value), bomb.name)
    with library.Corpus.memory() as corpus:
        report = corpus.add(bomb.parent)
        assert report.added == ("fine.txt",)
        sentence(report.failed[0].message, bomb.name)
        assert "7 dollars" in library.Engine(corpus).ask(QUESTION).text


def test_an_upload(bomb: Path) -> None:
    with Library.open("served.db", limits=ServedLimits(reading=LIMITS)) as served:
        with pytest.raises(DocumentError) as told:
            served.add(bomb.name, bomb)
        sentence(str(told.value), bomb.name)
        served.add("fine.txt", bomb.with_name("fine.txt"))
        assert "7 dollars" in served.ask(QUESTION).text
