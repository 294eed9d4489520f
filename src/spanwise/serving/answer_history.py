"""Answers that were given, with their traces, kept beside the corpus: the newest so many, found by id.

A whole conversation goes out as one ZIP file: answers as Markdown, the cited PDFs with their marks, the traces.
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
"""The seal is the checksum of what is told without the trace, which is packed with one of its own."""
_LOOKED_THROUGH = 200
"""Answers that are read at once when words are looked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of the history."""

    id: str
    """The id of its trace."""
    question: str
    decision: str
    confidence: float
    when: str
    """Date and time in UTC, as ISO 8601 has them."""
    possible: bool
    """True if possible answers were given."""
    review: bool
    """True if somebody should look at the cited lines before the answer is used."""


class Answers:
    """The history of one corpus. Safe to use from several threads."""

    def __init__(self, place: Path | str, most: int) -> None:
        """Open them, or make the tables.

        Args:
            place: Their file, or the URL of the corpus in a database, where every server of it sees them.
            most: How many answers are kept.
        """
        self._name = place.name if isinstance(place, Path) else "the database of the corpus"
        self._most = most
        self._slack = max(1, most // 100)  # answers beyond that before the oldest are looked for
        self._tables = ServerTables(place, _TABLES, "The history of answers", kind=_KIND, synchronous="NORMAL")
        self._rows = self._tables.rows
        self.count()

    def keep(self, result: Result) -> None:
        """Store a result with its trace; the same answer given again becomes the newest."""
        record = unsealed_record(result)  # sealed when somebody wants it
        try:
            content = to_json(record)
        except PydanticSerializationError:  # half a character in a document's text; slower, and rare
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
        """The newest answers, or those older than the answer `before`; with all these words in their questions."""
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
        """Question of the answer."""
        rows = self._rows("SELECT question FROM answers WHERE id = ?", (id,))
        if not rows:
            raise _missing(id)
        return str(rows[0][0])

    def count(self) -> int:
        """How many there are."""
        return int(self._rows("SELECT count(*) FROM answers", ())[0][0])

    def mark(self) -> object:
        """Something that is another one when there are other answers."""
        return self._rows("SELECT max(number), count(*) FROM answers", ())[0]

    def trace(self, id: str) -> dict[str, object]:
        """The trace of an answer, as `Result.save_trace` writes it, but without where its documents' files are.

        Who reads it may be at another machine, and the folders of this one are none of theirs.
        """
        return sealed(_without_paths(self._unsealed(id)))

    def record(self, id: str) -> dict[str, object]:
        """The published result, version 1."""
        return _published(self._unsealed(id))

    def read_for(self, id: str) -> dict[str, str]:
        """The SHA-256 of each document that an answer was looked for in, by its name."""
        read = _documents(self._unsealed(id).get("parsing"))
        return {str(document["name"]): str(document["id"]) for document in read}

    def result(self, id: str) -> Result:
        """The result, without what only the process that asked had (the trace's steps, the highlighter)."""
        trace = self._unsealed(id)
        return result_of(_published(trace), decision_of(trace.get("route")), formatted)

    def forget(self, id: str) -> None:
        """Remove an answer and its trace."""
        if not self._rows("DELETE FROM answers WHERE id = ? RETURNING id", (id,)):
            raise _missing(id)

    def close(self) -> None:
        """Let go of them."""
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
    """The same trace; its documents are known by name and digest alone."""
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
    """The result in a trace, with the time that the trace keeps apart."""
    result, timings = trace.get("result"), trace.get("timings")
    if not isinstance(result, dict) or not isinstance(timings, dict):
        raise TraceError("a kept answer cannot be read: its trace lacks the result")
    return {**result, "metrics": {**timings, **result["metrics"]}}


def _has(question: str, words: str) -> bool:
    """True if every one of the words is in the question, whatever its case."""
    said = question.casefold()
    return all(word in said for word in words.casefold().split())


def _missing(id: str) -> AnswerNotFoundError:
    return AnswerNotFoundError(f"There is no answer {id[:64]!r}: list the results, or ask again.")


MOST_ANSWERS: Final = 100
"""Of one conversation."""
_MOST_BYTES: Final = 200 * 1024 * 1024
"""Of highlighted PDFs; what does not fit is named in the text and left out."""
_WHEN: Final = (1980, 1, 1, 0, 0, 0)
"""The same conversation gives the same bytes."""


def bundle(library: Library, ids: Sequence[str], stop: Stop) -> bytes:
    """The answers with these ids, in this order; what is not there any more is named and left out."""
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
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, content: bytes | str) -> None:
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)

        for result in results:
            stop.check()
            text = json.dumps(library.history.trace(result.trace_id), indent=1)
            put(f"traces/trace-{result.trace_id}.json", text)
        for result in results:
            # Documents that the answer cites at places that can be marked.
            for document in dict.fromkeys(one.document for one in result.citations if one.boxes):
                stop.check()
                name = f"{PurePosixPath(clean_name(document)).stem}-{result.trace_id}.pdf"
                try:
                    content = library.highlighted(result.trace_id, id_of(document))
                except (DocumentError, HighlightError) as problem:
                    left_out.append(f"{clean_name(document)}: {problem}")
                    continue
                if out.tell() + len(content) > _MOST_BYTES:
                    left_out.append(f"{clean_name(document)}: the file would be too large.")
                    continue
                put(f"highlighted/{name}", content)
        put("conversation.md", _written(library.name, results, left_out).encode("utf-8", "replace"))
    return out.getvalue()


def _written(name: str, results: Sequence[Result], left_out: Sequence[str]) -> str:
    """The answers one after the other; a footnote's mark is that of its answer."""
    from spanwise.export.plain import escaped

    parts = [f"# {escaped(name)}\n"]
    for number, result in enumerate(results, start=1):
        answer = str(result.to("markdown")).replace("[^", f"[^{number}-")
        parts.append(f"## {number}. {escaped(result.question)}\n\n{answer}")
    if left_out:
        rows = "\n".join(f"- {escaped(' '.join(one.split()))}" for one in left_out)
        parts.append(f"## What is not here\n\n{rows}\n")
    return "\n".join(parts)
