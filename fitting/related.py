"""Stems of the words beyond a question's (`related.txt`, `fillers.txt`), as `spanwise.text.related` reads them.

To stem these words takes a tenth of the time of a first answer. Usage: python fitting/related.py
"""

from __future__ import annotations

import json
from pathlib import Path

import spanwise.text.related
from spanwise.text.terms import stem

FOLDER = Path(__file__).parent
OUT = Path(spanwise.text.related.__file__).with_suffix(".json")
MARKS = ("=", "~")


def lines(name: str) -> list[list[str]]:
    """The words of each line."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def stemmed() -> str:
    """What the two tables say, with stems in place of words."""
    groups = [[word if word in MARKS else stem(word) for word in words] for words in lines("related.txt")]
    fillers = sorted({stem(word) for words in lines("fillers.txt") for word in words})
    return json.dumps({"related": [" ".join(one) for one in groups], "fillers": fillers}, indent=0) + "\n"


if __name__ == "__main__":
    OUT.write_text(stemmed(), encoding="utf-8")
