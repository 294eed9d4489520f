"""Every example is a test: it has to run to its end, offline, and a notebook has to give the outputs that it shows."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RUNNER = HERE / "notebooks" / "run.py"
EXAMPLES = sorted(path for path in HERE.glob("*.py") if path.name != "conftest.py")
NOTEBOOKS = [  # those inside frameworks run with `make frameworks`
    path
    for path in sorted(HERE.glob("notebooks/*.ipynb"))
    if "frameworks" not in json.loads(path.read_text("utf-8"))["metadata"]
]


class Example(pytest.Item):
    """One script or notebook."""

    def runtest(self) -> None:
        """Run it in a process of its own, warnings being errors; those that cannot be raised are on its stderr."""
        runner = [str(RUNNER)] if self.path.suffix == ".ipynb" else []
        command = [sys.executable, "-W", "error", *runner, str(self.path)]
        # As a user runs it: without what tests that are run beside it have set.
        plain = {name: value for name, value in os.environ.items() if not name.startswith("SPANWISE_")}
        done = subprocess.run(
            command, stderr=subprocess.PIPE, text=True, check=False, cwd=self.path.parent.parent, env=plain
        )
        assert (done.returncode, done.stderr) == (0, "")


class ExampleFile(pytest.File):
    """One file, a script or a notebook."""

    def collect(self) -> list[Example]:
        """The one example."""
        return [Example.from_parent(self, name=self.path.stem)]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ExampleFile | None:
    """Collect each script of this folder, and each notebook."""
    return ExampleFile.from_parent(parent, path=file_path) if file_path in EXAMPLES + NOTEBOOKS else None
