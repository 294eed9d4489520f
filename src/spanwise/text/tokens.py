"""Token estimates that need no tokenizer, and texts cut by them: none is downloaded, real usage comes from a reply."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left

from spanwise.errors import InputError
from spanwise.text.patterns import beyond_ascii, lazy_pattern

_WIDE_CLASS = "\\u1100-\\u11ff\\u2e80-\\ua4cf\\uac00-\\ud7ff\\uf900-\\ufaff\\uff00-\\uffef\\U00010000-\\U0010ffff"
_WIDE = lazy_pattern(f"[{_WIDE_CLASS}]")  # about one token a character: East Asian scripts, emoji
_MAYBE_WIDE = re.compile("[^\x00-\u10ff\u2000-\u2e7f]")  # two ranges are searched faster than many
_ATOM = lazy_pattern(f"([{_WIDE_CLASS}])|[^\\s{_WIDE_CLASS}]+")
_CHARACTERS = 4  # of a long word or of white space that make a token
_JOINED = "\u200d"
_BELONGS_TO_THE_ONE_BEFORE = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
_LONGEST_CLUSTER = 16


def count_tokens(text: str) -> int:
    """An estimate, without margin, of how many tokens a model counts for a text; a short word is one.

    The larger of a quarter of the characters and the number of words, plus one for each East Asian character or emoji.
    """
    words, wide = _words_and_wide(text)
    return max((len(text) - wide) // _CHARACTERS, words) + wide if words or wide else 0


def token_bound(text: str) -> int:
    """What a text adds at most to the count of any text that it becomes part of.

    The bounds of the parts of a text sum up to at least `count_tokens` of the whole, so a prompt can be put together
    without counting anything twice.
    """
    words, wide = _words_and_wide(text)
    return max(-(-(len(text) - wide) // _CHARACTERS), words) + wide


def reach(text: str, start: int, tokens: int) -> int:
    """The furthest `end` for which `text[start:end]` costs at most so many tokens (by `token_bound`).

    It may lie inside a word. The work grows with the tokens, not with the length of the text.
    """
    last = min(len(text), start + _CHARACTERS * max(0, tokens))
    if token_bound(text[start:last]) <= tokens:
        return last
    words = wide = 0
    for match in _ATOM.finditer(text, start, last):
        most = start + _CHARACTERS * (tokens - wide) + wide
        if match.group(1):
            wide += 1
            if max(-(-(match.end() - start - wide) // _CHARACTERS), words) + wide > tokens:
                return min(match.start(), most)
        else:
            words += 1
            if words + wide > tokens:
                return min(match.start(), most)
            if match.end() > most:
                return most
    return min(last, start + _CHARACTERS * (tokens - wide) + wide)


def whole_character(text: str, start: int, end: int) -> int:
    """The last place up to `end`, after `start`, that does not part a letter from its accents or an emoji in two."""
    place = end
    while start + 1 < place < len(text) and end - place < _LONGEST_CLUSTER:
        if not (
            _BELONGS_TO_THE_ONE_BEFORE.match(text, place)
            or unicodedata.combining(text[place])
            or text[place - 1] == _JOINED
        ):
            return place
        place -= 1
    return end


def back(text: str, start: int, end: int, tokens: int) -> int:
    """The earliest beginning of a word after `start` from which `text[..:end]` costs at most so many tokens.

    Inside one long word it is counted in characters. Without tokens it is `end`.
    """
    if tokens <= 0:
        return end
    earliest = max(start + 1, end - _CHARACTERS * tokens)
    places = [match.start() for match in _ATOM.finditer(text, earliest, end)]
    if places and places[0] == earliest and not text[earliest - 1].isspace() and not _WIDE.match(text, earliest):
        places = places[1:] or places
    first = bisect_left(places, -tokens, key=lambda place: -token_bound(text[place:end]))
    return places[first] if first < len(places) else end


def split_tokens(text: str, size: int, overlap: int = 0) -> list[str]:
    """Pieces of a text, verbatim and in order, of at most `size` tokens each.

    Pieces end where words do; only a word longer than a piece is cut. Neighbours have as much in common as whole words
    allow within `overlap` tokens.

    Raises:
        InputError: `size` is not positive, or `overlap` is not in [0, size). It is a ValueError.
    """
    if size < 1 or not 0 <= overlap < size:
        raise InputError(f"pieces of {size} tokens with {overlap} in common cannot be: 0 <= overlap < size is needed")
    pieces = []
    start, last = len(text) - len(text.lstrip()), len(text.rstrip())
    while start < last:
        end = word_end(text, start, min(last, reach(text, start, size)))
        end = max(end, start + 1)  # an accent on its own still has to go somewhere
        pieces.append(text[start:end].rstrip())
        if end >= last:
            break
        following = end + len(text[end:last]) - len(text[end:last].lstrip())
        shared = back(text, start, end, overlap)
        start = shared if shared < end else following
    return pieces


def word_end(text: str, start: int, end: int) -> int:
    """The last end of a word in `(start, end]`; `end`, between whole characters, where there is none."""
    if end >= len(text) or text[end].isspace() or _WIDE.match(text, end) or _WIDE.match(text, end - 1):
        return whole_character(text, start, end)
    for place in range(end - 1, start, -1):
        if text[place].isspace() or _WIDE.match(text, place):
            return place if text[place].isspace() else whole_character(text, start, place + 1)
    return whole_character(text, start, end)


def _words_and_wide(text: str) -> tuple[int, int]:
    """How many words a text has beside its wide characters, and how many of these; both end at a wide character."""
    if text.isascii() or not _MAYBE_WIDE.search(beyond_ascii(text)):
        return len(text.split()), 0
    narrow, wide = _WIDE.subn(" ", text)
    return len(narrow.split()), wide
