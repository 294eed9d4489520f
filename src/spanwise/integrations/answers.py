"""Shared parts of the adapters: answering, retrieval, metadata of passages, failed claims as text, metrics.

A framework that is missing, too old or cannot be imported is reported in one sentence.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from spanwise.contract.result import Result
from spanwise.domain.claim import policy_named
from spanwise.domain.document import Line
from spanwise.domain.passage import Hit, Passage
from spanwise.engine import AnswerOptions, aanswer, answer, chosen_model
from spanwise.errors import MissingExtraError, install_line
from spanwise.guard.failing import failures
from spanwise.guard.verification import Verification
from spanwise.guard.verify import verify
from spanwise.ingest.corpus import Corpus
from spanwise.ingest.paths import find, nothing_found
from spanwise.readers.reading import read
from spanwise.readers.registry import supported_suffixes
from spanwise.store.passages import build_passages

OLDEST = {
    "deepeval": ("deepeval", "4.0"),
    "dspy": ("dspy", "3.1"),
    "haystack": ("haystack-ai", "2.20"),
    "inspect-ai": ("inspect-ai", "0.3.200"),
    "langchain": ("langchain-core", "1.0"),
    "llama-index": ("llama-index-core", "0.14"),
    "ragas": ("ragas", "0.4.3"),
    "llm": ("pydantic-ai-slim", "2.60"),
}
"""For each extra its package and the oldest supported version, as in pyproject.toml."""


@contextmanager
def framework(extra: str) -> Iterator[None]:
    """Check that the framework of an extra is installed, and report imports of it that fail in the block.

    Raises:
        MissingExtraError: It is not installed, is too old, or lacks what is imported.
    """
    package, oldest = OLDEST[extra]
    install = install_line(extra)
    try:
        found = version(package)
    except PackageNotFoundError:
        raise MissingExtraError(f"spanwise.integrations needs {package}, which is not installed: {install}") from None
    if _numbers(found) < _numbers(oldest):
        raise MissingExtraError(f"spanwise.integrations needs {package} {oldest} or newer, not {found}: {install}")
    try:
        yield
    except ImportError as error:  # a newer version has moved a name, or one of its dependencies does not fit
        raise MissingExtraError(
            f"{package} {found} cannot be imported as the adapter does ({error}): {install}, or take an older {package}"
        ) from error


def _numbers(written: str) -> tuple[int, ...]:
    release = re.match(r"\d+(\.\d+)*", written)
    return tuple(int(one) for one in release[0].split(".")) if release else ()


Item = TypeVar("Item")
PLACE = ("document", "line_start", "line_end", "page", "page_label", "section", "boxes", "cells", "at", "item", "id")
"""Metadata keys that describe a place, which neither a model nor an embedding needs to see."""


class Answerer:
    """Answers questions from passages with fixed options, which are checked before the first question."""

    def __init__(self, options: AnswerOptions) -> None:
        model = chosen_model(options.get("model"), mode=options.get("mode"))
        policy_named(options.get("policy", "prune"))
        self._options: AnswerOptions = {**options, "model": model}

    def answer(self, question: str, passages: Iterable[object]) -> Result:
        """The result of `spanwise.answer`."""
        return answer(question, passages, **self._options)

    async def aanswer(self, question: str, passages: Iterable[object]) -> Result:
        """The result of `spanwise.aanswer`."""
        return await aanswer(question, passages, **self._options)


def source_of(result: Result, citation: str, given: Sequence[Item]) -> Item:
    """The one of the given passages that a citation is from."""
    told: Any = result.meta["passages"]
    return given[told[citation]["position"] - 1]


def opened(corpus: Corpus | str | os.PathLike[str]) -> Corpus:
    """The corpus, opened if a path is given.

    Raises:
        CorpusError: There is none at that path.
    """
    return corpus if isinstance(corpus, Corpus) else Corpus.open(corpus, create=False)


def found(corpus: Corpus, query: str, k: int) -> list[tuple[Hit, dict[str, object]]]:
    """The best passages for a query, each with the metadata of its place."""
    return [(hit, _told_of(hit.passage, corpus)) for hit in corpus.search(query, k)]


def passages_of(
    paths: Sequence[str | os.PathLike[str]], password: str | None = None
) -> Iterator[tuple[Passage, dict[str, object]]]:
    """The passages of files, folders and globs, one file at a time, each with the metadata of its place.

    Raises:
        DocumentError: A file cannot be read, or there is none.
    """
    for search in find(paths, supported_suffixes()):
        if not search.files:
            raise nothing_found(search, supported_suffixes())
        for file in search.files:
            inside = search.within and f"/{search.within}"
            document = read(f"{file.path}{inside}", name=f"{file.name}{inside}", password=password)
            for passage in build_passages(document):
                lines = document.lines[passage.line_start - 1 : passage.line_end]
                yield passage, told(passage, lines, paged=document.paged)


def told(passage: Passage, lines: Sequence[Line], *, paged: bool) -> dict[str, object]:
    """The place of a passage, as JSON values under the keys that `spanwise.answer` reads."""
    boxes = [asdict(line.box) for line in lines if line.box is not None]
    place: dict[str, object] = {
        "file_name": passage.document,
        "source": passage.document,
        "document": passage.document,
        "line_start": passage.line_start,
        "line_end": passage.line_end,
        "page": passage.page if paged else None,
        "section": passage.section,
        "boxes": boxes if len(boxes) == len(lines) else None,
    }
    return {name: value for name, value in place.items() if value is not None}


def _told_of(passage: Passage, corpus: Corpus) -> dict[str, object]:
    lines = corpus.lines(passage.document, passage.line_start, passage.line_end)
    return told(passage, lines, paged=corpus.stored(passage.document).paged)


def finding(verification: Verification) -> str:
    """The failed claims of a text, each with the nearest evidence; empty if there are none."""
    return "\n".join(map(str, failures(verification))) or verification.reason


HOLDS = "every claim is supported"
_SHOWN = 20
"""Most failed claims that a reason lists."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer checked against its passages."""

    score: float
    """Share of the claims that hold, from 0 to 1; 0 for a text without claims."""
    reason: str
    verification: Verification


def judged(answer: object, passages: Iterable[object], *, citations: bool = True) -> Judged:
    """Check an answer against its passages.

    Args:
        answer: A text, or an object that is converted to one; None for none.
        passages: In any form that `spanwise.verify` accepts.
        citations: A claim with citations must be supported by the cited passages; otherwise any passage counts.
    """
    verification = verify("" if answer is None else str(answer), list(passages))
    score = verification.attributed_share if citations else verification.supported_share
    found = failures(verification, holding=citations)
    more = [f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    reason = "\n".join([*map(str, found[:_SHOWN]), *more]) or verification.reason or HOLDS
    return Judged(score, reason, verification)
