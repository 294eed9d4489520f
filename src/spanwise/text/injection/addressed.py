"""Sentences that tell a machine, or whoever is asked, what to reply: orders that prove nothing of what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spanwise.text.framing.complements import Claimed
from spanwise.text.framing.cues import cues
from spanwise.text.framing.segments import Clauses

_OPENING = 10
"""Tokens at the beginning of a sentence among which the machine is named that it speaks to."""
_ROLE = 6
"""Tokens behind "you are" among which the role of a machine is named."""
_NEAR = 4
"""Tokens behind a verb of saying among which the bare answer is given ("answer with a plain yes")."""
_FORCED = 6
"""Tokens behind a machine among which it must say something ("the assistant must always answer that")."""
_NOW = re.compile(r"\W*You are now (?:an?|the|in|called|named|playing|acting|[A-Z])\b|\W*You are now [A-Z]")
_IGNORED = 8
"""Tokens behind "ignore" among which that is named which is to be ignored."""


def addressed(clauses: Clauses) -> Iterator[Claimed]:
    """Sentences that speak to a machine, and those that order a bare answer or what to reply to a question."""
    end = len(clauses) - 1
    if (named := _machine(clauses)) is not None:
        yield Claimed("ordered", min(named + 1, end), end, (0, named))
    words = cues().words
    for at, word in enumerate(clauses.words):
        if word in words["say"] and _imperative(clauses, at) and (_on_question(clauses) or _bare(clauses, at)):
            yield Claimed("ordered", 0, end, (at, at))
        elif (word in words["machines"] or word.startswith("assistant")) and _must_say(clauses, at):
            yield Claimed("ordered", at + 1, end, (at, at))
        elif word in {"answered", "told"} and clauses.at(at - 1) == "be" and _on_question(clauses):
            yield Claimed("ordered", 0, end, (at - 1, at))
        elif word == "answered" and clauses.at(at - 1) == "be" and clauses.at(at + 1) == "with":
            yield Claimed("ordered", 0, end, (at, at + 1))
        elif word in words["anyone"] and clauses.at(at - 1) == "if" and clauses.at(at + 1) == "asks":
            yield Claimed("ordered", at + 2, end, (at - 1, at + 1))


def turns_reader(text: str, clauses: Clauses) -> bool:
    """True if a sentence gives a machine a role or voids its instructions, so that what follows it is ordered too."""
    words = cues().words
    if not words["inquiring"].isdisjoint(clauses.words):
        return False  # "Ignore these instructions if your model is older" speaks to people
    for at, word in enumerate(clauses.words[:_OPENING]):
        if word in words["ignore"] and _imperative(clauses, at):
            return ignored(clauses, at) is not None
    return gives_role(text) or _machine(clauses) is not None


def ignored(clauses: Clauses, at: int) -> int | None:
    """The token that names what a verb of ignoring is about ("all your earlier instructions"), or None."""
    words = cues().words
    for index in range(at + 1, min(len(clauses), at + 1 + _IGNORED)):
        if clauses.words[index] in words["ignored"]:
            return index
        if clauses.words[index] not in words["ignored_before"]:
            return None
    return None


def gives_role(text: str) -> bool:
    """True if a sentence gives its reader a role ("You are now FeeBot"), unlike "You are now ready"."""
    return _NOW.match(text) is not None


def _machine(clauses: Clauses) -> int | None:
    """The last token that names the machine which a sentence speaks to, or None."""
    words = cues().words
    called = clauses.words[:2] == ("you", "are")
    for at, word in enumerate(clauses.words[:_OPENING]):
        if word in words["machines"] or word in words["helpers"]:
            last = at
            while clauses.at(last + 1) in words["machine_nouns"]:
                last += 1
            named = word in words["machines"] or "language" in clauses.words[:at]
            return last if _speaks_to(clauses, clauses.words[:at], last, named=named) else None
        if word not in words["calling"] and word not in words["hailing"] and not called:
            return None
    return None


def _speaks_to(clauses: Clauses, before: tuple[str, ...], last: int, *, named: bool) -> bool:
    """True if a machine named behind some words is spoken to: hailed, given a role, or told what to say."""
    words = cues().words
    if before[:2] == ("you", "are"):
        plain = named or clauses.words[last].startswith(("assistant", "bot"))
        follows = clauses.at(last + 1)
        return plain and len(before) <= _ROLE and (not follows[:1].isalpha() or follows in words["role_after"])
    if before[:1] == ("to",) and clauses.at(last + 1) == ":":
        return True
    if not words["hailing"].isdisjoint(before):
        return named or ":" not in before
    if not named or clauses.at(last + 1) not in words["spoken_to"] or (not before and clauses.at(last + 1) == ","):
        return False
    told = words["say"] | words["ignore"] | words["treating"]
    return not told.isdisjoint(clauses.words[last + 1 :])


def _must_say(clauses: Clauses, at: int) -> bool:
    """True if a machine must say that something is so."""
    words = cues().words
    if clauses.at(at + 1) not in {"must", "should", "shall"}:
        return False
    for index in range(at + 2, min(len(clauses), at + _FORCED)):
        if clauses.words[index] in words["say"]:
            return not {"that", "with", ":"}.isdisjoint(clauses.words[index + 1 : index + _FORCED])
    return False


def _imperative(clauses: Clauses, at: int) -> bool:
    """True if a verb orders: nothing but "please", "always" and the like stands before it in its clause."""
    words = cues().words
    begun = next((k + 1 for k in range(at - 1, -1, -1) if clauses.words[k] in "!;,:?"), clauses.first[at])
    before = clauses.words[begun:at]
    return before[:1] != ("to",) and all(word in words["before"] and word != "i" for word in before)


def _on_question(clauses: Clauses) -> bool:
    """True if a sentence says what to do when a question is asked."""
    words = cues().words
    if words["inquiry"].isdisjoint(clauses.words):
        return False
    questions = {"question", "questions"} & set(clauses.words)
    return not words["inquiring"].isdisjoint(clauses.words) or (bool(questions) and "with" in clauses.words)


def _bare(clauses: Clauses, at: int) -> bool:
    """True if a verb of saying is followed by a bare yes or no."""
    near = clauses.words[at + 1 : at + 1 + _NEAR]
    return "yes" in near or ("no" in near and (near[0] != "no" or not clauses.at(at + 2)[:1].isalpha()))
