"""`spanwise batch`: documents x questions into typed rows, resumed where an earlier run stopped."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict

from spanwise import batch
from spanwise.cli.output import print_json, printable, stderr
from spanwise.engine import Search
from spanwise.store.address import is_address, shown


def run_batch(
    questions: str,
    corpus: str,
    out: str,
    documents: Sequence[str],
    client: str | None,
    workers: int | None,
    profile: str | None,
    model: str | None,
    mode: str | None,
    base_url: str | None,
    context_window: int | None,
    cache: str | None,
    search: Search,
    budget: float | None,
    requests_per_minute: float | None,
    as_json: bool,
) -> int:
    """Run the batch and return the exit code: 0 values were found, 1 none, 2 broken lines, 3 failures or no budget."""
    with _watched() as progress:
        report = batch.run(
            questions,
            corpus,
            out,
            documents=list(documents) or None,
            client=client,
            workers=workers or os.cpu_count() or 1,
            profile=profile,
            model=model,
            mode=mode,
            base_url=base_url,
            context_window=context_window,
            cache=cache,
            embedder=search.embedder,
            embedder_url=search.url,
            reranker=search.reranker,
            budget_usd=budget,
            requests_per_minute=requests_per_minute,
            progress=progress,
        )
    for line in report.broken:
        stderr().print(printable(f"{questions}, line {line.number}: not asked: {line.message}"), markup=False)
    _tell(report, out, as_json)
    if report.broken:
        return 2
    if report.failed or report.unasked:
        return 3
    return 0 if report.found or report.resumed else 1


def _tell(report: batch.Report, out: str, as_json: bool) -> None:
    if as_json:
        print_json(asdict(report))
        return
    parts = [
        f"{report.found} values, {report.not_found} not found",
        f"{report.resumed} fields were there already" if report.resumed else "",
        f"{report.failed} failed (the rows say why)" if report.failed else "",
        f"{report.unasked} not asked: raise the budget and run it again" if report.unasked else "",
        f"{report.cost_usd:.4f} US dollars" if report.cost_usd else "",
    ]
    place = shown(out) if is_address(out) else out
    stderr().print(printable(f"{place}: {', '.join(part for part in parts if part)}"), markup=False)


@contextmanager
def _watched() -> Iterator[batch.Progress | None]:
    console = stderr()
    if not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console) as bar:
        task = bar.add_task("asking", total=None)

        def show(now: batch.Progressed) -> None:
            left = "" if now.seconds_left is None else f", {_duration(now.seconds_left)} left"
            cost = f", {now.cost_usd:.2f} USD" if now.cost_usd else ""
            failed = f", {now.failed} failed" if now.failed else ""
            named = printable(now.name).replace("[", "\\[")[-40:]
            bar.update(
                task,
                completed=now.done + now.resumed,
                total=now.total + now.resumed,
                description=f"{named}{left}{cost}{failed}",
            )

        yield show


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
