import subprocess
import sys

USE = """
import spanwise
from pydantic import BaseModel


class Site(BaseModel):
    name: str


def read(
    result: spanwise.Result,
    generation: spanwise.GenerationResult,
    typed: spanwise.GenerationResult[spanwise.AmountAnswer],
) -> list[str]:
    said = [str(item.spans[0].line_start) for item in result.answer.items]
    said += [str(item.value) for item in generation.answer.items]
    said += [item.amount.currency for item in typed.answer.items]
    return said


def names(answer: str) -> list[str]:
    answer_class = spanwise.register("site", Site)
    return [item.value.name for item in answer_class.model_validate_json(answer).items]


def wrong(typed: spanwise.GenerationResult[spanwise.AmountAnswer]) -> None:
    typed.answer.items[0].amount.colour
"""


def test_items_need_no_cast_under_strict_mypy(tmp_path):
    path = tmp_path / "use.py"
    path.write_text(USE)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).stdout
    errors = [line for line in said.splitlines() if "error:" in line and "use.py" in line]
    assert errors == ['use.py:27: error: "Amount" has no attribute "colour"  [attr-defined]']
