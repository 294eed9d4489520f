"""Passages in any form that users have, read into `Given`, which can be converted back into these forms.

The forms: plain strings, sections (`title`, `content`, `page_num`), chunks (`chunk_id`, `text`, `source_url`, `score`,
`metadata`), `Passage` and `Hit`, and the nodes and documents of other libraries, which are recognised by their
attributes and never imported.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from spanwise.domain.passage import Hit, Passage
from spanwise.errors import PassageError

_TEXTS = ("text", "content", "page_content")
_IDS = ("chunk_id", "id", "id_", "node_id", "doc_id")
_SCORES = ("score", "_relevance_score")
_PAGES = ("page_num", "page", "page_number")
_TITLES = ("title", "section")
_ADDRESSES = ("source_url", "url")
_DOCUMENTS = ("document", "file_name", "filename", "source", "file_path")
_METADATA = ("metadata", "meta")


@dataclass(frozen=True, slots=True)
class Given:
    """A passage that the caller gave, with its metadata."""

    passage: Passage
    """The passage; its lines count from 1 if the caller gave no line numbers."""
    position: int
    """1-based position among the given passages, which is also the number of the passage in prompts and citations."""
    item: object = field(compare=False)
    """The original object."""
    page: int | None = None
    """1-based page number; None if not given."""
    score: float | None = None
    """The score as given; None if not given."""
    url: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    """Further metadata as given."""
    placed: bool = False
    """True if the caller gave line numbers of the document that fit the text."""

    def section(self) -> dict[str, object]:
        """The passage as a section: `title`, `content`, `page_num`, `_relevance_score`, and the rest as `metadata`."""
        return {
            "title": self.passage.section,
            "content": self.passage.text,
            "page_num": self.page,
            "_relevance_score": self.score,
            "metadata": self._rest(),
        }

    def chunk(self) -> dict[str, object]:
        """The passage as a chunk: `chunk_id`, `text`, `source_url`, `score`, `metadata` with title, page and lines."""
        return {
            "chunk_id": self.passage.id,
            "text": self.passage.text,
            "source_url": self.url,
            "score": self.score,
            "metadata": self._rest() | {"title": self.passage.section, "page_num": self.page},
        }

    def node(self) -> dict[str, object]:
        """The passage as a node: `id_`, `text`, `score`, and `metadata` with title, page, address and lines."""
        return {
            "id_": self.passage.id,
            "text": self.passage.text,
            "score": self.score,
            "metadata": self._rest()
            | {"title": self.passage.section, "page_num": self.page}
            | ({"source_url": self.url} if self.url else {}),
        }

    def _rest(self) -> dict[str, object]:
        return {
            **self.metadata,
            "id": self.passage.id,
            "document": self.passage.document,
            "line_start": self.passage.line_start,
            "line_end": self.passage.line_end,
        } | ({"source_url": self.url} if self.url else {})


def given_passages(passages: Iterable[object] | None) -> tuple[Given, ...]:
    """The passages read from any form, each separately; None means no passages, and a string is one passage."""
    if passages is None:
        return ()
    if isinstance(passages, str | Mapping | Passage | Hit | Given):
        passages = (passages,)
    if not isinstance(passages, Iterable):
        raise PassageError(f"passages have to be a list, not {type(passages).__name__}", item=passages)
    return tuple(_given(item, position) for position, item in enumerate(passages, 1))


def _given(item: object, position: int) -> Given:
    if isinstance(item, Given):
        return replace(item, position=position)
    if isinstance(item, Hit):
        return Given(item.passage, position, item, item.passage.page, item.score, placed=True)
    if isinstance(item, Passage):
        return Given(item, position, item, item.page, placed=True)
    if isinstance(item, str):
        name = f"passage {position}"
        end = 1 + item.count("\n")
        return Given(Passage(id=name, document=name, line_start=1, line_end=end, page=1, text=item), position, item)
    if isinstance(item, Mapping):
        return _from_record({str(key): value for key, value in item.items()}, item, position)
    # An object of another library: its attributes are read like the keys of a dict.
    names = (*_TEXTS, *_IDS, *_SCORES, *_METADATA, *_TITLES, *_PAGES, *_ADDRESSES, *_DOCUMENTS)
    inner = getattr(item, "node", None)  # LlamaIndex's NodeWithScore wraps the node
    record = {
        name: value
        for holder in (inner, item)
        if holder is not None
        for name in names
        if (value := getattr(holder, name, None)) is not None and not callable(value)
    }
    return _from_record(record, item, position)


def _from_record(record: Mapping[str, object], item: object, position: int) -> Given:
    metadata = next((value for name in _METADATA if isinstance(value := record.get(name), Mapping)), {})
    told: dict[str, object] = {str(key): value for key, value in metadata.items()} | dict(record)
    text = _first(record, _TEXTS)
    if text is None and not any(name in record for name in (*_TEXTS, *_TITLES, *_PAGES)):
        raise PassageError(
            f"passage {position} ({type(item).__name__}) has no text: give strings, dicts with text or content, "
            "Passages, Hits, or objects with .text, .page_content or .content",
            item=item,
        )
    known = {*_TEXTS, *_IDS, *_SCORES, *_METADATA, *_PAGES, *_TITLES, *_ADDRESSES, "document", "line_start", "line_end"}
    page = _whole_number(_first(told, _PAGES))
    known -= set() if page is not None else set(_PAGES)  # "iv" is no number, so it stays in the metadata
    rest = {key: value for key, value in told.items() if key not in known and value is not None}
    return Given(
        _passage(told, "" if text is None else str(text), position, page, _first(record, _IDS)),
        position,
        item,
        page,
        _score(_first(told, _SCORES)),
        _words(_first(told, _ADDRESSES)),
        rest,
        placed=_placed(told, "" if text is None else str(text)),
    )


def _placed(told: Mapping[str, object], text: str) -> bool:
    """True if a first line is given, and no last line that disagrees with the number of lines in the text.

    A splitter that copies the metadata of a text to each of its pieces leaves line numbers that are right for none.
    """
    first, last = _whole_number(told.get("line_start")), _whole_number(told.get("line_end"))
    return bool(first) and last in (None, (first or 0) + text.count("\n"))


def _passage(told: Mapping[str, object], text: str, position: int, page: int | None, own_id: object = None) -> Passage:
    name = _words(own_id) or _words(_first(told, _IDS)) or f"passage {position}"
    title = _words(_first(told, _TITLES))
    document = _words(_first(told, _DOCUMENTS)) or _words(_first(told, _ADDRESSES)) or title or name
    start = _whole_number(told.get("line_start")) or 1
    return Passage(
        id=name,
        document=document,
        line_start=start,
        line_end=start + text.count("\n"),
        page=page or 1,
        text=text,
        section=title,
    )


def _first(record: Mapping[str, object], names: Iterable[str]) -> object:
    """The first value that is given; NaN is how tables of other libraries write that there is none."""
    found = (value for name in names if (value := record.get(name)) is not None)
    return next((value for value in found if not (isinstance(value, float) and math.isnan(value))), None)


def _words(value: object) -> str | None:
    known = isinstance(value, str | numbers.Integral | UUID) and not isinstance(value, bool)
    return (str(value).strip() or None) if known else None


def _whole_number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    if isinstance(value, numbers.Integral):
        return number if (number := int(value)) >= 0 else None
    written = float(value)  # a table with a missing page has floats in that column
    return int(written) if written >= 0 and written.is_integer() else None


def _score(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        return None
    return float(value)
