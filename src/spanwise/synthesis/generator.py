"""`ResponseGenerator`: the first sentence of each section with a citation, quoted without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from spanwise.messages import NO_RELEVANT_INFORMATION

_SENTENCE_BREAK = re.compile(r"(?<=[.!?])\s+")
_TERMINATED = re.compile(r"[.!?][\"'\u2019\u201d\u00bb)\]}]{0,9}\Z")
_FALLBACK_LENGTH = 200


class ResponseGenerator:
    """Writes an answer from retrieved sections by quoting the first sentence of each."""

    def generate(self, sections: Sequence[Mapping[str, object]] | None) -> str:
        """The answer: one cited sentence for each section that has text, in the order given.

        Args:
            sections: Mappings with `title`, `content` and `page_num`, best first; other keys are ignored, so the
                result of `AgenticRetriever.retrieve` can be passed unchanged.

        Returns:
            `SENTENCE (See TITLE, page N)` for each section, joined by spaces; if no section has text, the message that
                nothing relevant was found.
        """
        parts = [_cited(section) for section in sections or () if _content(section)]
        return " ".join(parts) or NO_RELEVANT_INFORMATION


def _cited(section: Mapping[str, object]) -> str:
    page = section.get("page_num")
    title = str(section.get("title") or "").strip() or "Unknown"
    return f"{_key_information(_content(section))} (See {title}, page {'?' if _blank(page) else page})"


def _key_information(content: str) -> str:
    """The first sentence; of a text without the end of a sentence, the first 200 characters."""
    first, *rest = _SENTENCE_BREAK.split(content, maxsplit=1)
    if not rest and not _TERMINATED.search(first):
        return first[:_FALLBACK_LENGTH]
    return first


def _content(section: Mapping[str, object]) -> str:
    value = section.get("content")
    return "" if value is None else str(value).strip()


def _blank(value: object) -> bool:
    return value is None or not str(value).strip()
