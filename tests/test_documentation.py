"""What README and docs show is run: console blocks by the real command line, Python blocks as they stand."""

import contextlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import mcp.client.stdio  # noqa: F401  # it keeps the stderr of its first import, which must be that of no single test
import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fences(language: str) -> list:
    return [
        pytest.param(match.group(2), id=f"{page.name}:{page.read_text()[: match.start()].count(chr(10)) + 2}")
        for page in PAGES
        for match in FENCE.finditer(page.read_text())
        if match.group(1) == language
    ]


@pytest.fixture
def workplace(tmp_path, monkeypatch, nist, agreement) -> Path:
    """A folder that has the documents that the pages speak of."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "contracts" / "acme").mkdir(parents=True)
    (tmp_path / "contracts" / "acme" / "msa.pdf").write_bytes(agreement.read_bytes())
    (tmp_path / "contracts" / "nda.pdf").write_bytes(nist.read_bytes())
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "2024-report.pdf").write_bytes(nist.read_bytes())
    (tmp_path / "report.pdf").write_bytes(nist.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("block", fences("console"))
def test_console_blocks(block, workplace):
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=workplace,
            env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert shlex.split(command)[0] == "spanwise"
        assert done.returncode in (0, 1), done.stderr
        assert done.stdout.startswith(shown), command


@pytest.mark.parametrize("block", fences("python"))
@pytest.mark.usefixtures("workplace")
def test_python_blocks(block):
    compiled = compile(block, "documentation", "exec")
    with contextlib.redirect_stdout(None):
        exec(compiled, {"__name__": "documentation"})


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
