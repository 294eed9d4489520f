"""Batches: many questions of many documents into typed rows with citations, on any number of workers.

>>> from spanwise import batch
>>> report = batch.run("questions.jsonl", "corpus.db", "facts.parquet", workers=4)
>>> report.found, report.failed, report.broken
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic import Field as Length

from spanwise.engine import Search, Written
from spanwise.errors import InputError
from spanwise.executors import Client, Died, mapped, pool_of
from spanwise.extraction.fields import Field, fields_of_file, name_of
from spanwise.extraction.run import Answered, Asking, Extracted, Tally, Task, answer, filled, place_of, state_of
from spanwise.extraction.sinks import Sink, open_sink
from spanwise.ingest.corpus import Corpus
from spanwise.questions.parse import demanded, parse_question

if TYPE_CHECKING:
    from spanwise.guard.verification import Verification

__all__ = [
    "Answered",
    "Asked",
    "Asking",
    "BrokenLine",
    "Progress",
    "Progressed",
    "Report",
    "Task",
    "answer",
    "read_questions",
    "run",
    "tasks_of",
    "verify_many",
]

_LONGEST_LINE = 100_000
_MOST_LINES = 1_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a batch, asked of each document separately, or of all of them together."""

    field: Field
    documents: tuple[str, ...] | None = None
    """Names of the documents to ask; None for all of the batch."""
    across: bool = False
    """Whether one answer is wanted from all documents together, instead of one from each."""


class _Line(BaseModel):
    """The JSON object on one line of a question file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str
    name: str | None = None
    type: str | None = None
    shape: str | None = None
    documents: Annotated[list[str], Length(min_length=1)] | None = None
    across: bool = False


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line of a question file that could not be read as a question."""

    number: int
    """Line number in the file, from 1."""
    message: str


@dataclass(frozen=True, slots=True)
class Progressed:
    """The progress of a batch; the rows of everything that it counts are already written."""

    done: int
    """Questions that this run has asked so far."""
    total: int
    """Questions of the batch, without those resumed."""
    resumed: int
    """Questions that an earlier run had answered."""
    found: int
    failed: int
    cost_usd: float
    seconds_left: float | None
    """Estimated from the mean time per question so far; None before the first one is done."""
    name: str
    """The document whose rows were just written, or the question that was asked of all documents."""


@dataclass(frozen=True, slots=True)
class Report(Extracted):
    """What a batch has done, with the lines of the question file that it could not read."""

    broken: tuple[BrokenLine, ...] = ()
    """Lines of the question file that were not asked."""


Progress: TypeAlias = Callable[[Progressed], None]


def run(
    questions: str | os.PathLike[str] | Sequence[str | Field | Asked],
    corpus: str | os.PathLike[str] | Corpus,
    out: str | os.PathLike[str] | Sink | None,
    *,
    documents: Sequence[str] | None = None,
    client: Client | None = None,
    workers: int = 1,
    profile: str | None = None,
    registered: str | None = None,
    model: str | None = None,
    mode: str | None = None,
    base_url: str | None = None,
    context_window: int | None = None,
    cache: str | None = None,
    embedder: str | None = None,
    embedder_url: str | None = None,
    reranker: str | None = None,
    budget_usd: float | None = None,
    requests_per_minute: float | None = None,
    progress: Progress | None = None,
) -> Report:
    """Ask every question of every document and write a row for each value; rows already in `out` are not asked again.

    Args:
        questions: A question file (see `read_questions`), or the questions.
        corpus: The file or URL of the corpus; every worker must be able to open it.
        out: Where the rows are written (see `spanwise.extraction.sinks.open_sink`).
        documents: Names of the documents for questions that name none; all documents by default.
        client: The executor to use (see `spanwise.executors.Client`); processes on this machine by default.
        workers: Number of processes; the caller's script needs a `__main__` guard.
        profile: What kind of documents these are (see `Engine`).
        registered: The class that the fields belong to, as `FILE.py:Class`, which every worker registers.
        model: The name of the model that writes the answers; no model by default.
        mode: The response mode (see `Engine`).
        base_url: The address of the model's server.
        context_window: The model's context window in tokens, where Spanwise does not know it.
        cache: A file in which the model's replies are stored, so that a resumed run does not pay for them again.
        embedder: An embedder for semantic search, as a name for `spanwise.embedder_from`; each worker creates its own.
        embedder_url: The address of the embedder's server.
        reranker: The path of a cross-encoder in an ONNX file.
        budget_usd: The most that the model calls of this run may cost, over all workers together.
        requests_per_minute: The most model calls per minute, over all workers together; each gets an equal share.
        progress: Called after each task, when its rows are written.

    Returns:
        The counts of the run. A question that met an error has a row with the decision `failed` and is asked again by
        the next run; one that killed its worker has a row with the decision `died` and is not asked again.
    """
    asked, broken = read_questions(questions) if isinstance(questions, str | os.PathLike) else (_given(questions), ())
    written = Written(model, mode, base_url, context_window, cache)
    _check_model(written, budget_usd)
    search = Search(embedder, embedder_url, reranker)
    search.hybrid()  # an embedder that cannot be created fails now, not after long work
    asking = Asking(
        corpus=place_of(corpus),
        profile=profile,
        registered=registered,
        written=written,
        requests_per_minute=requests_per_minute,
        budgeted=budget_usd is not None,
        search=search,
    )
    if isinstance(corpus, Corpus):
        tasks = tasks_of(asked, corpus, documents)
    else:
        with Corpus.open(corpus, create=False) as opened:
            tasks = tasks_of(asked, opened, documents)
    if isinstance(out, str | os.PathLike) or out is None:
        with open_sink(out) as sink:
            tally = _run(tasks, sink, asking, workers, client, budget_usd, progress)
    else:
        tally = _run(tasks, out, asking, workers, client, budget_usd, progress)
    done = tally.outcome()
    return Report(**{one.name: getattr(done, one.name) for one in fields(done)}, broken=broken)


def _check_model(written: Written, budget_usd: float | None) -> None:
    if budget_usd is not None and budget_usd < 0:
        raise InputError("a budget cannot be below 0; leave it out to have none")
    if written.model is not None and not isinstance(written.model, str):
        raise InputError("name the model of a batch as text: every worker makes its own")
    made = replace(written, cache=None).chosen()  # the cache is opened by the workers
    if budget_usd is not None and made is not None:
        from spanwise.llm.middleware.limits import Budget, Budgeted

        Budgeted(made, Budget(cost_usd=budget_usd))  # an unknown price fails now


def _run(
    tasks: Sequence[Task],
    sink: Sink,
    asking: Asking,
    workers: int,
    client: Client | None,
    budget_usd: float | None,
    progress: Progress | None,
) -> Tally:
    began = time.monotonic()
    tally = Tally()
    for tally in filled(tasks, sink, asking, workers=workers, client=client, budget_usd=budget_usd):
        if progress is not None:
            progress(_progressed(tally, time.monotonic() - began))
    return tally


def _progressed(tally: Tally, seconds: float) -> Progressed:
    left = seconds / tally.done * (tally.total - tally.done) if tally.done else None
    return Progressed(
        tally.done, tally.total, tally.resumed, tally.found, tally.failed, round(tally.cost_usd, 6), left, tally.name
    )


def read_questions(path: str | os.PathLike[str]) -> tuple[list[Asked], tuple[BrokenLine, ...]]:
    """The questions of a file, and the lines that could not be read as questions.

    In a `.jsonl` file, a line is a question as a JSON string, or an object with `question` and optionally `name` (of
    the column; unique), `type` and `shape` (see `Engine.ask`), `documents` (names), and `across` (true for one answer
    from all of the documents together instead of one from each). Other files are as for `spanwise extract --fields`.
    """
    path = Path(path)
    if path.suffix.lower() != ".jsonl":
        return [Asked(field) for field in fields_of_file(path)], ()
    asked: list[Asked] = []
    broken: list[BrokenLine] = []
    names: dict[str, int] = {}
    for number, line in _lines(path):
        try:
            one = _asked(line)
        except InputError as error:
            broken.append(BrokenLine(number, str(error)))
            continue
        name = one.field.name
        if name in names:
            broken.append(BrokenLine(number, f"it has the name {name!r} of line {names[name]}: give it one of its own"))
        else:
            names[name] = number
            asked.append(one)
    if not asked:
        first = f" (line {broken[0].number}: {broken[0].message})" if broken else ""
        raise InputError(f"{path} has no question{first}: write one a line, as text or as an object in JSON")
    return asked, tuple(broken)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, each with its number from 1; a line that is too long is cut after the limit."""
    try:
        with path.open("rb") as file:
            for number in range(1, _MOST_LINES + 2):
                line = file.readline(_LONGEST_LINE + 1)
                whole = line
                while whole and not whole.endswith(b"\n") and len(whole) > _LONGEST_LINE:
                    whole = file.readline(_LONGEST_LINE + 1)  # skip the rest of the line
                if not line:
                    return
                if number > _MOST_LINES:
                    raise InputError(f"{path} has more than {_MOST_LINES:,} lines: ask them in several batches")
                if line.strip(b" \t\r\n\xef\xbb\xbf"):
                    yield number, line
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error


def _asked(line: bytes) -> Asked:
    if len(line) > _LONGEST_LINE:
        raise InputError(f"it is longer than {_LONGEST_LINE:,} bytes")
    try:
        data = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("it is not text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"it is not JSON: {error}") from None
    try:
        one = _Line.model_validate({"question": data} if isinstance(data, str) else data)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"its {'.'.join(map(str, first['loc'])) or 'value'} cannot be: {first['msg']}") from None
    question = one.question.strip()
    field = _checked(Field(one.name or name_of(question), question, one.type, one.shape))
    return Asked(field, None if one.documents is None else tuple(dict.fromkeys(one.documents)), one.across)


def _checked(field: Field) -> Field:
    demanded(parse_question(field.question), field.type, field.shape)
    return field


def _given(questions: Iterable[str | Field | Asked]) -> list[Asked]:
    asked: list[Asked] = []
    for one in questions:
        field = Field(name_of(one), one.strip()) if isinstance(one, str) else one
        asked.append(field if isinstance(field, Asked) else Asked(field))
    names: set[str] = set()
    for each in asked:
        _checked(each.field)
        if each.field.name in names:
            raise InputError(f"two questions are called {each.field.name!r}: give each a name of its own")
        names.add(each.field.name)
    if not asked:
        raise InputError("there is nothing to ask: give at least one question")
    return asked


def tasks_of(asked: Sequence[Asked], corpus: Corpus, documents: Sequence[str] | None = None) -> list[Task]:
    """The tasks of a batch: one per document, in the order of names, then one per question across documents."""
    stored = {one.name: one.id for one in corpus.documents()}
    chosen = list(stored) if documents is None else [corpus.stored(name).name for name in dict.fromkeys(documents)]
    of_each: dict[str, list[Field]] = {name: [] for name in chosen}
    across: list[Task] = []
    for one in asked:
        if one.across:
            among = one.documents if one.documents is not None or documents is None else tuple(chosen)
            across.append(Task("", "", (one.field,), among))
        else:
            for name in chosen if one.documents is None else one.documents:
                of_each.setdefault(name, []).append(one.field)
    states = {among: state_of(corpus, among) for among in {task.among for task in across}}
    return [
        *(Task(name, stored.get(name, ""), tuple(some)) for name, some in of_each.items() if some),
        *(Task("", states[task.among], task.fields, task.among) for task in across),
    ]


def verify_many(
    texts: Sequence[tuple[str, Sequence[object]]], *, client: Client | None = None, workers: int = 1
) -> Iterator[Verification | Died]:
    """The verification of many answers, in their order, as by `spanwise.verify`; `Died` for one that killed its worker.

    Args:
        texts: Pairs of an answer and the passages to verify it against; they must be picklable.
        client: The executor to use (see `spanwise.executors.Client`).
        workers: Number of processes on this machine if no client is given; the caller's script needs a `__main__`
            guard.
    """
    with pool_of(client, workers) as pool:
        yield from mapped(_verified, texts, pool)


def _verified(one: tuple[str, Sequence[object]]) -> Verification:
    from spanwise.guard.verify import verify

    return verify(*one)
