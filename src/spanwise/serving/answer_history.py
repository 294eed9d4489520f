"""The newest answers with their traces, kept beside the corpus and found by id.

A whole conversation can be downloaded as a ZIP file: answers as Markdown, highlighted PDFs, and traces.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from pydantic_core import PydanticSerializationError, to_json

from spanwise.contract.record import sealed
from spanwise.contract.result import Result, decision_of, result_of, unsealed_record
from spanwise.errors import AnswerNotFoundError, DocumentError, HighlightError, StorageError, TraceError
from spanwise.export.formats import formatted
from spanwise.serving.cancellation import Stop
from spanwise.serving.entries import clean_name, id_of
from spanwise.serving.server_tables import ServerTables
from spanwise.store.codec import seal

if TYPE_CHECKING:
    from spanwise.contract.result import Result
    from spanwise.serving.corpus_library import Library


_KIND = 0x53504E41, "a history of answers"  # "SPNA"
_LEVEL = 1
_TABLES = (
    "CREATE TABLE answers (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, asked TEXT NOT NULL, "
    "question TEXT NOT NULL, decision TEXT NOT NULL, confidence DOUBLE PRECISION NOT NULL, trace BLOB NOT NULL, "
    "possible INTEGER NOT NULL DEFAULT 0, review INTEGER NOT NULL DEFAULT 0, seal INTEGER NOT NULL DEFAULT 0)",
)
"""The seal is the checksum of all columns but the trace, which is compressed and has a checksum of its own."""
_LOOKED_THROUGH = 200
"""Answers that are fetched at a time when searching their questions for words."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the history, with the outcome of its answer."""

    id: str
    """The id of the answer's trace."""
    question: str
    decision: str
    confidence: float
    when: str
    """Date and time in UTC, in ISO 8601."""
    possible: bool
    """True if possible answers were given."""
    review: bool
    """True if a person should check the cited lines before using the answer."""


class Answers:
    """The history of one corpus. Safe to use from several threads."""

    def __init__(self, place: Path | str, most: int) -> None:
        """Open the history, or create its tables.

        Args:
            place: Its file, or the URL of the corpus's database, where all servers of the corpus share it.
            most: How many answers are kept; the oldest are removed.
        """
        self._name = place.name if isinstance(place, Path) else "the database of the corpus"
        self._most = most
        self._slack = max(1, most // 100)  # answers between two removals of the oldest
        self._tables = ServerTables(place, _TABLES, "The history of answers", kind=_KIND, synchronous="NORMAL")
        self._rows = self._tables.rows
        self.count()

    def keep(self, result: Result) -> None:
        """Store a result with its trace; an answer given again becomes the newest."""
        record = unsealed_record(result)  # sealed when requested
        try:
            content = to_json(record)
        except PydanticSerializationError:  # a lone surrogate in a document's text; slower, and rarely needed
            content = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        told = (
            *(result.trace_id, result.question, result.decision.kind, float(result.confidence), now),
            *(int(result.possible), int(result.review)),
        )
        packed = zlib.compress(content, _LEVEL)
        ((number,),) = self._rows(
            "INSERT INTO answers (id, question, decision, confidence, asked, possible, review, trace, seal) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET number = excluded.number, "
            "question = excluded.question, decision = excluded.decision, confidence = excluded.confidence, "
            "asked = excluded.asked, possible = excluded.possible, review = excluded.review, trace = excluded.trace, "
            "seal = excluded.seal RETURNING number",
            (*told, packed, seal(*told)),
        )
        if number % self._slack == 0:
            self._rows(
                "DELETE FROM answers WHERE number <= "
                "(SELECT number FROM answers ORDER BY number DESC LIMIT 1 OFFSET ?)",
                (self._most,),
            )

    def newest(self, limit: int = 100, before: str | None = None, words: str = "") -> tuple[Asked, ...]:
        """The newest answers, or those older than the answer `before`, whose questions contain all `words`."""
        last = 2**62
        if before is not None:
            rows = self._rows("SELECT number FROM answers WHERE id = ?", (before,))
            if not rows:
                raise _missing(before)
            last = rows[0][0]
        found: list[Asked] = []
        count = max(limit, _LOOKED_THROUGH) if words else limit
        while len(found) < limit:
            rows = self._rows(
                "SELECT number, seal, id, question, decision, confidence, asked, possible, review FROM answers "
                "WHERE number < ? ORDER BY number DESC LIMIT ?",
                (last, count),
            )
            for number, sum_of_it, *told in rows:
                if sum_of_it != seal(*told):
                    raise self._damaged()
                last = number
                trace, question, decision, confidence, when, possible, review = told
                if _has(question, words):
                    found.append(Asked(trace, question, decision, confidence, when, bool(possible), bool(review)))
            if len(rows) < count:
                break
        return tuple(found[:limit])

    def question(self, id: str) -> str:
        """The question of an answer.

        Raises `AnswerNotFoundError` if there is none of that id, as the other methods do.
        """
        rows = self._rows("SELECT question FROM answers WHERE id = ?", (id,))
        if not rows:
            raise _missing(id)
        return str(rows[0][0])

    def count(self) -> int:
        """The number of answers."""
        return int(self._rows("SELECT count(*) FROM answers", ())[0][0])

    def mark(self) -> object:
        """A value that changes whenever answers are added or removed."""
        return self._rows("SELECT max(number), count(*) FROM answers", ())[0]

    def trace(self, id: str) -> dict[str, object]:
        """The trace of an answer, as `Result.save_trace` writes it, but without the paths of its documents' files.

        Its reader may be on another machine, and has no business with the folders of this one.
        """
        return sealed(_without_paths(self._unsealed(id)))

    def record(self, id: str) -> dict[str, object]:
        """The published record of a result, version 1."""
        return _published(self._unsealed(id))

    def read_for(self, id: str) -> dict[str, str]:
        """The SHA-256 of each document that was searched for an answer, by its name."""
        read = _documents(self._unsealed(id).get("parsing"))
        return {str(document["name"]): str(document["id"]) for document in read}

    def result(self, id: str) -> Result:
        """The result, without what only the original process had (the steps of the trace, the highlighter)."""
        trace = self._unsealed(id)
        return result_of(_published(trace), decision_of(trace.get("route")), formatted)

    def forget(self, id: str) -> None:
        """Remove an answer and its trace."""
        if not self._rows("DELETE FROM answers WHERE id = ? RETURNING id", (id,)):
            raise _missing(id)

    def close(self) -> None:
        """Close the file or the connection."""
        self._tables.close()

    def _unsealed(self, id: str) -> dict[str, object]:
        rows = self._rows("SELECT trace FROM answers WHERE id = ?", (id,))
        if not rows:
            raise _missing(id)
        try:
            trace: dict[str, object] = json.loads(zlib.decompress(rows[0][0]).decode("utf-8", "surrogatepass"))
        except (zlib.error, ValueError) as error:
            raise self._damaged() from error
        return trace

    def _damaged(self) -> StorageError:
        return StorageError(
            f"The history of answers in {self._name} is damaged: move the file away and ask again."
            if self._tables.file
            else f"The history of answers in {self._name} is damaged: forget the answer and ask again."
        )


def _without_paths(trace: dict[str, object]) -> dict[str, object]:
    """The same trace, changed in place, with its documents' sources removed."""
    for documents in (_documents(trace.get("parsing")), _documents(trace.get("proof"))):
        for document in documents:
            described = document.get("stored", document)
            if isinstance(described, dict):
                described["source"] = None
    return trace


def _documents(step: object) -> list[dict[str, object]]:
    documents = step.get("documents") if isinstance(step, dict) else None
    return documents if isinstance(documents, list) else []


def _published(trace: dict[str, object]) -> dict[str, object]:
    """The result in a trace, completed by the timings, which the trace keeps apart."""
    result, timings = trace.get("result"), trace.get("timings")
    if not isinstance(result, dict) or not isinstance(timings, dict):
        raise TraceError("a kept answer cannot be read: its trace lacks the result")
    return {**result, "metrics": {**timings, **result["metrics"]}}


def _has(question: str, words: str) -> bool:
    """True if the question contains every one of the words, whatever the case."""
    said = question.casefold()
    return all(word in said for word in words.casefold().split())


def _missing(id: str) -> AnswerNotFoundError:
    return AnswerNotFoundError(f"There is no answer {id[:64]!r}: list the results, or ask again.")


MOST_ANSWERS: Final = 100
"""Most answers of a conversation that is downloaded."""
_MOST_BYTES: Final = 200 * 1024 * 1024
"""Most bytes of a downloaded conversation; PDFs beyond it are left out and listed in the text."""
_WHEN: Final = (1980, 1, 1, 0, 0, 0)
"""The date of all files in the ZIP, so that the same conversation gives the same bytes."""


def bundle(library: Library, ids: Sequence[str], stop: Stop) -> bytes:
    """A ZIP file of the answers with these ids, in this order; missing ones are listed in it.

    Raises:
        AnswerNotFoundError: None of the answers exists.
    """
    results: list[Result] = []
    left_out: list[str] = []
    for one in dict.fromkeys(ids):
        try:
            results.append(library.history.result(one))
        except AnswerNotFoundError as problem:
            left_out.append(str(problem))
            if len(left_out) == len(set(ids)):
                raise
    out = io.BytesIO()
    names: set[str] = set()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, content: bytes | str) -> None:
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)

        for result in results:
            stop.check()
            text = json.dumps(library.history.trace(result.trace_id), indent=1)
            put(f"traces/trace-{result.trace_id}.json", text)
        for result in results:
            # Documents with citations that have boxes, and so can be highlighted.
            for document in dict.fromkeys(one.document for one in result.citations if one.boxes):
                stop.check()
                try:
                    content = library.highlighted(result.trace_id, id_of(document))
                except (DocumentError, HighlightError) as problem:
                    left_out.append(f"{clean_name(document)}: {problem}")
                    continue
                if out.tell() + len(content) > _MOST_BYTES:
                    left_out.append(f"{clean_name(document)}: the file would be too large.")
                    continue
                put(f"highlighted/{_free_name(clean_name(document), result.trace_id, names)}", content)
        put("conversation.md", _written(library.name, results, left_out).encode("utf-8", "replace"))
    return out.getvalue()


def _free_name(document: str, trace_id: str, taken: set[str]) -> str:
    """A file name for a highlighted document, which is added to those `taken`; two folders may have a file each."""
    name = stem = f"{PurePosixPath(document).stem}-{trace_id}"
    number = 2
    while name.casefold() in taken:
        name, number = f"{stem}-{number}", number + 1
    taken.add(name.casefold())
    return f"{name}.pdf"


def _written(name: str, results: Sequence[Result], left_out: Sequence[str]) -> str:
    """The conversation as Markdown; footnote marks are prefixed with the number of their answer."""
    from spanwise.export.plain import escaped

    parts = [f"# {escaped(name)}\n"]
    for number, result in enumerate(results, start=1):
        answer = str(result.to("markdown")).replace("[^", f"[^{number}-")
        parts.append(f"## {number}. {escaped(result.question)}\n\n{answer}")
    if left_out:
        rows = "\n".join(f"- {escaped(' '.join(one.split()))}" for one in left_out)
        parts.append(f"## What is not here\n\n{rows}\n")
    return "\n".join(parts)
