"""Mutation testing: small faults are planted in the code, one at a time, and the tests of the room have to notice.

`make mutants`, or `python tests/mutants.py src/spanwise/contract/validation --count 120`. The sample is the same each
time, and nearly the same when the code changes. A mutant that no test can notice stands, with the reason, in
`equivalent_mutants.txt`. (mutmut and cosmic-ray were looked at: they take no sample, and mutmut 3 mutates no constants
of a module and no decorated functions.)
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import itertools
import json
import os
import queue
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from coverage import CoverageData

ROOT = Path(__file__).parents[1]
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.txt")
MEMORY = 6 << 30
LONGEST_SHOWN = 160
LARGEST_COUNTED = 50
"""Larger numbers bound work or memory; one more or less is no fault."""
_LEAST_SECONDS = 10
"""Seconds of the processor to start the tests of a mutant, beside those that they take on the code as it is."""
_LONGEST = 30
"""Seconds of a busy machine that a second of the processor may take: only what waits for ever takes longer."""
OF_BEHAVIOUR = "not hostile and not no_time and not bounded_time and not mypy and not linear"
"""Tests of behaviour: those of speed take long, and no mutant needs them."""

_OPPOSITE = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}
_DEFAULTS = {"bool": ("False", "True"), "str": ("''",), "int": ("0",), "list": ("[]",), "tuple": ("()",)}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A place in a file and the code that is put there."""

    path: str
    line: int
    function: str
    """Qualified name of the innermost function around it; empty at module level."""
    start: int
    end: int
    before: str
    after: str
    """The changed lines, white space collapsed."""
    code: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it, whatever line it is on."""
        return self.path, self.before, self.after

    @property
    def reads(self) -> bool:
        """True if the file is still Python."""
        try:
            ast.parse(self.planted())
        except SyntaxError:
            return False
        return True

    def planted(self) -> bytes:
        """The file with the mutant in it."""
        source = (ROOT / self.path).read_bytes()
        return source[: self.start] + self.code.encode() + source[self.end :]

    def rank(self, seed: int) -> str:
        """Its place in the sample, which no other mutant has an influence on."""
        return hashlib.sha256(repr((seed, self.path, self.function, self.before, self.after)).encode()).hexdigest()


class _Planter(ast.NodeVisitor):
    """Collects the mutants of one module."""

    def __init__(self, path: str, source: str) -> None:
        self.path = path
        self.source = source.encode()
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.functions: list[str] = []
        self.returns: list[ast.expr | None] = []
        self.found: list[Mutant] = []

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The bytes of a node in the source."""
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def plant(self, node: ast.expr | ast.stmt, code: str) -> None:
        """Add the mutant that has `code` instead of a node."""
        start, end = self.span(node)
        head, tail = self.starts[node.lineno - 1], self.starts[node.end_lineno]
        before = self.source[head:tail].decode()
        after = (self.source[head:start] + code.encode() + self.source[end:tail]).decode()
        if " ".join(before.split()) != " ".join(after.split()):
            function = ".".join(self.functions) if self.returns else ""
            self.found.append(Mutant(self.path, node.lineno, function, start, end, *_shortened(before, after), code))

    def put(self, node: ast.expr, other: ast.expr) -> None:
        """Add the mutant that has another expression instead of one."""
        self.plant(node, f"({ast.unparse(ast.fix_missing_locations(other))})")

    # What is no behaviour: annotations, decorators, messages (whose offsets an f-string hides), names of a module.

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None: ...

    def visit_Raise(self, node: ast.Raise) -> None: ...

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and "TypeAlias" not in ast.unparse(node.annotation):
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(isinstance(one, ast.Name) and one.id.startswith("__") for one in node.targets):
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.functions.append(node.name)
        for part in node.body:
            self.visit(part)
        self.functions.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        self.functions.append(node.name)
        self.returns.append(node.returns)
        for part in node.body:
            self.visit(part)
        self.returns.pop()
        self.functions.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    # What is planted.

    def visit_Compare(self, node: ast.Compare) -> None:
        for index, operator in enumerate(node.ops):
            for table in (_OPPOSITE, _BOUNDARY):
                if type(operator) in table:
                    other = copy.deepcopy(node)
                    other.ops[index] = table[type(operator)]()
                    self.put(node, other)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.put(node, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
        for index in range(len(node.values)):
            rest = node.values[:index] + node.values[index + 1 :]
            self.put(node, ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.put(node, node.operand)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is int and node.value <= LARGEST_COUNTED:
            self.plant(node, str(node.value + 1))
            if node.value > 0:
                self.plant(node, str(node.value - 1))

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None and not isinstance(bound, ast.Constant) and not ast.unparse(bound).isupper():
                self.put(bound, ast.BinOp(bound, ast.Add(), ast.Constant(1)))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in _SWAPPED:
            self.plant(node.func, _SWAPPED[node.func.id])
        self.generic_visit(node)

    def _condition(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            if not isinstance(node, ast.While):
                self.put(node.test, ast.Constant(True))
            self.put(node.test, ast.Constant(False))
            self.generic_visit(node)

    visit_If = visit_While = visit_IfExp = _condition

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.put(test, ast.Constant(True))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and self.returns:
            kind = ast.unparse(self.returns[-1]).partition("[")[0] if self.returns[-1] else ""
            for default in ("None",) if kind.endswith("None") else _DEFAULTS.get(kind, ()):
                if ast.unparse(node.value) != default:
                    self.plant(node.value, default)
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.plant(node, "pass")
            self.visit(node.value)

    def _elements(self, node: ast.Tuple | ast.List | ast.Set) -> None:
        if isinstance(node.ctx if hasattr(node, "ctx") else ast.Load(), ast.Load) and len(node.elts) > 1:
            start, end = self.span(node)
            places = [self.span(one) for one in node.elts]
            for index, (first, _) in enumerate(places):
                rest = places[:index] + places[index + 1 :]
                head = self.source[start : first if index + 1 < len(places) else rest[-1][1]]
                kept = self.source[places[index + 1][0] : rest[-1][1]] if index + 1 < len(places) else b""
                self.plant(node, (head + kept + b"," + self.source[places[-1][1] : end].lstrip(b",")).decode())
        self.generic_visit(node)

    visit_Tuple = visit_List = visit_Set = _elements


def _shortened(before: str, after: str) -> tuple[str, str]:
    """Two versions of a line, white space collapsed; of long ones only the part that differs, with some around it."""
    before, after = " ".join(before.split()), " ".join(after.split())
    if max(len(before), len(after)) <= LONGEST_SHOWN:
        return before, after
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    return tuple(f"... {one[max(0, head - 60) : len(one) - max(0, tail - 40)]} ..." for one in (before, after))


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def mutants_of(path: Path) -> list[Mutant]:
    """Every mutant of a module."""
    source = path.read_text(encoding="utf-8")
    planter = _Planter(path.relative_to(ROOT).as_posix(), source)
    planter.visit(ast.parse(source))
    return list({mutant.key: mutant for mutant in planter.found}.values())


def tests_of(module: str) -> str:
    """The folder of the tests of a room."""
    room = Path(module).relative_to("src/spanwise").parts[0]
    return f"tests/{room}"


def equivalents() -> dict[tuple[str, str, str], str]:
    """The mutants that no test can notice: blocks of a path, the line, the changed line and the reason."""
    found = {}
    for block in EQUIVALENT.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            path, before, after, *reason = lines
            found[path, before.removeprefix("- "), after.removeprefix("+ ")] = " ".join(reason)
    return found


class Bench:
    """Copies of the package to plant mutants in, and the tests that run each line."""

    def __init__(self, folder: Path, workers: int, tests: list[str], most: float) -> None:
        self.folder = folder
        self.workers = workers
        self.tests = tests
        self.most = most
        self.copies: queue.Queue[Path] = queue.Queue()
        for number in range(max(workers, len(tests))):
            place = folder / f"copy{number}"
            shutil.copytree(ROOT / "src", place / "src")
            self.copies.put(place)
        self.running: dict[str, dict[int, list[str]]] = {}
        """The tests that run a line of a file."""
        self.seconds: dict[str, float] = {}
        """Tests that pass, and how long each of them takes."""
        self.untold: set[str] = set()
        """Tests whose lines are not known: those of hypothesis, which traces by itself."""

    def measure(self, rooms: list[str], kept: Path | None) -> None:
        """Run the tests on the code as it is: they must pass, and tell which lines each of them runs.

        Folders whose tests and sources are as they were are read from the file `kept`.
        """
        known = json.loads(kept.read_text()) if kept and kept.exists() else {}
        states = {folder: _state(folder, rooms) for folder in self.tests}
        stale = [folder for folder in self.tests if known.get(folder, {}).get("state") != states[folder]]
        with ThreadPoolExecutor(self.workers) as pool:
            for folder, measured in zip(stale, pool.map(self._measured, stale), strict=True):
                known[folder] = {"state": states[folder], **measured}
                if kept:
                    kept.write_text(json.dumps(known))
        for folder in self.tests:
            self.seconds |= known[folder]["seconds"]
            told = set()
            for path, lines in known[folder]["running"].items():
                for line, tests in lines.items():
                    self.running.setdefault(path, {}).setdefault(int(line), []).extend(tests)
                    told.update(tests)
            self.untold |= set(known[folder]["seconds"]) - told

    def _measured(self, folder: str) -> dict[str, object]:
        """Seconds of the tests of a folder, and the tests that run each line."""
        place = self.copies.get()
        name = folder.replace("/", "-")
        data, options, times = (self.folder / f"{name}.{kind}" for kind in ("coverage", "rc", "json"))
        options.write_text(f"[run]\ndynamic_context = test_function\nsource = {place / 'src'}\ndata_file = {data}\n")
        before = ["-m", "coverage", "run", f"--rcfile={options}"]
        if self._pytest(place, [folder], before=before, seconds=1800, times=times) != 0:
            raise SystemExit(f"The tests of {folder} do not pass on the code as it is.")
        names = {test.stem: test.relative_to(ROOT).as_posix() for test in (ROOT / folder).rglob("test_*.py")}
        read = CoverageData(str(data))
        read.read()
        told = {context: _test(context, names) for context in read.measured_contexts()}
        running = {
            Path(file).relative_to(place).as_posix(): {
                line: sorted({test for context in contexts if (test := told[context])})
                for line, contexts in read.contexts_by_lineno(file).items()
            }
            for file in read.measured_files()
        }
        self.copies.put(place)
        return {"seconds": json.loads(times.read_text()), "running": running}

    def likely(self, mutant: Mutant) -> list[str]:
        """Tests that may notice a mutant, the likeliest first: those of its room, then by how few seconds they take.

        Those that run its line; for what runs when a module is loaded, those that run a line of the module, or of the
        room where none does. The tests of hypothesis in the room are among them. They end where their time is spent.
        """
        room = tests_of(mutant.path) + "/"
        lines = self.running.get(mutant.path, {})
        found = set(lines.get(mutant.line, ())) if mutant.function else set().union(*lines.values())
        found |= {test for test in (self.untold if found else self.seconds) if test.startswith(room)}
        ordered = sorted(found, key=lambda test: (not test.startswith(room), self.seconds[test], test))
        spent = itertools.accumulate(self.seconds[test] for test in ordered)
        return [test for test, seconds in zip(ordered, spent, strict=True) if seconds <= self.most]

    def survives(self, mutant: Mutant) -> bool:
        """True if the tests that may notice a mutant pass with it in place."""
        place = self.copies.get()
        target, original = place / mutant.path, ROOT / mutant.path
        try:
            target.write_bytes(mutant.planted())
            for stale in (target.parent / "__pycache__").glob(f"{target.stem}.*"):
                stale.unlink()
            tests = self.likely(mutant)
            return self._pytest(place, tests, seconds=_LEAST_SECONDS + sum(self.seconds[test] for test in tests)) == 0
        finally:
            target.write_bytes(original.read_bytes())
            self.copies.put(place)

    def _pytest(
        self,
        place: Path,
        tests: list[str],
        *,
        before: list[str] | None = None,
        seconds: float,
        times: Path | None = None,
    ) -> int:
        """Run tests until one fails, for so many seconds of the processor: what else the machine does is no matter."""
        command = [sys.executable, "-B", *(before or []), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        told = {"PYTHONPATH": str(place / "src"), "PYTHONHASHSEED": "0", "CI": "1"}
        if times:
            command += ["-p", "mutants"]
            told |= {
                "MUTANTS_TIMES": str(times),
                "PYTHONPATH": os.pathsep.join([told["PYTHONPATH"], str(ROOT / "tests")]),
            }

        def bound() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (round(seconds), round(seconds) + 5))

        try:
            return subprocess.run(
                [*command, "-k", OF_BEHAVIOUR, *tests], cwd=ROOT, env=os.environ | told, timeout=_LONGEST * seconds,
                check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=bound,
            ).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            return 124


def _state(folder: str, rooms: list[str]) -> str:
    """A hash of the tests of a folder and of the sources that mutants are planted in."""
    files = [*sorted((ROOT / folder).rglob("*.py")), *_sources(rooms)]
    return hashlib.sha256(b"".join(str(file).encode() + file.read_bytes() for file in files)).hexdigest()


SECONDS: dict[str, float] = defaultdict(float)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Where pytest loads this file as a plugin: note what a test takes of the processor."""
    before = time.process_time()
    try:
        return (yield)
    finally:
        SECONDS[item.nodeid.partition("[")[0]] += time.process_time() - before


def pytest_sessionfinish() -> None:
    Path(os.environ["MUTANTS_TIMES"]).write_text(json.dumps(SECONDS))


def _test(context: str, names: dict[str, str]) -> str | None:
    """The test behind a context of coverage, as pytest names it."""
    module, _, test = context.partition(".")
    return f"{names[module]}::{test.replace('.', '::')}" if module in names else None


def _sources(rooms: list[str]) -> list[Path]:
    """The files of some folders or files."""
    given = [ROOT / room for room in rooms]
    return sorted({path for room in given for path in (room.rglob("*.py") if room.is_dir() else [room])})


def sampled(rooms: list[str], count: int, seed: int) -> list[Mutant]:
    """A sample of the mutants of some folders or files, in the order of the code."""
    found = sorted((mutant for path in _sources(rooms) for mutant in mutants_of(path)), key=lambda one: one.rank(seed))
    readable = (mutant for mutant in found if mutant.reads)
    return sorted(itertools.islice(readable, count or None), key=lambda one: (one.path, one.line, one.start, one.code))


def main() -> int:
    """Plant, run, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="+", help="folders or files below src/spanwise")
    parser.add_argument("--count", type=int, default=120, help="mutants of the sample; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--least", type=float, default=0, help="share in per cent below which this fails")
    parser.add_argument("--tests", nargs="+", help="folders of tests instead of those of the rooms")
    parser.add_argument("--most", type=float, default=60, help="seconds of tests that one mutant is tried on")
    parser.add_argument("--kept", type=Path, help="file that keeps which tests run which lines")
    parser.add_argument("--rows", type=Path, help="keep a line of JSON for each mutant")
    parser.add_argument("--again", type=Path, help="only the survivors among these rows")
    given = parser.parse_args()
    known = equivalents()
    sample = sampled(given.rooms, given.count, given.seed)
    if given.again:
        rows = [json.loads(line) for line in given.again.read_text().splitlines()]
        left = {(row["path"], row["before"], row["after"]) for row in rows if row["survived"]}
        sample = [mutant for mutant in sample if mutant.key in left]
    planted = [mutant for mutant in sample if mutant.key not in known]
    tests = given.tests or sorted({tests_of(mutant.path) for mutant in sample})
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), given.workers, tests, given.most)
        bench.measure(given.rooms, given.kept)
        results = []
        with ThreadPoolExecutor(given.workers) as pool, open(given.rows or os.devnull, "w") as rows:
            for mutant, survived in zip(planted, pool.map(bench.survives, planted), strict=True):
                results.append((mutant, survived))
                told = dict(zip(("path", "before", "after"), mutant.key, strict=True))
                print(json.dumps(told | {"line": mutant.line, "survived": survived}), file=rows, flush=True)
                if survived:
                    print(f"survived  {mutant.path}:{mutant.line}\n- {mutant.before}\n+ {mutant.after}\n", flush=True)
    for room, (killed, all_) in _by_room(results).items():
        print(f"{room}: {killed} of {all_} killed")
    killed = sum(not survived for _, survived in results)
    share = 100 * killed / max(1, len(results))
    print(f"{killed} of {len(results)} mutants killed: {share:.1f} %; {len(sample) - len(planted)} more are equivalent")
    return int(share < given.least)


def _by_room(results: list[tuple[Mutant, bool]]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for mutant, survived in results:
        killed, all_ = found[mutant.path]
        found[mutant.path] = killed + (not survived), all_ + 1
    return dict(sorted(found.items()))


if __name__ == "__main__":
    sys.exit(main())
