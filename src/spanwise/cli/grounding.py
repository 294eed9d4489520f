"""`spanwise ground`: values that anybody extracted, placed on the lines of their documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanwise.cli.output import given, print_json, printable, stderr, stdout
from spanwise.engine import ground
from spanwise.errors import InputError

if TYPE_CHECKING:
    from spanwise.answering.grounding import GroundedValue, Grounding

_STYLES = {"found": "green", "differs": "red", "not_found": "yellow"}
_STATES = {"found": "found", "differs": "differs", "not_found": "not found"}
_LONGEST_SHOWN = 200


def run_ground(values: str, paths: Sequence[str], highlight: str | None, password: str | None, *, as_json: bool) -> int:
    """Place values, show where they stand, and return the exit code: 0 when all were found, else 1.

    Args:
        values: A JSON file, or one with a JSON value a line (`.jsonl`).
        paths: Files, folders or globs that should say them.
        highlight: Where to write a copy of the PDF in which their lines are marked.
        password: Opens encrypted PDFs.
        as_json: Whether JSON is printed.
    """
    if not paths:
        raise InputError("the documents are missing: name the files that should say these values")
    found = ground(values, given(paths, password), password=password)
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found)
    if highlight is not None and any(citation.boxes for citation in found.citations):
        for path in found.highlight(highlight):
            stderr().print(printable(f"highlighted copy: {path}"), markup=False)
    elif highlight is not None:
        stderr().print("nothing to highlight: no value stands in a PDF", markup=False)
    return 0 if found.holds else 1


def _show(found: Grounding) -> None:
    from rich.text import Text

    console = stdout()
    for item in found.items:
        state = (_STATES[item.state], _STYLES[item.state])
        console.print(Text.assemble(state, f": {_short(item.name)} = {_short(str(item.value))}"))
        if item.state == "differs":
            console.print(Text(f"    the document says: {_short(item.found or '')}"))
        if item.citation is not None:
            console.print(Text(f"    {_where(item)}", style="dim"))
    counts = [f"{sum(item.state == state for item in found.items)} {words}" for state, words in _STATES.items()]
    console.print(Text(", ".join(counts), style="bold"))


def _where(item: GroundedValue) -> str:
    from spanwise.export.pieces import place

    return "" if item.citation is None else f"{printable(place(item.citation))}: {_short(item.citation.quote)}"


def _short(text: str) -> str:
    line = " ".join(printable(text[: 4 * _LONGEST_SHOWN]).split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}..."
