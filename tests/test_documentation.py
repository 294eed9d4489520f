"""What README and docs show is run as it is written, in a folder that has what a fresh clone has, offline.

Commands stand in blocks of two kinds: `console` ($ and a command, then how its output begins) and `sh`. A block that is
marked `sh parsed` needs a key, a model, a port or data that no clone has: its commands are held against the command
line's own parser, and nothing runs. A block `toml NAME` is the file NAME of the commands after it. A block
`python NAME` needs a framework, and runs where that one is installed (`make frameworks`).
"""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import mcp.client.stdio  # noqa: F401  # it keeps the stderr of its first import, which must be that of no single test
import pytest
import typer
from every import every

from spanwise.cli.app import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BESIDE = [
    ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "examples/documents/README.md")
]
"""Pages that stand outside of the documentation, and are checked like it but for their ends."""
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OTHERS = {"make", "pip", "python", "curl", ".", "echo"}
"""Commands that pages show beside `spanwise`."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, the word after it, and what it holds."""

    page: str
    line: int
    language: str
    mark: str
    text: str

    def commands(self) -> list[str]:
        """The commands of a block of the shell, without comments, with continued lines joined."""
        text = self.text.replace("\\\n", " ")
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        return [re.sub(r"\s+# .*", "", line) for line in lines]


BLOCKS = [
    Block(page.name, page.read_text()[: match.start()].count("\n") + 2, match[1], match[2] or "", match[3])
    for page in (*PAGES, *BESIDE)
    for match in FENCE.finditer(page.read_text())
]


def blocks(*languages: str, mark: str | None = None) -> list:
    return [
        pytest.param(block, id=f"{block.page}:{block.line}")
        for block in BLOCKS
        if block.language in languages and mark in {None, block.mark}
    ]


@pytest.fixture
def clone(tmp_path, monkeypatch) -> Path:
    """A folder with the files of a fresh clone."""
    for name in ("docs", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "README.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / ".home"))
    return tmp_path


def run(command: str, folder: Path) -> str:
    """What a command prints; answers that were not found end with 1."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), (command, done.stderr)
    assert "Traceback" not in done.stderr, command
    return done.stdout


def words_of(command: str) -> list[str]:
    """The words of a command, without the variables that are set before it."""
    words = shlex.split(command)
    while re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words.pop(0)
    return words


def parse(words: list[str]) -> None:
    """Hold a command of `spanwise` against the parser of the command line, as far as its options and arguments."""
    group = typer.main.get_command(app)
    for command in group.commands.values():
        command.callback = nothing
    group.main(words[1:], "spanwise", standalone_mode=False)


def nothing(**_options: object) -> None:
    """What a command does here."""


PAGES_WITH_COMMANDS = sorted({block.page for block in BLOCKS if block.language in {"console", "sh"}})


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS)
def test_the_commands_of_a_page_run_one_after_another(page, clone):
    """In one folder, as a reader runs them; console blocks show how the output begins."""
    for block in (block for block in BLOCKS if block.page == page):
        if block.language == "toml" and block.mark:
            (clone / block.mark).write_text(block.text)
        elif block.language == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                assert words_of(command)[0] == "spanwise", command
                assert run(command, clone).startswith(shown), command
        elif block.language == "sh" and not block.mark:
            for command in block.commands():
                if words_of(command)[0] in {"spanwise", "echo"}:
                    run(command, clone)
                else:
                    is_there(command)


@pytest.mark.parametrize("block", blocks("sh", mark="parsed"))
def test_commands_that_are_not_run_are_parsed(block):
    for command in block.commands():
        words = words_of(command)
        if words[0] == "spanwise":
            parse(words)
        else:
            is_there(command)


def is_there(command: str) -> None:
    """A command of another program names targets, extras, scripts and files that are there."""
    words = words_of(command)
    if words[0] == ".venv/bin/pytest":
        assert (ROOT / words[-1]).exists(), command
        return
    assert words[0] in OTHERS, command
    if words[0] == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert set(words[1:]) <= set(targets), command
    elif words[0] == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert words[1] == "install", command
        assert re.fullmatch(r"\.\[([\w-]+)\]", words[2])[1] in extras, command
    elif words[0] == "python":
        assert (ROOT / words[1]).is_file(), command
    elif words[0] == "curl":
        assert all((ROOT / word.partition("@")[2]).is_file() for word in words if "@" in word), command
    elif words[0] == ".":
        assert words[1:] == [".venv/bin/activate"], command


def test_every_command_of_spanwise_stands_where_it_is_checked():
    """No block of another kind shows a command, and no `sh` block has a mark that nobody knows."""
    assert {block.mark for block in BLOCKS if block.language == "sh"} <= {"", "parsed"}
    loose = [block for block in BLOCKS if block.language not in {"console", "sh", "python", "py", "toml", "json"}]
    shown = [block for block in loose if re.search(r"^\$? ?spanwise ", block.text, re.MULTILINE)]
    assert [f"{block.page}:{block.line}" for block in shown] == []


@every("page", [*PAGES, *BESIDE])
def test_commands_in_the_running_text_exist(page):
    """`spanwise COMMAND --option` between the words of a page names a command, and options that it has."""
    commands = typer.main.get_command(app).commands
    for said in re.findall(r"`spanwise ([a-z][^`]*)`", page.read_text("utf-8")):
        name, *words = said.split()
        assert name in commands, said
        known = {option for parameter in commands[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, said


def test_an_unknown_option_would_be_noticed():
    with pytest.raises(Exception, match="No such option: --no-such-option"):
        parse(["spanwise", "ask", "a.pdf", "What?", "--no-such-option"])
    with pytest.raises(Exception, match="No such command 'aks'"):
        parse(["spanwise", "aks", "a.pdf", "What?"])


@pytest.mark.parametrize("block", blocks("python", mark=""))
@pytest.mark.usefixtures("clone")
def test_python_blocks(block):
    execute(block)


def execute(block: Block) -> None:
    """Run a block of Python, as a module of its own."""
    compiled = compile(block.text, "documentation", "exec")
    with contextlib.redirect_stdout(None):
        exec(compiled, {"__name__": "documentation"})


def test_every_python_block_runs_somewhere():
    environments = tomllib.loads((ROOT / "tests" / "integrations" / "environments.toml").read_text())
    frameworks = {name for one in environments.values() for name in one["tests"]}
    assert {block.mark for block in BLOCKS if block.language == "python"} <= {"", *frameworks}


def test_links_lead_somewhere():
    for page in (*PAGES, *BESIDE):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@every("page", PAGES[1:])
def test_every_page_ends_with_a_next_step(page):
    last = page.read_text("utf-8").strip().split("\n\n")[-1]
    assert re.match(r"Next: .*\[", last), "say at the end what to read next: Next: [asking](asking.md)"


NAMED = re.compile(r"`((?:src|tests|docs|benchmarks|fitting|examples)/[\w./-]*|[\w-]+/[\w/-]*\.\w+|\w+\.(?:toml|md))`")


@pytest.mark.parametrize(
    "page", [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"], ids=lambda page: page.name
)
def test_every_path_that_leads_a_newcomer_exists(page):
    named = NAMED.findall(page.read_text())
    assert len(named) > 20
    assert not [path for path in named if not (ROOT / path).exists()]


@every("page", PAGES)
def test_every_path_into_the_repository_exists(page):
    named = re.findall(
        r"`((?:src|spanwise|guard|tests|benchmarks|fitting|examples)/[\w/-]*\.\w+)`", page.read_text("utf-8")
    )
    assert not [path for path in named if not (ROOT / path).exists()]
