"""Pages read by several processes make the same document as by one, whatever happens to the others."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pdf_making import PROSE, Draw, both, pdf, picture, scan, write

from spanwise.errors import DocumentError, LimitError
from spanwise.readers.pdf import read_pdf, sharing
from spanwise.readers.pdf.sharing import read_together
from spanwise.readers.port import Limits, Ocr, ReadOptions

OPTIONS = ReadOptions(ocr=Ocr("never"), processes=3)
COUNT = 60


def together(read: Callable[[int], object], options: ReadOptions = OPTIONS) -> list[object]:
    return read_together(COUNT, read, lambda made: made, lambda made: made, options)


def no_copies_left() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


@pytest.fixture(autouse=True)
def _nothing_left() -> object:
    before = no_copies_left()
    yield
    assert no_copies_left() or not before


def _slowly(index: int) -> int:
    for _ in range(20_000):
        pass
    return index


def test_several_read_and_each_page_is_read_once(tmp_path: Path) -> None:
    own, begun = os.getpid(), tmp_path / "begun"

    def read(index: int) -> list[int]:
        if os.getpid() != own:
            begun.touch()
        elif index == COUNT // 2:  # else it could have read all pages before a copy began
            deadline = time.monotonic() + 60
            while not begun.exists() and time.monotonic() < deadline:
                time.sleep(0.002)
        return [index, os.getpid()]

    made = together(read)
    assert [index for index, _ in made] == list(range(COUNT))
    assert len({process for _, process in made}) > 1


@pytest.mark.parametrize("end", [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(0), lambda: 1 / 0])
def test_pages_of_a_copy_that_ends_are_read_all_the_same(end: Callable[[], object]) -> None:
    own = os.getpid()

    def read(index: int) -> int:
        if os.getpid() != own and index > 7:
            end()
        return _slowly(index)

    assert together(read) == list(range(COUNT))


def test_what_is_wrong_with_a_page_is_told_whoever_reads_it() -> None:
    def read(index: int) -> int:
        if index == COUNT - 1:
            raise LimitError("too much", document="a.pdf")
        return _slowly(index)

    with pytest.raises(LimitError, match="too much"):
        together(read)


def test_a_copy_is_held_to_its_part_of_the_memory() -> None:
    own = os.getpid()

    def read(_: int) -> str:
        if os.getpid() != own:
            bytearray(300 * 1024 * 1024)
            return "a copy took it"
        return "the process itself"

    options = replace(OPTIONS, limits=Limits(memory=600 * 1024 * 1024))
    assert set(together(read, options)) == {"the process itself"}


def hidden(canvas: object) -> None:
    canvas.setFillColorRGB(1, 1, 1)  # type: ignore[attr-defined]
    canvas.drawString(72, 300, "nobody sees this sentence at all")  # type: ignore[attr-defined]


def pages() -> list[Draw]:
    """Prose, numbers of pages, a row of a table, hidden text, pictures and sideways text, on 40 pages."""

    def page(number: int) -> Draw:
        def draw(canvas: object) -> None:
            canvas.drawString(300, 30, str(number))  # type: ignore[attr-defined]
            canvas.drawString(72, 760, f"Terms of delivery, part {number % 3}")  # type: ignore[attr-defined]
            canvas.drawString(72, 500, "Total")  # type: ignore[attr-defined]
            canvas.drawString(300, 500, f"{number},200")  # type: ignore[attr-defined]
            if number % 11 == 0:
                canvas.drawImage(picture(), 0, 0, 612, 792)  # type: ignore[attr-defined]
            if number % 7 == 0:
                canvas.rotate(90)  # type: ignore[attr-defined]
                canvas.drawString(200, -500, "set on its side")  # type: ignore[attr-defined]

        return both(write(PROSE, top=100 + number), draw, *([hidden] if number % 5 == 0 else []))

    def scanned(canvas: object) -> None:
        canvas.drawImage(scan(), 0, 0, 612, 792)  # type: ignore[attr-defined]

    return [page(number) for number in range(1, 40)] + [scanned]


def test_document_is_the_same_whoever_reads() -> None:
    data = pdf(*pages())
    alone = read_pdf(data, "test.pdf", replace(OPTIONS, processes=1))
    assert alone.hidden
    assert alone.notices
    assert any(line.edges for line in alone.lines)
    for processes in (2, 3):
        assert repr(read_pdf(data, "test.pdf", replace(OPTIONS, processes=processes))) == repr(alone)


@pytest.mark.parametrize("lines", [50, 200])
def test_bounds_of_the_document_are_of_all_its_pages(lines: int) -> None:
    data = pdf(*pages())
    told = set()
    for processes in (1, 3):
        with pytest.raises(DocumentError) as caught:
            read_pdf(data, "test.pdf", replace(OPTIONS, limits=Limits(lines=lines), processes=processes))
        told.add(str(caught.value))
    assert len(told) == 1


def test_short_documents_are_read_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing.os, "fork", None)
    assert read_together(sharing.LEAST_PAGES - 1, _slowly, int, int, OPTIONS) == list(range(sharing.LEAST_PAGES - 1))


def test_death_of_the_process_is_noticed_though_a_copy_lives() -> None:
    seen, held = os.pipe()
    process = os.fork()
    if not process:

        def read(index: int) -> int:
            time.sleep(0.01 if index < COUNT // 2 else 5)
            return index

        together(read)
        os._exit(0)
    os.close(held)
    time.sleep(0.6)  # by now the copies are there
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    began = time.monotonic()
    assert os.read(seen, 1) == b""
    os.close(seen)
    assert time.monotonic() - began < 4  # a page of a copy takes 5
