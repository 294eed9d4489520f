"""How many planted faults validation finds, and how often it complains about an answer that is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sets.planted.faults import FAULT_NAMES, planted
from sets.planted.originals import KINDS, originals
from spanwise.contract.validate import Problem, validate_answer
from spanwise.domain.document import Document
from spanwise.errors import DocumentError, InputError
from spanwise.readers.reading import read

PLANTED = "planted"
"""Its name among the sets of `spanwise eval`."""
A_DOCUMENT = 20
"""Right answers of each kind that are made from one document, at most."""
_MOST_NAMED = 50


@dataclass(slots=True)
class Measured:
    """Counts over all documents."""

    documents: int = 0
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    originals: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    """The first faults that were not found, and false alarms: where, and what was said."""

    def add(self, document: Document, most: int = A_DOCUMENT) -> None:
        """Make answers from a document, plant faults in them, and validate all of them."""
        self.documents += 1
        for original in originals(document, most):
            self.originals[original.kind] += 1
            if problems := validate_answer(original.answer, document):
                self.alarms[original.kind] += 1
                self._name(f"false alarm: {original.id}: {_said(problems)}")
            for one in planted(original, document):
                self.planted[one.fault] += 1
                if validate_answer(one.answer, document):
                    self.found[one.fault] += 1
                else:
                    self._name(f"not found: {one.fault}: {one.id}")

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""
        return {
            "documents": self.documents,
            "found": {name: [self.found[name], self.planted[name]] for name in FAULT_NAMES},
            "false_alarms": {kind: [self.alarms[kind], self.originals[kind]] for kind in KINDS},
            "examples": self.missed,
        }

    def as_text(self) -> str:
        """The counts as a table for a person."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.documents} documents"
        yield f"{'planted fault':<20}{'found':>8}{'of':>8}{'share':>9}"
        for name in FAULT_NAMES:
            yield _row(name, self.found[name], self.planted[name])
        yield _row("all", self.found.total(), self.planted.total())
        yield f"{'right answers':<20}{'alarms':>8}{'of':>8}{'share':>9}"
        for kind in KINDS:
            yield _row(kind, self.alarms[kind], self.originals[kind])
        yield _row("all", self.alarms.total(), self.originals.total())
        yield from self.missed

    def _name(self, text: str) -> None:
        if len(self.missed) < _MOST_NAMED:
            self.missed.append(text)


def measure(documents: Iterable[Document], most: int = A_DOCUMENT) -> Measured:
    """Plant faults in answers made from documents, and count what validation says of them."""
    measured = Measured()
    for document in documents:
        measured.add(document, most)
    return measured


def documents_in(folder: Path, limit: int | None = None) -> Iterator[Document]:
    """The documents of a folder that can be read, by name.

    Raises:
        InputError: The folder has none.
    """
    paths = sorted(
        path for path in folder.glob("*") if path.suffix.lower() in (".pdf", ".docx", ".html", ".md", ".txt")
    )
    if not paths:
        raise InputError(f"there is no document in {folder}: name a folder of PDF, DOCX, HTML, Markdown or text files")
    for path in paths[:limit]:
        try:
            yield read(path)
        except DocumentError:
            continue


def _row(name: str, found: int, of: int) -> str:
    share = f"{found / of:9.2%}" if of else f"{'':>9}"
    return f"{name:<20}{found:>8}{of:>8}{share}"


def _said(problems: list[Problem]) -> str:
    return "; ".join(f"{problem.code} ({problem.message})" for problem in problems[:2])
