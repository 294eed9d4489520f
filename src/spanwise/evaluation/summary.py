"""Figures and comparisons as text for people and as JSON values for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from spanwise.evaluation.cases import DataSet, Figure, Row
from spanwise.evaluation.metrics import mean
from spanwise.evaluation.run_rows import SHOWN, Change, Comparison

_COLUMN = 8
"""Width of a table column in characters, including a space."""


@dataclass(frozen=True, slots=True)
class SetReport:
    """The figures of one set."""

    name: str
    questions: int
    documents: int
    errors: tuple[str, ...]
    """The distinct messages of documents or questions that failed."""
    seconds: float
    """Wall-clock time in seconds, including the reading of documents."""
    figures: tuple[Figure, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    """The figures that form a table with one line for each part, each with its heading; empty if all figures are
    listed."""


def report_of(data_set: DataSet, rows: Sequence[Row], seconds: float) -> SetReport:
    """The report of a set, computed from its rows."""
    return SetReport(
        name=data_set.name,
        questions=len(rows),
        documents=len({(row.part, row.document) for row in rows}),
        errors=tuple(dict.fromkeys(row.text for row in rows if row.decision == "error")),
        seconds=seconds,
        figures=tuple(data_set.figures(rows)),
        columns=data_set.columns,
    )


def as_text(reports: Sequence[SetReport], comparison: Comparison | None, width: int | None = None) -> str:
    """The report for people: the figures of each set, or for several sets with columns one table.

    Lines of the table have at most `width` characters; None does not limit them.
    """
    carded = [report for report in reports if report.columns]
    if len(carded) > 1:
        lines = [line for report in reports if not report.columns for line in _report_lines(report, width)]
        lines += _sets_table(carded, width)
    else:
        lines = [line for report in reports for line in _report_lines(report, width)]
    if comparison is not None:
        lines += _comparison_lines(comparison)
    return "\n".join(lines)


def as_values(reports: Sequence[SetReport], comparison: Comparison | None) -> dict[str, object]:
    """The report as JSON values."""
    values: dict[str, object] = {"sets": {report.name: _report_values(report) for report in reports}}
    if len(carded := [report for report in reports if report.columns]) > 1:
        values["mean"] = [_rounded(figure) for figure in _means([_overall(report) for report in carded])]
    if comparison is not None:
        values["comparison"] = {
            "only_before": comparison.only_before,
            "only_after": comparison.only_after,
            "changes": [{**_rounded(change), "net": change.net} for change in comparison.changes],
        }
    return values


def _report_lines(report: SetReport, width: int | None) -> Iterator[str]:
    yield f"{report.name}: {report.questions} questions, {report.documents} documents, {report.seconds:.1f} s"
    for message in report.errors:
        yield f"  failed: {message}"
    parts = _parts(report)
    listed = dict(list(parts.items())[:1]) if report.columns else parts
    for part, figures in listed.items():
        longest = max(len(figure.name) for figure in figures)
        yield f"  {part:<{longest + 2}} {'value':>8} {'n':>6} {'always silent':>14}"
        for figure in figures:
            silent = "" if figure.always_silent is None else f"{figure.always_silent:.3f}"
            yield f"    {figure.name:<{longest}} {number(figure):>8} {figure.n:>6} {silent:>14}".rstrip()
    if len(parts) > len(listed):
        yield from _table(report.columns, list(parts.items()), width)
    yield ""


def _parts(report: SetReport) -> dict[str, list[Figure]]:
    """The figures of each part, in the order of the report."""
    parts: dict[str, list[Figure]] = {}
    for figure in report.figures:
        parts.setdefault(figure.part, []).append(figure)
    return parts


def _sets_table(reports: Sequence[SetReport], width: int | None) -> Iterator[str]:
    """A table with one line for each set, from its first part, and the means over the sets."""
    for report in reports:
        for message in report.errors:
            yield f"{report.name} failed: {message}"
    lines = [(report.name, _overall(report)) for report in reports]
    yield from _table(reports[0].columns, [*lines, ("mean of sets", _means([figures for _, figures in lines]))], width)
    questions = sum(report.questions for report in reports)
    yield f"{questions} questions, {sum(report.documents for report in reports)} documents"
    yield ""


def _overall(report: SetReport) -> list[Figure]:
    """The figures over all questions of a set, which are its first part."""
    return next(iter(_parts(report).values()), [])


def _means(sets: Sequence[Sequence[Figure]]) -> list[Figure]:
    """The mean of each figure over the sets that have it; `n` is the number of these sets."""
    values: dict[str, list[float]] = {}
    for figures in sets:
        for figure in figures:
            if figure.value is not None:
                values.setdefault(figure.name, []).append(figure.value)
    return [Figure("mean", name, mean(numbers), len(numbers)) for name, numbers in values.items()]


def _table(
    columns: Mapping[str, str], lines: Sequence[tuple[str, Sequence[Figure]]], width: int | None
) -> Iterator[str]:
    """A table with one line for each name, whose columns are figures; a dash marks one that does not apply.

    Columns that do not fit into `width` follow in another table below.
    """
    longest = max(len(name) for name, _ in lines)
    room = len(columns) if width is None else max(1, (width - longest - 2) // _COLUMN)
    names = list(columns)
    for first in range(0, len(names), room):
        part = names[first : first + room]
        yield f"  {'':<{longest}}" + "".join(f" {columns[name]:>7}" for name in part)
        for name, figures in lines:
            numbers = {figure.name: number(figure) for figure in figures}
            yield f"  {name:<{longest}}" + "".join(f" {numbers.get(column, '-'):>7}" for column in part)


def number(figure: Figure) -> str:
    """The value of a figure in digits; a dash if it has none."""
    if figure.value is None:
        return "-"
    return f"{figure.value:.0f}" if figure.name.startswith("words") else f"{figure.value:.3f}"


def _comparison_lines(comparison: Comparison) -> Iterator[str]:
    yield "compared with the earlier run"
    if comparison.only_before or comparison.only_after:
        yield (
            f"  {comparison.only_before} questions only in the earlier run and {comparison.only_after} only in this one"
            " are left out"
        )
    for change in comparison.changes:
        yield (
            f"  {change.set}, {change.part}, {change.metric}: {change.before:.3f} -> {change.after:.3f},"
            f" better {len(change.better)}, worse {len(change.worse)}, net {change.net:+d} (n {change.n})"
        )
        for word, ids in (("better", change.better), ("worse", change.worse)):
            if ids:
                yield f"    {word}: {', '.join(ids[:SHOWN])}{' ...' if len(ids) > SHOWN else ''}"


def _report_values(report: SetReport) -> Mapping[str, object]:
    return {
        "questions": report.questions,
        "documents": report.documents,
        "errors": list(report.errors),
        "seconds": round(report.seconds, 3),
        "figures": [_rounded(figure) for figure in report.figures],
    }


def _rounded(counted: Figure | Change) -> dict[str, object]:
    """A figure or a change as JSON values, rounded to four decimal places."""
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(counted).items()}
