"""A result in the terminal, from `ask` or `replay`: the answer with notes and quotes, or the nearest evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.cli.output import print_json, printable, stderr, stdout
from spanwise.replaying.replay import replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from spanwise.contract.record import Missing
    from spanwise.contract.result import Result
    from spanwise.domain.claim import Citation


QUOTE_LINES = 8
"""Most lines of a quote in the terminal; --json and the highlighted copy have all of them."""
LINE_CHARACTERS = 1000
"""Most characters of such a line: a file that is a single line would hide the answer."""

_NAMES = 4
"""Most ids of citations of the same lines that are listed."""


def show(result: Result, console: Console) -> None:
    """Print a result: a proved answer, a possible one, or the nearest evidence."""
    from rich.text import Text

    from spanwise.export.plain import NEARBY, state

    for detail in result.warning_details:
        marked = f"not proved ({printable(str(detail['text']))}): " if "at" in detail else ""
        console.print(Text(f"note: {marked}{printable(str(detail['message']))}", style="yellow"))
    if result.decision.kind == "ship":
        if result.possible:
            _show_possible(result, console)
        else:
            _show_answer(result, console)
        console.print(Text(f"{state(result)}, confidence {result.confidence:.2f}", style="dim"))
        return
    said, *more = printable(result.text).split("\n")
    told = said if said.endswith((".", "?", ":")) else f"{said[:1].upper()}{said[1:]}."
    console.print(Text("\n".join([told, *more]), style="bold"))
    if result.missing is not None:
        if result.decision.kind == "not_found":  # with several answers, or an unclear question, the text says it all
            console.print(Text(_why(result.missing)))
        if result.missing.nearest:
            console.print(Text(f"\n{NEARBY} (not an answer):", style="dim"))
            for citation in result.missing.nearest:
                _show_citation(citation, console)


def _why(missing: Missing) -> str:
    """Why there is no answer, and what would be needed, as sentences."""
    what = printable(missing.what)
    lacking = what if what.startswith("no ") else f"it would take {what}"
    return " ".join(f"{one[:1].upper()}{one[1:].rstrip('.')}." for one in (printable(missing.reason), lacking))


def _show_answer(result: Result, console: Console) -> None:
    from rich.text import Text

    from spanwise.export.plain import POSSIBLE, caution, place

    if result.review:
        console.print(Text.assemble((f"{POSSIBLE}.", "bold yellow"), (f" {printable(caution(result))}", "yellow")))
    console.print(Text(printable(result.text), style="bold"))
    _show_steps(result, console)
    for note in result.answer.caveats:
        console.print(Text(f"note: {printable(note)}", style="yellow"))
    console.print()
    same: dict[tuple[str, str], list[Citation]] = {}  # each row of a table cites the heads of its columns
    for citation in result.citations:
        same.setdefault((place(citation), citation.quote), []).append(citation)
    for citations in same.values():
        _show_citation(citations[0], console, [one.id for one in citations])


def _show_possible(result: Result, console: Console) -> None:
    """Print a heading, and each possible answer with its number and the lines that say it."""
    from rich.text import Text

    from spanwise.export.plain import POSSIBLE, place

    several = len(result.claims) > 1
    heading = f"{POSSIBLE}s, most likely first." if several else f"{POSSIBLE}."
    console.print(Text.assemble((heading, "bold yellow"), (" No line answers this for certain.", "yellow")))
    for caveat in result.answer.caveats:
        console.print(Text(f"note: {printable(caveat)}", style="yellow"))
    cited = {citation.id: citation for citation in result.citations}
    quoted: dict[tuple[str, str], str] = {}  # sentences of one paragraph may be on the same lines
    for number, claim in enumerate(result.claims, start=1):
        mark = f"{number}. " if several else ""
        console.print()
        console.print(Text(f"{mark}{printable(claim.text)}", style="bold"))
        for name in claim.citations:
            lines = (place(cited[name]), cited[name].quote)
            first = quoted.setdefault(lines, name)
            if first == name:
                _show_citation(cited[name], console)
            else:
                console.print(Text(f"[{name}] {printable(lines[0])}: quoted under {first}", style="cyan"))
    _show_steps(result, console)


def _show_steps(result: Result, console: Console) -> None:
    """Print how figures were computed: `32,765 - 31,657 = 1,108`."""
    from rich.text import Text

    from spanwise.export.plain import computed

    for formula in computed(result):
        console.print(Text(f"computed: {printable(formula)}", style="green"))


def _show_citation(citation: Citation, console: Console, names: Sequence[str] = ()) -> None:
    """Print a place and its lines, under its id or the ids of all citations of the same lines."""
    from rich.text import Text

    from spanwise.export.plain import place

    told = ", ".join(names[:_NAMES]) + (f", ... {names[-1]}" if len(names) > _NAMES else "")
    console.print(Text(f"[{told or citation.id}] {printable(place(citation))}", style="cyan"))
    lines = citation.quote.split("\n")
    for line in lines[:QUOTE_LINES]:
        rest = len(line) - LINE_CHARACTERS
        more = f" ... ({rest} more characters)" if rest > 0 else ""
        console.print(Text.assemble(f"    {printable(line[:LINE_CHARACTERS])}", (more, "dim")))
    if len(lines) > QUOTE_LINES:
        console.print(Text(f"    ... ({len(lines) - QUOTE_LINES} more lines)", style="dim"))


def run_replay(trace: str, as_json: bool) -> int:
    """Check a trace and print its result; returns the exit code."""
    result = replay(trace)
    if as_json:
        print_json(result.to_dict())
    else:
        show(result, stdout())
        for line in _proved(result):
            stderr().print(line, markup=False)
    return 0 if result.decision.kind == "ship" else 1


def _proved(result: Result) -> list[str]:
    """What was checked, and which documents have changed since."""
    count = len(result.citations)
    cited = f"every citation holds ({count})" if count else "it cites nothing"
    changes = [
        f"changed since: {printable(str(detail['message']))}"
        for detail in result.warning_details
        if detail["code"] == "document_changed"
    ]
    return [
        f"the answer of the trace {result.trace.id} was made again without a model: {cited}",
        *(changes or ["no document has changed since"]),
    ]
