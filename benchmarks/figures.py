"""The figures of RESULTS.md: kept as rows in figures.toml, measured anew by the commands that stand there.

    python benchmarks/figures.py                          # RESULTS.md from the rows
    python benchmarks/figures.py measure [--only NAME]... # run the commands, keep what they say, compare with the last
    python benchmarks/figures.py add NAME VALUE [--commit COMMIT] [--note TEXT]

`measure` runs the quickest command first and begins none that would not end within --hours (2). Data: SPANWISE_DATA.
"""

import argparse
import functools
import json
import re
import shlex
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
FIGURES, RESULTS = HERE / "figures.toml", HERE / "RESULTS.md"
DATA = {
    "unseen": "nobody tuned on it or had read its misses when it was run",
    "left out": "left out of the fit that is measured",
    "development": "its misses were read, or a choice was made with it in view",
    "fitted": "shipped weights were made from it, among others",
    "made": "cases made by script",
    "none": "time, memory or counts: no labels",
}
PYTHON = {"python": [sys.executable], "spanwise": [sys.executable, "-m", "spanwise"]}
NUMBER = re.compile(r"(?<![\w.])[\d,]*\.?\d+")
HEAD = """# Measured figures

Made by `python benchmarks/figures.py` from the rows of [figures.toml](figures.toml); `make figures` measures those that
a script can measure within two hours, adds their rows and compares them with the last. One machine: 2 cores of an Intel
Xeon at 2.5 GHz, 24 GB, Linux, Python 3.11, shared with others, so ratios and medians count more than seconds. The
public data is in `SPANWISE_DATA` (see [evaluating](../docs/evaluating.md)); nothing of it is in this repository.

The newest row of each figure is shown; *gold contained* stands before anything kinder. Where the rooms of the code that
a figure measures have changed since its commit, the number of changes stands beside it: the more, the less it says of
today. Older rows are in the [history](#history). What the data was to those who built it:

"""


@dataclass(frozen=True)
class Row:
    """What was measured once: the figure as it is shown, at a commit."""

    value: str
    commit: str
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """What is measured, how, on which data, and its rows, newest first."""

    section: str
    name: str
    what: str
    data: str
    command: str
    rooms: list[str]
    rows: list[Row]
    goal: str = ""
    minutes: float = 0
    pick: tuple[str, ...] = ()
    form: str = ""


def load(path: Path = FIGURES) -> tuple[dict[str, str], list[Figure]]:
    """The sections with their texts, and the figures."""
    told = tomllib.loads(path.read_text("utf-8"))
    sections = {one["title"]: one.get("text", "").strip() for one in told["section"]}
    figures = [Figure(**one | {"rows": [Row(**row) for row in one["rows"]]}) for one in told["figure"]]
    return sections, figures


def render(sections: dict[str, str], figures: list[Figure]) -> str:
    """RESULTS.md."""
    parts = [HEAD + "\n".join(f"* *{kind}*: {means}" for kind, means in DATA.items())]
    for title, text in sections.items():
        table = ["| what | measured | goal, peer | data | commit | command |", "| --- | --- | --- | --- | --- | --- |"]
        for one in figures:
            if one.section == title:
                newest = one.rows[0]
                value = f"**{newest.value}**" + (f" ({newest.note})" if newest.note else "")
                kind = "" if one.data == "none" else one.data
                command = one.command if one.command == "by hand" else f"`{one.command}`"
                cells = (one.what, value, one.goal, kind, f"{newest.commit}{age(newest.commit, one.rooms)}", command)
                table.append(f"| {' | '.join(cells)} |")
        parts.append("\n".join([f"## {title}", "", *table]) + (f"\n\n{text}" if text else ""))
    history = [
        f"| {one.section}: {one.name} | {row.value} | {row.commit} | {row.note} |"
        for one in figures
        for row in one.rows[1:]
    ]
    parts.append("\n".join(["## History", "", "| figure | was | commit | |", "| --- | --- | --- | --- |", *history]))
    return "\n\n".join(parts) + "\n"


def age(commit: str, rooms: list[str]) -> str:
    """How often the rooms have changed since a commit, where git knows."""
    changes = changes_since(commit, tuple(rooms)) if rooms else "0"
    return "" if changes == "0" else f", {changes} changes since" if changes else ", not in the history any more"


@functools.cache
def changes_since(commit: str, rooms: tuple[str, ...]) -> str:
    """The number of commits to the rooms after one; nothing where git does not know it."""
    paths = [f"src/spanwise/{room}" for room in rooms]
    return git("rev-list", "--count", f"{commit}..HEAD", "--", *paths)


def git(*words: str) -> str:
    """What git says; nothing where there is none, or no repository."""
    try:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def add(name: str, row: Row, path: Path = FIGURES) -> None:
    """Put a row before the others of a figure."""
    text = path.read_text("utf-8")
    said = {"value": row.value, "commit": row.commit} | ({"note": row.note} if row.note else {})
    line = "  {" + ", ".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in said.items()) + "},\n"
    head = re.compile(rf'^name = "{re.escape(name)}"$.*?^rows = \[\n?[ ]*', re.MULTILINE | re.DOTALL)
    if not (found := head.search(text)):
        sys.exit(f"no figure {name} in {path.name}; those there are: {', '.join(one.name for one in load(path)[1])}")
    text = f"{text[: found.end()].rstrip()}\n{line}  {text[found.end() :]}"
    tomllib.loads(text)
    path.write_text(text, "utf-8")


def measure(figures: list[Figure], only: list[str], hours: float) -> int:
    """Run the commands, each once, and keep what they say; how many of them failed."""
    if unknown := set(only) - {one.name for one in figures}:
        sys.exit(f"no figure {', '.join(sorted(unknown))}; those there are: {', '.join(one.name for one in figures)}")
    chosen = [one for one in figures if (one.name in only if only else one.minutes) and one.pick]
    if left := [name for name in only if name not in {one.name for one in chosen}]:
        print(f"measured by hand only, see its command: {', '.join(left)}")
    commit = git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain", "--", "src") else "")
    began, failed = time.monotonic(), 0
    for command in sorted({one.command for one in chosen}, key=lambda command: (minutes_of(command, chosen), command)):
        mine = [one for one in chosen if one.command == command]
        room = hours * 3600 - (time.monotonic() - began)
        if minutes_of(command, chosen) * 60 > room:
            print(f"left out, {hours} hours would not do: {', '.join(one.name for one in mine)}")
            continue
        print(f"$ {command}", flush=True)
        failed += not run(command, mine, commit, room)
    return failed


def minutes_of(command: str, figures: list[Figure]) -> float:
    """How long a command takes, as its figures say."""
    return max(one.minutes for one in figures if one.command == command)


def run(command: str, figures: list[Figure], commit: str, seconds: float) -> bool:
    """Run a command and keep its figures; whether each of them was there."""
    program, *words = shlex.split(command)
    try:
        done = subprocess.run(
            [*PYTHON[program], *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        print(f"  stopped: it took longer than {seconds / 60:.0f} minutes")
        return False
    well = True
    for one in figures:
        value = picked(one, done.stdout) if done.returncode == 0 else None
        if value is None:
            said = (done.stderr.strip().splitlines() or ["its figures are not in what it printed"])[-1]
            print(f"  {one.name}: not measured, exit code {done.returncode}: {said}")
            well = False
            continue
        last = one.rows[0]
        print(f"  {one.name}: {value}{compared(value, last.value)}; last at {last.commit}: {last.value}", flush=True)
        add(one.name, Row(value, commit, f"measured {datetime.now(UTC):%Y-%m-%d}"))
    return well


def picked(figure: Figure, printed: str) -> str | None:
    """The figure as it is shown, from what its command printed; nothing where a part of it is not there."""
    numbers: list[str] = []
    for pick in figure.pick:
        found = pointed(pick, printed) if " / " in pick and printed.startswith("{") else matched(pick, printed)
        if not found:
            return None
        numbers += found
    return figure.form.format(*numbers) if figure.form else ", ".join(numbers)


def matched(pattern: str, printed: str) -> list[str]:
    """All groups of all matches."""
    return [group for match in re.finditer(pattern, printed) for group in match.groups()]


def pointed(path: str, printed: str) -> list[str]:
    """The value of `set / part / figure` in the JSON of `spanwise eval`."""
    name, part, figure = path.split(" / ", 2)
    of_set = json.loads(printed)["sets"].get(name, {"figures": []})
    return [
        f"{one['value']:.3f}".lstrip("0") if abs(one["value"]) < 1 else f"{one['value']:.3f}"
        for one in of_set["figures"]
        if (one["part"], one["name"]) == (part, figure) and one["value"] is not None
    ]


def compared(now: str, last: str) -> str:
    """The change of each number, where there are as many as before."""
    pairs = [[float(number.replace(",", "")) for number in NUMBER.findall(said)] for said in (now, last)]
    if len(pairs[0]) != len(pairs[1]) or now == last:
        return ""
    changes = [f"{new / old - 1:+.0%}" if old else f"{new:+g}" for new, old in zip(*pairs, strict=True)]
    return f" ({', '.join(changes)})"


def main() -> int:
    """What was asked for; then RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = parser.add_subparsers(dest="way")
    measuring = ways.add_parser("measure")
    measuring.add_argument("--only", action="append", default=[])
    measuring.add_argument("--hours", type=float, default=2)
    adding = ways.add_parser("add")
    adding.add_argument("name")
    adding.add_argument("value")
    adding.add_argument("--commit", default=git("rev-parse", "--short", "HEAD"))
    adding.add_argument("--note", default="")
    given = parser.parse_args()
    failed = 0
    if given.way == "add":
        add(given.name, Row(given.value, given.commit, given.note))
    elif given.way == "measure":
        failed = measure(load()[1], given.only, given.hours)
    RESULTS.write_text(render(*load()), "utf-8")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
