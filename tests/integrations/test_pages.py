"""The blocks `python NAME` of the documentation, and the notebooks, where the frameworks they name are installed."""

import json
import subprocess
import sys

import pytest
from environments import ROOT, TESTED
from test_documentation import blocks, clone, execute

__all__ = ["clone"]


@pytest.mark.parametrize("block", [block for name in TESTED for block in blocks("python", mark=name)])
@pytest.mark.usefixtures("clone")
def test_python_blocks(block):
    execute(block)


NOTEBOOKS = [
    path
    for path in sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
    if (named := json.loads(path.read_text("utf-8"))["metadata"].get("frameworks")) and set(named) <= set(TESTED)
]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_give_what_they_show(path):
    command = [sys.executable, ROOT / "examples" / "notebooks" / "run.py", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
