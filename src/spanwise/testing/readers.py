"""Conformance tests for readers: subclass `ReaderConformance` in a test file, and pytest runs the checks.

    spanwise.register_reader("invoice", read_invoice, suffixes=(".inv",))


    class TestInvoice(ReaderConformance):
        reader, name = "invoice", "sample.inv"
        visible, hidden = "Invoice 7 Total 120 euros", "internal margin"

        def sample(self):
            return b"..."  # a file with this content

Each method `test_...` is one requirement.
"""

from __future__ import annotations

import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from spanwise.domain.document import Document
from spanwise.errors import DocumentError, LimitError
from spanwise.readers.port import Limits
from spanwise.readers.registry import available_readers, read_here
from spanwise.store.codec import encode

_WORD = re.compile(r"\w+")
_CUTS, _DAMAGES = 40, 60
_LONGEST_MESSAGE = 1_000
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_OUTSIDE = (
    "socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request", "subprocess.Popen", "os.system",
    "os.exec", "os.posix_spawn", "os.fork", "os.remove", "os.rename", "os.mkdir", "pickle.find_class",
)  # fmt: skip
"""Audit events of Python (PEP 578) for leaving the process, or for running code from data."""


class ReaderConformance:
    """The tests; a subclass defines a sample and what is visible in it."""

    reader: str
    """Name under which the reader is registered."""
    name: str
    """File name of the sample, with its suffix."""
    visible: str
    """Every visible word of the sample, list numbers included, in any order."""
    hidden: str = ""
    """The hidden words of the sample; none of them is in `visible`."""

    def sample(self) -> bytes:
        """A small file with everything that the reader supports: headings, lists, tables, hidden text."""
        raise NotImplementedError

    def read(self, data: bytes, limits: Limits | None = None) -> Document:
        """The document that the reader makes of `data`."""
        return read_here(data, name=self.name, reader=self.reader, limits=limits)

    def test_its_lines_are_numbered_without_a_gap(self) -> None:
        """From 1 over the whole document, and from 1 on each page."""
        document = self.read(self.sample())
        numbers = [line.number for line in document.lines]
        _check(numbers == list(range(1, len(numbers) + 1)), f"the lines are numbered {numbers}")
        places: dict[int, Iterator[int]] = {}
        for line in document.lines:
            wanted = next(places.setdefault(line.page, count(1)))
            _check(line.line_in_page == wanted, f"line {line.number} is number {line.line_in_page} of its page")
        held = [number for page in document.pages for number in range(page.first_line, page.last_line + 1)]
        _check(held == numbers, f"the pages hold the lines {held}")

    def test_nothing_is_lost_and_nothing_added(self) -> None:
        """Each visible word occurs as often as in the sample."""
        document = self.read(self.sample())
        texts = [*(line.text for line in document.lines), *(one.text for one in document.furniture)]
        found, wanted = Counter(_words(texts)), Counter(_words([self.visible]))
        _check(not wanted - found, f"lost: {sorted((wanted - found).elements())}")
        _check(not found - wanted, f"added: {sorted((found - wanted).elements())}")

    def test_hidden_text_is_apart(self) -> None:
        """It is recorded, but is in no line."""
        document = self.read(self.sample())
        kept, wanted = set(_words(one.text for one in document.hidden)), set(_words([self.hidden]))
        _check(wanted <= kept, f"not kept: {sorted(wanted - kept)}")
        lines = set(_words(line.text for line in document.lines))
        _check(not wanted & lines, f"hidden, and yet lines: {sorted(wanted & lines)}")

    def test_it_is_determined_by_the_bytes(self) -> None:
        """The same bytes give the same document."""
        data = self.sample()
        _check(encode(self.read(data)) == encode(self.read(data)), "two readings of the same bytes differ")

    def test_a_file_that_is_cut_is_read_or_refused(self) -> None:
        """Wherever it is cut: a consistent document, or a typed error of one sentence."""
        data = self.sample()
        for part in range(_CUTS):
            self._survives(data[: len(data) * part // _CUTS], f"cut after {part} of {_CUTS} parts")

    def test_a_file_that_is_damaged_is_read_or_refused(self) -> None:
        """Whichever bytes are changed."""
        data, chance = self.sample(), random.Random(7)  # noqa: S311 - the same damage each time
        for turn in range(_DAMAGES):
            damaged = bytearray(data)
            for _ in range(1 + turn % 4):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            self._survives(bytes(damaged), f"damage {turn}")

    def test_what_is_no_such_file_is_read_or_refused(self) -> None:
        """An empty file, noise, and the beginnings of other formats."""
        noise = random.Random(7).randbytes(4096)  # noqa: S311
        for data in (b"", b"\0" * 4096, noise, b"PK\x03\x04" + noise, b"%PDF-1.7\n", b"<html>" * 500, b"{\\rtf1" * 500):
            self._survives(data, f"{data[:8]!r}…")

    def test_its_bounds_are_kept(self) -> None:
        """A built-in reader stops at the limit of lines; a registered one is not given any limits."""
        told = any(info.name == self.reader and info.built_in for info in available_readers())
        if not told or len(self.read(self.sample()).lines) < 2:
            return
        try:
            self.read(self.sample(), Limits(lines=1))
        except LimitError:
            return
        raise AssertionError("more lines than the limit")

    def test_nothing_is_executed_fetched_or_written(self) -> None:
        """As far as Python can observe: no connection, no other program, no file created or changed."""
        data = self.sample()
        self.read(data)  # so that modules are loaded before the reading is watched
        with _watched() as events:
            self.read(data)
        _check(not events, f"while it was read: {sorted(set(events))}")

    def _survives(self, data: bytes, what: str) -> None:
        try:
            document = self.read(data)
        except DocumentError as error:
            told = str(error)
            _check("\n" not in told and 10 < len(told) < _LONGEST_MESSAGE, f"{what}: the error says {told!r}")
            return
        _check(
            len(document.lines) <= max(1_000, 20 * len(data)),
            f"{what}: {len(document.lines)} lines of {len(data)} bytes",
        )


_watches: list[list[str]] = []


def _watch(event: str, arguments: Sequence[object]) -> None:
    if not _watches:
        return
    flags = arguments[2] if event == "open" and len(arguments) > 2 else 0
    if event in _OUTSIDE or (isinstance(flags, int) and flags & _WRITES):
        _watches[-1].append(f"{event} {arguments[0] if arguments else ''}")


@contextmanager
def _watched() -> Iterator[list[str]]:
    """Collect the audit events of `_OUTSIDE`, and of files opened for writing, within the context."""
    if not _hooked:
        sys.addaudithook(_watch)  # for as long as the process lives
        _hooked.append(True)
    events: list[str] = []
    _watches.append(events)
    try:
        yield events
    finally:
        _watches.remove(events)


_hooked: list[bool] = []


def _words(texts: Sequence[str] | Iterator[str]) -> list[str]:
    return [word.casefold() for text in texts for word in _WORD.findall(text)]


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)
