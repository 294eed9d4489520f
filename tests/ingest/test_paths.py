"""What lies in a folder beside documents: links, pipes, sockets, devices, and where the system shows itself."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from spanwise import Corpus
from spanwise.errors import DocumentError, DocumentNotFoundError
from spanwise.ingest.paths import find
from spanwise.readers.reading import read

SUFFIXES = {".txt", ".md"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one document, a pipe, links in and out, and a link to nothing."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("A secret.")
    inside = tmp_path / "inside"
    (inside / "below").mkdir(parents=True)
    (inside / "a.txt").write_text("A fee.")
    (inside / "below" / "b.txt").write_text("Another fee.")
    os.mkfifo(inside / "pipe.txt")
    (inside / "again.txt").symlink_to("a.txt")
    (inside / "nothing").symlink_to(tmp_path / "none")
    (inside / "ring.txt").symlink_to("ring.txt")
    (inside / "out.txt").symlink_to(outside / "secret.txt")
    (inside / "out").symlink_to(outside)
    (inside / "up").symlink_to(inside)
    (inside / "zero.md").symlink_to("/dev/zero")
    return inside


def names(path: Path, **options: bool) -> list[str]:
    [search] = find([path], SUFFIXES, **options)
    return [file.name for file in search.files]


def skipped(path: Path, **options: bool) -> dict[str, str]:
    [search] = find([path], SUFFIXES, **options)
    return {Path(one.path).name: one.reason for one in search.skipped}


def test_links_out_of_a_folder_are_not_followed(folder: Path) -> None:
    assert names(folder) == ["a.txt", "again.txt", "below/b.txt"]
    assert skipped(folder) == {
        "nothing": "a link that leads nowhere",
        "ring.txt": "a link that leads nowhere",
        "out": "a link out of the folder",
        "out.txt": "a link out of the folder",
        "pipe.txt": "a pipe",
        "zero.md": "a device",
    }


def test_links_are_followed_when_told(folder: Path) -> None:
    assert names(folder, follow_links=True) == ["a.txt", "again.txt", "out.txt", "below/b.txt", "out/secret.txt"]
    assert set(skipped(folder, follow_links=True)) == {"nothing", "ring.txt", "pipe.txt", "zero.md"}


def test_folders_in_a_ring_are_looked_at_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text("A fee.")
    (tmp_path / "one" / "other").symlink_to(tmp_path / "two")
    (tmp_path / "two" / "other").symlink_to(tmp_path / "one")
    assert names(tmp_path / "one", follow_links=True) == ["one.txt", "other/two.txt"]


def test_globs_keep_to_their_folder_too(folder: Path) -> None:
    [search] = find([str(folder / "**" / "*.txt")], SUFFIXES)
    found = [file.path.name for file in search.files]
    assert "secret.txt" not in found
    assert {"a.txt", "b.txt"} <= set(found)
    assert "a pipe" in {one.reason for one in search.skipped}


def test_a_socket_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s.txt")
        assert skipped(tmp_path) == {"s.txt": "a socket"}


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc here")
def test_where_the_system_shows_itself_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A fee.")
    (tmp_path / "processes").symlink_to("/proc")
    assert names(tmp_path, follow_links=True) == ["a.txt"]
    assert skipped(tmp_path, follow_links=True) == {"processes": "a folder where the system shows itself"}
    for path in ("/proc", "/proc/self", "/sys/kernel", "/proc/self/environ"):
        with pytest.raises(DocumentError, match="where the system shows itself"):
            find([path], SUFFIXES)


def test_pipes_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    began = time.monotonic()
    for given in (pipe, "/dev/zero"):
        with pytest.raises(DocumentError, match=r" is a (?:pipe|device): save its content to a file"):
            read(given)
        with Corpus.memory() as corpus, pytest.raises(DocumentError, match=r"is a (?:pipe|device)"):
            corpus.add(given)
    reading, writing = os.pipe()
    with pytest.raises(DocumentError, match="is a pipe"):
        read(f"/dev/fd/{reading}")
    os.close(reading)
    os.close(writing)
    assert time.monotonic() - began < 5


def test_files_that_the_system_makes_are_refused() -> None:
    if os.path.exists("/proc/self/mem"):
        with pytest.raises(DocumentError, match="/proc, where the system shows itself"):
            read("/proc/self/mem")


def test_a_redirected_file_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A fee")
    with path.open() as opened:
        assert read(f"/dev/fd/{opened.fileno()}", name="a.md").lines[0].text == "A fee"


def test_a_report_names_what_was_skipped(folder: Path) -> None:
    with Corpus.memory() as corpus:
        report = corpus.add(folder)
        assert report.added == ("a.txt", "below/b.txt")
        assert [Path(one.path).name for one in report.skipped] == [
            "nothing",
            "out",
            "out.txt",
            "pipe.txt",
            "ring.txt",
            "zero.md",
        ]
        assert len(corpus.add(folder, follow_links=True).added) == 1


def test_nothing_is_found_at_a_link_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to("b.txt")
    with pytest.raises(DocumentNotFoundError):
        find([tmp_path / "a.txt"], SUFFIXES)


def test_a_folder_that_may_not_be_read_is_told_as_that(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DocumentError, match=r"No permission to read the folder .*chmod"):
        find([tmp_path], [".txt"])
