"""Looks for sentences of others in the repository: `make ours` (needs the evaluation data, see SPANWISE_DATA).

Twelve words in a row that a tracked text file shares with any text of the evaluation data (questions, passages,
answers, documents) are a finding, wherever they stand: code, docstrings, JSON strings, Markdown. Case, digits and
punctuation are left aside, so that a changed figure hides nothing. Where a script writes no spaces, two characters
count as a word.
"""

import argparse
import gzip
import html
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pypdfium2

ROOT = Path(__file__).parent.parent
ROW = 12
"""Words in a row that are somebody's."""

LEFT_OUT = re.compile(r"^LICENSE$|/vendor/|\.(?:png|pdf|docx|xlsx|svg|ico)$|^pylock\.toml$|^uv\.lock$")
"""What others wrote and say so (the licence), and what is no text; the written documents are in examples/writing."""

NOBODYS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen",
)
"""Rows of words that are no expression of anybody."""

_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0e00-\u0e7f]")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\[nrtN]")
_TAG = re.compile(r"<[^<>]*>")

Place = tuple[str, int]


def main() -> int:
    """Print what is shared; 1 where there is something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("SPANWISE_DATA"), help="the folder of the data")
    folder = parser.parse_args().data
    if not folder or not Path(folder).is_dir():
        sys.exit("name the folder of the evaluation data: SPANWISE_DATA=... or --data")
    rows, vocabulary = rows_of(tracked())
    found: dict[Place, set[str]] = defaultdict(set)
    seen: dict[Place, str] = {}
    for source, text in texts_of(Path(folder)):
        for row in shared(text, rows, vocabulary):
            for place in rows[row]:
                found[place].add(source)
                seen.setdefault(place, " ".join(row))
    for (name, line), sources in merged(found):
        print(f"{name}:{line}: {seen[name, line]} ... ({', '.join(sorted(sources)[:4])})")
    print(f"{len(merged(found))} stretches of {ROW} words or more that others wrote")
    return 1 if found else 0


def tracked() -> Iterator[tuple[str, str]]:
    """The name and text of each tracked text file."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        path = ROOT / name
        if name and path.is_file() and not LEFT_OUT.search(name):
            yield name, path.read_text(encoding="utf-8", errors="replace")


def rows_of(files: Iterable[tuple[str, str]]) -> tuple[dict[tuple[str, ...], list[Place]], set[str]]:
    """Each row of words of ours with where it begins, and the words."""
    ignored = {row for text in NOBODYS for row in windows(list(words(text)))}
    rows: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    for name, text in files:
        told = [
            (word, number)
            for number, line in enumerate(text.splitlines(), start=1)
            for word in words(_ESCAPE.sub(_unescaped, line))
        ]
        for at, row in enumerate(windows([word for word, _ in told])):
            if row not in ignored and len(set(row)) > ROW // 2:
                rows[row].append((name, told[at][1]))
    return dict(rows), {word for row in rows for word in row}


def words(text: str, begin: int = 0) -> Iterator[str]:
    """The words of a text, in lower case; pairs of characters, from one of them, where a script writes no spaces."""
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if _UNSPACED.search(word):
            yield from (word[at : at + 2] for at in range(begin, len(word), 2))
        else:
            yield word


def windows(told: list[str]) -> list[tuple[str, ...]]:
    """Each row of words of a list of them."""
    return [tuple(told[at : at + ROW]) for at in range(len(told) - ROW + 1)]


def shared(text: str, rows: dict[tuple[str, ...], list[Place]], vocabulary: set[str]) -> Iterator[tuple[str, ...]]:
    """The rows of a text that are also ours: only words of ours can be part of one."""
    for begin in (0, 1) if _UNSPACED.search(text) else (0,):
        run: list[str] = []
        for word in words(text, begin):
            if word not in vocabulary:
                run.clear()
                continue
            run.append(word)
            if len(run) >= ROW and (row := tuple(run[-ROW:])) in rows:
                yield row


def merged(found: dict[Place, set[str]]) -> list[tuple[Place, set[str]]]:
    """One finding for rows that begin in lines beside one another."""
    kept: list[tuple[Place, set[str]]] = []
    last: Place = ("", 0)
    for place in sorted(found):
        if (place[0], place[1] - 1) != last and place != last:
            kept.append((place, set()))
        kept[-1][1].update(found[place])
        last = place
    return kept


def texts_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Every text of the data with the name of its file: strings of records, pages of PDFs, what other files hold."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.parent != folder):
        name = str(path.relative_to(folder))
        if name.endswith((".jsonl.gz", ".jsonl")):
            content = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
            for line in content.splitlines():
                yield from ((name, text) for text in strings(json.loads(line)))
        elif name.endswith(".pdf"):
            yield from ((name, text) for text in pages(path))
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as package:
                parts = [part for part in package.namelist() if part.endswith((".xml", ".xhtml", ".html"))]
                yield from ((name, untagged(package.read(part))) for part in parts)
        else:
            yield name, untagged(path.read_bytes())


def strings(value: object) -> Iterator[str]:
    """Each string in a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def pages(path: Path) -> Iterator[str]:
    """The text of each page of a PDF."""
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            yield page.get_textpage().get_text_range()


def untagged(content: bytes) -> str:
    """A text without its markup."""
    return html.unescape(_TAG.sub(" ", content.decode("utf-8", errors="replace")))


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else " "


if __name__ == "__main__":
    sys.exit(main())
