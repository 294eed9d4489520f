"""A whole conversation as one ZIP file: its answers as Markdown, the cited PDFs with their marks, the traces."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from spanwise.errors import AnswerNotFoundError, DocumentError, HighlightError
from spanwise.serving.cancellation import Stop
from spanwise.serving.entries import clean_name, id_of

if TYPE_CHECKING:
    from spanwise.contract.result import Result
    from spanwise.serving.corpus_library import Library

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
            results.append(library.result(one))
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
            text = json.dumps(library.trace(result.trace_id), indent=1)
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
