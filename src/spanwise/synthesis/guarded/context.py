"""The context block: chunks as the model sees them, between marks that nothing in a chunk can look like."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spanwise.synthesis.guarded.schema import Chunk
from spanwise.text.injection.marks import as_data
from spanwise.text.terms import STOPWORDS
from spanwise.text.tokens import token_bound
from spanwise.text.words import words

START, END = "CONTEXT_START", "CONTEXT_END"
TOPICS = 5
_LONGEST_TOPIC = 20
_SHORTEST_TOPIC = 3
_LONGEST_METADATA = 300
_LONGEST_HEADER = 200


@dataclass(frozen=True, slots=True)
class Included:
    """A chunk as the prompt shows it."""

    chunk: Chunk
    """A copy with `truncated` in its metadata where only an excerpt is shown."""
    shown: str
    """What of its text is shown."""

    @property
    def truncated(self) -> bool:
        """Whether only an excerpt is shown."""
        return bool(self.chunk.metadata.get("truncated"))

    def block(self, index: int) -> str:
        """Header, text and metadata."""
        chunk = self.chunk
        return (
            f"CHUNK HEADER: [CHUNK {index}] | {_header(chunk.source_url or '-')} | {_header(chunk.chunk_id)}\n"
            f"CHUNK BODY:\n{self.shown}\nMETADATA:\n{_metadata(chunk.metadata)}---END CHUNK---\n"
        )

    @property
    def tokens(self) -> int:
        """The most that its block costs, whatever its index."""
        return token_bound(self.block(10**6))


_LONGEST_TOPICS = ", ".join(["x" * _LONGEST_TOPIC] * TOPICS)
OVERHEAD = token_bound(f"{START}\nContext summary: {10**6} chunks included; top_topics: {_LONGEST_TOPICS}\n{END}\n")
"""The most that everything but the chunks costs."""


def context_block(included: Sequence[Included]) -> str:
    """All chunks between the two marks, with how many there are and what they are about."""
    topics = ", ".join(_topics([one.shown for one in included])) or "none"
    blocks = "".join(one.block(index) for index, one in enumerate(included))
    return f"{START}\nContext summary: {len(included)} chunks included; top_topics: {topics}\n{blocks}{END}"


def as_text(value: object) -> str:
    """A value as a prompt shows it: a text word for word, anything else as JSON, the same in every process."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_repeatable)


def _repeatable(value: object) -> object:
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def _header(text: str) -> str:
    return as_data(" ".join(text.split()))[:_LONGEST_HEADER]


def _metadata(metadata: Mapping[str, object]) -> str:
    """Pairs, one a line, as many as fit; a model has no use for pages of them."""
    lines, left = [], _LONGEST_METADATA
    for key, value in metadata.items():
        if value is None:
            continue
        line = as_data(" ".join(f"{key}: {as_text(value)}".split()), headings=False) + "\n"
        if len(line) > left:
            continue
        lines.append(line)
        left -= len(line)
    return "".join(lines)


def _topics(texts: Sequence[str]) -> list[str]:
    """The words that stand in most chunks, then most often; equal ones in the order of the texts."""
    counts, chunks = Counter[str](), Counter[str]()
    for text in texts:
        found = [word for word in words(text) if _is_topic(word)]
        counts.update(found)
        chunks.update(list(dict.fromkeys(found)))
    order = {word: place for place, word in enumerate(counts)}
    return sorted(counts, key=lambda word: (-chunks[word], -counts[word], order[word]))[:TOPICS]


def _is_topic(word: str) -> bool:
    return _SHORTEST_TOPIC <= len(word) <= _LONGEST_TOPIC and word.isalpha() and word not in STOPWORDS
