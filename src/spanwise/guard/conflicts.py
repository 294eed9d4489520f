"""One statement against another: how much of it the other says, and where the two contradict each other.

The rules see what is changed (a number, a "not", a duty, who owes whom), not what is implied; a paraphrase without
common words is not recognised.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from functools import cache

from spanwise.guard.figures import Figure, agrees, comparable
from spanwise.guard.statements import (
    ANY_PARTY,
    AUXILIARIES,
    BE,
    CLAUSE_ENDS,
    DUTY,
    PERMISSION,
    ROLES,
    Statement,
    is_negation,
    meaning,
)
from spanwise.guard.synonyms import interchangeable
from spanwise.text.terms import stem

_OPPOSITES = (
    *(("before", "after"), ("increase", "decrease"), ("include", "exclude"), ("accept", "reject")),
    *(("minimum", "maximum"), ("above", "below"), ("always", "never"), ("higher", "lower"), ("first", "last")),
    *(("direct", "indirect"), ("internal", "external"), ("public", "private"), ("temporary", "permanent")),
    *(("exclusive", "nonexclusive"), ("refundable", "nonrefundable"), ("solely", "jointly"), ("gain", "lose")),
)
_COPIED = 0.85
"""Share of its words that a sentence has in common, in order, with the one that it was copied from."""
_LONGEST_COPY = 300
"""Words; comparing two sentences takes time with the square of it."""
_BELONGS = re.compile(r"\w+['\u2019]s?\s(?:\w+\s){0,2}\w+|\w+\s(?:of|for)\s(?:\w+\s){0,3}\w+")
"""What is somebody's, with the name before it or behind it."""
_AGENT_AFTER_BY = 3
_SAME_DEED = 0.7
"""Share of the words besides the parties that two statements must have in common to be about one deed."""


def coverage(claim: Statement, words: frozenset[str]) -> float:
    """Share of the claim's content words that are among `words`; 1.0 for a claim that has none."""
    return len(claim.content & words) / len(claim.content) if claim.content else 1.0


def missing_figures(claim: Statement, *sources: Statement) -> list[Figure]:
    """The claim's figures that none of the sources says."""
    available = [figure for source in sources for figure in source.figures]
    return [figure for figure in claim.figures if not any(agrees(figure, other) for other in available)]


def conflict(claim: Statement, source: Statement) -> str | None:
    """Why the claim contradicts a source that is about the same thing, or None."""
    return (
        _figure_conflict(claim, source)
        or _negation_conflict(claim, source)
        or _duty_conflict(claim, source)
        or _word_conflict(claim, source)
        or _party_conflict(claim, source)
        or _edit_conflict(claim, source)
    )


def _figure_conflict(claim: Statement, source: Statement) -> str | None:
    for figure in missing_figures(claim, source):
        ours = claim.text[figure.start : figure.end].strip()
        for other in source.figures:
            if comparable(figure, other) and not any(agrees(said, other) for said in claim.figures):
                return f"the answer says {ours}, the source {source.text[other.start : other.end].strip()}"
    return None


def _negation_conflict(claim: Statement, source: Statement) -> str | None:
    denied = (claim.negated & source.affirmed) - source.negated
    dropped = (source.negated & claim.affirmed) - claim.negated
    if denied:
        return f"the answer denies what the source says ({min(denied)})"
    return f"the answer says what the source denies ({min(dropped)})" if dropped else None


def _duty_conflict(claim: Statement, source: Statement) -> str | None:
    ours, theirs = _duties(claim), _duties(source)
    if ours and theirs and not ours & theirs:
        return f"the answer says {min(ours)}, the source {min(theirs)}"
    return None


def _word_conflict(claim: Statement, source: Statement) -> str | None:
    ours, theirs = set(map(stem, claim.tokens)), set(map(stem, source.tokens))
    for one, other in opposites():
        if one in ours - theirs and other in theirs - ours:
            return f"the answer and the source say opposites ({one}, {other})"
    stated = source.periods | {figure.per for figure in source.figures if figure.per}
    if stated and claim.periods - stated:
        return f"the answer says every {min(claim.periods - stated)}, the source every {min(stated)}"
    return None


def _party_conflict(claim: Statement, source: Statement) -> str | None:
    actors = ROLES | (claim.capitalised & source.capitalised)
    ours, theirs = _agents(claim, actors), _agents(source, actors)
    if not ours or not theirs or ours & theirs or _means_any_party(claim) or _means_any_party(source):
        return None
    deed = claim.content - {meaning(actor) for actor in actors}
    if not deed or len(deed & source.content) / len(deed) < _SAME_DEED:
        return None
    if any(_one_phrase(item.text, ours | theirs) for item in (claim, source)):
        return None
    if any(interchangeable(one, other) for one in ours for other in theirs):
        return None
    return f"the answer speaks of the {min(ours)}, the source of the {min(theirs)}"


def _one_phrase(text: str, actors: frozenset[str]) -> bool:
    """Whether one of the actors belongs to another one: "Gustave Eiffel's company", "the company of Gustave Eiffel"."""
    for match in _BELONGS.finditer(text):
        words = re.findall(r"\w+", match.group().lower())
        if len(actors.intersection(words)) > 1:
            return True
    return False


def _edit_conflict(claim: Statement, source: Statement) -> str | None:
    """What was changed in a sentence that is otherwise copied."""
    ours, theirs = claim.tokens, source.tokens
    shorter, longer = sorted((len(ours), len(theirs)))
    if longer > _LONGEST_COPY or shorter < _COPIED * longer:
        return None
    matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
    if matcher.quick_ratio() < _COPIED or matcher.ratio() < _COPIED:
        return None
    actors = ROLES | (claim.capitalised & source.capitalised)
    for operation, start, end, our_start, our_end in matcher.get_opcodes():
        said, written = ours[our_start:our_end], theirs[start:end]
        if operation != "equal" and _turned_around(said, written, actors, ours[our_end : our_end + 1]):
            return f'the answer says "{" ".join(said)}", the source "{" ".join(written)}"'
    return None


def _turned_around(
    said: Sequence[str], written: Sequence[str], actors: frozenset[str], following: Sequence[str]
) -> bool:
    """Whether these words for those, in the same place, say something else; `following` is the word behind them."""
    if sum(map(is_negation, said)) != sum(map(is_negation, written)):
        return True
    forbids = any(map(is_negation, following))  # "may not" forbids as much as "shall not"
    return (
        (not forbids and _exchanged(_force(said), _force(written)))
        or _exchanged(_with_digits(said), _with_digits(written))
        or _exchanged(actors.intersection(said), actors.intersection(written))
    )


def _exchanged(ours: Collection[str], theirs: Collection[str]) -> bool:
    return bool(ours) and bool(theirs) and set(ours).isdisjoint(theirs)


def _force(tokens: Sequence[str]) -> set[str]:
    return {
        "permission" if token in PERMISSION else "duty" for token in tokens if token in PERMISSION | DUTY | {"will"}
    }


def _with_digits(tokens: Sequence[str]) -> set[str]:
    return {token for token in tokens if token[0].isdigit()}


def _agents(item: Statement, actors: frozenset[str]) -> frozenset[str]:
    """Who acts: after "by" in a passive sentence, else before the first auxiliary verb, else whoever comes first."""
    tokens = item.tokens
    first_be = next((index for index, token in enumerate(tokens) if token in BE), len(tokens))
    for index in range(first_be, len(tokens)):
        if tokens[index] == "by":
            after = frozenset(tokens[index + 1 : index + _AGENT_AFTER_BY]) & actors
            if after:
                return after
    end = next((index for index, token in enumerate(tokens) if token in AUXILIARIES), 0)
    begin = next((index + 1 for index in range(end - 1, -1, -1) if tokens[index] in CLAUSE_ENDS), 0)
    before = frozenset(tokens[begin:end]) & actors
    return before or frozenset([token for token in tokens if token in actors][:1])


def _means_any_party(item: Statement) -> bool:
    return any(
        token in ANY_PARTY and item.tokens[max(0, index - 1)] != "third" for index, token in enumerate(item.tokens)
    )


def _duties(item: Statement) -> set[str]:
    found = set()
    for index, token in enumerate(item.tokens):
        denied = any(is_negation(other) for other in item.tokens[max(0, index - 2) : index + 2])
        if token in DUTY | PERMISSION and not denied:
            found.add("duty" if token in DUTY else "permission")
    return found


@cache
def opposites() -> tuple[tuple[str, str], ...]:
    """Pairs of stems of words that mean opposites, each in both orders."""
    pairs = [(stem(one), stem(other)) for one, other in _OPPOSITES]
    return (*pairs, *((other, one) for one, other in pairs))
