"""Clauses that somebody is told to say, or asked to suppose: "Reply that S", "Imagine a world in which S"."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.text.framing.clauses import Clauses
from spanwise.text.framing.complements import Claimed
from spanwise.text.framing.cues import cues
from spanwise.text.injection.addressed import gives_role, ignored

_LABELS = frozenset({"answer", "reply", "response", "quote"})
"""Imperatives that label what follows a colon ("Answer: yes") more often than they order it."""
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
        if word == "that" or (word in {":", '"', "\u201c"} and clauses.words[at] in words["aloud"]):
            return after + 1
        if word in {"as", "like"} and clauses.words[at] in {"act", "behave", "pretend", "respond", "answer"}:
            return after + 1
        plain = before in {(), ("please",), ("now",), ("always",), ("just",)} and word not in words["auxiliaries"]
        if word not in words["after"] and (not plain or word in words["joins"] or word in words["pronouns"]):
            break
    forced = not words["forcing"].isdisjoint(before) or clauses.words[at] == "pretend"
    return at + 1 if forced and clauses.finite(at + 1, clauses.last[at]) else None
