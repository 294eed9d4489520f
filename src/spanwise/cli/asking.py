"""`spanwise ask`: the question, the answer with its quotes, the highlighted copy."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanwise.cli.output import print_json, printable, stderr, stdout
from spanwise.cli.progress import reading
from spanwise.engine import Engine, gather
from spanwise.errors import HighlightError, InputError
from spanwise.questions.parse import parse_question

if TYPE_CHECKING:
    from rich.console import Console

    from spanwise.contract.result import Result
    from spanwise.domain.claim import Citation

QUOTE_LINES = 8
"""Lines of one quote that the terminal shows; --json and the highlighted copy have all of them."""


def run_ask(
    words: Sequence[str],
    corpus: str | None,
    documents: tuple[str, ...],
    highlight: str | None,
    profile: str | None,
    password: str | None,
    as_json: bool,
) -> int:
    """Answer one question and return the exit code."""
    paths, question = _split(words, corpus)
    if documents and corpus is None:
        raise InputError("--document names a document of a corpus: give --corpus FILE with it, or give the file itself")
    parse_question(question)  # fail before a long document is read
    result = _answer(paths, question, corpus, documents, profile, password)
    written = _highlighted(result, highlight)
    if as_json:
        print_json(result.to_dict())
    else:
        show(result, stdout())
    for path in written:
        stderr().print(f"highlighted copy: {path}", markup=False)
    return 0 if result.decision.kind == "ship" else 1


def _split(words: Sequence[str], corpus: str | None) -> tuple[list[str], str]:
    *paths, question = words
    if corpus is not None:
        if paths:
            raise InputError(
                "with --corpus give only the question (in quotes); --document NAME limits it to one document"
            )
        return [], question
    if not paths:
        if os.path.exists(question):
            raise InputError(f'a question is missing: spanwise ask {question} "What is ...?"')
        raise InputError('a document is missing: spanwise ask FILE "QUESTION", or --corpus FILE "QUESTION"')
    if os.path.exists(question) and not os.path.exists(paths[0]):
        raise InputError(f"the question comes last: spanwise ask {question} {paths[0]!r}")
    return paths, question


def _answer(
    paths: Sequence[str],
    question: str,
    corpus: str | None,
    documents: tuple[str, ...],
    profile: str | None,
    password: str | None,
) -> Result:
    from spanwise.pipeline.corpus import Corpus

    if corpus is not None:
        with Corpus.open(corpus, create=False) as opened:
            return Engine(opened, profile=profile, password=password).ask(question, documents=documents or None)
    with reading("reading") as progress, gather(paths, password=password, progress=progress) as gathered:
        return Engine(gathered, profile=profile, password=password).ask(question)


def _highlighted(result: Result, target: str | None) -> Sequence[os.PathLike[str]]:
    if target is None or not result.citations:
        return ()
    try:
        return result.highlight(target)
    except HighlightError:
        if any(citation.boxes for citation in result.citations):
            raise
        stderr().print("nothing to highlight: only PDFs can be highlighted, and the answer cites none", markup=False)
        return ()


def show(result: Result, console: Console) -> None:
    """Print a result for a person."""
    from rich.text import Text

    for detail in result.warning_details:
        console.print(Text(f"note: {printable(str(detail['message']))}", style="yellow"))
    if result.decision.kind == "ship":
        console.print(Text(printable(result.text), style="bold"))
        for caveat in result.answer.caveats:
            console.print(Text(f"note: {printable(caveat)}", style="yellow"))
        console.print()
        for citation in result.citations:
            _show_citation(citation, console)
        console.print(Text(f"confidence {result.confidence:.2f}", style="dim"))
        return
    said = printable(result.text)
    console.print(Text(said if said.endswith((".", "?")) else f"{said.capitalize()}.", style="bold"))
    if result.missing is not None:
        console.print(Text(f"{result.missing.reason}; {printable(result.missing.what)}"))
        if result.missing.nearest:
            console.print(Text("\nnearest evidence (not an answer):", style="dim"))
            for citation in result.missing.nearest:
                _show_citation(citation, console)


def _show_citation(citation: Citation, console: Console) -> None:
    from rich.text import Text

    console.print(Text(f"[{citation.id}] {printable(place(citation))}", style="cyan"))
    lines = citation.quote.split("\n")
    for line in lines[:QUOTE_LINES]:
        console.print(Text(f"    {printable(line)}"))
    if len(lines) > QUOTE_LINES:
        console.print(Text(f"    ... ({len(lines) - QUOTE_LINES} more lines)", style="dim"))


def place(citation: Citation) -> str:
    """Where a citation points, in words: `report.pdf, page 6 (printed 2), lines 120-123`."""
    lines = f"line {citation.line_start}"
    if citation.line_end > citation.line_start:
        lines = f"lines {citation.line_start}-{citation.line_end}"
    if citation.page is None:
        return f"{citation.document}, {lines}"
    printed = "" if citation.page_label in (None, str(citation.page)) else f" (printed {citation.page_label})"
    return f"{citation.document}, page {citation.page}{printed}, {lines}"
