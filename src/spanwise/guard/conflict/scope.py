"""Words that explain a difference: another subject, another period or version, a narrower case, somebody's say-so."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.conflict.lexicon import lexicon
from spanwise.guard.conflict.pair import Edit, Pair
from spanwise.guard.conflict.quantities import is_time
from spanwise.guard.conflict.sentence import Sentence, Token
from spanwise.guard.statements import DUTY, PERMISSION
from spanwise.text.terms import stem

_MOST_ADDED = 0.34
"""Content words that one of the two says beyond the other, as a share of its own."""
_COPIED_WITH_FIGURES = 0.85
"""Share of words in common where one of them has more figures, so that which stands for which is less sure."""
_SINCE = frozenset(["effective", "since", "amended", "revised", "restated", "updated", "dated"])
_NEAR = 4
_TRUTH = frozenset(["true", "case", "correct"])
"""What "it is not true that" adds beside its denial."""


def one_subject(pair: Pair) -> bool:
    """True if all that the two say beyond each other, figures in one place aside, narrows neither of them."""
    added = 0
    for edit in pair.changes:
        ours, theirs = edit.telling
        if ours and theirs:
            return False
        said, whole = (pair.one, edit.ours) if ours else (pair.other, edit.theirs)
        if not _adds_nothing(said, edit, whole, ours or theirs, pair.share):
            return False
        added += sum(token.content for token in ours or theirs)
    return added <= max(1.0, _MOST_ADDED * min(len(pair.one.content), len(pair.other.content)))


def _adds_nothing(said: Sentence, edit: Edit, whole: Sequence[Token], telling: Sequence[Token], share: float) -> bool:
    """True if words of one sentence alone neither name nor narrow what is spoken of, nor deny it."""
    figures = [token for token in telling if token.digits]
    if any(since(said, token) for token in figures):
        return True
    if figures and (share < _COPIED_WITH_FIGURES or any(map(_sets_apart, figures))):
        return False
    words = lexicon()
    return (
        not any(
            token.name
            or token.denies
            or words.has("parting", token.plain)
            or token.plain in words.quantifiers
            or words.has("designators", token.plain)
            for token in telling
        )
        and not any(words.has("restricting", token.plain) for token in whole)
        and not (edit.first and len(telling) > 1)
    )


def _sets_apart(token: Token) -> bool:
    """True for another period, a condition ("above $1,000") and a label."""
    figure = token.quantity
    return figure is None or is_time(figure) or figure.bound not in (None, "about") or bool(token.side)


def since(said: Sentence, token: Token) -> bool:
    """True for a date since when something holds: it orders two sources and does not part what they speak of."""
    if token.quantity is None or not is_time(token.quantity) or token not in said.tokens:
        return False
    place = said.tokens.index(token)
    return any(before.plain in _SINCE for before in said.tokens[max(0, place - _NEAR) : place])


def frame(pair: Pair) -> Edit | None:
    """Words of one sentence that introduce what the other says ("It was alleged that") or narrow a noun of it."""
    for edit in pair.edits:
        ours, theirs = (any(token.plain in ("that", "whether") for token in side) for side in (edit.ours, edit.theirs))
        if ours != theirs and any(edit.telling) and len(edit.theirs if ours else edit.ours) <= 1:
            return edit
    return None


def asserted(introduced: Edit) -> bool:
    """True if a frame leaves what it introduces as sure as it was, or only denies it."""
    words = lexicon()
    telling = [token for side in introduced.telling for token in side]
    if all(token.denies or token.plain in _TRUTH for token in telling):
        return True
    factive = {stem(word) for word in words.classes["factive"]}
    return not any(token.denies for token in telling) and any(token.key in factive for token in telling)


def is_duty(pair: Pair) -> bool:
    """True if the sentences say what somebody must or may do: the other one may have to do the same."""
    return any(token.plain in DUTY | PERMISSION | {"will", "agree", "agrees"} for token in pair.one.tokens)
