"""Every example is a test: it has to run to its end, offline."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted(path for path in Path(__file__).parent.glob("*.py") if path.name != "conftest.py")


class Example(pytest.Item):
    """One script."""

    def runtest(self) -> None:
        """Run it in a process of its own, warnings being errors; those that cannot be raised are on its stderr."""
        command = [sys.executable, "-W", "error", str(self.path)]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, cwd=self.path.parent.parent)
        assert (done.returncode, done.stderr) == (0, "")


class ExampleFile(pytest.File):
    """One file with one script."""

    def collect(self) -> list[Example]:
        """The script."""
        return [Example.from_parent(self, name=self.path.stem)]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ExampleFile | None:
    """Collect each script of this folder."""
    return ExampleFile.from_parent(parent, path=file_path) if file_path in EXAMPLES else None
