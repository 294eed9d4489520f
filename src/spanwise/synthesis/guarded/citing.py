"""Citations in a reply: ids of the chunks that were shown; what cites nothing is taken out and named."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.synthesis.markers import Rejected, read_markers

_FIRST_LABEL = 10**9
"""Labels beyond every number that a marker may hold: here "[1]" is no place in a list, only ids are cited."""
_ALIAS = re.compile(r"(?<=[\[,;])(\s{0,3}CHUNK)\s(\d{1,7})(?=\s{0,3}[\],;])", re.IGNORECASE)
_LABEL = str(_FIRST_LABEL)[:5]
_ALIASED = re.compile(r"CHUNK_\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cited:
    """A marker: where it stands and what it cites.

    Attributes:
        at: Its place in the bare text: it stands before the character of that index.
        start: Its range in the whole text, with the blanks before it.
        end: End of that range, exclusive.
        ids: Of the chunks.
    """

    at: int
    start: int
    end: int
    ids: tuple[str, ...]
    written: str
    """The marker, every chunk by its id."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply, taken apart.

    Attributes:
        text: Without markers that cite nothing.
        bare: Without any marker, and the blanks before them.
        origin: Place in `text` of each character of `bare`.
        markers: In order.
        rejected: What was taken out.
    """

    text: str
    bare: str
    origin: array[int]
    markers: tuple[Cited, ...]
    rejected: tuple[Rejected, ...]


def read_citations(text: str, ids: Sequence[str]) -> Reading:
    """Read the markers of a reply.

    Args:
        text: What the model wrote.
        ids: Of the chunks that it was shown, in their order: `[CHUNK n]` cites the one with index n.
    """
    labels = {name: _FIRST_LABEL + index for index, name in enumerate(ids)}
    names = {label: name for name, label in labels.items()}
    aliased = _ALIAS.sub(lambda match: f"{match[1].upper()}_{match[2]}", text)
    known = {f"CHUNK_{index}": _FIRST_LABEL + index for index in range(len(ids))} | labels
    marked = read_markers(aliased, names, known, total=len(ids), strict=True)
    bare: list[str] = []
    origin: array[int] = array("L")
    found: list[Cited] = []
    position = 0
    for marker in marked.markers:
        before = marked.text[position : marker.start].rstrip(" \t")
        bare.append(before)
        origin.extend(range(position, position + len(before)))
        cited = tuple(names[label] for label in marker.labels)
        written = marked.text[marker.start : marker.end]
        rewritten = _ALIASED.search(written) or _LABEL in written
        plain = not rewritten and all(name in written for name in cited)
        written = written if plain else f"[{', '.join(cited)}]"
        found.append(Cited(len(origin), position + len(before), marker.end, cited, written))
        position = marker.end
    bare.append(marked.text[position:])
    origin.extend(range(position, len(marked.text)))
    return Reading(marked.text, "".join(bare), origin, tuple(found), marked.rejected)
