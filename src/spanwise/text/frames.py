"""Frames of a sentence: the clauses that it denies, doubts, reports as opinion, asks, orders or makes conditional.

"It has not been established that the drug is safe" does not say that the drug is safe; "It is clear that the drug is
safe" does. The signatures of predicates, by which a clause holds or not when they are affirmed and when they are
negated, follow the literature on factive and implicative predicates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from spanwise.text.addressed import addressed, gives_role, ignored
from spanwise.text.clauses import Clauses, read_clauses
from spanwise.text.complements import Claimed, complements, is_noun, verdict
from spanwise.text.cues import cues, match_phrase

FrameKind = Literal[
    "denied", "doubted", "alleged", "asked", "ordered", "conditional", "hypothetical", "superseded", "restricted"
]
LONGEST = 2000
"""Characters of a sentence that are read."""
_WORD = re.compile(r"[a-z]+(?:['\u2019-][a-z]+)*")
_LABEL = re.compile(r"[\W_]*([A-Za-z][A-Za-z ]{0,24}?)[ #]*\d{0,3}[ *_]*[:\u2014\u2013][\s*_]*(?=\S)")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_TURNED = ("Had ", "Were ", "You are now")
_TIMES = frozenset({"until", "till", "provided"})
_LONGEST_HEADING = 9
_BALANCE = frozenset({"fact", "facts", "truth", "truths", "reality", "vs", "versus"})
"""Words of headings of sections that hold true lines as well."""
_FEWEST = 3
"""Tokens of a statement that a verdict behind it may speak of."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A stretch of a sentence that the sentence does not simply assert."""

    kind: FrameKind
    start: int
    """Range of the clause that does not simply hold."""
    end: int
    cue: tuple[int, int]
    """Range of the words that make it so; of a restriction, with what it is restricted to ("only in June")."""


@lru_cache(maxsize=8192)
def frames(sentence: str) -> tuple[Frame, ...]:
    """The frames of one sentence, in order; those of nested clauses lie within each other."""
    text = sentence[:LONGEST]
    words = _WORD.findall(text.lower().replace("\u2019", "'"))
    triggered = (
        text.startswith(_TURNED)
        or not cues().triggers.isdisjoint(words)
        or not cues().turning.isdisjoint(words)
        or "n't" in text
    )
    if not triggered and "?" not in text and ":" not in text and "\u2014" not in text and "\u2013" not in text:
        return ()
    clauses = read_clauses(text)
    found = {
        Frame(cast(FrameKind, claimed.kind), *span, cue)
        for finder in _FINDERS
        for claimed in finder(clauses)
        if (span := clauses.range(claimed.first, claimed.last))
        and (cue := (clauses.spans[claimed.cue[0]][0], clauses.spans[claimed.cue[1]][1]))
    }
    return tuple(sorted([*found, *_labelled(text)], key=lambda frame: (frame.start, -frame.end, frame.kind, frame.cue)))


def heading_frame(heading: str) -> FrameKind | None:
    """The kind of frame that a heading puts all lines of its section under ("Common myths", "Superseded draft")."""
    words = tuple(_WORD.findall(heading.lower()))
    if len(words) > _LONGEST_HEADING or heading.rstrip().endswith((".", "?")) or _BALANCE & set(words):
        return None
    found = (
        kind
        for at, word in enumerate(words)
        for phrase, kind in cues().headings.get(word, ())
        if match_phrase(phrase, words, at)
    )
    return cast(FrameKind | None, next(found, None))


def _labelled(text: str) -> Iterator[Frame]:
    """A label in front of the sentence ("Myth:")."""
    label = _LABEL.match(text)
    kind = label and cues().labels.get(label[1].lower().strip())
    if label and kind:
        yield Frame(cast(FrameKind, kind), label.end(), len(text.rstrip()), label.span(1))


def _questions(clauses: Clauses) -> Iterator[Claimed]:
    """Direct questions, unless they presuppose what they say ("Did you know that S?"), and "whether"."""
    words, start = cues().words, 0
    for at, word in enumerate(clauses.words):
        if word == "?":
            if words["factive"].isdisjoint(clauses.words[start:at]) or "that" not in clauses.words[start:at]:
                yield Claimed("asked", start, at - 1, (at, at))
            start = at + 1
        elif word in "!;" or (word == '"' and start == at):
            start = at + 1
        elif word == "whether":
            last = clauses.last[at]
            begin = at + 3 if clauses.words[at + 1 : at + 3] == ("or", "not") else at + 1
            comma = clauses.main_comma(at, last) if clauses.first[at] == at or clauses.words[at - 1] in ",(" else None
            yield Claimed("asked", begin, comma or last, (at, at))


def _conditions(clauses: Clauses) -> Iterator[Claimed]:
    """A condition and what depends on it, both under the condition's conjunction."""
    held = cues()
    for at, word in enumerate(clauses.words):
        if word not in held.conditions and word not in held.words["subject_turned"] and word not in _TIMES:
            continue
        first, last = clauses.first[at], clauses.last[at]
        behind = next(
            (end for phrase in held.conditions.get(word, ()) if (end := match_phrase(phrase, clauses.words, at))), None
        )
        opens = all(before in held.words["opening"] for before in clauses.words[first:at])
        turned = opens and word in held.words["subject_turned"] and not clauses.text.rstrip().endswith("?")
        if word in {"until", "till"} and opens and clauses.finite(at + 1, clauses.main_comma(at, last) or last):
            behind = at + 1
        if word == "provided" and behind is None and (opens or clauses.at(at - 1) == ","):
            behind = at + 1 if clauses.at(at + 1) in held.words["determiners"] else None
        if behind is None and turned and (comma := clauses.main_comma(at, last)):
            kind = "conditional" if word == "should" else "hypothetical"
            yield Claimed(kind, at + 1, comma, (at, at))
            yield Claimed(kind, comma + 1, last, (at, at))
        if behind is None or clauses.at(behind) in held.words["idle_before"] or clauses.at(behind)[:1].isdigit():
            continue
        yield from _condition(clauses, at, behind, opens)


def _condition(clauses: Clauses, at: int, behind: int, opens: bool) -> Iterator[Claimed]:
    known, first, last = cues().words, clauses.first[at], clauses.last[at]
    cue, before = (at, behind - 1), clauses.at(at - 1)
    if clauses.words[at] == "if" and before in {"as", "even"}:
        yield Claimed("hypothetical" if before == "as" else "conditional", behind, last, (at - 1, at))
        return
    if clauses.words[at] == "if" and not known["asked_after"].isdisjoint(clauses.words[max(first, at - 3) : at]):
        yield Claimed("asked", behind, last, cue)
        return
    if opens:
        comma = clauses.main_comma(at, last)
        if comma is None and "then" in clauses.words[behind:last]:
            comma = clauses.words.index("then", behind)
        if comma is None and last + 1 < len(clauses) and clauses.at(last) == ",":
            comma, last = last, clauses.last[last + 1]
        yield Claimed("conditional", behind, comma or last, cue)
        if comma:
            yield Claimed("conditional", comma + 1, last, cue)
        return
    closing = next((k for k in range(behind, last) if clauses.words[k] == ","), last) if before == "," else last
    yield Claimed("conditional", behind, closing, cue)
    begun = first if at > first or clauses.at(at - 1) in {"(", "\u2014"} else max(0, first - 1)
    yield Claimed("conditional", clauses.first[begun], at - 1, cue)
    yield Claimed("conditional", closing + 1, last, cue)


def _phrases(clauses: Clauses) -> Iterator[Claimed]:
    """Phrases that frame the clause they stand in ("allegedly", "in the hypothetical case", "only in June")."""
    held = cues()
    stops = held.words["auxiliaries"] | {",", "and", "but", "or"}
    for at, word in enumerate(clauses.words):
        for phrase, kind in held.clauses.get(word, ()):
            end = match_phrase(phrase, clauses.words, at)
            if end is None or (at and clauses.words[at - 1] in {"not", "nor"}):
                continue
            first, last = clauses.first[at], clauses.last[at]
            if word.startswith("would") and (clauses.at(end) == "to" or clauses.at(end) in held.words["determiners"]):
                continue
            if word == "formerly" and clauses.at(at - 1) in {",", "(", "\u2014"}:
                first, last = at, next((k for k in range(at, last) if clauses.words[k] == ","), last)
            if kind == "restricted":
                if clauses.at(end) == "as":
                    continue
                end = next((k for k in range(end, last + 1) if clauses.words[k] in stops), last + 1)
            if word != "formerly" and clauses.at(first - 1) in {",", "\u2014"} and at - first < 2:
                first = clauses.first[first - 1]
            if word == "since":
                first, last = 0, len(clauses) - 1
            yield Claimed(kind, first, last, (at, end - 1))


def _superseded(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses about an earlier text ("The previous policy allowed S"), a past habit, or a time that is over."""
    words = cues().words
    for at, word in enumerate(clauses.words):
        first, last = clauses.first[at], clauses.last[at]
        if word in words["old"] and at - first <= _FEWEST and clauses.at(at + 1) not in words["determiners"]:
            text = next((k for k in (at + 1, at + 2) if clauses.at(k) in words["text"]), None)
            if text and text < last:
                yield Claimed("superseded", first, last, (at, text))
        elif word == "used" and clauses.at(at + 1) == "to" and clauses.at(at - 1) not in words["be"]:
            plain = words["auxiliaries"].isdisjoint(clauses.words[first:at])
            near = 0 < at - first <= _FEWEST + 1
            subject = clauses.at(at - 1) in words["pronouns"] or clauses.at(at + 2) in {"be", "have"}
            if plain and (subject or (near and words["auxiliaries"].isdisjoint(clauses.words[at : last + 1]))):
                yield Claimed("superseded", first, last, (at, at + 1))
        elif word in {"until", "till", "before"} and _YEAR.fullmatch(clauses.at(at + 1)):
            past = {"was", "were", "had", "could"} & set(clauses.words[first : last + 1])
            if past and (at == first or (word != "before" and "not" not in clauses.words[first:at])):
                yield Claimed("superseded", first, last, (at, at + 1))


def _orders(clauses: Clauses) -> Iterator[Claimed]:
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
        addressed = {"i", "you"}.isdisjoint(before) or not words["forcing"].isdisjoint(before)
        if not addressed or before[:1] == ("to",) or not all(ahead in words["before"] for ahead in before):
            continue
        if word in words["say"] and (that := _told(clauses, at, before)) is not None:
            yield Claimed("ordered", that, end, (begun, that - 1))
        if word == "you" and gives_role(clauses.text[clauses.spans[at][0] :]):
            yield Claimed("ordered", at + 3, end, (at, at + 2))


def _suppositions(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses that a reader is asked to suppose ("Imagine that S")."""
    for at, word in enumerate(clauses.words):
        before = clauses.words[clauses.first[at] : at]
        if word not in cues().words["suppose"] or before not in {(), ("let", "us"), ("let's",), ("so",), ("now",)}:
            continue
        that = at + 2 if clauses.at(at + 1) == "that" else at + 3 if clauses.at(at + 2) == ":" else at + 1
        if that > at + 1 or clauses.finite(at + 1, clauses.last[at]):
            yield Claimed("hypothetical", that, len(clauses) - 1, (at, min(that, len(clauses)) - 1))


def _told(clauses: Clauses, at: int, before: tuple[str, ...]) -> int | None:
    """Where that begins which an imperative orders to say."""
    words = cues().words
    for after in range(at + 1, min(len(clauses), at + 6)):
        word = clauses.words[after]
        if word == "that" or (word in {":", '"', "\u201c"} and clauses.words[at] in words["aloud"]):
            return after + 1
        if word in {"as", "like"} and clauses.words[at] in {"act", "behave", "pretend", "respond", "answer"}:
            return after + 1
        if word not in words["after"]:
            break
    forced = not words["forcing"].isdisjoint(before) or clauses.words[at] == "pretend"
    return at + 1 if forced and clauses.finite(at + 1, clauses.last[at]) else None


def _afterthoughts(clauses: Clauses) -> Iterator[Claimed]:
    """Verdicts on what was just said ("S, which is not true") and sources behind it ("S, critics claim")."""
    held = cues()
    for at, word in enumerate(clauses.words):
        first, last, before = clauses.first[at], clauses.last[at], clauses.at(at - 1)
        parted = at > 1 and (at == first or before in {",", "but", "yet", "and"})
        begun = first if at > first + 1 else (clauses.first[first - 1] if first else 0)
        if before in {"but", "yet", "and"} and at - 1 == first and first:
            begun = clauses.first[first - 1]
        if (
            word in held.words["anaphora"]
            and parted
            and (said := verdict(clauses, at + 1))
            and said.kind not in {"", "superseded"}
        ):
            yield Claimed(said.kind, begun, at - 2, (at, said.last))
        elif word in held.words["be"] and at - first >= _FEWEST and (said := verdict(clauses, at)) and said.kind:
            noun = said.noun and said.kind in {"denied", "alleged"}
            if noun or clauses.words[first] in {"that", '"', "\u201c"} or clauses.words[at - 1] in {'"', "\u201d"}:
                yield Claimed(said.kind, first, at - 1, (at, said.last))
        elif parted and before not in {"but", "yet", "and"} and (named := _source(clauses, at)) is not None:
            yield Claimed(named.kind, begun, at - 1, named.cue)
            yield Claimed(named.kind, named.last, last, named.cue)


def _source(clauses: Clauses, at: int) -> Claimed | None:
    """A short clause that names who thinks so ("critics claim"), or an apposition that judges ("a myth")."""
    held = cues()
    last = clauses.last[at]
    for end in range(at, min(last, at + 5) + 1):
        word = clauses.words[end]
        predicate = held.predicates.get(word)
        over = end + 1 > last or clauses.at(end + 1) in {",", ")", "?"} or end + 1 >= len(clauses)
        apposed = clauses.words[at] in {"a", "an"} and end <= at + 3
        if predicate and predicate.name in {"opinion", "negative", "rumoured"}:
            if apposed and not word.endswith("ed"):
                said = verdict(clauses, end + 2) if clauses.at(end + 1) in {"that", "which"} else None
                kind = said.kind if said and said.kind else predicate.affirmed
                return Claimed(kind, at, last + 1, (at, said.last if said else end))
            if over and word in held.verbs and not is_noun(clauses, end) and (end > at or clauses.at(at - 2) == "so"):
                return Claimed(predicate.affirmed, at, end + 1, (at, end))
            alone = all(k in held.words["adverbs"] or k in held.words["negators"] for k in clauses.words[at:end])
            if over and predicate.name == "negative" and alone and clauses.at(at - 1) in {"\u2014", "\u2013", "-", "("}:
                return Claimed("denied", at, end + 1, (at, end))
        if (word in held.words["auxiliaries"] and clauses.words[at] != "it") or word in {",", "that"}:
            return None
    return None


_FINDERS: tuple[Callable[[Clauses], Iterator[Claimed]], ...] = (
    complements,
    _questions,
    _conditions,
    _phrases,
    _superseded,
    _orders,
    _suppositions,
    _afterthoughts,
    addressed,
)
