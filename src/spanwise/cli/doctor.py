"""`spanwise doctor`: what is installed and readable, commands to install what is missing, and whether a model works."""

from __future__ import annotations

import os
import platform
import re
import sqlite3
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from spanwise.cli.output import print_json, printable, stdout
from spanwise.contract.answers import AmountAnswer
from spanwise.engine import BY_NOBODY, Engine, Written, gather
from spanwise.errors import ServiceError, SpanwiseError, install_line
from spanwise.llm.port import Model
from spanwise.llm.providers import PROVIDERS, rung, served_window
from spanwise.readers.port import Limits
from spanwise.readers.process import start_problem
from spanwise.readers.registry import available_readers
from spanwise.readers.tesseract import TesseractError, find_tesseract

_FORMAT_NEEDS = {
    "pdf": ("pypdfium2", "pikepdf"),
    "docx": ("lxml", "nupunkt"),
    "sheets": ("python-calamine", "lxml"),
    "slides": ("lxml", "nupunkt"),
    "odt": ("lxml", "nupunkt"),
    "rtf": ("nupunkt",),
    "epub": ("lxml", "selectolax", "tinycss2", "cssselect2", "nupunkt"),
    "mail": ("olefile", "selectolax", "tinycss2", "cssselect2", "nupunkt"),
    "html": ("selectolax", "tinycss2", "cssselect2", "nupunkt"),
    "markdown": ("markdown-it-py", "selectolax"),
    "csv": ("charset-normalizer",),
    "text": ("charset-normalizer",),
}
SERVER_NEEDS = ("fastapi", "uvicorn", "python_multipart", "sse_starlette")
_SERVERS = (
    ("serve", "HTTP API and page", "server", SERVER_NEEDS),
    ("mcp", "tools for agents", "mcp", ("mcp",)),
)
"""Command, description, extra, and required modules."""
_NAME, _QUESTION = "lease.txt", "What is the monthly rent?"
_LEASE = """Lease of the shop at 12 Harbour Road.
The monthly rent is EUR 1,250.00, payable on the third working day of each month.
The deposit amounts to EUR 3,750.00 and is returned within 30 days after the lease has ended.
"""
_VALUE = "1,250"
_MODES = {"typed question": "typed", "prose question": "compact"}


def run_doctor(as_json: bool, written: Written = BY_NOBODY) -> int:
    """Print the findings; returns 0, 1 if something is missing, or 3 if the named model fails.

    Raises:
        InputError: There is no such model, or an address or window is given without one.
    """
    tried = _tried(written)
    sections = {
        "system": _system(),
        "libraries": _libraries(),
        "formats": _formats(),
        "recognition": _recognition(),
        "models": _models(),
        "servers": _servers(),
    }
    if tried is not None:
        sections["model"] = tried.findings
    healthy = all(finding.ok or finding.optional for findings in sections.values() for finding in findings)
    if as_json:
        print_json({"ok": healthy} | {name: [asdict(f) for f in findings] for name, findings in sections.items()})
        return _code(healthy, tried)
    console = stdout()
    for name, findings in sections.items():
        console.print(name, style="bold")
        for finding in findings:
            missing = "FAILS  " if name == "model" else "MISSING"
            mark = "ok     " if finding.ok else "-      " if finding.optional else missing
            line = f"  {mark} {finding.name}: {finding.detail}"
            line += f"; get it with: {finding.install}" if finding.install else ""
            console.print(printable(line), markup=False)
    return _code(healthy, tried)


def _code(healthy: bool, tried: _Tried | None) -> int:
    return 3 if tried is not None and tried.failed else 0 if healthy else 1


def _system() -> list[_Finding]:
    modern = sys.version_info >= (3, 11)
    problem = start_problem()
    new_enough = sqlite3.sqlite_version_info >= (3, 35)  # it knows RETURNING
    return [
        _Finding("spanwise", ok=True, detail=metadata.version("spanwise")),
        _Finding("python", modern, f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        _Finding("sqlite", new_enough, sqlite3.sqlite_version),
        _Finding("cores", ok=True, detail=str(os.cpu_count())),
        _Finding(
            "reading process",
            problem is None,
            problem or f"starts; {Limits().memory >> 20:,} MiB for one file",
        ),
    ]


def _libraries() -> list[_Finding]:
    return [
        _library(requirement) for requirement in metadata.requires("spanwise") or () if "extra ==" not in requirement
    ]


def _library(requirement: str) -> _Finding:
    name = re.split(r"[\s<>=!~;\[]", requirement, maxsplit=1)[0]
    try:
        return _Finding(name, ok=True, detail=metadata.version(name))
    except metadata.PackageNotFoundError:
        return _Finding(name, ok=False, detail="not installed", install=f"pip install '{requirement}'")


def _formats() -> list[_Finding]:
    installed = {finding.name: finding for finding in _libraries()}
    findings = []
    for reader in available_readers():
        needs = [installed.get(need) or _library(need) for need in _FORMAT_NEEDS.get(reader.name, ())]
        missing = [need for need in needs if not need.ok]
        detail = " ".join(reader.suffixes) or "a PDF whose text is to be recognised"
        install = missing[0].install if missing else None
        findings.append(_Finding(reader.name, ok=not missing, detail=detail, install=install))
    return findings


def _recognition() -> list[_Finding]:
    """Findings on text recognition, which is optional."""
    try:
        program = find_tesseract()
    except TesseractError as error:
        reading = _Finding("tesseract", ok=False, detail=f"tesseract {error}", optional=True)
    else:
        told = "not installed: scans and pictures are refused"
        if program is not None:
            told = f"{program.version} at {program.path}, reads {' '.join(program.languages)}"
        install = None if program else "apt-get install tesseract-ocr"
        reading = _Finding("tesseract", ok=program is not None, detail=told, install=install, optional=True)
    pictures = installed_package("PIL")
    told = f"Pillow {metadata.version('pillow')}" if pictures else "Pillow is not installed: scans in PDFs only"
    install = None if pictures else install_line("ocr")
    return [reading, _Finding("pictures", ok=pictures, detail=told, install=install, optional=True)]


def _models() -> list[_Finding]:
    """Findings on the providers of models, each optional; no key is shown."""
    findings = [_Finding("extractive", ok=True, detail="built in: answers without a model, offline")]
    for name, provider in PROVIDERS.items():
        if not all(map(installed_package, ("pydantic_ai", provider.package))):
            detail = f"not installed, models are called {name}:NAME"
            findings.append(_Finding(name, ok=False, detail=detail, install=install_line("llm"), optional=True))
            continue
        key = next((key for key in provider.keys if os.environ.get(key)), None)
        ready = key is not None or not provider.keys
        told = f"{key} is set" if key else "no key needed" if ready else f"set {' or '.join(provider.keys)}"
        findings.append(_Finding(name, ok=ready, detail=f"{name}:NAME, {told}", optional=True))
    return findings


def _servers() -> list[_Finding]:
    """Findings on the servers, each optional."""
    return [
        _Finding(
            command,
            ok=not missing,
            detail=f"{what}, {', '.join(missing)} not installed" if missing else what,
            install=install_line(extra) if missing else None,
            optional=True,
        )
        for command, what, extra, needs in _SERVERS
        for missing in [[need for need in needs if not installed_package(need)]]
    ]


def installed_package(name: str) -> bool:
    """True if a module can be found; only its parent package is imported."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@dataclass(frozen=True, slots=True)
class _Tried:
    """The result of testing a model."""

    findings: list[_Finding]
    failed: bool
    """True if no question got any reply, so that the model or its server fails."""


def _tried(written: Written) -> _Tried | None:
    """The result of asking the model about a lease of three lines; None if no model is named.

    Raises:
        InputError: There is no such model, or it lacks a key or a library.
    """
    model = written.chosen(retry=None)
    if model is None:
        return None
    with tempfile.TemporaryDirectory(prefix="spanwise-doctor-") as folder:
        path = Path(folder) / _NAME
        path.write_text(_LEASE, encoding="utf-8")
        with gather([str(path)]) as corpus:
            asked = [_asked(what, Engine(corpus, model=model, mode=mode), model) for what, mode in _MODES.items()]
    return _Tried([_window(model), *(finding for finding, _ in asked)], failed=all(failed for _, failed in asked))


def _asked(what: str, engine: Engine, model: Model) -> tuple[_Finding, bool]:
    """The finding for the question in one mode, and whether there was no reply at all."""
    started = time.perf_counter()
    try:
        result = engine.ask(_QUESTION)
    except SpanwiseError as error:
        return _Finding(what, ok=False, detail=str(error)), isinstance(error, ServiceError)
    answered = result.decision.kind == "ship" and _VALUE in result.text and bool(result.citations)
    said = " ".join(result.text.split()) if result.decision.kind == "ship" else f"no answer, {result.decision.reason}"
    calls = int(result.metrics["llm_calls"])
    details = [said, f"{calls} calls in {time.perf_counter() - started:.1f} s"]
    if what == "typed question":
        details.append(f"the schema goes as {rung(model, AmountAnswer)}")
    return _Finding(what, ok=answered, detail="; ".join(details)), False


def _window(model: Model) -> _Finding:
    known, served = model.profile.context_window, served_window(model)
    if served is not None and known is not None and served < known:
        return _Finding("window", ok=False, detail=f"{known} tokens are assumed, the server takes {served}")
    if known is not None:
        return _Finding("window", ok=True, detail=f"{known} tokens")
    if served is not None:
        detail = f"{served} tokens, says the server; give --context-window {served} to use all of it"
        return _Finding("window", ok=True, detail=detail)
    return _Finding("window", ok=True, detail="not told, 8192 tokens are assumed: else give --context-window")


@dataclass(frozen=True, slots=True)
class _Finding:
    """The result of one check."""

    name: str
    ok: bool
    detail: str
    install: str | None = None
    """The command that installs what is missing."""
    optional: bool = False
    """True if it may be missing."""
