"""Stems of the words beyond a question's, as `spanwise.text.related` and `spanwise.text.paraphrases` read them.

To stem these words takes a tenth of the time of a first answer, and to sort the phrases as long as reading a page.
Usage: python fitting/related.py
"""

from __future__ import annotations

import json
from pathlib import Path

import spanwise.text.paraphrases
import spanwise.text.related
from spanwise.text.fold import folded
from spanwise.text.related import other_forms
from spanwise.text.terms import stem, terms, words

FOLDER = Path(__file__).parent
OUT = Path(spanwise.text.related.__file__).with_suffix(".json")
PHRASES = Path(spanwise.text.paraphrases.__file__).with_suffix(".json")
MARKS = ("=", "~")
GAP = "*"
SIGN = "<"
PARTS = "|"
"""Between the phrases of a line where it is written; a slash would make words look like paths of files."""


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


def phrased() -> str:
    """What is said in place of phrases, a line each, and the phrases by their first word, with the numbers of lines.

    Irregular forms of a word are one ("got": "get"); the longest phrase of a word comes first.
    """
    said: dict[str, int] = {}
    phrases: dict[str, dict[tuple[str, ...], list[int]]] = {}
    for line in lines("paraphrases.txt"):
        asked, says = _paraphrases(line)
        number = said.setdefault(says, len(said))
        for one in asked.split(PARTS):
            phrase = tuple(word if word == GAP else min(other_forms(word)) for word in one.split())
            numbers = phrases.setdefault(phrase[0], {}).setdefault(phrase, [])
            if number not in numbers:
                numbers.append(number)
    known = {
        first: [
            f"{' '.join(phrase)}:{' '.join(map(str, numbers))}"
            for phrase, numbers in sorted(some.items(), key=lambda one: (-len(one[0]), one[0]))
        ]
        for first, some in sorted(phrases.items())
    }
    return json.dumps({"said": list(said), "phrases": known}, indent=0) + "\n"


def _stems(words: str) -> str:
    return " ".join(dict.fromkeys(map(stem, words.split())))


def _paraphrases(line: str) -> tuple[str, str]:
    """What is asked, every word of it, and what is said, its content words; the same where a line has one side."""
    asked, _, said = line.partition(":") if ":" in line else (line, "", line)
    phrases = (" ".join(word if word == GAP else stem(word) for word in _words(one)) for one in asked.split("/"))
    runs = (one.strip() if one.strip().startswith(SIGN) else " ".join(terms(one)) for one in said.split("/"))
    return tuple(PARTS.join(dict.fromkeys(filter(None, side))) for side in (phrases, runs))


def _words(phrase: str) -> list[str]:
    """The words of a phrase of a question, gaps among them, as `spanwise.text.paraphrases` reads a question."""
    return [word for part in phrase.split() for word in ([part] if part == GAP else words(folded(part)))]


if __name__ == "__main__":
    OUT.write_text(stemmed(), encoding="utf-8")
    PHRASES.write_text(phrased(), encoding="utf-8")  # reads the forms of words that were written before it
