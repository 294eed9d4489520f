"""Input and output streams: documents from stdin, JSON as bytes, text without control characters, progress bars."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.errors import InputError, StorageError

if TYPE_CHECKING:
    from rich.console import Console

    from spanwise.domain.document import Document
    from spanwise.ingest.ingest import IngestProgress, Progress

STDIN = "-"


def print_json(value: object) -> None:
    """Print one JSON document on stdout, in UTF-8 whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass") + b"\n")
    sys.stdout.buffer.flush()


def print_format(made: object) -> None:
    """Print a converted result on stdout: text in UTF-8, anything else as JSON."""
    if not isinstance(made, str):
        print_json(made)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(made.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def printable(text: str) -> str:
    """The text without control and format characters, so that no escape sequence of a document reaches the terminal."""
    return "".join(
        character
        if character == "\n" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
        else (" " if character == "\t" else "\ufffd" if unicodedata.category(character) != "Cf" else "")
        for character in text
    )


def stdout() -> Console:
    """The console for answers."""
    from rich.console import Console

    class Pipe(Console):
        def on_broken_pipe(self) -> None:  # rich would exit with 1, which means "not found" here
            raise BrokenPipeError

    return Pipe(highlight=False, soft_wrap=True)


def stderr() -> Console:
    """The console for progress and notes."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[str, int, int | None], None] | None]:
    """A function that updates a progress bar with a text, the number done and the total.

    None if stderr is no terminal.
    """
    console = stderr()
    if not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    described = TextColumn("{task.description}")
    columns = (SpinnerColumn(), described, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=None)

        def show(said: str, done: int, total: int | None) -> None:
            # Names come from the file system and must not be taken for markup.
            bar.update(task, completed=done, total=total, description=printable(said).replace("[", "\\["))

        yield show


@contextmanager
def reading(label: str) -> Iterator[Progress | None]:
    """A progress bar over files while documents are read; None if stderr is no terminal."""
    with progress_bar(label) as bar:

        def show(event: IngestProgress) -> None:
            page = f", page {event.page} of {event.pages}" if event.page is not None else ""
            if bar is not None:
                bar(f"{label} {event.name[-50:]}{page}", event.done, event.total)

        yield show if bar is not None else None


def clipped(text: str, most: int = 400) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(printable(text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[:most]}..."


def write_report(path: Path, text: str) -> None:
    """Write a page or a table to a file.

    Raises:
        StorageError: It cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        told = f"{printable(str(path))} cannot be written ({error.strerror}): name another file for the report"
        raise StorageError(told) from error


def given(paths: Sequence[str], password: str | None) -> list[str | Document]:
    """The paths, with `-` replaced by the document on standard input, in whatever format.

    Raises:
        InputError: `-` is given more than once.
        DocumentError: The document cannot be read.
    """
    if STDIN not in paths:
        return list(paths)
    if paths.count(STDIN) > 1:
        raise InputError("the standard input is read once: write - only once")
    from spanwise.readers.port import Limits
    from spanwise.readers.reading import read

    limits = Limits()
    data = sys.stdin.buffer.read(limits.file_bytes + 1)
    read_once = read(data, name="standard input", password=password, limits=limits)
    return [read_once if path == STDIN else path for path in paths]
