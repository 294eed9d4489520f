"""Citation markers in a model's text: `[1]`, `[1, 2]`, `[1-3]`, and ids of passages in brackets.

`read_markers` finds them by the labels (numbers) of the passages shown, `read_citations` by the ids of chunks. Both
remove the markers, and parts of markers, that cite nothing which the model was shown.
"""

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
    """A valid marker at the range `[start, end)` of the cleaned text, with the labels of the passages that it cites."""

    start: int
    end: int
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A marker, or a part of one, that was removed because it cites nothing that the model was shown."""

    marker: str
    """As the model wrote it."""
    reason: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without invalid markers, with its valid markers and the removed ones."""

    text: str
    markers: tuple[Marker, ...]
    rejected: tuple[Rejected, ...]


def read_markers(
    text: str, shown: Collection[int], ids: Mapping[str, int] | None = None, *, total: int = 0, strict: bool = False
) -> Marked:
    """Find the markers of a text and remove those that cite nothing.

    Markdown links, years, footnotes, code and other words in brackets are not markers and stay in the text.

    Args:
        text: The model's text.
        shown: The labels of the passages that it was shown.
        ids: The labels of passages by their ids.
        total: The number of passages; a number up to it is never taken for a year.
        strict: Whether any single word in brackets counts as an id, known or not.
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
    """The number of characters of a growing text that can already be shown: up to an unfinished marker or code span."""
    end = len(text)
    if match := _AT_THE_END.search(text):
        end = match.start()
    line = text.rfind("\n", 0, end) + 1
    if text.count("`", line, end) % 2:
        end = text.rindex("`", line, end)
    return len(text[:end].rstrip(" "))  # a marker is removed together with the spaces before it


def _read(
    inside: str, shown: Collection[int], ids: Mapping[str, int], total: int, *, strict: bool
) -> tuple[tuple[int, ...], list[tuple[str, str]]] | None:
    """The labels that a bracket cites, and its invalid parts, each with the reason; None if it is not a marker."""
    name = inside.strip()
    if name.isascii() and name.isdigit() and len(name) < 10:  # the most frequent case, so it is tried first
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
    """True if all parts of a bracket look like ids of passages, although none is one."""
    if not all(_ID.fullmatch(part) for part in parts):
        return False
    return strict or all(_shape(part) in {_shape(known) for known in ids} for part in parts)


def _shape(name: str) -> str:
    """The form of an id, with every number replaced by 0: `c1` and `c99` have the same form."""
    return re.sub(r"\d+", "0", name)


_FIRST_LABEL = 10**9
"""The first label for chunks: larger than any number in a marker, so that `[1]` can only be the id "1"."""
_ALIAS = re.compile(r"(?<=[\[,;])(\s{0,3}CHUNK)\s(\d{1,7})(?=\s{0,3}[\],;])", re.IGNORECASE)
_LABEL = str(_FIRST_LABEL)[:5]
_ALIASED = re.compile(r"CHUNK_\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cited:
    """A valid marker with the chunks that it cites.

    Attributes:
        at: Its offset in the bare text, which is that of the character after it.
        start: Start of its range in the text, including the spaces before it.
        end: End of that range, exclusive.
        ids: Ids of the cited chunks.
    """

    at: int
    start: int
    end: int
    ids: tuple[str, ...]
    written: str
    """The marker as it is to be shown, with each chunk under its id."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply separated into its words and its markers.

    Attributes:
        text: The reply without invalid markers.
        bare: The reply without any marker or the spaces before them.
        origin: For each character of `bare`, its offset in `text`.
        markers: The valid markers, in order.
        rejected: The invalid markers.
    """

    text: str
    bare: str
    origin: array[int]
    markers: tuple[Cited, ...]
    rejected: tuple[Rejected, ...]


def read_citations(text: str, ids: Sequence[str], shown: Sequence[str] = ()) -> Reading:
    """Read the markers of a reply that cite chunks by id.

    Args:
        text: The reply.
        ids: Ids of the chunks that the model was shown, in their order; `[CHUNK n]` cites the one with index n.
        shown: These ids as the prompt shows them, if signs in them look like its marks; the model copies them.
    """
    labels = {name: _FIRST_LABEL + index for index, name in enumerate(ids)}
    names = {label: name for name, label in labels.items()}
    aliased = _ALIAS.sub(lambda match: f"{match[1].upper()}_{match[2]}", text)
    known = {name: _FIRST_LABEL + index for index, name in enumerate(shown)}
    known |= {f"CHUNK_{index}": _FIRST_LABEL + index for index in range(len(ids))} | labels
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
