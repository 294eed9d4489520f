"""What speaks for a piece of a sentence as the answer: the words at its two ends, and how it looks as a whole.

Features have names, and a linear model weighs them; `fitting/spans.py` fits it.
"""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.synthesis.extractive.apart import FUNCTION, VERBS, Words

_FAR = 13
"""Words beyond which a word of the question is not looked for."""
_PATTERN = 4
"""Words of the longest piece whose looks are a pattern."""
_NAMES = ("Cap", "CAP")
_HOLDS = (
    ("v", VERBS),
    (",", frozenset(",")),
    ("and", frozenset(("and", "or"))),
    ("of", frozenset(("of",))),
    ("prep", frozenset(("in", "on", "at", "by", "for", "to", "from", "with"))),
    ("rel", frozenset(("which", "that", "who", "where", "when"))),
)


def start_features(words: Words, first: int) -> list[str]:
    """What speaks for a piece that begins here."""
    looks = words.looks
    look = looks[first]
    before = looks[first - 1] if first else "^"
    found = [
        f"<{before}",
        f"<<{looks[first - 2] if first > 1 else '^'} {before}",
        f"[{look}",
        f"[q{bool(words.roles[first])}",
        f"<[{before} {look}",
        f"<q{bool(first and words.roles[first - 1])}",
        *_nearest(words, first, -1, "<"),
    ]
    if first + 1 < len(looks):
        found.append(f"[[{look} {looks[first + 1]}")
    if first == 0:
        found.append("^")
    elif words.texts[first - 1].isalpha() and before not in _NAMES:
        found.append(f"<w{words.texts[first - 1].lower()}")
    return found


def end_features(words: Words, last: int) -> list[str]:
    """What speaks for a piece that ends here."""
    looks = words.looks
    look = looks[last]
    size = len(looks)
    after = looks[last + 1] if last + 1 < size else "$"
    found = [
        f">{after}",
        f">>{after} {looks[last + 2] if last + 2 < size else '$'}",
        f"]{look}",
        f"]q{bool(words.roles[last])}",
        f"]>{look} {after}",
        f">q{last + 1 < size and bool(words.roles[last + 1])}",
        f">n{last + 1 < size and words.nouns[last + 1]}",
        *_nearest(words, last, 1, ">"),
    ]
    if last:
        found.append(f"]]{looks[last - 1]} {look}")
    return found


def _nearest(words: Words, edge: int, step: int, mark: str) -> list[str]:
    """How far the next word of the question is, which one it is, and how many commas part them."""
    size = len(words.looks)
    commas = 0
    for gap in range(1, _FAR):
        at = edge + step * gap
        if not 0 <= at < size:
            break
        commas += words.looks[at] in ",;:"
        if words.roles[at]:
            return [f"{mark}d{min(gap, 9)}", f"{mark}r{words.roles[at]}{min(gap, 3)}", f"{mark}c{min(commas, 2)}"]
    return [f"{mark}d9", f"{mark}r-3", f"{mark}c2"]


def whole_features(words: Words, first: int, last: int) -> list[str]:
    """What speaks for a piece as a whole."""
    looks = words.looks[first : last + 1]
    size = last - first + 1
    found = [f"n{size}", f"o{min(2, sum(map(bool, words.roles[first : last + 1])))}", _quantity(words, first, last)]
    found += _capitals(words, first, last)
    found.append(f"h{any(words.nouns[first : last + 1])}")
    if words.nouns[last]:
        found.append("hl")
    found += [name for name, these in _HOLDS if not these.isdisjoint(looks)]
    if size <= _PATTERN:
        found.append("p" + " ".join(looks))
    found += _place(words, first, last)
    found += _news(words, first, last)
    found += _marks(words, first, last)
    return found


def _quantity(words: Words, first: int, last: int) -> str:
    kind = words.quantities.get((first, last))
    if kind is not None:
        return f"k {kind}"
    if first in words.inside or last in words.inside:
        return "kpart"
    return "knone" if words.inside.isdisjoint(range(first, last + 1)) else "kin"


def _capitals(words: Words, first: int, last: int) -> list[str]:
    looks = words.looks
    names = [look in _NAMES for look in looks[first : last + 1]]
    if not all(names):
        return ["some caps"] if any(names) else []
    cut = (first > 0 and looks[first - 1] in _NAMES) or (last + 1 < len(looks) and looks[last + 1] in _NAMES)
    return ["Caps cut" if cut else "Caps", f"Caps{min(len(names), 3)}"]


def _place(words: Words, first: int, last: int) -> list[str]:
    """On which side the question's words stand, and how near."""
    left = right = near = 0.0
    for at, (role, rarity) in enumerate(zip(words.roles, words.rarities, strict=True)):
        if role and at < first:
            left += rarity
            near += rarity / (1 + first - at)
        elif role and at > last:
            right += rarity
            near += rarity / (1 + at - last)
    total = left + right
    return [f"s{round(4 * left / total) if total else -1}", f"x{min(8, int(near * 6))}"]


def _news(words: Words, first: int, last: int) -> list[str]:
    """How rare the words are that the question does not have."""
    news = [
        words.rarities[at]
        for at in range(first, last + 1)
        if not words.roles[at] and words.looks[at][0].isalnum() and words.looks[at] not in FUNCTION
    ]
    return [f"y{int(5 * max(news))}", f"z{int(5 * sum(news) / len(news))}"] if news else ["y-1", "z-1"]


def _marks(words: Words, first: int, last: int) -> list[str]:
    """Brackets and quotation marks that are left open, or that stand around it."""
    texts: Sequence[str] = words.texts
    inside = texts[first : last + 1]
    opened = texts[:first].count("(") - texts[:first].count(")")
    found = [f"par{max(0, min(1, opened))}"]
    if sum(text in "()[]" for text in inside) % 2:
        found.append("unb")
    if sum(text in '"\u201c\u201d' for text in inside) % 2:
        found.append("unq")
    if first and last + 1 < len(texts):
        if texts[first - 1] in '"\u201c' and texts[last + 1] in '"\u201d,':
            found.append("quoted")
        if words.looks[first] in ("low", "Cap") and words.looks[first - 1] in ("the", "a", "an"):
            found.append("thecut")
    return found
