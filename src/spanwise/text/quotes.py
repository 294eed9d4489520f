"""From a quote to its exact place: as written, then folded, then aligned (rapidfuzz), never silently ambiguous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spanwise.text.fold import Folded, fold

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
