"""The context block: chunks as the model sees them, between marks that nothing in a chunk can look like."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from spanwise.synthesis.excerpts import harmless
from spanwise.synthesis.guarded.schema import Chunk
from spanwise.text.terms import STOPWORDS
from spanwise.text.tokens import token_bound
from spanwise.text.words import words

START, END = "CONTEXT_START", "CONTEXT_END"
TOPICS = 5
_LONGEST_TOPIC = 20
_SHORTEST_TOPIC = 3
_LONGEST_METADATA = 300
_LONGEST_HEADER = 200
_HIDDEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_GAP = rf"[\s_{_HIDDEN}-]{{0,4}}"
_MARKS = re.compile(
    rf"(?P<joint>CONTEXT){_GAP}(?:START|END)|CHUNK{_GAP}(?:HEADER|BODY){_GAP}:|-{{2,}}{_GAP}END{_GAP}CHUNK"
    rf"|METADATA{_GAP}:|CONTEXT{_GAP}SUMMARY{_GAP}:|\[{_GAP}CHUNK{_GAP}\d",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"\[([^\[\]\n]{1,200})\]")
_SIGNS = str.maketrans({"_": "\u00b7", "-": "\u00b7", ":": "\ua789", "[": "\u27e6"})


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


def neutral(text: str, ids: Collection[str] = ()) -> str:
    """The text, as long as before, with other signs in whatever looks like a mark of the prompt or a citation."""
    text = _MARKS.sub(_other_signs, harmless(text))
    if "[" not in text or not ids:
        return text
    return _BRACKET.sub(lambda match: f"\u27e6{match[1]}\u27e7" if match[1].strip() in ids else match[0], text)


def as_text(value: object) -> str:
    """A value as a prompt shows it: a text word for word, anything else as JSON, the same in every process."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_repeatable)


def _repeatable(value: object) -> object:
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def _other_signs(match: re.Match[str]) -> str:
    changed = match.group().translate(_SIGNS)
    if changed != match.group():
        return changed
    return changed[:-1] + "\u00b7"  # "context end", or nothing between the two: the last letter goes


def _header(text: str) -> str:
    return neutral(" ".join(text.split()))[:_LONGEST_HEADER]


def _metadata(metadata: Mapping[str, object]) -> str:
    """Pairs, one a line, as many as fit; a model has no use for pages of them."""
    lines, left = [], _LONGEST_METADATA
    for key, value in metadata.items():
        if value is None:
            continue
        line = neutral(" ".join(f"{key}: {as_text(value)}".split())) + "\n"
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
