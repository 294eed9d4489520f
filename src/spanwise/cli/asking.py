"""`spanwise ask`: reads question and documents, asks the engine, prints the answer, and writes what was requested."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from spanwise.cli.output import STDIN, given, print_format, print_json, printable, reading, stderr, stdout
from spanwise.cli.proof_page import keep
from spanwise.cli.render import show
from spanwise.cli.watching import tell_skipped
from spanwise.domain.claim import policy_named
from spanwise.domain.question import Scope
from spanwise.engine import Engine, Search, Written, gather
from spanwise.errors import DocumentError, DocumentNotFoundError, HighlightError, InputError
from spanwise.questions.parse import demanded, parse_question
from spanwise.store.address import shown

if TYPE_CHECKING:
    from spanwise.contract.result import Result
    from spanwise.ingest.corpus import Corpus
    from spanwise.llm.port import Model
    from spanwise.synthesis.response import Plan

_NAMED = 5
"""Documents of a corpus that are suggested in place of a missing one."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look, as given on the command line; None for no limit."""

    section: str | None = None
    pages: str | None = None
    lines: str | None = None

    def scope(self) -> Scope | None:
        """The parsed scope.

        Raises:
            InputError: It cannot be parsed.
        """
        return Scope.read(section=self.section, pages=self.pages, lines=self.lines)


@dataclass(frozen=True, slots=True)
class Demand:
    """Requirements of the answer, and the kind of documents; None leaves it to the question and the documents."""

    type: str | None = None
    shape: str | None = None
    profile: str | None = None
    policy: str = "prune"
    language: str | None = None
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is written besides the answer, and how the answer is printed."""

    highlight: str | None = None
    trace: str | None = None
    plan: bool = False
    format: str = "text"
    """`text` for a person, `json`, or a format of `Result.to`."""
    remember: bool = True
    """True to remember the citations for `spanwise open`."""

    @property
    def as_json(self) -> bool:
        """True if the output is for programs."""
        return self.format == "json"


def run_ask(
    words: Sequence[str],
    corpus: str | None,
    documents: tuple[str, ...],
    demand: Demand,
    written: Written,
    outputs: Outputs,
    password: str | None,
    search: Search,
) -> int:
    """Answer one question; returns the exit code: 0 for an answer (or a plan), 1 for none."""
    paths, question = _split(words, corpus)
    outputs = replace(outputs, format=_format(outputs.format))
    if question == STDIN:
        question = _question()
    if documents and corpus is None:
        raise InputError("--document names a document of a corpus: give --corpus FILE with it, or give the file itself")
    demanded(
        parse_question(question, language=demand.language), demand.type, demand.shape
    )  # fail before a long document is read
    policy, scope, hybrid = policy_named(demand.policy), demand.place.scope(), search.hybrid()
    with _model(written, plans=outputs.plan) as model, _corpus(paths, corpus, password) as opened:
        _are_there(documents, opened)
        engine = Engine(
            opened,
            model=model,
            mode=written.mode,
            profile=demand.profile,
            password=password,
            policy=policy,
            language=demand.language,
            embedder=hybrid,
        )
        named = documents or None
        if outputs.plan:
            plan = engine.plan(question, documents=named, type=demand.type, shape=demand.shape, scope=scope)
            show_plan(plan, as_json=outputs.as_json)
            return 0
        result = _asked(engine, question, named, demand, scope)
        if outputs.remember:
            keep(result, opened)
    copies = _highlighted(result, outputs.highlight)
    if outputs.trace is not None:
        result.save_trace(outputs.trace)
    if outputs.format == "text":
        show(result, stdout())
    else:
        print_format(result.to(outputs.format))
        if outputs.format == "csv" and result.decision.kind != "ship":  # a table cannot say why it is empty
            stderr().print(printable(result.text), markup=False)
    _tell(result, copies, outputs)
    return 0 if result.decision.kind == "ship" else 1


def _format(name: str) -> str:
    """The name of the format, checked before a long document is read in vain; raises `InputError`."""
    from spanwise.export.formats import FORMATS

    wanted = {"md": "markdown"}.get(name, name)
    if wanted not in {"text", *FORMATS}:
        raise InputError(f"there is no format {name!r}: choose text, md, {', '.join(FORMATS)}")
    return wanted


def _question() -> str:
    """The question on standard input, its lines joined."""
    from spanwise.questions.parse import MOST_CHARACTERS

    said = " ".join(sys.stdin.buffer.read(4 * MOST_CHARACTERS + 1).decode("utf-8", "replace").split())
    if not said:
        raise InputError('the standard input holds no question: echo "What is ...?" | spanwise ask FILE -')
    return said


def _asked(
    engine: Engine, question: str, documents: tuple[str, ...] | None, demand: Demand, scope: Scope | None
) -> Result:
    """The result; in a terminal, progress is shown."""
    console = stderr()
    if not console.is_terminal:
        return engine.ask(question, documents=documents, type=demand.type, shape=demand.shape, scope=scope)
    from spanwise.answering.ask import Answer, CallAnswered

    with console.status("looking") as status:
        for event in engine.stream(question, documents=documents, type=demand.type, shape=demand.shape, scope=scope):
            if isinstance(event, CallAnswered):
                status.update(f"{event.purpose}: {event.done} of {event.total} calls answered")
            if isinstance(event, Answer):
                return event.result
    raise InputError("the answer did not come to its end: ask again")


@contextmanager
def _model(written: Written, *, plans: bool) -> Iterator[Model | None]:
    """The model, with its cache open meanwhile; a plan calls no model and needs no key."""
    if plans and written.model is not None:
        yield written.chosen(api_key="none: a plan calls nothing")
        return
    if written.model is None or written.cache is None:
        yield written.chosen()
        return
    from spanwise.llm.middleware.cache import Cache

    with Cache(written.cache) as cache:
        yield written.chosen(cache=cache)


@contextmanager
def _corpus(paths: Sequence[str], corpus: str | None, password: str | None) -> Iterator[Corpus]:
    from spanwise.ingest.corpus import Corpus

    if corpus is not None:
        with Corpus.open(corpus, create=False) as opened:
            if not opened.count():
                place = shown(corpus)
                raise InputError(f"there is no document in {place} yet: spanwise index FOLDER --corpus {place}")
            yield opened
        return
    try:
        with reading("reading") as progress:
            gathered = gather(given(paths, password), password=password, progress=progress, report=tell_skipped)
    except DocumentError as error:
        if any(map(os.path.isdir, paths)) and not isinstance(error, DocumentNotFoundError):
            stderr().print(
                "note: a folder is asked as a whole; spanwise index FOLDER --corpus FILE keeps what can be read"
            )
        raise
    with gathered:
        yield gathered


def _are_there(names: Sequence[str], corpus: Corpus) -> None:
    """Raise `InputError`, with similar names, if the corpus lacks one of these documents."""
    known = [document.name for document in corpus.documents()] if names else []
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, _NAMED, 0.0)
            more = f" and {len(known) - len(near)} more" if len(known) > len(near) else ""
            raise InputError(f"the corpus has no document {name!r}: it has {', '.join(near) or 'none'}{more}")


def _tell(result: Result, copies: Sequence[os.PathLike[str]], outputs: Outputs) -> None:
    """Print further information on stderr, as stdout has only the answer."""
    for path in copies:
        stderr().print(printable(f"highlighted copy: {os.fspath(path)}"), markup=False)
    if outputs.trace is not None:
        stderr().print(printable(f"trace: {outputs.trace}"), markup=False)
    seen = result.citations or (result.missing.nearest if result.missing is not None else ())
    if outputs.remember and stderr().is_terminal and seen and seen[0].boxes:
        stderr().print(f"see it on its page: spanwise open {seen[0].id}", style="dim", markup=False)
    calls = int(result.metrics.get("llm_calls", 0))
    if calls and not outputs.as_json:
        tokens = int(result.metrics["prompt_tokens"]), int(result.metrics["completion_tokens"])
        cost = result.metrics.get("cost_usd", 0.0)
        priced = f", USD {cost:.4f}" if cost else ""
        stderr().print(f"{calls} calls, {tokens[0]} tokens in, {tokens[1]} tokens out{priced}", markup=False)


def show_plan(plan: Plan, *, as_json: bool) -> None:
    """Print the upper bound of a question's cost."""
    record = {
        "calls": plan.calls,
        "rounds": plan.rounds,
        "prompt_tokens": plan.prompt_tokens,
        "completion_tokens": plan.completion_tokens,
        "cost_usd": plan.cost_usd,
    }
    if as_json:
        print_json(record)
        return
    if not plan.calls:
        stdout().print("no model is called: it costs nothing")
        return
    priced = "unknown" if plan.cost_usd is None else f"USD {plan.cost_usd:.4f}"
    stdout().print(
        f"at most {plan.calls} calls in {plan.rounds} rounds, {plan.prompt_tokens} tokens in, "
        f"{plan.completion_tokens} tokens out; cost: {priced}"
    )


def _split(words: Sequence[str], corpus: str | None) -> tuple[list[str], str]:
    """The files and the question, which may come first if all other arguments are existing files."""
    *paths, question = words
    if words.count(STDIN) > 1:
        raise InputError("the standard input is read once: give the document or the question by it, not both")
    if corpus is not None:
        if paths:
            raise InputError(
                "with --corpus give only the question (in quotes); --document NAME limits it to one document"
            )
        return [], question
    if not paths:
        if os.path.exists(question):
            raise InputError(f'a question is missing: spanwise ask {question} "What is ...?"')
        raise InputError('a document is missing: spanwise ask FILE "QUESTION", or --corpus FILE "QUESTION"')
    if not os.path.exists(question):
        return paths, question
    first, *others = words
    if not os.path.exists(first) and all(os.path.exists(one) for one in others):
        return others, first
    raise InputError(f'a question is missing: spanwise ask {" ".join(words)} "What is ...?"')


def _highlighted(result: Result, target: str | None) -> Sequence[os.PathLike[str]]:
    if target is None:
        return ()
    if not result.citations:
        stderr().print("nothing to highlight: the answer cites no line", markup=False)
        return ()
    try:
        return result.highlight(target)
    except HighlightError:
        if any(citation.boxes for citation in result.citations):
            raise
        stderr().print("nothing to highlight: only PDFs can be highlighted, and the answer cites none", markup=False)
        return ()
