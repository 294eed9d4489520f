"""Run notebooks as Jupyter would, without it, and hold what their cells give against the outputs that are kept.

    python examples/notebooks/run.py [--write] NOTEBOOK...

`--write` keeps the outputs instead. Texts have to be the same; of pictures it only matters that there are some.
"""

import ast
import asyncio
import base64
import contextlib
import inspect
import io
import json
import os
import sys
from pathlib import Path
from types import CodeType

Output = dict[str, object]


def cell_outputs(source: str, names: dict[str, object]) -> list[Output]:
    """Run one cell; what it prints, and what its last expression is, as Jupyter keeps them."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run(compile(tree, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
        value = run(compile(last, "cell", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names) if last else None
    outputs: list[Output] = []
    if lines := printed.getvalue().splitlines(keepends=True):
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines})
    if value is not None:
        draw = getattr(value, "_repr_png_", None)
        picture = draw() if draw else None
        data = {"image/png": base64.b64encode(picture).decode()} if picture else {"text/plain": [repr(value)]}
        outputs.append({"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data})
    return outputs


def run(code: CodeType, names: dict[str, object]) -> object:
    """Execute code that may wait at its top, as cells may."""
    given = eval(code, names)
    return asyncio.run(given) if inspect.iscoroutine(given) else given


def comparable(outputs: list[Output]) -> str:
    """Outputs without what may differ: the bytes of pictures, and counts."""
    told = [
        ["a picture"] if "image/png" in (one.get("data") or {}) else one.get("text") or one["data"] for one in outputs
    ]
    return json.dumps(told, indent=1, ensure_ascii=False)


def main() -> int:
    """Run each notebook in its own folder; how many differ."""
    paths = [Path(name).resolve() for name in sys.argv[1:] if name != "--write"]
    differing = 0
    for path in paths:
        os.chdir(path.parent)
        notebook = json.loads(path.read_text("utf-8"))
        names: dict[str, object] = {"__name__": "__main__"}
        for number, cell in enumerate(notebook["cells"], start=1):
            if cell["cell_type"] == "code":
                given = cell_outputs("".join(cell["source"]), names)
                if "--write" in sys.argv:
                    cell["outputs"] = given
                elif (now := comparable(given)) != (kept := comparable(cell["outputs"])):
                    differing += 1
                    print(f"{path.name}, cell {number} gives\n{now}\nand kept is\n{kept}", file=sys.stderr)
        if "--write" in sys.argv:
            path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return min(differing, 1)


if __name__ == "__main__":  # the guard matters: reading may start processes
    sys.exit(main())
