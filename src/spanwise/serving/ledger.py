"""Audit of questions: a quota for each token, and one line of a JSON Lines file for each question."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.serving.registry import Registry

if TYPE_CHECKING:
    from spanwise.contract.result import Result

ASKER: ContextVar[str | None] = ContextVar("asker", default=None)
"""Id of the token that the request came with; None where none was asked for."""
_LARGEST = 64 * 1024 * 1024
"""Bytes of the file; then it is kept as `.1` in place of the one before, and a new one begun."""
log = logging.getLogger("spanwise.server")


@dataclass(slots=True)
class Ledger:
    """Notes each question of a server's corpora."""

    registry: Registry
    path: Path | None = None
    """Of the lines; None writes none."""
    content: bool = False
    """True if the question and the answer are written too."""
    failed: str | None = None
    """Why the last line could not be written."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def question(self, corpus: str, question: str) -> Iterator[list[Result]]:
        """Count a question, and write its line when the block ends; the result goes into the list that it gets."""
        asker = ASKER.get()
        if asker is not None:
            self.registry.count_question(asker)
        began = time.monotonic()
        answers: list[Result] = []
        error: str | None = None
        try:
            yield answers
        except GeneratorExit:
            error = "stopped" if not answers else None
            raise
        except BaseException as problem:
            error = type(problem).__name__
            raise
        finally:
            self._write(corpus, question, asker, answers[-1] if answers else None, error, time.monotonic() - began)

    def _write(
        self, corpus: str, question: str, asker: str | None, result: Result | None, error: str | None, seconds: float
    ) -> None:
        if self.path is None:
            return
        line: dict[str, object] = {
            "when": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "corpus": corpus,
            "token": asker,
            "trace_id": None if result is None else result.trace_id,
            "decision": None if result is None else result.decision.kind,
            "confidence": None if result is None else round(float(result.confidence), 3),
            "citations": 0 if result is None else len(result.citations),
            "milliseconds": round(seconds * 1000),
            "error": error,
        }
        if self.content:
            line |= {"question": question, "answer": None if result is None else result.text}
        try:
            with self._lock:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                if self.path.exists() and self.path.stat().st_size > _LARGEST:
                    self.path.replace(self.path.with_name(f"{self.path.name}.1"))
                with self.path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self.failed = None
        except OSError as problem:  # the answer is given all the same; the operator's page and the log say so
            self.failed = f"{self.path} cannot be written ({problem.strerror})"
            log.error("a line of the audit is lost: %s", self.failed)  # noqa: TRY400  # the reason says all
