"""Progress of long work, on stderr and only when a person watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from spanwise.cli.output import printable, stderr

if TYPE_CHECKING:
    from spanwise.ingest.ingest import IngestProgress, Progress


@contextmanager
def reading(label: str) -> Iterator[Progress | None]:
    """A progress bar over files while documents are read; None when stderr is not a terminal."""
    console = stderr()
    if not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=None)

        def show(event: IngestProgress) -> None:
            # Names come from the file system: shown as text, never as markup.
            name = printable(event.name).replace("[", "\\[")
            page = f", page {event.page} of {event.pages}" if event.page is not None else ""
            bar.update(task, completed=event.done, total=event.total, description=f"{label} {name[-50:]}{page}")

        yield show
