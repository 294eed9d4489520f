"""`spanwise verify`: any answer checked against documents, claim by claim, with an exit code for pipelines.

`spanwise ground` finds the lines of documents that contain given values.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.cli.output import STDIN, clipped, given, print_json, printable, reading, stderr, stdout, write_report
from spanwise.cli.watching import tell_skipped
from spanwise.contract.adapters import Given
from spanwise.engine import gather, ground
from spanwise.errors import InputError
from spanwise.guard.conflicts.finding import find_conflicts
from spanwise.guard.report import CITED, LABELS, counts, page, unseen
from spanwise.guard.verification import Verification, where
from spanwise.guard.verify import verify
from spanwise.readers.decoding import decode
from spanwise.readers.files import load
from spanwise.readers.port import Limits

if TYPE_CHECKING:
    from rich.console import Console

    from spanwise.answering.grounding import Grounding
    from spanwise.domain.claim import Claim
    from spanwise.guard.conflicts.values import Conflict
    from spanwise.ingest.corpus import Corpus


LARGEST_ANSWER = 5_000_000
"""Most bytes of an answer."""
_CLAIMS_SHOWN = 200
_QUOTES_SHOWN = 2
_STYLES = {"supported": "green", "contradicted": "red", "unsupported": "yellow", "unchecked": "dim"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Options of a check."""

    question: str | None = None
    html: str | None = None
    fail_under: float | None = None
    """The least share (0 to 1) of claims that must be supported where they cite; None requires all to be supported."""
    citations: bool = False
    """True if wrong citations fail the answer."""
    as_json: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no share, which nothing or everything would pass."""
        if self.fail_under is not None and not 0 <= self.fail_under <= 1:
            raise InputError(f"--fail-under {self.fail_under:g} is no share of the claims: give a number from 0 to 1")


def run_verify(answer: str, paths: Sequence[str], wanted: Wanted, password: str | None) -> int:
    """Check an answer and show the result; returns the exit code: 0 if it passes, else 1.

    Args:
        answer: A text or Markdown file, or `-` for standard input.
        paths: Files, folders or globs with the evidence.
        wanted: Question, report, threshold, JSON.
        password: Opens encrypted PDFs.

    Raises:
        InputError: The answer or the sources cannot be read, are empty or too large, or a number is invalid.
        StorageError: The report cannot be written.
    """
    if answer == STDIN and STDIN in paths:
        raise InputError("the standard input is read once: give the answer or a source by it, not both")
    text = text_of(answer)
    with (
        reading("reading") as progress,
        gather(given(paths, password), password=password, progress=progress, report=tell_skipped) as corpus,
    ):
        passages = list(_passages(corpus))
    verification = verify(text, passages, question=wanted.question)
    conflicts = _touching(verification, passages)
    if wanted.html is not None:
        title = "the answer" if answer == STDIN else Path(answer).name
        write_report(Path(wanted.html), page(verification, title=title, question=wanted.question, conflicts=conflicts))
    passed = passes(verification, wanted)
    if wanted.as_json:
        found = [conflict.to_dict() for conflict in conflicts]
        print_json({"passed": passed, **verification.to_dict(), "conflicts": found})
    else:
        _show(verification, conflicts, stdout())
    if wanted.html is not None:
        stderr().print(printable(f"written: {wanted.html}"), markup=False)
    return 0 if passed else 1


def passes(verification: Verification, wanted: Wanted) -> bool:
    """True if enough claims are supported, and citations hold if required; a text without claims does not pass."""
    if wanted.citations and not verification.citations_hold:
        return False
    if wanted.fail_under is None:
        return verification.supported
    return verification.attributed_share >= wanted.fail_under


def text_of(path: str) -> str:
    """The text of an answer, from a file or standard input.

    Raises:
        InputError: It cannot be read, is empty or too large.
    """
    name = "the answer on the standard input" if path == STDIN else path
    if path == STDIN:
        data = sys.stdin.buffer.read(LARGEST_ANSWER + 1)
    else:
        data = load(path, None, Limits(file_bytes=LARGEST_ANSWER)).data
    if len(data) > LARGEST_ANSWER:
        raise InputError(f"{name} has more than {LARGEST_ANSWER:,} bytes: give one answer at a time")
    text = decode(data, name).text if data else ""
    if not text.strip():
        raise InputError(f"{name} is empty: give a text or Markdown file with the answer in it")
    return text


def _passages(corpus: Corpus) -> Iterator[Given]:
    """The passages of all documents, without a page number for formats without pages."""
    position = 0
    for document in corpus.documents():
        for passage in corpus.passages(document.name):
            position += 1
            yield Given(passage, position, passage, passage.page if document.paged else None)


def _touching(verification: Verification, passages: Sequence[Given]) -> list[Conflict]:
    """Conflicts between the sources that concern the evidence of the answer."""
    used: dict[int, list[tuple[int, int]]] = {}
    for place in verification.evidence:
        used.setdefault(place.passage, []).append((place.start, place.end))
    return [
        conflict
        for conflict in (find_conflicts(passages) if used else ())
        if any(
            start < side.end and side.start < end
            for side in (conflict.one, conflict.other)
            for start, end in used.get(side.position, ())
        )
    ]


def _show(verification: Verification, conflicts: Sequence[Conflict], console: Console) -> None:
    from rich.text import Text

    claims = list(enumerate(verification.claims))
    if len(claims) > _CLAIMS_SHOWN:  # unsupported claims first, as they matter most
        claims = sorted(claims, key=lambda one: one[1].support == "supported")[:_CLAIMS_SHOWN]
    places = {place.id: f"{where(place)}: {clipped(place.quote)}" for place in verification.evidence}
    against = [(finding.claim, finding.source) for finding in verification.findings if finding.denies]
    for index, claim in claims:
        ids = dict.fromkeys([*(source for at, source in against if at == index), *claim.citations])
        told = _told(claim, verification.text)
        _show_claim(claim, told, [places[one] for one in ids if one in places], console)
    if len(claims) < len(verification.claims):
        left = len(verification.claims) - len(claims)
        console.print(Text(f"({left} more claims: --json and --html have all of them)", style="dim"))
    for conflict in conflicts:
        console.print(Text(f"note: {clipped(conflict.reason)}", style="yellow"))
        for side in (conflict.one, conflict.other):
            console.print(Text(f"    {printable(where(side))}: {clipped(side.quote)}", style="dim"))
    for told in _notes(verification):
        console.print(Text(f"note: {told}", style="yellow"))
    summary = ", ".join(f"{count} {LABELS[name].lower()}" for name, count in counts(verification).items() if count)
    console.print(Text(summary or verification.reason, style="bold"))


def _told(claim: Claim, text: str) -> str:
    """A claim for display: the cell of a table together with its row."""
    start, end = text.rfind("\n", 0, claim.start) + 1, text.find("\n", claim.end)
    row = text[start : end if end >= 0 else len(text)].strip()
    return f"{claim.text} (in {row})" if row.startswith("|") and row != claim.text else claim.text


def _show_claim(claim: Claim, told: str, evidence: Sequence[str], console: Console) -> None:
    from rich.text import Text

    console.print(Text.assemble((f"{LABELS[claim.support]}: ", _STYLES[claim.support]), clipped(told)))
    if claim.cited in CITED:
        console.print(Text(f"    {CITED[claim.cited]}", style="yellow"))
    if claim.support != "supported":
        console.print(Text(f"    {clipped(claim.reason)}"))
    for place in evidence[:_QUOTES_SHOWN]:
        console.print(Text(f"    {printable(place)}", style="dim"))


def _notes(verification: Verification) -> Iterator[str]:
    if hidden := unseen(verification.text):
        yield f"the answer has {hidden} characters that cannot be seen (control, directional or zero-width)"
    for passage in verification.passages:
        if not passage.read:
            yield printable(f"{passage.passage_id} was not read: {passage.reason}")


_COLOURS = {"found": "green", "differs": "red", "not_found": "yellow"}
_STATES = {"found": "found", "differs": "differs", "not_found": "not found"}


def run_ground(values: str, paths: Sequence[str], highlight: str | None, password: str | None, *, as_json: bool) -> int:
    """Find the lines of given values and show them; returns the exit code: 0 if all were found, else 1.

    Args:
        values: A JSON file, or one with a JSON value per line (`.jsonl`).
        paths: Files, folders or globs that should contain them.
        highlight: Path for a copy of the PDF with their lines highlighted.
        password: Opens encrypted PDFs.
        as_json: Whether to print JSON.
    """
    if not paths:
        raise InputError("the documents are missing: name the files that should say these values")
    found = ground(values, given(paths, password), password=password)
    if as_json:
        print_json(found.to_dict())
    else:
        _show_values(found)
    if highlight is not None and any(citation.boxes for citation in found.citations):
        for path in found.highlight(highlight):
            stderr().print(printable(f"highlighted copy: {path}"), markup=False)
    elif highlight is not None:
        stderr().print("nothing to highlight: no value stands in a PDF", markup=False)
    return 0 if found.holds else 1


def _show_values(found: Grounding) -> None:
    from rich.text import Text

    from spanwise.export.plain import place

    console = stdout()
    for item in found.items:
        state = (_STATES[item.state], _COLOURS[item.state])
        console.print(Text.assemble(state, f": {clipped(item.name)} = {clipped(str(item.value))}"))
        if item.state == "differs":
            console.print(Text(f"    the document says: {clipped(item.found or '')}"))
        if item.citation is not None:
            console.print(Text(f"    {printable(place(item.citation))}: {clipped(item.citation.quote)}", style="dim"))
    counts = [f"{sum(item.state == state for item in found.items)} {words}" for state, words in _STATES.items()]
    console.print(Text(", ".join(counts), style="bold"))
