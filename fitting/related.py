"""Stems of the words beyond a question's and of words that exclude each other, as `spanwise.text.related` reads them.

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


def lines(name: str) -> list[str]:
    """The lines of a table."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def stemmed() -> str:
    """What the tables say, with stems in place of words."""
    related = [
        " ".join(word if word in MARKS else stem(word) for word in line.split()) for line in lines("related.txt")
    ]
    fillers = sorted({stem(word) for line in lines("fillers.txt") for word in line.split()})
    implied = [":".join(_stems(side) for side in line.split(":")) for line in lines("implied.txt")]
    pairs = [pair.split() for line in lines("opposites.txt") for pair in line.split(";")]
    opposites = {tuple(sorted(one)) for pair in pairs for one in (pair, map(stem, pair))}
    families = [" | ".join(_stems(group) for group in line.split("|")) for line in lines("families.txt")]
    tables = {
        "related": related,
        "implied": implied,
        "opposites": sorted(" ".join(pair) for pair in opposites if len(set(pair)) > 1),
        "families": families,
        "fillers": fillers,
    }
    return json.dumps(tables, indent=0) + "\n"


def _stems(words: str) -> str:
    return " ".join(dict.fromkeys(map(stem, words.split())))


if __name__ == "__main__":
    OUT.write_text(stemmed(), encoding="utf-8")
