"""The last answer of this user: where its citations stand, so that `spanwise open` can show them.

A small file in the user's cache that nobody else may read: paths, hashes and rectangles, no text of a document.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.cli.settings import user_folder
from spanwise.domain.claim import Citation
from spanwise.errors import DocumentError, InputError

if TYPE_CHECKING:
    from spanwise.contract.result import Result
    from spanwise.export.highlight import SourceFile
    from spanwise.ingest.corpus import Corpus

_FILE = "last-answer.json"
_VERSION = 1
_MOST = 200
"""Citations that are kept."""
_LARGEST = 1_000_000
"""Bytes of the file."""


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """What is known of it."""

    citations: tuple[Citation, ...]
    files: dict[str, SourceFile]
    """The files of the cited documents that have one, by name."""


def keep(result: Result, corpus: Corpus) -> None:
    """Remember where the citations of a result stand; a cache that cannot be written is no error of the question."""
    cited = result.citations or (result.missing.nearest if result.missing is not None else ())
    files = {}
    for name in dict.fromkeys(one.document for one in cited[:_MOST]):
        with suppress(DocumentError):
            stored = corpus.stored(name)
            if stored.source is not None:
                files[name] = {"path": stored.source.path, "sha256": stored.id}
    record = {
        "version": _VERSION,
        "citations": [_record(one) for one in cited[:_MOST]],
        "files": files,
    }
    written = json.dumps(record).encode("utf-8", "surrogatepass")
    if len(written) > _LARGEST:
        written = json.dumps({**record, "citations": record["citations"][:1]}).encode("utf-8", "surrogatepass")  # type: ignore[index]
    with suppress(OSError, RuntimeError):  # the last where nobody has a home
        write_private(user_folder("cache") / _FILE, written)


def last_answer(password: str | None = None) -> LastAnswer:
    """The last answer.

    Args:
        password: Opens its documents where they are encrypted; it is never kept.

    Raises:
        InputError: There is none, or its file is none of ours.
    """
    from pydantic import TypeAdapter, ValidationError

    from spanwise.export.highlight import SourceFile

    path = user_folder("cache") / _FILE
    try:
        with path.open("rb") as file:
            record = json.loads(file.read(_LARGEST + 1))
        if record["version"] != _VERSION:
            raise ValueError("of another version")  # noqa: TRY301 - told below like all that is not ours
        citations = TypeAdapter(tuple[Citation, ...]).validate_python(record["citations"])
        files = {
            str(name): SourceFile(Path(str(one["path"])), str(one["sha256"]), password)
            for name, one in record["files"].items()
        }
    except FileNotFoundError:
        raise InputError('no answer is remembered: ask first (spanwise ask FILE "QUESTION")') from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): ask again") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError) as error:
        raise InputError(f"{path} is not what Spanwise wrote: ask again, and it is replaced") from error
    return LastAnswer(citations, files)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only this user may read, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")  # for this user alone
    try:
        with os.fdopen(made, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _record(citation: Citation) -> dict[str, object]:
    """A citation without the words of its document."""
    return {
        "id": citation.id,
        "item": citation.item,
        "document": citation.document,
        "line_start": citation.line_start,
        "line_end": citation.line_end,
        "page": citation.page,
        "page_label": citation.page_label,
        "boxes": [{"page": box.page, "x0": box.x0, "y0": box.y0, "x1": box.x1, "y1": box.y1} for box in citation.boxes],
        "quote": "",
        "at": list(citation.at),
        "cells": citation.cells,
    }
