"""Suggested questions about documents: on words they define, lists they contain, dates they set, and table figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from spanwise.domain.document import Line
from spanwise.questions.decomposer import is_plural
from spanwise.text.languages import ENGLISH, language_of
from spanwise.text.list_marks import BULLETS, DASHES
from spanwise.text.quantities import quantities
from spanwise.text.terms import terms

_NUMBER = r"(?:\(?\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s+)?"
_LONGEST = 400
"""Most characters of a line that are examined."""
_AROUND = 10
"""Number of lines before and after a table row by which its language is recognised."""
_MOST_OF_KIND = 2
"""Most suggestions of one kind from one document."""
_DEFINED = re.compile(
    rf"^\W{{0,3}}{_NUMBER}[\"\u201c]?(?P<term>[A-Z][\w'\u2019-]{{1,30}}(?:\s[A-Z][\w'\u2019-]{{0,30}}){{0,3}})[\"\u201d]?\s+"
    r"(?:shall\s+)?means?\s"
)
_HEADING = re.compile(rf"^{_NUMBER}(?P<name>[A-Z][^\W\d_]{{2,30}}(?:\s[^\W\d_]{{2,30}}){{0,3}})\W{{0,2}}$")
_BULLET = re.compile(rf"^\s{{0,8}}[{BULLETS}{DASHES}]\s+\w")
_HAPPENED = re.compile(
    r"\b(?:this|the)\s(?P<what>[a-z]{3,20}\s)(?P<be>is|was|are|were)\s"
    r"(?P<done>made|signed|approved|held|published|dated|adopted|completed)\s",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"\b(?:this|the)\s(?P<what>[a-z]{3,20}\s)(?P<does>begin|start|end|expire|apply|applie|commence)e?s\s",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_CELLS = re.compile(r"\s{2,}|\s\|\s|\t")
_LABEL = re.compile(r"^[A-Z][a-z]+(?:\s[a-z]+){0,3}(?=\s\(|$)")


def suggestions(documents: Iterable[Sequence[Line]]) -> list[str]:
    """Questions about some documents, the most promising first; documents and kinds of questions alternate.

    Whether one can be answered is not checked. For long documents, the first lines suffice.
    """
    rows = [_in_turn(kind(lines) for kind in (_terms, _lists, _dates, _figures)) for lines in documents]
    return list(dict.fromkeys(_in_turn(rows)))


def _in_turn(rows: Iterable[Iterable[str]]) -> list[str]:
    return [one for turn in zip_longest(*rows) for one in turn if one is not None]


def _firsts(found: Iterator[str]) -> list[str]:
    """The first distinct ones, at most `_MOST_OF_KIND`."""
    kept: dict[str, None] = {}
    for one in found:
        kept[one] = None
        if len(kept) == _MOST_OF_KIND:
            break
    return list(kept)


def _terms(lines: Sequence[Line]) -> list[str]:
    return _firsts(
        f"What does {found['term']} mean?" for line in lines if (found := _DEFINED.match(line.text[:_LONGEST]))
    )


def _lists(lines: Sequence[Line]) -> list[str]:
    """Questions for lists: headings in the plural followed by at least two bullets."""

    def found() -> Iterator[str]:
        name, points, start = "", 0, 0
        for at, line in enumerate(lines):
            if line.role == "heading":
                heading = _HEADING.match(line.text)
                name, points, start = (heading["name"] if heading and is_plural(heading["name"]) else ""), 0, at
            elif name and _BULLET.match(line.text):
                points += 1
                if points == 2 and _is_english(name, lines[start : at + 1]):
                    yield f"What are the {name[0].lower()}{name[1:]}?"

    return _firsts(found())


def _is_english(words: str, around: Sequence[Line]) -> bool:
    """True if words of a document fit into an English question: they and the lines around them are English."""
    return language_of(words) == ENGLISH == language_of(" ".join(line.text[:_LONGEST] for line in around))


def _dates(lines: Sequence[Line]) -> list[str]:
    def found() -> Iterator[str]:
        for line in lines:
            text = line.text[:_LONGEST]
            if match := _HAPPENED.search(text):
                asked = f"When {match['be'].lower()} the {match['what'].lower()}{match['done'].lower()}?"
            elif match := _HOLDS.search(text):
                does = match["does"].lower().replace("applie", "apply")
                asked = f"When does the {match['what'].lower()}{does}?"
            else:
                continue
            named = len(terms(match["what"])) == len(match["what"].split())
            if named and any(one.iso and one.kind == "date" for one in quantities(text[match.end() :])[:1]):
                yield asked

    return _firsts(found())


def _figures(lines: Sequence[Line]) -> list[str]:
    """Questions for rows of tables whose columns are years."""

    def found() -> Iterator[str]:
        year = ""
        for at, line in enumerate(lines):
            cells = _CELLS.split(line.text[:_LONGEST])
            if line.role != "table_row":
                year = ""
            elif years := [cell for cell in cells if _YEAR.match(cell)]:
                year = max(years) if len(years) > 1 else year
            elif year and len(cells) > 2 and (label := _LABEL.match(cells[0])):
                name = f"{label[0][0].lower()}{label[0][1:]}"
                if _is_english(name, lines[max(0, at - _AROUND) : at + _AROUND]):
                    yield f"What {'were' if is_plural(name) else 'was'} {name} in {year}?"

    return _firsts(found())
