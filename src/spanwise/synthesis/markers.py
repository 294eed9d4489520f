"""Citation markers in a model's text: `[1]`, `[1, 2]`, `[1-3]` and ids of passages; what cites nothing is taken out."""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

_BRACKET = re.compile(r"\[([^\[\]\n]{1,200})\](?!\()")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_NUMBER = r"\d{1,9}"
_PART = re.compile(rf"({_NUMBER})(?:\s*[-\u2013\u2014]\s*({_NUMBER}))?")
_ID_NUMBER = re.compile(_NUMBER, re.ASCII)
_NUMBERS = re.compile(rf"\s*{_PART.pattern}(?:\s*[,;]\s*{_PART.pattern})*\s*")
_ID = re.compile(r"[\w.:/#@-]{1,100}")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_AT_THE_END = re.compile(r"\[[^\[\]\n]{0,200}\]?\Z")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker that holds, at the range `[start, end)` of the cleaned text."""

    start: int
    end: int
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A marker, or a part of one, that cites nothing the model was shown."""

    marker: str
    """As the model wrote it."""
    reason: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with its markers; only those that cite nothing are no longer in it."""

    text: str
    markers: tuple[Marker, ...]
    rejected: tuple[Rejected, ...]


def read_markers(
    text: str, shown: Collection[int], ids: Mapping[str, int] | None = None, *, total: int = 0, strict: bool = False
) -> Marked:
    """Find the markers of a text and take out those that cite nothing.

    Links of Markdown, years, footnotes, code and words in brackets are no markers and stay.

    Args:
        text: What the model wrote.
        shown: The labels that it was shown.
        ids: From the ids of passages to their labels.
        total: How many passages there are; a number up to it is never taken for a year.
        strict: Take any single word in brackets for an id, known or not.
    """
    pieces: list[str] = []
    markers: list[Marker] = []
    rejected: list[Rejected] = []
    code = [match.span() for match in _CODE.finditer(text)] if "`" in text else []
    position = length = 0
    for match in _BRACKET.finditer(text):
        read = _read(match.group(1), shown, ids or {}, total, strict=strict)
        if read is None or any(start <= match.start() < end for start, end in code):
            continue
        labels, bad = read
        written = match.group() if not bad else f"[{', '.join(map(str, labels))}]" if labels else ""
        before = text[position : match.start()]
        if not written:
            before = before.rstrip(" ")
        pieces += (before, written)
        length += len(before) + len(written)
        if labels:
            markers.append(Marker(length - len(written), length, labels))
        rejected += (Rejected(match.group() if not labels else part, reason) for part, reason in bad)
        position = match.end()
    return Marked("".join((*pieces, text[position:])), tuple(markers), tuple(rejected))


def unfinished(text: str) -> int:
    """How much of a text that still grows can be shown: up to a marker, or code, that may be at its end."""
    end = len(text)
    if match := _AT_THE_END.search(text):
        end = match.start()
    line = text.rfind("\n", 0, end) + 1
    if text.count("`", line, end) % 2:
        end = text.rindex("`", line, end)
    return len(text[:end].rstrip(" "))  # a marker that is taken out takes the spaces before it along


def _read(
    inside: str, shown: Collection[int], ids: Mapping[str, int], total: int, *, strict: bool
) -> tuple[tuple[int, ...], list[tuple[str, str]]] | None:
    """The labels that a marker names and what is wrong with its other parts; None for what is no marker."""
    name = inside.strip()
    if name.isascii() and name.isdigit() and len(name) < 10:  # as nearly all are
        return _read_number(name, shown, ids, total)
    if name in ids or not _NUMBERS.fullmatch(inside):
        return _read_ids(inside, shown, ids, strict=strict)
    labels: list[int] = []
    bad: list[tuple[str, str]] = []
    for part in _PART.finditer(inside):
        first = int(part.group(1))
        last = int(part.group(2) or first)
        if first not in shown and (named := _named(part.group(1), part.group(2), shown, ids)):
            labels += named
        elif last < first:
            bad.append((part.group(), "the range runs backwards"))
        elif first not in shown or last not in shown:
            missing = first if first not in shown else last
            bad.append((part.group(), _not_shown(missing)))
        else:
            labels += sorted(label for label in shown if first <= label <= last)
    return tuple(dict.fromkeys(labels)), bad


def _named(first: str, last: str | None, shown: Collection[int], ids: Mapping[str, int]) -> list[int]:
    """The labels of the passages whose ids are numbers, from the first to the last; none unless both were shown."""
    if ids.get(first) not in shown or (last is not None and ids.get(last) not in shown):
        return []
    if last is None:
        return [ids[first]]
    numbered = [(int(name), label) for name, label in ids.items() if _ID_NUMBER.fullmatch(name)]
    return [label for number, label in sorted(numbered) if int(first) <= number <= int(last) and label in shown]


def _read_number(
    name: str, shown: Collection[int], ids: Mapping[str, int], total: int
) -> tuple[tuple[int, ...], list[tuple[str, str]]] | None:
    label = int(name) if int(name) in shown else ids.get(name, -1)
    if label in shown:
        return (label,), []
    if _YEAR.fullmatch(name) and int(name) > total:
        return None
    return (), [(name, _not_shown(int(name)))]


def _not_shown(label: int) -> str:
    return f"no passage {label} was shown for this answer"


def _read_ids(
    inside: str, shown: Collection[int], ids: Mapping[str, int], *, strict: bool
) -> tuple[tuple[int, ...], list[tuple[str, str]]] | None:
    if inside.strip() in ids:
        parts: Sequence[str] = [inside.strip()]
    else:
        parts = [part.strip() for part in re.split(r"[,;]", inside)]
    if not any(part in ids for part in parts):
        return ((), [(inside, "no passage has this id")]) if _strange_id(parts, ids, strict=strict) else None
    labels: list[int] = []
    bad: list[tuple[str, str]] = []
    for part in parts:
        if ids.get(part) in shown:
            labels.append(ids[part])
        else:
            bad.append(
                (part, "this passage was not shown for this answer" if part in ids else "no passage has this id")
            )
    return tuple(dict.fromkeys(labels)), bad


def _strange_id(parts: Sequence[str], ids: Mapping[str, int], *, strict: bool) -> bool:
    """True if what stands in brackets is made like an id of a passage, but is none."""
    if not all(_ID.fullmatch(part) for part in parts):
        return False
    return strict or all(_shape(part) in {_shape(known) for known in ids} for part in parts)


def _shape(name: str) -> str:
    """The id with its numbers left open: `c1` and `c99` are made alike."""
    return re.sub(r"\d+", "0", name)


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
