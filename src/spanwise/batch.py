"""Batches: documents x questions into typed rows, each value with its citation, on as many workers as there are.

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
    """One question of a batch, asked of each document, or across all of them at once."""

    field: Field
    documents: tuple[str, ...] | None = None
    """Names of the documents; None for all."""
    across: bool = False


class _Line(BaseModel):
    """An object in a question file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str
    name: str | None = None
    type: str | None = None
    shape: str | None = None
    documents: Annotated[list[str], Length(min_length=1)] | None = None
    across: bool = False


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line of a question file that is no question."""

    number: int
    message: str


@dataclass(frozen=True, slots=True)
class Progressed:
    """A batch as far as it is; what it says is written already."""

    done: int
    """Questions that were asked in this run."""
    total: int
    resumed: int
    found: int
    failed: int
    cost_usd: float
    seconds_left: float | None
    """None while nobody can tell."""
    name: str
    """The document that was just written, or the question asked across all."""


@dataclass(frozen=True, slots=True)
class Report(Extracted):
    """Report of a batch."""

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
    """Ask every question of every document and write a row for each value; what `out` already holds is not asked again.

    Args:
        questions: A file (see `read_questions`), or questions.
        corpus: The file or URL of the corpus, which every worker can open.
        out: Where the rows go (see `spanwise.extraction.sinks.open_sink`).
        documents: Names of the documents, where a question does not say; all by default.
        client: What does the work (see `spanwise.executors.Client`); processes of this machine by default.
        workers: How many processes; the caller's script needs a `__main__` guard.
        profile: What kind of documents these are (see `Engine`).
        registered: A class that the fields are of, `FILE.py:Class`, for workers to register.
        model: The name of a model that writes the answers; no model by default.
        mode: How it writes them (see `Engine`).
        base_url: The address of its server.
        context_window: Its window, where it is not known.
        cache: A file in which its replies are kept, so that what was interrupted is not paid for again.
        embedder: What finds passages by their meaning too, as `spanwise.embedder_from` reads it; every worker makes it.
        embedder_url: The address of its server.
        reranker: The path of a cross-encoder in an ONNX file.
        budget_usd: What the models of this run may cost at most, whatever the number of workers.
        requests_per_minute: To the models, by all workers together; each has an equal part.
        progress: Called after each task, when its rows are written.

    Returns:
        What was done. Questions that met an error have a row with the decision `failed` and are asked again by the next
        run; one that ended its worker has one with `died` and is not.
    """
    asked, broken = read_questions(questions) if isinstance(questions, str | os.PathLike) else (_given(questions), ())
    written = Written(model, mode, base_url, context_window, cache)
    _check_model(written, budget_usd)
    search = Search(embedder, embedder_url, reranker)
    search.hybrid()  # what cannot be made fails before long work
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
    made = replace(written, cache=None).chosen()  # the workers open that
    if budget_usd is not None and made is not None:
        from spanwise.llm.middleware.limits import Budget, Budgeted

        Budgeted(made, Budget(cost_usd=budget_usd))  # prices that are not known are told now


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
    """The questions of a file, and the lines that are none.

    In `.jsonl` a line is a question as text, or an object with `question`, and if you like `name` (of the column, one
    of its own), `type` and `shape` (see `Engine.ask`), `documents` (names), and `across`: true for one answer from all
    of the documents together instead of one of each. Other files are as for `spanwise extract --fields`.
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
    """The lines that are not empty, each with its number; of one that is too long, its beginning."""
    try:
        with path.open("rb") as file:
            for number in range(1, _MOST_LINES + 2):
                line = file.readline(_LONGEST_LINE + 1)
                whole = line
                while whole and not whole.endswith(b"\n") and len(whole) > _LONGEST_LINE:
                    whole = file.readline(_LONGEST_LINE + 1)  # the rest of it
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
    """The tasks of a batch, document by document in the order of their names, then what is asked across them."""
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
    """`spanwise.verify` of many answers, each with its passages, in their order; `Died` for one that ends its worker.

    Args:
        texts: Answers and the passages that each is held against; what can be sent to another process.
        client: What does the work (see `spanwise.executors.Client`).
        workers: How many processes of this machine do it otherwise; the caller's script needs a `__main__` guard.
    """
    with pool_of(client, workers) as pool:
        yield from mapped(_verified, texts, pool)


def _verified(one: tuple[str, Sequence[object]]) -> Verification:
    from spanwise.guard.verify import verify

    return verify(*one)
