"""The size of the house, and how many of its files one question and one check enter.

    python benchmarks/house.py

Entered is what runs in a process that has answered before, of the questions that are asked here; nothing is timed.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import spanwise

ROOT = Path(spanwise.__file__).parent
DOCUMENTS = Path(__file__).parents[1] / "examples" / "documents"
QUESTION = "What is the late payment penalty?"
CLAIMS = "The rent is due on the first day of each month. The penalty is 2% a month."
SOURCE = "The rent is due on the first of each month. A late payment costs 1.5% a month."


def entered(work: Callable[[], object]) -> str:
    """The files and functions that some work enters, and how often it moves from file to file."""
    moves: list[str] = []
    functions: set[tuple[str, int]] = set()

    def note(frame: object, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT)):
            functions.add((code.co_filename, code.co_firstlineno))
            if not moves or moves[-1] != code.co_filename:
                moves.append(code.co_filename)

    work()  # what is loaded and compiled once is no part of a question
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return f"{len(set(moves))} files, {len(functions)} functions, {len(moves)} moves"


def main() -> None:
    """Print the counts."""
    sizes = {path: len(path.read_text("utf-8").splitlines()) for path in ROOT.rglob("*.py")}
    names = Counter(path.name for path in sizes if path.name != "__init__.py")
    print(f"src: {len(sizes)} modules, {sum(sizes.values()):,} lines")
    print(f"names of files that several have: {sum(count > 1 for count in names.values())}")
    lease = spanwise.read(DOCUMENTS / "lease.pdf")
    with spanwise.Corpus.of([lease]) as corpus:
        engine = spanwise.Engine(corpus)
        print(f"Engine.ask: {entered(lambda: engine.ask(QUESTION))}")
    print(f"ask, of a document: {entered(lambda: spanwise.ask(QUESTION, lease))}")
    print(f"verify: {entered(lambda: spanwise.verify(CLAIMS, [SOURCE]))}")


if __name__ == "__main__":
    main()
