"""`spanwise doctor --model`: one typed and one prose question to a model, through everything that a real one goes."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from spanwise.cli.finding import Finding
from spanwise.contract.answers import AmountAnswer
from spanwise.engine import Engine, gather
from spanwise.errors import ServiceError, SpanwiseError
from spanwise.llm.port import Model
from spanwise.llm.providers import model_from, rung, served_window

_NAME, _QUESTION = "lease.txt", "What is the monthly rent?"
_LEASE = """Lease of the shop at 12 Harbour Road.
The monthly rent is EUR 1,250.00, payable on the third working day of each month.
The deposit amounts to EUR 3,750.00 and is returned within 30 days after the lease has ended.
"""
_VALUE = "1,250"
_MODES = {"typed question": "typed", "prose question": "compact"}


@dataclass(frozen=True, slots=True)
class Tried:
    """What a model was found to be able to do."""

    findings: list[Finding]
    failed: bool
    """True if it answered neither question at all, so that it or its server fails."""


def try_model(name: str, base_url: str | None, context_window: int | None) -> Tried:
    """Ask the model about a lease of three lines.

    Raises:
        InputError: There is no such model, or it lacks a key or a library.
    """
    known = {} if context_window is None else {"context_window": context_window}
    model = model_from(name, base_url=base_url, profile=known, retry=None)
    with tempfile.TemporaryDirectory(prefix="spanwise-doctor-") as folder:
        path = Path(folder) / _NAME
        path.write_text(_LEASE, encoding="utf-8")
        with gather([str(path)]) as corpus:
            asked = [_asked(what, Engine(corpus, model=model, mode=mode), model) for what, mode in _MODES.items()]
    return Tried([_window(model), *(finding for finding, _ in asked)], failed=all(failed for _, failed in asked))


def _asked(what: str, engine: Engine, model: Model) -> tuple[Finding, bool]:
    """What became of the question in one mode, and whether no reply came at all."""
    started = time.perf_counter()
    try:
        result = engine.ask(_QUESTION)
    except SpanwiseError as error:
        return Finding(what, ok=False, detail=str(error)), isinstance(error, ServiceError)
    answered = result.decision.kind == "ship" and _VALUE in result.text and bool(result.citations)
    said = " ".join(result.text.split()) if result.decision.kind == "ship" else f"no answer, {result.decision.reason}"
    calls = int(result.metrics["llm_calls"])
    details = [said, f"{calls} calls in {time.perf_counter() - started:.1f} s"]
    if what == "typed question":
        details.append(f"the schema goes as {rung(model, AmountAnswer)}")
    return Finding(what, ok=answered, detail="; ".join(details)), False


def _window(model: Model) -> Finding:
    known, served = model.profile.context_window, served_window(model)
    if served is not None and known is not None and served < known:
        return Finding("window", ok=False, detail=f"{known} tokens are assumed, the server takes {served}")
    if known is not None:
        return Finding("window", ok=True, detail=f"{known} tokens")
    if served is not None:
        detail = f"{served} tokens, says the server; give --context-window {served} to use all of it"
        return Finding("window", ok=True, detail=detail)
    return Finding("window", ok=True, detail="not told, 8192 tokens are assumed: else give --context-window")
