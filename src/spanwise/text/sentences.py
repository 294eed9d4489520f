"""Sentences with their offsets (nupunkt: Punkt, Kiss and Strunk 2006, trained on legal and financial text)."""

from __future__ import annotations

import re

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])([-\u2010\u2011\ufffe])[^\S\n]*\n\s*(?=[^\W\d_])")

_STOP = re.compile(r"[.!?\u2026]")
"""What nupunkt takes for a possible end; up to the first one, and where nothing is behind it, there is one sentence."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Ranges `(start, end)` of the sentences of a text, end exclusive, in order, without surrounding white space.

    Line breaks count as spaces, so a sentence may run over several lines; whoever knows where paragraphs end calls this
    once for each.
    """
    stop = _STOP.search(text)
    if stop is None or not text[stop.end() :].strip():
        return [kept] if (kept := trim(text, 0, len(text))) else []

    from nupunkt import sent_spans  # 0.1 s to load, so only when there may be two

    return [trimmed for start, end in sent_spans(text) if (trimmed := trim(text, start, end))]


def trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The range without the white space at its two ends, or None when nothing is left."""
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return None
    first = start + len(piece) - len(piece.lstrip())
    return first, first + len(stripped)


def on_one_line(text: str) -> str:
    """The text with single spaces; a word that a hyphen breaks over two lines is one word again, hyphen kept."""
    if text.isprintable() and "  " not in text:  # the only white space that is printed is a space
        return text.strip()
    if "\n" in text:  # no word is broken without one
        text = _BROKEN_WORD.sub("-", text)
    return " ".join(text.split())
