"""Folding: the same words written differently become the same string, with a map back to the original characters.

What is folded: case, Unicode compatibility forms and ligatures (NFKD), typographic quotes and dashes, invisible
characters, runs of white space, and hyphens between letters, so that `self-service`, `self-` + line break + `service`
and `infor-` + line break + `mation` agree with how a person would quote them. Signs and hyphens next to digits stay:
`-5` is not `5`, and `2019-2021` is a range.

`find_quote` goes from a quote to its exact place: as written, then folded, then aligned (rapidfuzz), never silently
ambiguous.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from spanwise.text.injection.marks import LOOK_ALIKES, STAND_INS
from spanwise.text.list_marks import BULLETS

_PLAIN = re.compile(r"[A-Za-z0-9!-,./:-@\[-_{-~]+")  # printable ASCII but hyphen and backtick: one to one
_SPACE = re.compile(r"\s+")
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\ufffe", "-")
_QUOTES = dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u0060\u00b4", "'") | dict.fromkeys(
    "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'
)
_BULLETS = dict.fromkeys(f"{BULLETS}\uf0b7", "*")
_MEANINGFUL_FORMS = ("<super>", "<sub>", "<fraction>")  # 10\u00b2 is not 102, and 1\u00bd is not 11/2
_REPLACED = _DASHES | _QUOTES | _BULLETS | dict(LOOK_ALIKES) | {shown: sign for sign, shown in STAND_INS.items()}
_TO_PLAIN = str.maketrans(_REPLACED | {"\u00a0": " "})
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_WORD_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?:[^\S\n]*\n\s*)?(?=[A-Za-z])")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and where each of its characters comes from."""

    text: str
    origin: array[int]
    """Index in the original of each folded character."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original text that the folded range `[start, end)` stands for.

        Raises:
            IndexError: The range is empty or outside the folded text.
        """
        if not 0 <= start < end <= len(self.text):
            raise IndexError(f"no characters {start} to {end} in a folded text of {len(self.text)}")
        return self.origin[start], self.origin[end - 1] + 1


def fold(text: str) -> Folded:
    """Fold a text; linear in its length."""
    pieces: list[str] = []
    origin: array[int] = array("L")
    position, size = 0, len(text)
    while position < size:
        if match := _PLAIN.match(text, position):
            pieces.append(match.group().lower())
            origin.extend(range(position, match.end()))
            position = match.end()
        elif match := _SPACE.match(text, position):
            if pieces and pieces[-1] != " ":  # leading white space says nothing
                pieces.append(" ")
                origin.append(position)
            position = match.end()
        else:
            folded = _fold_character(text[position])
            if folded == "-" and (after := _after_word_hyphen(text, position)):
                position = after
                continue
            if folded:
                pieces.append(folded)
                origin.extend([position] * len(folded))
            position += 1
    if pieces and pieces[-1] == " ":
        pieces.pop()
        origin.pop()
    return Folded("".join(pieces), origin)


def folded(text: str) -> str:
    """Only the folded string, where no way back is needed: the same as `fold(text).text`, and ten times faster."""
    if text.isascii() and text.isalnum():  # most calls are for one word
        return text.lower()
    # ASCII still may hold a backtick, which folds to a quote; nothing else of it is translated.
    plain = text.replace("`", "'") if text.isascii() else text.translate(_TO_PLAIN)
    if not plain.isascii() or _CONTROL.search(plain):
        return fold(text).text
    if "-" in plain:
        plain = _WORD_HYPHEN.sub("", plain)
    return " ".join(plain.lower().split())


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    if replaced := _REPLACED.get(character):
        return replaced
    if unicodedata.category(character) in ("Cf", "Cc", "Co", "Cn"):
        return ""
    if unicodedata.decomposition(character).startswith(_MEANINGFUL_FORMS):
        return character
    # NFKD after casefold and again before it: some compatibility forms only casefold once decomposed.
    decomposed = unicodedata.normalize("NFKD", character).casefold()
    parts = unicodedata.normalize("NFKD", decomposed)
    return "".join(_REPLACED.get(part, part) for part in parts if not part.isspace())


def _after_word_hyphen(text: str, position: int) -> int:
    """Where to go on after a hyphen between two letters and the line break behind it; 0 for any other hyphen.

    Invisible characters beside the hyphen do not count.
    """
    before = position - 1
    while before >= 0 and _invisible(text[before]):
        before -= 1
    if before < 0 or not text[before].isalpha():
        return 0
    after = _past_invisible(text, position + 1)
    if match := _SPACE.match(text, after):
        if "\n" not in match.group():
            return 0
        after = _past_invisible(text, match.end())
    return after if after < len(text) and text[after].isalpha() else 0


def _past_invisible(text: str, position: int) -> int:
    while position < len(text) and _invisible(text[position]):
        position += 1
    return position


def _invisible(character: str) -> bool:
    return not character.isspace() and _fold_character(character) == ""


MOST_PLACES = 20
"""How many places of a repeated quote are reported."""


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote stands in a text.

    `start` and `end` are offsets in the original text, end exclusive. `score` is 1.0 for an exact or folded match and
    the similarity in (0, 1) for an aligned one, which says where a quote comes from, not that it is verbatim.
    """

    start: int
    end: int
    method: Literal["exact", "folded", "aligned"]
    score: float
    others: tuple[tuple[int, int], ...] = ()
    """Further places that match as well, at most MOST_PLACES."""

    @property
    def ambiguous(self) -> bool:
        """True if the quote stands in more than one place."""
        return bool(self.others)


def find_quote(
    quote: str,
    text: str,
    *,
    minimum: float = 0.85,
    whole_words: bool = False,
    folded_text: Folded | None = None,
) -> QuoteMatch | None:
    """Find a quote in a text.

    Args:
        quote: What to find. White space around it does not count; an empty quote is found nowhere.
        text: Where to look.
        minimum: Lowest similarity, in (0, 1], that counts as an aligned match; 1.0 switches alignment off.
        whole_words: Only places that begin and end where a word or a number does: `5%` is not in `1.5%`, and `profit`
            is not in `non-profit`.
        folded_text: `fold(text)`, when the caller looks for many quotes in one text.

    Returns:
        The first place (all of them in `others`), or None.
    """
    wanted = quote.strip()
    if not wanted:
        return None
    if places := _places(wanted, text, whole_words):
        return _match(places, "exact")
    needle = fold(wanted)
    if not needle.text:
        return None
    hay = folded_text if folded_text is not None else fold(text)
    if places := _places(needle.text, hay.text, whole_words):
        return _match([hay.original(start, end) for start, end in places], "folded")
    return _align(needle.text, hay, text, minimum) if minimum < 1.0 else None


def stands_in(quote: str, text: str) -> bool:
    """True if a folded quote stands in a folded text, as whole words; an empty one stands nowhere."""
    return place_after(quote, text, 0) is not None


def place_after(quote: str, text: str, start: int) -> tuple[int, int] | None:
    """The first place, from an offset on, where a folded quote stands in a folded text as whole words."""
    at = text.find(quote, start) if quote else -1
    while at >= 0:
        end = at + len(quote)
        if not (_joined(text, at) or _joined(text, end)):
            return at, end
        at = text.find(quote, end)
    return None


def _places(needle: str, hay: str, whole_words: bool) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    start = hay.find(needle)
    while start >= 0 and len(places) <= MOST_PLACES:
        end = start + len(needle)
        if not whole_words or not (_joined(hay, start) or _joined(hay, end)):
            places.append((start, end))
        start = hay.find(needle, end)
    return places


def _joined(text: str, cut: int) -> bool:
    """True if a cut at this offset goes through a word or a number, its hyphens and decimal points included."""
    left, right = text[max(0, cut - 2) : cut], text[cut : cut + 2]
    if not left or not right:
        return False
    if left[-1].isalnum() and right[0].isalnum():
        return True
    if left[-1] in "-.,'" and right[0].isalnum():
        return len(left) == 2 and left[0].isalnum() and (left[-1] in "-'" or (left[0].isdigit() and right[0].isdigit()))
    if right[0] in "-.,'" and left[-1].isalnum():
        return (
            len(right) == 2 and right[1].isalnum() and (right[0] in "-'" or (left[-1].isdigit() and right[1].isdigit()))
        )
    return False


def _match(places: list[tuple[int, int]], method: Literal["exact", "folded"]) -> QuoteMatch:
    (start, end), *others = places
    return QuoteMatch(start, end, method, 1.0, tuple(others))


def _align(needle: str, hay: Folded, text: str, minimum: float) -> QuoteMatch | None:
    from rapidfuzz import fuzz

    if len(needle) > len(hay.text):
        return None  # partial_ratio would align the text inside the quote
    found = fuzz.partial_ratio_alignment(needle, hay.text, score_cutoff=minimum * 100)
    if found is None or found.dest_end <= found.dest_start:
        return None
    start, end = hay.original(found.dest_start, found.dest_end)
    start, end = _whole_words(text, start, end)
    return QuoteMatch(start, end, "aligned", min(found.score / 100, 0.999))


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Alignment may begin or stop inside a word: widen to its ends, and drop the white space outside."""
    while 0 < start < len(text) and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while 0 < end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
