"""Text recognition (OCR) by the system's tesseract: one bounded process per picture, words with boxes and confidence.

Tesseract is not a bundled library but a program that the system keeps up to date. It gets the grey pixels of a page and
nothing else: no file, no shell, no network, and no more memory and time than the document may take.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple

from filelock import FileLock, Timeout

from spanwise.readers.bounds import cores

INSTALL = "install tesseract (apt-get install tesseract-ocr, brew install tesseract)"
"""Completes a sentence that says what is missing."""
PAGE, SPARSE = 3, 11
"""Page segmentation modes of tesseract: a page with columns, or sparse text."""
_ASKED_SECONDS = 20.0
_MOST_OUTPUT = 16 * 1024 * 1024
_MOST_WORDS = 50_000
_CAPITAL_I = re.compile(r"\bl(?=[a-z]{0,3}[A-Z])")
"""A small l that is a misread capital I, as a capital follows (laaS, lT, lSO): in many fonts both look alike."""
_LONGEST_WORD = 500
_COLUMNS = 12
_WORD_LEVEL = "5"
_KEPT_SECONDS = 7 * 24 * 3600.0
"""Seconds for which the words of an interrupted reading are kept."""
_LOOK_SECONDS = 0.05
_LONGEST_REASON = 200


class TesseractError(Exception):
    """A failure of tesseract; the message completes "tesseract"."""


class Picture(NamedTuple):
    """Grey pixels, one byte each, row by row."""

    width: int
    height: int
    pixels: bytes


class Word(NamedTuple):
    """A recognised word, with its box in pixels."""

    line: tuple[int, int, int]
    """Numbers of block, paragraph and line, which together identify the line."""
    x0: int
    top: int
    x1: int
    bottom: int
    confidence: float
    """From 0 to 1."""
    text: str


class Tesseract(NamedTuple):
    """The installed program."""

    path: str
    version: str
    languages: tuple[str, ...]
    """Installed languages, English first; without `osd` and `equ`, which are no languages."""


def find_tesseract() -> Tesseract | None:
    """The installed program; None if there is none. Raises `TesseractError` if it does not work."""
    path = shutil.which("tesseract")
    return None if path is None else _asked(path, os.stat(path).st_mtime_ns)


@lru_cache(maxsize=4)
def _asked(path: str, changed: int) -> Tesseract:  # noqa: ARG001 - another program at the same place is asked again
    version, languages = (_output(path, option) for option in ("--version", "--list-langs"))
    named = version.split(maxsplit=2)
    if len(named) < 2 or named[0] != "tesseract":
        raise TesseractError(f"at {path} is another program: it does not tell its version")
    known = sorted(set(languages.splitlines()[1:]) - {"osd", "equ", ""}, key=lambda name: (name != "eng", name))
    if not known:
        raise TesseractError("has no language: install one (apt-get install tesseract-ocr-eng)")
    return Tesseract(path, named[1], tuple(known))


def _output(path: str, option: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the program that PATH names, without a shell
            [path, option], capture_output=True, check=False, timeout=_ASKED_SECONDS, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired as error:
        raise TesseractError(f"does not answer {option} within {_ASKED_SECONDS:g} seconds") from error
    except OSError as error:
        raise TesseractError(f"at {path} does not start ({error.strerror})") from error
    if done.returncode != 0:
        raise TesseractError(f"at {path} ends with status {done.returncode} when asked for {option}")
    return (done.stdout or done.stderr).decode("utf-8", "replace")


class Recogniser:
    """Recognises the pictures of one document; words are cached until it is done, so that it can be resumed.

    At most as many pictures as the machine has cores are processed at a time, over all documents of one user.
    """

    def __init__(self, program: Tesseract, seconds: float, memory: int, kept: str | None) -> None:
        """Use at most `seconds` and `memory` bytes per picture.

        Words are cached under the name `kept`, if there is one.
        """
        self._program = program
        self._seconds = seconds
        self._memory = memory
        self._home = _home()
        self._kept = self._home / "recognition" / kept if self._home is not None and kept is not None else None
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False
        self._forget_old()

    def words(self, picture: Picture, language: str, dots: int, layout: int = PAGE) -> list[Word]:
        """The words of a picture of `dots` pixels per inch, in tesseract's order. Raises `TesseractError`."""
        key = hashlib.sha256(
            f"{self._program.version} {language} {dots} {layout} {picture.width} ".encode() + picture.pixels
        )
        place = self._kept / key.hexdigest() if self._kept is not None else None
        if place is not None and (found := _read_kept(place)) is not None:
            return _words(found, picture)
        with self._slot():
            output = self._run(picture, language, dots, layout)
        words = _words(output, picture)
        if place is not None:
            _keep(place, output)
        return words

    def stop(self) -> None:
        """End running processes; no more are started."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.kill()

    def forget(self) -> None:
        """Delete the cached words, once the document is read."""
        if self._kept is not None:
            shutil.rmtree(self._kept, ignore_errors=True)

    def _run(self, picture: Picture, language: str, dots: int, layout: int) -> str:
        options = ["-l", language, "--dpi", str(dots), "--psm", str(layout)]
        command = [self._program.path, "stdin", "stdout", *options, "tsv"]
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as made, tempfile.TemporaryFile() as told:
            given.write(b"P5 %d %d 255\n" % (picture.width, picture.height))
            given.write(picture.pixels)
            given.seek(0)
            process = self._start(command, given, made, told)
            try:
                status = process.wait(self._seconds)
            except subprocess.TimeoutExpired as error:
                raise TesseractError(f"took more than {self._seconds:g} seconds for it") from error
            finally:
                with self._lock:
                    self._running.discard(process)
                process.kill()
                process.wait()
            if status != 0:
                told.seek(0)
                reason = " ".join(told.read(_LONGEST_REASON).decode("utf-8", "replace").split())
                raise TesseractError(f"ended with status {status}" + (f" ({reason})" if reason else ""))
            made.seek(0)
            output = made.read(_MOST_OUTPUT + 1)
        if len(output) > _MOST_OUTPUT:
            raise TesseractError("wrote more than any page can hold")
        return output.decode("utf-8", "replace")

    def _start(self, command: list[str], given: IO[bytes], made: IO[bytes], told: IO[bytes]) -> subprocess.Popen[bytes]:
        # A page is the unit of parallel work here: threads of tesseract's own would only get in each other's way.
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        with self._lock:
            if self._stopped:
                raise TesseractError("was stopped")
            try:
                process = subprocess.Popen(command, stdin=given, stdout=made, stderr=told, env=environment)  # noqa: S603
            except OSError as error:
                raise TesseractError(f"does not start ({error.strerror})") from error
            self._running.add(process)
        _bound(process.pid, self._seconds, self._memory)
        return process

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """Wait for one of this user's turns, of which there are as many as cores.

        Without a folder for locks, do not wait.
        """
        if self._home is None:
            yield
            return
        locks = [FileLock(self._home / f"turn-{number}", thread_local=False) for number in range(cores())]
        while not self._stopped:
            for lock in locks:
                try:
                    lock.acquire(timeout=0)
                except (Timeout, OSError):
                    continue
                try:
                    yield
                finally:
                    lock.release()
                return
            time.sleep(_LOOK_SECONDS)
        raise TesseractError("was stopped")

    def _forget_old(self) -> None:
        if self._kept is None:
            return
        with contextlib.suppress(OSError):
            for folder in self._kept.parent.iterdir():
                if time.time() - folder.stat().st_mtime > _KEPT_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)


def _home() -> Path | None:
    """The cache folder of this user; None if there can be none."""
    given = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = (Path(given) if given and os.path.isabs(given) else Path.home() / ".cache") / "spanwise"
        (folder / "recognition").mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):  # no home, or a disk that is full or read-only
        return None


def _read_kept(place: Path) -> str | None:
    try:
        with place.open("rb") as file:
            return zlib.decompressobj().decompress(file.read(_MOST_OUTPUT), _MOST_OUTPUT).decode("utf-8", "replace")
    except (OSError, zlib.error):
        return None


def _keep(place: Path, output: str) -> None:
    """Write a cached output atomically; a failure costs time and nothing else."""
    with contextlib.suppress(OSError):
        place.parent.mkdir(mode=0o700, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            file.write(zlib.compress(output.encode("utf-8", "replace"), 1))
        os.replace(file.name, place)


def _bound(pid: int, seconds: float, memory: int) -> None:
    """Set the resource limits of a process where the system can; elsewhere it inherits those of its parent."""
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        for what, most in (
            (resource.RLIMIT_CPU, int(2 * seconds) + 1),
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_FSIZE, 2 * _MOST_OUTPUT),
            (resource.RLIMIT_CORE, 0),
        ):
            _, hard = resource.prlimit(pid, what)
            resource.prlimit(pid, what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _words(output: str, picture: Picture) -> list[Word]:
    """The words in tesseract's TSV output; invalid rows are left out."""
    words: list[Word] = []
    for row in output.split("\n"):
        columns = row.split("\t")
        if len(columns) != _COLUMNS or columns[0] != _WORD_LEVEL:
            continue
        text = "".join(letter for letter in columns[11] if letter.isprintable()).strip()[:_LONGEST_WORD]
        text = _CAPITAL_I.sub("I", text)
        try:
            block, paragraph, line, _, left, top, width, height = (int(column) for column in columns[2:10])
            confidence = float(columns[10]) / 100
        except ValueError:
            continue
        right, bottom = min(left + width, picture.width), min(top + height, picture.height)
        if text and 0 <= left < right and 0 <= top < bottom and 0 <= confidence <= 1:
            words.append(Word((block, paragraph, line), left, top, right, bottom, confidence, text))
        if len(words) >= _MOST_WORDS:
            break
    return words
