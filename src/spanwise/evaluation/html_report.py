"""The report of a run as one HTML page: figures, charts, changes since an earlier run, and every wrong answer.

The page is self-contained: no scripts, nothing to load, and all foreign text escaped. The same run gives the same bytes
except for the times.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeAlias

from spanwise.domain.document import Box
from spanwise.evaluation.cases import Figure, Row
from spanwise.evaluation.run_rows import Change, Comparison
from spanwise.evaluation.summary import SetReport, number
from spanwise.guard.report import shown as escaped

Key: TypeAlias = tuple[str, str, str]
_LONGEST = 2_000
"""Most characters that are shown of an answer, a question or an expected answer."""
_STYLE = """
:root{color-scheme:light dark;--line:#c9ced6;--soft:#5b6270;--ours:#1f5fbf;--gold:#1b7a34;--bad:#9c1c1c}
@media (prefers-color-scheme:dark){:root{--line:#4a505a;--soft:#a9b0bc;--ours:#8db8ff;--gold:#7fd695;--bad:#ffb1a8}}
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}tr{border-bottom:1px solid var(--line)}
.wide{overflow-x:auto}.charts{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;width:20rem;max-width:100%}
figcaption{text-align:center;font-weight:600}svg{width:100%;height:auto;display:block}
svg text{font:11px system-ui,sans-serif;fill:currentColor}.grid{stroke:var(--line);stroke-width:.5}
.line{fill:none;stroke:var(--ours);stroke-width:2}.even{fill:none;stroke:var(--soft);stroke-dasharray:4 4}
.dot{fill:var(--ours);fill-opacity:.7}
article{display:grid;grid-template-columns:1fr 1fr;gap:0 1.5rem;border-top:1px solid var(--line);padding:1rem 0}
@media (max-width:50rem){article{display:block}}
dt{font-weight:600;color:var(--soft);font-size:.9rem}dd{margin:0 0 .6rem;white-space:pre-wrap;overflow-wrap:anywhere}
h3{margin:.3rem 0;font-size:1rem}.kind{color:var(--bad);font-weight:600}
.page{border:1px solid var(--line)}.cited{fill:#ffd000;fill-opacity:.35;stroke:#b08900}
.expected{fill:none;stroke:#1b7a34;stroke-width:2;stroke-dasharray:5 3}.soft{color:var(--soft)}
""".strip()
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src data:; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class PagePicture:
    """An image of a document's page, with the cited and the expected lines."""

    png: bytes
    number: int
    width: float
    """Width of the page in points, the unit of the boxes."""
    height: float
    cited: tuple[Box, ...] = ()
    expected: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """The content of the report."""

    title: str
    reports: Sequence[SetReport]
    rows: Sequence[Row]
    comparison: Comparison | None = None
    earlier: Sequence[Row] = ()
    pictures: Mapping[Key, PagePicture] = field(default_factory=dict)
    """Page images for wrong answers, by the keys of their rows."""
    left_out: int = 0
    """Number of page images that were left out to limit the size."""


def missed(rows: Sequence[Row]) -> list[Row]:
    """The rows whose answer, or lack of an answer, is wrong."""
    return [row for row in rows if row.metrics.get("right") is not None and not row.metrics["right"]]


def report_page(run: Run) -> str:
    """The HTML page as text that can be encoded in UTF-8."""
    heading = escaped(f"Evaluation of {run.title}")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{heading}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{heading}</h1>\n"
        f"{_in_words(run.rows)}{_charts(run)}{_comparison(run)}{_misses(run)}"
        f"{''.join(map(_figures, run.reports))}</main>\n</body>\n</html>\n"
    )


def _in_words(rows: Sequence[Row]) -> str:
    asked = [row for row in rows if row.answerable]
    answered = shown(asked)
    nothing = [row for row in rows if not row.answerable]
    quiet = sum(bool(row.metrics.get("right")) for row in nothing)
    told = [
        f"{len(rows)} questions, {len(asked)} of which the documents answer.",
        f"Of those, {sum(map(right, answered))} got a right answer, "
        f"{len(answered) - sum(map(right, answered))} a wrong one, {len(asked) - len(answered)} none.",
    ]
    if nothing:
        told.append(
            f"Of the {len(nothing)} that they do not answer, {quiet} got no answer, or none that claims to be sure."
        )
    errors = sum(row.decision == "error" for row in rows)
    if errors:
        told.append(f"{errors} could not be asked.")
    return f"<p>{' '.join(told)}</p>\n"


def _charts(run: Run) -> str:
    if not run.rows:
        return ""
    return (
        '<div class="charts">\n'
        f"{calibration_chart(calibration_bins(run.rows))}"
        f"{risk_chart(risk_coverage(run.rows), risk_coverage(run.earlier) if run.earlier else ())}"
        f"{seconds_chart([row.seconds for row in run.rows])}</div>\n"
    )


def _comparison(run: Run) -> str:
    if run.comparison is None:
        return ""
    entries = "".join(map(_change, run.comparison.changes))
    left = run.comparison.only_before, run.comparison.only_after
    apart = (
        f"<p>{left[0]} questions only in the earlier run and {left[1]} only in this one are left out.</p>\n"
        if any(left)
        else ""
    )
    asked = {(row.set, row.part, row.id): row.question for row in run.rows}
    lists = "".join(
        _listed(words, [asked[change.set, change.part, one] for one in ids])
        for change in run.comparison.changes
        if change.metric == "right"
        for words, ids in (("Right now, wrong before", change.better), ("Wrong now, right before", change.worse))
    )
    return (
        "<h2>Compared with the earlier run</h2>\n<p>The dashed line of risk over coverage is the earlier run.</p>\n"
        f'{apart}<div class="wide"><table>\n<tr><th>measure</th><th class="n">before</th><th class="n">now</th>'
        f'<th class="n">better</th><th class="n">worse</th><th class="n">questions</th></tr>\n{entries}</table></div>\n'
        f"{lists}"
    )


def _change(change: Change) -> str:
    numbers = (f"{change.before:.3f}", f"{change.after:.3f}", len(change.better), len(change.worse), change.n)
    cells = "".join(f'<td class="n">{one}</td>' for one in numbers)
    return f"<tr><td>{escaped(f'{change.part}, {change.metric}')}</td>{cells}</tr>\n"


def _listed(words: str, questions: Sequence[str]) -> str:
    if not questions:
        return ""
    return f"<h3>{words}</h3>\n<ul>{''.join(f'<li>{_text(one)}</li>' for one in questions)}</ul>\n"


def _misses(run: Run) -> str:
    rows = missed(run.rows)
    if not rows:
        return "<h2>Misses</h2>\n<p>None.</p>\n"
    before = {row.key: row for row in run.earlier}
    legend = (
        '<p class="soft">On the pages, yellow marks the lines that were cited, and a dashed green frame those that '
        "prove the expected answer.</p>\n"
        if run.pictures
        else ""
    )
    out = f"<p>{run.left_out} pages are left out to keep this file small.</p>\n" if run.left_out else ""
    entries = "".join(_miss(row, run.pictures.get(row.key), before.get(row.key)) for row in rows)
    return f"<h2>Misses ({len(rows)})</h2>\n{legend}{out}{entries}"


def _miss(row: Row, picture: PagePicture | None, before: Row | None) -> str:
    told = [("Document", row.document), ("Answer", row.text), ("Expected", " · ".join(row.gold) or "no answer")]
    if row.decision == "ship":
        told.append(("Confidence", f"{row.confidence:.2f}{', marked for review' if row.review else ''}"))
    if before is not None:
        told.append(("Earlier run", "right" if before.metrics.get("right") else f"wrong as well: {before.text}"))
    facts = "".join(f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in told)
    return (
        f'<article>\n<div>\n<h3>{_text(row.question)}</h3>\n<p class="kind">{_kind(row)}</p>\n'
        f"<dl>{facts}</dl>\n</div>\n"
        f"<div>{'' if picture is None else _picture(picture)}</div>\n</article>\n"
    )


def _kind(row: Row) -> str:
    if row.decision == "error":
        return "Could not be asked"
    if not row.answerable:
        return "Answered, though the document does not say it"
    if row.decision != "ship":
        return "Not answered, though the document says it"
    return "Possible answers, none of them right" if row.review else "Wrong answer"


def _picture(picture: PagePicture) -> str:
    data = base64.b64encode(picture.png).decode()
    rectangles = "".join(
        f'<rect class="{kind}" x="{box.x0:.1f}" y="{box.y0:.1f}" width="{box.x1 - box.x0:.1f}" '
        f'height="{box.y1 - box.y0:.1f}"/>'
        for kind, boxes in (("cited", picture.cited), ("expected", picture.expected))
        for box in boxes
    )
    size = f'width="{picture.width:.1f}" height="{picture.height:.1f}"'
    return (
        f'<svg class="page" viewBox="0 0 {picture.width:.1f} {picture.height:.1f}" role="img" '
        f'aria-label="Page {picture.number}"><image {size} href="data:image/png;base64,{data}"/>{rectangles}</svg>'
        f'<p class="soft">Page {picture.number}</p>'
    )


def _figures(report: SetReport) -> str:
    parts: dict[str, list[Figure]] = {}
    for figure in report.figures:
        parts.setdefault(figure.part, []).append(figure)
    failed = "".join(f"<li>{_text(message)}</li>" for message in report.errors)
    tables = "".join(_table(part, figures) for part, figures in parts.items())
    return (
        f"<h2>Figures: {escaped(report.name)}</h2>\n<p>{report.questions} questions, {report.documents} documents, "
        f"{report.seconds:.1f} s.</p>\n{f'<p>Failed:</p><ul>{failed}</ul>' if failed else ''}{tables}"
    )


def _table(part: str, figures: Sequence[Figure]) -> str:
    lines = "".join(_figure(figure) for figure in figures)
    head = '<th class="n">value</th><th class="n">n</th><th class="n">always silent</th>'
    return f'<div class="wide"><table>\n<tr><th>{escaped(part)}</th>{head}</tr>\n{lines}</table></div>\n'


def _figure(figure: Figure) -> str:
    silent = "" if figure.always_silent is None else f"{figure.always_silent:.3f}"
    cells = "".join(f'<td class="n">{one}</td>' for one in (number(figure), figure.n, silent))
    return f"<tr><td>{escaped(figure.name)}</td>{cells}</tr>\n"


def _text(text: str) -> str:
    left = len(text) - _LONGEST
    return escaped(text[:_LONGEST]) + (f" ... ({left} more characters)" if left > 0 else "")


Point: TypeAlias = tuple[float, float]
_SIDE, _LEFT, _TOP, _RIGHT, _BOTTOM = 240.0, 46.0, 12.0, 14.0, 40.0
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of answers with similar confidence."""

    confidence: float
    """The mean confidence of the answers."""
    right: float
    """The share of answers that are right, in [0, 1]."""
    n: int


def right(row: Row) -> bool:
    """True if the answer that was shown contains a right answer."""
    held = row.metrics.get("shown_right")
    return bool(held) if held is not None else row.answerable and bool(row.metrics.get("right"))


def shown(rows: Sequence[Row]) -> list[Row]:
    """The rows with an answer, marked or not."""
    return [row for row in rows if row.decision == "ship"]


def calibration_bins(rows: Sequence[Row], bins: int = 10) -> list[Bin]:
    """The answers in bins of equal size, in the order of their confidence; empty bins are left out."""
    order = sorted(shown(rows), key=lambda row: (row.confidence, row.key))
    made = []
    for at in range(bins):
        members = order[len(order) * at // bins : len(order) * (at + 1) // bins]
        if members:
            size = len(members)
            made.append(Bin(sum(one.confidence for one in members) / size, sum(map(right, members)) / size, size))
    return made


def risk_coverage(rows: Sequence[Row]) -> list[Point]:
    """Points of the risk-coverage curve: share of questions answered above each confidence, share of wrong answers.

    Answers with the same confidence form one point, so that their order does not matter.
    """
    points = []
    count = wrong = 0
    order = sorted(shown(rows), key=lambda row: -row.confidence)
    for _, alike in groupby(order, key=lambda row: row.confidence):
        members = list(alike)
        count += len(members)
        wrong += sum(not right(row) for row in members)
        points.append((count / len(rows), wrong / count))
    return points


def calibration_chart(bins: Sequence[Bin]) -> str:
    """The chart of accuracy over confidence; the dashed line is perfect calibration, large dots are many answers."""
    most = max((one.n for one in bins), default=1)
    dots = "".join(
        f'<circle class="dot" cx="{_x(one.confidence)}" cy="{_y(one.right)}" r="{3 + 4 * one.n / most:.1f}">'
        f"<title>{one.n} answers: confidence {one.confidence:.2f}, right {one.right:.2f}</title></circle>"
        for one in bins
    )
    return _chart("Calibration", "confidence", "share that is right", _path([(0, 0), (1, 1)], "even") + dots)


def risk_chart(now: Sequence[Point], before: Sequence[Point] = ()) -> str:
    """The chart of risk over coverage; the dashed line is the earlier run."""
    return _chart(
        "Risk over coverage", "share answered", "share of those wrong", _path(before, "even") + _path(now, "line")
    )


def seconds_chart(seconds: Sequence[float]) -> str:
    """The chart of the share of questions answered within a time."""
    order = sorted(seconds)
    longest = max([*order, 1e-9])
    points = [(0.0, 0.0), *((value / longest, (at + 1) / len(order)) for at, value in enumerate(order))]
    return _chart("Time", "seconds", "share done within", _path(points, "line"), most_x=longest)


def _chart(name: str, across: str, up: str, drawn: str, most_x: float = 1.0) -> str:
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
    ticks = "".join(
        f'<path class="grid" d="M{_x(share)} {_y(0)}V{_y(1)}M{_x(0)} {_y(share)}H{_x(1)}"/>'
        f'<text x="{_x(share)}" y="{_TOP + _SIDE + 16:.0f}" text-anchor="middle">{most_x * share:.2g}</text>'
        f'<text x="{_LEFT - 6:.0f}" y="{float(_y(share)) + 4:.1f}" text-anchor="end">{share:.2g}</text>'
        for share in (at / _TICKS for at in range(_TICKS + 1))
    )
    middle = _TOP + _SIDE / 2
    return (
        f'<figure><svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{name}: {up} by {across}">'
        f"{ticks}{drawn}"
        f'<text x="{_LEFT + _SIDE / 2:.0f}" y="{height - 6:.0f}" text-anchor="middle">{across}</text>'
        f'<text transform="rotate(-90 12 {middle:.0f})" x="12" y="{middle:.0f}" text-anchor="middle">{up}</text>'
        f"</svg><figcaption>{name}</figcaption></figure>\n"
    )


def _path(points: Sequence[Point], kind: str) -> str:
    if not points:
        return ""
    return f'<path class="{kind}" d="M{"L".join(f"{_x(x)} {_y(y)}" for x, y in points)}"/>'


def _x(share: float) -> str:
    return f"{_LEFT + _SIDE * share:.1f}"


def _y(share: float) -> str:
    return f"{_TOP + _SIDE * (1 - share):.1f}"
