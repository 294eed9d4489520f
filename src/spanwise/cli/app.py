"""The commands and what they have in common: exit codes, errors in one sentence, Ctrl-C."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from inspect import getdoc
from typing import Annotated

import typer

from spanwise.cli.output import printable
from spanwise.errors import SpanwiseError, StorageError

EXIT_CODES = "Exit codes: 0 answered, 1 not found or a clarification is needed, 2 bad input, 3 a service failed."
_NARROWEST = 40
"""Columns for which help is set; the parser's own least is 50."""


def _epilog(*examples: str, codes: str = EXIT_CODES) -> str:
    """What stands below the options of a command: how it is used, and what its exit codes say."""
    lines = "\n".join(f"  spanwise {example}" for example in examples)
    return f"\b\nExamples:\n{lines}\n\n{codes}"


def _width() -> int | None:
    """The columns of a narrow terminal; None where the parser knows better."""
    columns = shutil.get_terminal_size().columns
    return max(columns, _NARROWEST) - 2 if columns < 52 else None


app = typer.Typer(
    name="spanwise",
    help="Answers from your documents, proved line by line.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    context_settings={"terminal_width": _width()},
    rich_markup_mode=None,  # rich help costs a quarter of a second
    pretty_exceptions_enable=False,
)


def _summarised() -> None:
    """Let the list of commands say each summary whole: by itself the parser cuts it to what fits into one line."""
    for one in app.registered_commands:
        one.short_help = " ".join((getdoc(one.callback) or "").partition("\n\n")[0].split())


def _choices(kind: str) -> Callable[[str], list[str]]:
    """What a shell offers for an option, looked up when somebody asks for it."""

    def offered(incomplete: str) -> list[str]:
        from spanwise.cli.choices import choices

        return [one for one in choices(kind) if one.startswith(incomplete)]

    return offered


Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
_optional = partial(typer.Option, show_default=False)
"""An option that need not be given; its help says in words what holds without it."""
Password = Annotated[str | None, _optional(help="Password of encrypted PDFs.")]
Profile = Annotated[
    str | None,
    _optional(
        metavar="NAME", help="contracts, filings, standards or a .toml file.", autocompletion=_choices("profile")
    ),
]
Model = Annotated[str | None, _optional(metavar="M", help="openai:gpt-5-mini, ollama:llama3.3, ...; none by default.")]
BaseUrl = Annotated[str | None, _optional(metavar="U", help="Address of an OpenAI-compatible server.")]
ContextWindow = Annotated[
    int | None, _optional(metavar="N", min=1, help="Tokens that the model takes, where its name does not tell.")
]
Client = Annotated[str | None, _optional(metavar="URL", help="tcp://HOST:PORT of a Dask scheduler does the work.")]
Cache = Annotated[str | None, _optional(metavar="FILE", help="Keep the replies here, so that none is paid for twice.")]
Embedder = Annotated[
    str | None,
    _optional(
        metavar="E",
        help="Find by meaning too: openai:text-embedding-3-small, ollama:NAME, or a model.onnx; none by default.",
    ),
]
EmbedderUrl = Annotated[
    str | None, _optional(metavar="U", help="Address of an OpenAI-compatible server of embeddings.")
]
Reranker = Annotated[str | None, _optional(metavar="FILE", help="A cross-encoder (.onnx) that orders what was found.")]
Ocr = Annotated[str | None, _optional(metavar="M", help="Recognise text in pictures: auto, never or always.")]
OcrLanguage = Annotated[
    str | None, _optional(metavar="L", help="Language of scans as tesseract calls it: eng, deu+fra, ...")
]
Mode = Annotated[
    str | None,
    _optional(
        metavar="M", help="extractive, typed, compact, refine, tree_summarize, ...", autocompletion=_choices("mode")
    ),
]


FollowLinks = Annotated[bool, typer.Option("--follow-links", help="Follow links that lead out of a folder.")]
Workers = Annotated[int | None, _optional(min=1, help="Processes; one a core by default.")]
Sources = Annotated[list[str], typer.Argument(metavar="PATH...", help="Its sources: files, folders or globs.")]
Indexed = Annotated[
    str | None, _optional(metavar="FILE", help="An indexed corpus, or postgresql://…, instead of files.")
]
MadeCorpus = Annotated[
    str,
    typer.Option(metavar="FILE", help="The corpus, or postgresql://USER@HOST/DATABASE; made when it does not exist."),
]


def _start_reading(paths: Sequence[str]) -> None:
    """Have the process that reads files start while the rest is loaded."""
    from spanwise.readers.process import start_early

    start_early(paths)


def _recognise(mode: str | None, language: str | None) -> None:
    """Let every file that this process reads be read so."""
    for name, given in (("SPANWISE_OCR", mode), ("SPANWISE_OCR_LANGUAGE", language)):
        if given is not None:
            os.environ[name] = given


def run(command: Callable[[], int], *, stores: bool = False) -> None:
    """Run the body of a command and turn its outcome into an exit code.

    Args:
        command: Returns the exit code. What it raises on purpose becomes one sentence on stderr.
        stores: True if what it did before an interruption is kept, and the next run goes on from there.
    """
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (closed: `spanwise ask ... >&-`)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode shows "?" instead of ending the answer
    try:
        code = command()
        sys.stdout.flush()
    except SpanwiseError as error:
        code = _told(error)
    except KeyboardInterrupt:
        kept = "; what was stored is kept, run the same command again to go on" if stores else ""
        typer.echo(f"spanwise: interrupted{kept}", err=True)
        code = 130
    except BrokenPipeError:
        # Whoever read our output has left (`| head`): not an error.
        _drop_output()
        code = 0
    except OSError as error:
        if isinstance(error, ConnectionError | TimeoutError):
            raise
        _drop_output()
        place = error.filename if error.filename is not None else "the output"
        code = _told(StorageError(f"{place} cannot be read or written ({error.strerror}): make room, or name another"))
    raise typer.Exit(code)


def _drop_output() -> None:
    """Let Python not complain at exit about output that nobody takes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _told(error: SpanwiseError) -> int:
    """Say on stderr what is wrong, and give the exit code."""
    typer.echo(f"spanwise: {printable(str(error))}", err=True)
    return error.exit_code


@app.callback(invoke_without_command=True)
def _options(
    ctx: typer.Context,
    use: Annotated[str | None, _optional(metavar="NAME", help="Take [use.NAME] of spanwise.toml as well.")] = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as version_of

        typer.echo(f"spanwise {version_of('spanwise')}")
        raise typer.Exit
    if ctx.invoked_subcommand is None or "--help" in sys.argv:  # help is there whatever the settings say
        return
    from spanwise.cli.settings import defaults, name_variables

    commands = ctx.command.commands  # type: ignore[attr-defined]  # of a group
    name_variables(commands)
    try:
        ctx.default_map = defaults(commands, use)
    except SpanwiseError as error:
        raise typer.Exit(_told(error)) from None


@app.command(
    epilog=_epilog(
        'ask report.pdf "What is the late fee?"',
        'ask report.pdf "Who signed?" --highlight marked.pdf',
        "ask --corpus c.db - < question.txt",
        'ask prices.xlsx "What does the radar gauge cost?" --format csv',
    )
)
def ask(
    ctx: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[PATH]... QUESTION",
            help="Files, folders or globs, and the question last; - reads the question, or a document, from the "
            "standard input.",
        ),
    ],
    corpus: Indexed = None,
    document: Annotated[
        list[str] | None, _optional(metavar="NAME", help="Look only in this document of the corpus; repeat for more.")
    ] = None,
    highlight: Annotated[
        str | None, _optional(metavar="OUT.pdf", help="Write a copy of the PDF with the cited lines marked.")
    ] = None,
    kind: Annotated[
        str | None,
        _optional(
            "--type",
            metavar="T",
            help="amount, date, boolean, table, quantity, address, ...",
            autocompletion=_choices("type"),
        ),
    ] = None,
    shape: Annotated[
        str | None,
        _optional(metavar="S", help="single, listing, table, tree or nested_json.", autocompletion=_choices("shape")),
    ] = None,
    section: Annotated[
        str | None, _optional(metavar="TITLE", help="Look only in sections whose titles have these words.")
    ] = None,
    pages: Annotated[str | None, _optional(metavar="3-5", help="Look only on these pages.")] = None,
    lines: Annotated[str | None, _optional(metavar="10-40", help="Look only in these lines.")] = None,
    profile: Profile = None,
    model: Model = None,
    base_url: BaseUrl = None,
    context_window: ContextWindow = None,
    mode: Mode = None,
    cache: Cache = None,
    embedder: Embedder = None,
    embedder_url: EmbedderUrl = None,
    reranker: Reranker = None,
    policy: Annotated[
        str,
        typer.Option(
            metavar="P", help="What is not supported: prune (left out or marked), mark, or strict (left out)."
        ),
    ] = "prune",
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="What the question is asked in: de, fr, es, ...; its words tell by default.",
            show_default=False,
            autocompletion=_choices("language"),
        ),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Show what it would cost, and ask nothing.")] = False,
    trace: Annotated[str | None, _optional(metavar="OUT.json", help="Write how the answer was made.")] = None,
    password: Password = None,
    ocr: Ocr = None,
    ocr_language: OcrLanguage = None,
    remember: Annotated[
        bool, typer.Option("--remember/--no-remember", help="Keep where its lines stand for `spanwise open`.")
    ] = True,
    format: Annotated[
        str,
        typer.Option(
            metavar="F",
            help="text, md, html, csv, json, or one of docs/converting.md.",
            autocompletion=_choices("format"),
        ),
    ] = "text",
    as_json: Json = False,
) -> None:
    """Ask a question; the answer cites the exact lines it comes from."""
    if as_json and format != "json" and _on_command_line(ctx, "format"):
        raise typer.BadParameter(f"--json prints no {format}: leave one of the two out", param_hint="--format")
    _recognise(ocr, ocr_language)
    if len(words) > 1 and not _on_command_line(ctx, "corpus"):
        corpus = None  # a document that is named is meant, not the corpus of the settings
    if corpus is None:
        _start_reading(words[:-1])
    from spanwise.cli.asking import Demand, Outputs, Place, run_ask
    from spanwise.engine import Search, Written

    place = Place(section, pages, lines)
    demand = Demand(kind, shape, profile, policy, language, place)
    written = Written(model, mode, base_url, context_window, cache)
    outputs = Outputs(highlight, trace, plan, "json" if as_json else format, remember)
    search = Search(embedder, embedder_url, reranker)
    run(lambda: run_ask(words, corpus, tuple(document or ()), demand, written, outputs, password, search))


def _on_command_line(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


@app.command("open", epilog=_epilog("open", "open c2", "open c1 --out marked.pdf", "open c1 --no-view"))
def show_page(
    citation: Annotated[str, typer.Argument(metavar="[CITATION]", help="As the answer names it: c1, c2, ...")] = "c1",
    out: Annotated[
        str | None,
        _optional(
            metavar="FILE",
            help=".png for the marked page, .pdf for the whole marked copy; the user's cache by default.",
        ),
    ] = None,
    view: Annotated[bool, typer.Option("--view/--no-view", help="Open it where there is a screen.")] = True,
    password: Password = None,
) -> None:
    """Show the page that proves the last answer, with the cited lines marked."""
    from spanwise.cli.proof_page import run_open

    run(lambda: run_open(citation, out, view, password))


@app.command(epilog=_epilog("replay trace.json", "replay trace.json --json"))
def replay(
    trace: Annotated[str, typer.Argument(metavar="TRACE.json", help="What `ask --trace` wrote.")],
    as_json: Json = False,
) -> None:
    """Prove an answer again from its trace, without a model."""
    from spanwise.cli.render import run_replay

    run(lambda: run_replay(trace, as_json))


@app.command(epilog=_epilog("index contracts/ --corpus corpus.db", "index 'reports/**/*.pdf' --corpus corpus.db"))
def index(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders or globs.")],
    corpus: MadeCorpus,
    password: Password = None,
    ocr: Ocr = None,
    ocr_language: OcrLanguage = None,
    follow_links: FollowLinks = False,
    client: Client = None,
    embedder: Embedder = None,
    embedder_url: EmbedderUrl = None,
    as_json: Json = False,
) -> None:
    """Read documents into a corpus that can be asked again and again."""
    _recognise(ocr, ocr_language)
    _start_reading(paths)
    from spanwise.cli.watching import run_index
    from spanwise.engine import Search

    search = Search(embedder, embedder_url)
    run(lambda: run_index(paths, corpus, password, follow_links, client, as_json, search), stores=True)


@app.command(
    epilog=_epilog("watch contracts/ --corpus corpus.db", codes="Ctrl-C ends it; what was stored is kept, exit code 0.")
)
def watch(
    paths: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders, globs or files.")],
    corpus: Annotated[str, typer.Option(metavar="FILE", help="The corpus; made when it does not exist.")],
    every: Annotated[float, typer.Option(metavar="SECONDS", help="How often to look.")] = 2.0,
    password: Password = None,
    follow_links: FollowLinks = False,
    embedder: Embedder = None,
    embedder_url: EmbedderUrl = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line for each change.")] = False,
) -> None:
    """Keep a corpus as its folders are: read what is new or changed, forget what is gone."""
    from spanwise.cli.watching import run_watch
    from spanwise.engine import Search

    search = Search(embedder, embedder_url)
    run(lambda: run_watch(paths, corpus, every, password, follow_links=follow_links, as_json=as_json, search=search))


@app.command(
    epilog=_epilog(
        'extract contracts/ --ask "What is the late fee?" --out fees.csv',
        "extract --corpus corpus.db --fields fields.toml --out values.sqlite",
    )
)
def extract(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH]...", help="Files, folders or globs.", show_default=False)
    ] = None,
    ask: Annotated[list[str] | None, _optional("--ask", metavar="QUESTION", help="Repeat for more.")] = None,
    fields: Annotated[
        str | None, _optional(metavar="FILE", help="Questions, one a line, or [[field]] tables in TOML.")
    ] = None,
    of_class: Annotated[
        str | None, _optional("--class", metavar="CLASS", help="FILE.py:Class or a JSON Schema file.")
    ] = None,
    out: Annotated[
        str | None, _optional(metavar="FILE", help=".jsonl, .csv, .sqlite, .parquet; JSON Lines by default.")
    ] = None,
    corpus: Indexed = None,
    client: Client = None,
    profile: Profile = None,
    password: Password = None,
    ocr: Ocr = None,
    ocr_language: OcrLanguage = None,
    workers: Workers = None,
    embedder: Embedder = None,
    embedder_url: EmbedderUrl = None,
    reranker: Reranker = None,
    as_json: Json = False,
) -> None:
    """Fill fields from many documents: rows of values, each with its citation."""
    _recognise(ocr, ocr_language)
    if paths and not _on_command_line(ctx, "corpus"):
        corpus = None  # nobody asked to add these documents to the corpus of the settings
    _start_reading(paths or [])
    from spanwise.cli.batching import run_extract
    from spanwise.engine import Search

    search = Search(embedder, embedder_url, reranker)
    run(
        lambda: run_extract(
            paths or [], corpus, ask or [], fields, of_class, out, profile, password, workers, client, as_json, search
        ),
        stores=out is not None,
    )


@app.command(
    epilog=_epilog(
        "batch questions.jsonl --corpus corpus.db --out facts.parquet",
        "batch questions.jsonl --corpus postgresql://db/team --client tcp://scheduler:8786 --out postgresql://db/team",
        codes="Exit codes: 0 values were found, 1 none, 2 bad input or broken lines, 3 some failed or no budget left.",
    )
)
def batch(
    questions: Annotated[
        str, typer.Argument(metavar="QUESTIONS", help=".jsonl with a question a line, or a file of fields.")
    ],
    corpus: Annotated[
        str, typer.Option(metavar="FILE", help="An indexed corpus, or postgresql://…, that every worker can open.")
    ],
    out: Annotated[
        str, typer.Option(metavar="PLACE", help=".parquet, .csv, .jsonl, .sqlite or postgresql://…; gone on from.")
    ],
    document: Annotated[
        list[str] | None, _optional(metavar="NAME", help="Ask of this document only; repeat for more.")
    ] = None,
    client: Client = None,
    workers: Workers = None,
    profile: Profile = None,
    model: Model = None,
    base_url: BaseUrl = None,
    context_window: ContextWindow = None,
    mode: Mode = None,
    cache: Cache = None,
    embedder: Embedder = None,
    embedder_url: EmbedderUrl = None,
    reranker: Reranker = None,
    budget: Annotated[float | None, _optional(metavar="USD", help="What the models may cost at most.")] = None,
    requests_per_minute: Annotated[
        float | None, _optional(metavar="N", help="To the models, by all workers together.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask many questions of many documents, on many workers: typed rows, each value with its citation."""
    from spanwise.cli.batching import run_batch
    from spanwise.engine import Search, Written

    run(
        lambda: run_batch(
            questions,
            corpus,
            out,
            tuple(document or ()),
            client,
            workers,
            profile,
            Written(model, mode, base_url, context_window, cache),
            Search(embedder, embedder_url, reranker),
            budget,
            requests_per_minute,
            as_json,
        ),
        stores=True,
    )


@app.command(
    epilog=_epilog(
        "serve --corpus corpus.db --open",
        "serve --config server.toml",
        codes="Exit codes: 0 it was told to end, 2 bad input, a port in use among it.",
    )
)
def serve(
    corpus: Annotated[
        list[str] | None,
        _optional(
            metavar="[NAME=]FILE",
            help="A corpus, made when it does not exist; repeat for more. spanwise.db by default.",
        ),
    ] = None,
    host: Annotated[str | None, _optional(help="Where to listen; 127.0.0.1 by default, others need a token.")] = None,
    port: Annotated[int | None, _optional(help="8000 by default; 0 takes a free one.")] = None,
    model: Model = None,
    base_url: BaseUrl = None,
    context_window: ContextWindow = None,
    mode: Mode = None,
    profile: Profile = None,
    embedder: Embedder = None,
    embedder_url: EmbedderUrl = None,
    reranker: Reranker = None,
    token: Annotated[str | None, _optional(help="What clients have to send; better in SPANWISE_TOKEN.")] = None,
    config: Annotated[str | None, _optional(metavar="FILE.toml", help="Corpora, tokens and bounds.")] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    workers: Annotated[int | None, _optional(metavar="N", help="Processes that serve; 1 by default.")] = None,
) -> None:
    """Serve the HTTP API and the page: ask in the browser, with the document beside the answer."""
    from spanwise.cli.serve_plan import Asked
    from spanwise.cli.serving import run_serve
    from spanwise.engine import Search, Written

    written, search = Written(model, mode, base_url, context_window), Search(embedder, embedder_url, reranker)
    asked = Asked(tuple(corpus or ()), host, port, written, profile, token, config, open, workers, search)
    run(lambda: run_serve(asked))


@app.command(
    epilog=_epilog(
        "verify answer.md report.pdf",
        "verify - sources/ --fail-under 0.9 < answer.txt",
        "verify answer.md report.pdf --html checked.html",
        codes="Exit codes: 0 the answer holds, 1 it does not, 2 bad input.",
    )
)
def verify(
    answer: Annotated[str, typer.Argument(metavar="ANSWER.txt", help="Text or Markdown; - is the standard input.")],
    paths: Sources,
    question: Annotated[str | None, _optional(metavar="Q", help="What was asked.")] = None,
    html: Annotated[
        str | None, _optional(metavar="OUT.html", help="Write a page with each claim and its evidence.")
    ] = None,
    fail_under: Annotated[
        float | None,
        _optional(metavar="X", help="Share of claims, from 0 to 1, that have to be supported where they cite."),
    ] = None,
    citations: Annotated[
        bool, typer.Option("--citations", help="Fail as well where a citation does not hold.")
    ] = False,
    password: Password = None,
    ocr: Ocr = None,
    ocr_language: OcrLanguage = None,
    as_json: Json = False,
) -> None:
    """Check an answer against its sources, claim by claim."""
    _recognise(ocr, ocr_language)
    _start_reading(paths)
    from spanwise.cli.verifying import Wanted, run_verify

    run(lambda: run_verify(answer, paths, Wanted(question, html, fail_under, citations, as_json), password))


@app.command(
    epilog=_epilog(
        "check report.md --source lease.pdf", codes="Exit codes: 0 every report holds, 1 one does not, 2 bad input."
    )
)
def check(
    reports: Annotated[
        list[str],
        typer.Argument(metavar="REPORT...", help="Markdown or text; `sources:` in its front matter names its files."),
    ],
    source: Annotated[
        list[str] | None, _optional(metavar="PATH", help="A source of every report; repeat for more.")
    ] = None,
    fail_under: Annotated[
        float | None, _optional(metavar="X", help="Share of claims, from 0 to 1, that have to hold.")
    ] = None,
    if_sourced: Annotated[
        bool, typer.Option("--if-sourced", help="Let it be where no report names sources, as in a hook.")
    ] = False,
    github: Annotated[bool, typer.Option("--github", help="Print annotations for a GitHub workflow.")] = False,
    as_json: Json = False,
) -> None:
    """Check the claims and citations of reports against the sources that they name: for CI and pre-commit."""
    from spanwise.cli.checking import run_check

    run(lambda: run_check(reports, source or [], fail_under, if_sourced=if_sourced, as_json=as_json, annotate=github))


@app.command(
    epilog=_epilog(
        "ground values.json lease.pdf --highlight marked.pdf",
        codes="Exit codes: 0 every value was found, 1 one was not or differs, 2 bad input.",
    )
)
def ground(
    values: Annotated[str, typer.Argument(metavar="VALUES.json", help="What was extracted, as JSON or JSON lines.")],
    paths: Sources,
    highlight: Annotated[
        str | None, _optional(metavar="OUT.pdf", help="Write a copy with the lines of all values marked.")
    ] = None,
    password: Password = None,
    ocr: Ocr = None,
    ocr_language: OcrLanguage = None,
    as_json: Json = False,
) -> None:
    """Place extracted values on the lines that say them."""
    _recognise(ocr, ocr_language)
    _start_reading(paths)
    from spanwise.cli.verifying import run_ground

    run(lambda: run_ground(values, paths, highlight, password, as_json=as_json))


@app.command(
    "eval",
    epilog=_epilog(
        "eval questions.jsonl --report report.html",
        "eval questions.jsonl --rows now.jsonl --compare before.jsonl",
    ),
)
def evaluate(
    name: Annotated[
        str, typer.Argument(metavar="SET", help="A file of your questions (.jsonl), or a set: nist, docqa, traps, all.")
    ],
    data: Annotated[str | None, _optional(metavar="DIR", help="The data; SPANWISE_DATA by default.")] = None,
    rows: Annotated[str | None, _optional(metavar="FILE", help="Write one JSON line a question.")] = None,
    compare: Annotated[str | None, _optional(metavar="FILE", help="Rows of an earlier run to compare with.")] = None,
    report: Annotated[
        str | None, _optional(metavar="OUT.html", help="Write a page with charts and every miss beside its page.")
    ] = None,
    limit: Annotated[int | None, _optional(min=0, help="Questions of each part; 0 for all.")] = None,
    workers: Workers = None,
    module: Annotated[
        str | None,
        _optional("--set", metavar="MODULE", help="Python module that defines sets; the public ones by default."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure the answers on your own questions, or on public sets."""
    from spanwise.cli.evaluating import run_eval

    run(lambda: run_eval(name, data, rows, compare, limit, as_json, workers, module, report))


@app.command(epilog=_epilog("mcp --corpus corpus.db --root contracts/", "mcp --corpus corpus.db --http --port 8001"))
def mcp(
    corpus: MadeCorpus = "spanwise.db",
    root: Annotated[
        list[str] | None,
        _optional(metavar="DIR", help="Files below it may be indexed; repeat for more. The current folder by default."),
    ] = None,
    model: Model = None,
    base_url: BaseUrl = None,
    context_window: ContextWindow = None,
    mode: Mode = None,
    profile: Profile = None,
    embedder: Embedder = None,
    embedder_url: EmbedderUrl = None,
    reranker: Reranker = None,
    http: Annotated[bool, typer.Option("--http", help="Listen for HTTP instead of standard input.")] = False,
    host: Annotated[str, typer.Option(help="With --http: where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --http; 0 takes a free one.")] = 8000,
    token: Annotated[
        str | None, _optional(metavar="T", help="With --http: what clients have to send; SPANWISE_TOKEN by default.")
    ] = None,
) -> None:
    """Give agents tools to ask, verify and read: a server of the Model Context Protocol."""
    from spanwise.cli.mcp_command import Address, run_mcp
    from spanwise.engine import Search, Written

    written, search = Written(model, mode, base_url, context_window), Search(embedder, embedder_url, reranker)
    run(lambda: run_mcp(corpus, written, profile, root or [], Address(host, port, token) if http else None, search))


@app.command(
    epilog=_epilog(
        "token make anna --operator",
        "token make reader --opens contracts --questions 200",
        "token list",
        "token revoke 1f0c9a2b",
        codes="Exit codes: 0 done, 2 bad input.",
    )
)
def token(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="make, list or revoke.")] = "list",
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="What a new token is called, or the id of one to revoke.")
    ] = "",
    opens: Annotated[
        list[str] | None, _optional(metavar="NAME", help="A corpus that it opens; repeat for more.")
    ] = None,
    operator: Annotated[bool, typer.Option("--operator", help="It opens all, and the operator's pages.")] = False,
    questions: Annotated[int | None, _optional(metavar="N", min=1, help="That may be asked with it in a day.")] = None,
    corpus: Annotated[str | None, _optional(metavar="FILE", help="The first corpus of the server.")] = None,
    config: Annotated[str | None, _optional(metavar="FILE", help="The configuration of the server.")] = None,
    as_json: Json = False,
) -> None:
    """Make, list and revoke the tokens of a server, also while it runs; what is kept of one is a hash."""
    from spanwise.cli.serve_plan import run_token

    run(lambda: run_token(action, name, opens or [], operator, questions, corpus, config, as_json))


@app.command(
    epilog="Exit codes: 0 all works, 1 something is missing or was not answered, 2 bad input, 3 the model failed."
)
def doctor(
    model: Model = None,
    base_url: BaseUrl = None,
    context_window: ContextWindow = None,
    as_json: Json = False,
) -> None:
    """Show what is installed and can be read, how to get what is missing, and with --model what that model can do."""
    from spanwise.cli.doctor import run_doctor
    from spanwise.engine import Written

    run(lambda: run_doctor(as_json, Written(model, None, base_url, context_window)))


@app.command(epilog=_epilog("schema result", "schema amount"))
def schema(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="`result` (what --json prints) or a type of answer.")
    ] = "result",
) -> None:
    """Print a JSON Schema."""
    from spanwise.cli.choices import run_schema

    run(lambda: run_schema(name))


_summarised()
