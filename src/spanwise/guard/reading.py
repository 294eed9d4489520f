"""A section as the judge needs it: read once into sentences, and into words and signs that a quotation is found in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from spanwise.guard.statements import Statement, statement
from spanwise.guard.suffixes import label
from spanwise.text.sentences import sentences

_MARK = re.compile(r"(?<![\w.)])-?\d+(?:[.,]\d+)*|[^\W_]+(?:['\u2019][^\W_]+)*|[%$\u20ac\u00a3\u00a5]")
_LONGEST_SENTENCE = 4000


@dataclass(frozen=True, slots=True)
class Source:
    """A section, read once."""

    label: tuple[str, str]
    content: str
    spans: tuple[tuple[int, int], ...]
    marks: str
    """The section's words and signs, each between two spaces, so that a quotation is a substring."""
    sentences: tuple[Statement, ...]
    title_words: frozenset[str]
    vocabulary: frozenset[str]


def read_section(section: Mapping[str, object]) -> Source:
    """Read a section; what it lacks counts as empty."""
    content = str(section.get("content") or "").strip()
    joined, spans = marks(content)
    read = tuple(statement(text) for text in split(content))
    title = label(section)
    heading = statement(title[0])
    words = {token for item in (*read, heading) for token in item.tokens}
    return Source(title, content, spans, joined, read, heading.content, frozenset(words))


def marks(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The words, numbers and signs of a text, lower case, each between two spaces, and the range of each."""
    found = list(_MARK.finditer(text))
    return "".join(f" {match.group().lower()} " for match in found), tuple(match.span() for match in found)


def split(text: str) -> list[str]:
    """The sentences of each paragraph; one without end is cut, so that no text is too long for the rules."""
    found = []
    for paragraph in _paragraphs(text):
        for start, end in sentences(paragraph):
            found += [paragraph[at : min(at + _LONGEST_SENTENCE, end)] for at in range(start, end, _LONGEST_SENTENCE)]
    return found


def _paragraphs(text: str) -> Iterator[str]:
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip():
            lines.append(line)
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)
