"""The types that users see: a script with every public name passes strict mypy and strict pyright, and runs."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import spanwise

SCRIPT = Path(__file__).with_name("every_name.py")
ROOT = Path(__file__).parents[2]
SOURCES = Path(spanwise.__file__).parents[1]

WRONG = """
import spanwise


def wrong(result: spanwise.Result, typed: spanwise.GenerationResult[spanwise.AmountAnswer]) -> None:
    print(result.to_dict()["colour"])
    print(typed.answer.items[0].amount.colour)
    print(spanwise.register("site", spanwise.Amount).model_validate({}).items[0].value.colour)
"""


def run(*command: str) -> str:
    told = os.environ | {"MYPYPATH": str(SOURCES)}
    return subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False, cwd=ROOT, env=told
    ).stdout


def mypy(files: list[Path]) -> dict[str, set[int]]:
    """Lines with errors by the settings of the project, strict too, whose cache `make types` has filled."""
    said = run("mypy", "--no-error-summary", *map(str, files)).splitlines()
    return {file.name: {int(line.split(":")[1]) for line in said if f"{file.name}:" in line} for file in files}


def pyright(folder: Path, files: list[Path]) -> dict[str, set[int]]:
    settings = {"include": [*map(str, files)], "typeCheckingMode": "strict", "extraPaths": [str(SOURCES)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    said = json.loads(run("basedpyright", "--project", str(folder), "--outputjson", "--pythonpath", sys.executable))
    assert said["summary"]["filesAnalyzed"] == len(files)
    told = said["generalDiagnostics"]
    lines = [(one["file"], one["range"]["start"]["line"] + 1) for one in told]
    return {file.name: {line for name, line in lines if name.endswith(file.name)} for file in files}


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_script_with_every_public_name_is_typed_and_mistakes_are_found(checker, tmp_path):
    """Dicts, items of answers and registered values have types: a wrong name is an error in each of them."""
    if checker == "pyright" and not os.environ.get("CI"):
        pytest.importorskip("basedpyright")
    (tmp_path / "wrong.py").write_text(WRONG)
    files = [SCRIPT, tmp_path / "wrong.py"]
    found = mypy(files) if checker == "mypy" else pyright(tmp_path, files)
    assert found[SCRIPT.name] == set()
    assert found["wrong.py"] == {number for number, line in enumerate(WRONG.splitlines(), 1) if "colour" in line}


def test_the_script_uses_every_public_name():
    used = {
        node.attr
        for node in ast.walk(ast.parse(SCRIPT.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "spanwise"
    }
    assert used == set(spanwise.__all__)


def test_the_script_runs_offline(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", SCRIPT, tmp_path], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "OsloOslo" in done.stdout
