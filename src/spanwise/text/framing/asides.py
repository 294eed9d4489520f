"""Whom a clause is ascribed to: texts and speakers, and a reader who is told to say it or asked to suppose it.

"An unsigned letter says that S" and "Imagine that S" do not assert their clause; "According to the report, S" does.
"""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.text.framing.comments import MARKS, back, text_kind
from spanwise.text.framing.complements import Claimed
from spanwise.text.framing.cues import cues
from spanwise.text.framing.segments import Clauses
from spanwise.text.injection.addressed import gives_role, ignored

_ADJUNCT = 14
"""Tokens of an adjunct, of a comment and of a remark, at most."""
_NEAR = 7
"""Tokens of an adjunct that no comma ends, and of a subject."""
_OPENING = 4
"""Tokens in front of an adjunct that opens its sentence ("Moreover, under the old law")."""


def asides(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses under an adjunct that names an unreliable text, or said by an unreliable subject."""
    for at, word in enumerate(clauses.words):
        if word in cues().words["adjunct"]:
            yield from _adjunct(clauses, at)
    yield from _shaky_subject(clauses)


def _adjunct(clauses: Clauses, at: int) -> Iterator[Claimed]:
    """The range that an adjunct frames: what follows it in front, what precedes it at the end, both in the middle."""
    first, last, end = clauses.first[at], clauses.last[at], len(clauses) - 1
    ends = next((k for k in range(at + 1, min(end, at + _ADJUNCT) + 1) if clauses.words[k] in {",", ")", ";"}), None)
    opens = clauses.at(at - 1) in {";", ":", "!", "", '"'} or all(
        word in cues().words["opening"] for word in clauses.words[first:at][:_OPENING]
    )
    if clauses.words[at] in {"until", "before", "prior"}:
        if opens and ends and not cues().words["changes"].isdisjoint(clauses.words[at:ends]):
            yield Claimed("superseded", ends + 1, end, (at, ends - 1))
        return
    marked = clauses.words[_over_concession(clauses, at) - 1] in MARKS
    closes = ends is None and end - at <= _ADJUNCT and (marked or clauses.words[at] in {"according", "under"})
    until = ends - 1 if ends else end if closes else min(end, at + _NEAR)
    told = next((k for k in range(at + 2, until + 1) if clauses.words[k] in cues().words["auxiliaries"]), None)
    if told and not {"that", "which", "whose", "who"} & set(clauses.words[at:told]):
        ends, until = (ends, until) if closes else (None, min(until, at + _NEAR))
    kind = "alleged" if _view(clauses, at, until) else text_kind(clauses, at + 1, until)
    if not kind:
        return
    if opens:
        yield Claimed(kind, (ends if ends is not None else at) + 1, end, (at, ends - 1 if ends else at))
    elif marked or closes:
        yield Claimed(kind, back(clauses, at), _over_concession(clauses, at) - 1, (at, until))
        if ends is not None:
            yield Claimed(kind, ends + 1, last, (at, until))


def _view(clauses: Clauses, at: int, until: int) -> bool:
    """True if an adjunct names somebody's opinion ("in the eyes of the owner", "in her view")."""
    words = cues().words
    view = next((k for k in range(at + 2, min(at + 4, until + 1)) if clauses.words[k] in words["views"]), None)
    if view == at + 3 and clauses.words[at + 1] not in words["determiners"]:
        return False
    owned = view is not None and (
        (
            clauses.words[at + 1] in {"his", "her", "their", "its", "my"}
            and clauses.words[view] not in {"eyes", "mind", "words"}
        )
        or clauses.words[view - 1].endswith("'s")
    )
    return (
        clauses.words[at] in {"in", "from", "to", "by"} and view is not None and (owned or clauses.at(view + 1) == "of")
    )


def _over_concession(clauses: Clauses, at: int) -> int:
    """The first of the words that make an adjunct a concession ("at least in the version of May")."""
    while at > 1 and clauses.words[at - 1] in cues().words["conceding"]:
        at -= 1
    return at


def _speaks(clauses: Clauses, first: int, that: int) -> bool:
    """True if a plain report stands before a clause ("The accused told the court that S"), not what proves it."""
    found = [predicate for word in clauses.words[first:that] if (predicate := cues().predicates.get(word))]
    return any(predicate.name == "report" for predicate in found)


def _shaky_subject(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses said by an unreliable source, with any verb ("An unsigned letter has it that S")."""
    for that in (k for k, word in enumerate(clauses.words) if word == "that"):
        first = clauses.first[that]
        verb = next((k for k in range(first, that) if clauses.words[k] in cues().words["auxiliaries"]), that)
        stop = min(verb, first + _NEAR)
        if that - first > _ADJUNCT or that - first < 3 or clauses.at(that + 1) in cues().words["auxiliaries"]:
            continue
        relative = clauses.words[that - 1] in cues().words["telling"] and that - first <= _OPENING
        partial = not cues().words["partial"].isdisjoint(clauses.words[first:stop]) and _speaks(clauses, first, that)
        if clauses.words[first] in {"someone", "somebody"} or partial:
            yield Claimed("alleged", that + 1, len(clauses) - 1, (first, that))
        elif not relative and (kind := text_kind(clauses, first, stop - 1)):
            yield Claimed(kind, that + 1, len(clauses) - 1, (first, that))


_LABELS = frozenset({"answer", "reply", "response", "quote"})
"""Imperatives that label what follows a colon ("Answer: yes") more often than they order it."""
_OF_THINGS = frozenset({"write", "repeat", "quote", "cite", "return", "output", "summarise", "summarize"})
"""Imperatives that are not said to a person: what stands behind them is a thing."""
_PEOPLE = frozenset({"you", "we", "they", "he", "she", "i"})
_TOLD_WITHIN = 8
"""Tokens behind an imperative among which that begins which it orders to say."""


def orders(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses that a reader or a model is told to say, also by way of forgetting what it was told before."""
    words = cues().words
    end = len(clauses) - 1
    telling = words["ignore"] | words["say"] | {"you"}
    for at, word in enumerate(clauses.words):
        if word not in telling:
            continue
        begun = next(
            (k + 1 for k in range(at - 1, max(-1, at - 9), -1) if clauses.words[k] in "!;,?"), clauses.first[at]
        )
        before = clauses.words[begun:at]
        if word in words["ignore"] and len(before) < 5:
            told = ignored(clauses, at)
            if told and told < end:
                yield Claimed("ordered", told + 1, end, (at, told))
        if word in words["say"] and clauses.at(at - 1) in words["bound"] and {"i", "we"}.isdisjoint(before):
            that = next((k for k in range(at + 1, min(end, at + 4)) if clauses.words[k] == "that"), None)
            if that and clauses.words[at - 2] not in words["joins"]:
                yield Claimed("ordered", that + 1, end, (at - 1, that))
        addressed = {"i", "you"}.isdisjoint(before) or not words["forcing"].isdisjoint(before)
        if not addressed or before[:1] == ("to",) or not all(ahead in words["before"] for ahead in before):
            continue
        if word in words["say"] and (that := _told(clauses, at, before)) is not None:
            yield Claimed("ordered", that, end, (begun, that - 1))
        if word == "you" and gives_role(clauses.text[clauses.spans[at][0] :]):
            yield Claimed("ordered", at + 3, end, (at, at + 2))


def suppositions(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses that a reader is asked to suppose ("Imagine that S")."""
    for at, word in enumerate(clauses.words):
        before = clauses.words[clauses.first[at] : at]
        if word not in cues().words["suppose"] or not all(ahead in cues().words["inviting"] for ahead in before):
            continue
        within = next(
            (
                k
                for k in range(at + 2, min(clauses.last[at], at + 7))
                if clauses.words[k] in {"which", "where", "whose"}
            ),
            None,
        )
        if within:
            yield Claimed("hypothetical", within + 1, len(clauses) - 1, (at, within))
            continue
        that = at + 2 if clauses.at(at + 1) == "that" else at + 3 if clauses.at(at + 2) == ":" else at + 1
        if that > at + 1 or clauses.finite(at + 1, clauses.last[at]):
            yield Claimed("hypothetical", that, len(clauses) - 1, (at, min(that, len(clauses)) - 1))


def _told(clauses: Clauses, at: int, before: tuple[str, ...]) -> int | None:
    """Where that begins which an imperative orders to say."""
    words = cues().words
    for after in range(at + 1, min(len(clauses), at + _TOLD_WITHIN)):
        word = clauses.words[after]
        if word == ":" and after == at + 1 and clauses.words[at] in _LABELS:
            return None
        if word == "that" and _of_a_thing(clauses, at, after):
            continue
        if word == "that" or (word in {":", '"', "\u201c"} and clauses.words[at] in words["aloud"]):
            return after + 1
        if word in {"as", "like"} and clauses.words[at] in {"act", "behave", "pretend", "respond", "answer"}:
            return after + 1
        plain = before in {(), ("please",), ("now",), ("always",), ("just",)} and word not in words["auxiliaries"]
        if word not in words["after"] and (not plain or word in words["joins"] or word in words["pronouns"]):
            break
    forced = not words["forcing"].isdisjoint(before) or clauses.words[at] == "pretend"
    return at + 1 if forced and clauses.finite(at + 1, clauses.last[at]) else None


def _of_a_thing(clauses: Clauses, at: int, that: int) -> bool:
    """True if "that" only says which thing is meant: "write the date that you stored it", not "the words that S"."""
    words, thing = cues().words, clauses.words[that - 1]
    named = that > at + 2 and clauses.words[at + 1] in words["determiners"] and clauses.words[at] in _OF_THINGS
    telling = ("telling", "records", "content_nouns", "actual", "text")
    own = clauses.at(that + 1) in _PEOPLE  # "a poem that says that S" orders it
    return named and own and not any(thing in words[name] for name in telling)
