"""Frames of a sentence: the clauses that it denies, doubts, reports as opinion, asks, orders or makes conditional.

"It has not been established that the drug is safe" does not say that the drug is safe; "It is clear that the drug is
safe" does. The signatures of predicates, by which a clause holds or not when they are affirmed and when they are
negated, follow the literature on factive and implicative predicates.

Whether a sentence answers is relative to a question: frames that it does not ask for give no evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, cast

from spanwise.text.fold import folded, stands_in
from spanwise.text.framing.asides import asides, orders, suppositions
from spanwise.text.framing.comments import comment_kind, comments
from spanwise.text.framing.complements import Claimed, complements, is_relative, negation
from spanwise.text.framing.cues import cues, match_phrase
from spanwise.text.framing.segments import Clauses, read_clauses
from spanwise.text.injection.addressed import addressed
from spanwise.text.patterns import AUXILIARIES, QUESTION_WORDS
from spanwise.text.terms import placed_terms, stem, terms

FrameKind = Literal[
    "denied", "doubted", "alleged", "asked", "ordered", "conditional", "hypothetical", "superseded", "restricted"
]
LONGEST = 2000
"""Characters of a sentence that are read."""
_WORD = re.compile(r"[a-z]+(?:['\u2019-][a-z]+)*")
_LABEL = re.compile(r"[\W_]*([A-Za-z][A-Za-z ]{0,24}?)[ #]*\d{0,3}[ *_]*[:\u2014\u2013][\s*_]*(?=\S)")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_PLACED = ("In ", "By ", "On ", "From ", "According ")
_TURNED = ("Had ", "Were ", "You are now")
_TIMES = frozenset({"until", "till", "provided"})
_EMBEDDED = 8
"""Tokens at the beginning of a framed clause among which a clause of its own may begin."""
_LONGEST_HEADING = 9
_LONGEST_COMMENT, _OPENING = 70, 10
_COMMENTING = frozenset({"this", "that", "so", "nothing", "none", "nobody", "no"})
"""Words that a comment on the sentence before begins with."""
_BALANCE = frozenset({"fact", "facts", "truth", "truths", "reality", "vs", "versus"})
"""Words of headings of sections that hold true lines as well."""
_FEWEST = 3
"""Tokens of a statement that a verdict behind it may speak of."""
_SAYING = frozenset("say says said tell tells told".split())
_UNNAMED = frozenset("some others many certain several".split())
"""Words with which a clause begins that names nobody: "some members say that S"."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A stretch of a sentence that the sentence does not simply assert."""

    kind: FrameKind
    start: int
    """Range of the clause that does not simply hold."""
    end: int
    cue: tuple[int, int]
    """Range of the words that make it so; of a restriction, with what it is restricted to ("only in June")."""


@lru_cache(maxsize=2048)
def frames(sentence: str) -> tuple[Frame, ...]:
    """The frames of one sentence, in order; those of nested clauses lie within each other."""
    text = sentence[:LONGEST]
    words = _WORD.findall(text.lower().replace("\u2019", "'"))
    triggered = (
        text.startswith(_TURNED)
        or not cues().triggers.isdisjoint(words)
        or not cues().turning.isdisjoint(words)
        or "n't" in text
        or " or so " in text
        or (" that " in text and ("case" in words or _has_any(words, "sides", "proving")))
        or (text.startswith(_PLACED) and _has_any(words, "worlds", "versions", "views"))
    )
    if not triggered and "?" not in text and ":" not in text and "\u2014" not in text and "\u2013" not in text:
        return ()
    clauses = read_clauses(text)
    found = {
        Frame(cast(FrameKind, claimed.kind), *span, cue)
        for finder in _FINDERS
        for outer in finder(clauses)
        for claimed in (outer, *_projected(clauses, outer))
        if (span := clauses.range(claimed.first, claimed.last))
        and (cue := (clauses.spans[claimed.cue[0]][0], clauses.spans[claimed.cue[1]][1]))
    }
    return tuple(sorted([*found, *_labelled(text)], key=lambda frame: (frame.start, -frame.end, frame.kind, frame.cue)))


def _has_any(words: Sequence[str], *lists: str) -> bool:
    """True if some word is in one of the lists."""
    return not all(cues().words[name].isdisjoint(words) for name in lists)


def _projected(clauses: Clauses, outer: Claimed) -> Iterator[Claimed]:
    """Clauses embedded in a framed clause, unless presupposed ("Should it turn out that S")."""
    if outer.first != outer.cue[1] + 1 or outer.kind not in {"conditional", "hypothetical", "asked", "ordered"}:
        return
    for at in range(outer.first + 1, min(len(clauses), outer.first + _EMBEDDED)):
        if clauses.words[at] in cues().words["factive"] or clauses.words[at] in {",", ";"}:
            return
        if clauses.words[at] == "that" and clauses.at(at + 1) not in cues().words["auxiliaries"]:
            yield Claimed(outer.kind, at + 1, max(outer.last, clauses.last[at]), (outer.cue[0], at))
            return


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


@lru_cache(maxsize=2048)
def comment_frame(sentence: str) -> FrameKind | None:
    """The kind of frame that a sentence puts the one before it under ("This statement was withdrawn.")."""
    opening = sentence.lstrip()[:_OPENING].split(maxsplit=1)
    if len(sentence) > _LONGEST_COMMENT or not opening or opening[0].lower() not in _COMMENTING:
        return None
    return cast(FrameKind | None, comment_kind(read_clauses(sentence)) or None)


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
        elif behind is None and turned and "," in clauses.words[at:last]:  # which comma ends it is not plain
            yield Claimed("conditional" if word == "should" else "hypothetical", at + 1, last, (at, at))
        idle = clauses.at(behind or 0) in held.words["idle_before"] and clauses.at((behind or 1) - 1) != "that"
        if behind is None or idle or clauses.at(behind)[:1].isdigit():
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


def _unknown_heads(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses behind words in no list of predicates."""
    words = cues().words
    turned = not cues().turning.isdisjoint(clauses.words) or any(word.endswith("n't") for word in clauses.words)
    for that in (k for k, word in enumerate(clauses.words) if word == "that"):
        head, first = clauses.at(that - 1), clauses.first[that]
        if that - first < 2 or head in words["factive"] or is_relative(clauses, that):
            continue
        falsely = next((k for k in range(max(first, that - 3), that) if clauses.words[k] in words["falsely"]), None)
        if falsely is not None:
            yield Claimed("denied", that + 1, clauses.last[that], (falsely, that))
        elif head in words["telling"] or head in words["text"]:
            made_up = next((k for k in range(max(first, that - 4), that - 1) if _disowned(clauses.words[k])), None)
            if made_up is not None and not negation(clauses, made_up, noun=False)[0]:
                yield Claimed("denied", that + 1, clauses.last[that], (made_up, that))
        elif turned and head not in cues().predicates and (negated := negation(clauses, that - 1, noun=False))[0]:
            so = head == "so" and clauses.words[that - 2] == "not" and clauses.at(that - 3) in words["be"]
            if not clauses.finite(that + 1, clauses.last[that]) or head in words["prepositions"]:
                continue
            if so or (head not in words["indifferent"] and not _nominal(clauses, that - 1)):
                yield Claimed("denied", that + 1, clauses.last[that], (negated[1], that))
        elif _unknown_verb(clauses, that - 1) or (head in _SAYING and clauses.words[first] in _UNNAMED):
            yield Claimed("alleged", that + 1, clauses.last[that], (that - 1, that))


def _disowned(word: str) -> bool:
    predicate = cues().predicates.get(word)
    return predicate is not None and predicate.name == "negative"


def _nominal(clauses: Clauses, at: int) -> bool:
    """True if a word is in a position of nouns and adjectives only."""
    words, before = cues().words, clauses.at(at - 1)
    return (
        not before[:1].isalpha()
        or before in words["determiners"] - words["subjects"]
        or before in words["prepositions"] - {"to"}
        or before in words["joins"] - {"not", "who", "which", "that"}
        or before in words["noun_adjectives"]
    )


def _unknown_verb(clauses: Clauses, at: int) -> bool:
    """True if a word that no list has ends as a verb does and is the first verb of its clause."""
    held, verb, first = cues(), clauses.words[at], clauses.first[at]
    if not verb.endswith(("ed", "s")) or verb.endswith(("ss", "'s", "us")) or _nominal(clauses, at):
        return False
    if verb in held.predicates or verb in held.words["asserting"] or verb in held.words["auxiliaries"]:
        return False
    before = clauses.words[at - 1]
    if before in held.words["be"] or before.endswith("ly") or clauses.words[first] in held.words["prepositions"]:
        return False
    follows = clauses.at(at + 2)
    subject = follows in held.words["pronouns"] or follows in held.words["determiners"]
    alone = at - first == 2 and clauses.words[first] in held.words["determiners"]
    return (alone or (subject and verb.endswith("ed"))) and not clauses.finite(first, at - 1)


_FINDERS: tuple[Callable[[Clauses], Iterator[Claimed]], ...] = (
    complements,
    _unknown_heads,
    _questions,
    _conditions,
    _phrases,
    _superseded,
    orders,
    addressed,
    suppositions,
    comments,
    asides,
)


WITHHELD: frozenset[FrameKind] = frozenset({"denied", "asked", "hypothetical", "superseded"})
"""Kinds of frames whose clauses answer no plain question; what is ordered is no evidence at all (`orders`)."""
_QUESTION_WORD = re.compile(r"[a-z]+(?:['\u2019-][a-z]+)*|\d+")
_QUESTION = re.compile(rf"\W*(?:q|question)?\W*(?:{QUESTION_WORDS}|{AUXILIARIES})\b", re.IGNORECASE)
_PAST = frozenset({"was", "were", "did", "had", "used"})
_NO_LONGER = re.compile(r"(?:no|not)\b", re.IGNORECASE)
_SUPPOSING = frozenset({"would", "could", "might", "if"})


def unasked(sentence: str, question: str) -> tuple[Frame, ...]:
    """The frames of a sentence whose cue the question lacks: "What is alleged ..." asks for what is alleged."""
    found = frames(sentence)
    if not found:
        return ()
    asked = frozenset(_QUESTION_WORD.findall(question.lower()))
    stems = frozenset(map(stem, asked))
    return tuple(one for one in found if not _asked_for(one, sentence, asked, stems))


def withheld(sentence: str, question: str, section: str = "", kinds: frozenset[FrameKind] = WITHHELD) -> bool:
    """True if what a sentence says of a question stands in a frame of it, or in a section, that answers nothing."""
    if section and heading_frame(section) in kinds and _heading_stays(section, question):
        return True
    found = _withholding(sentence, question, kinds)
    return bool(found) and holds_most(found, sentence, frozenset(terms(question)))


def _withholding(sentence: str, question: str, kinds: frozenset[FrameKind]) -> list[Frame]:
    """The frames of a sentence whose clauses do not answer a question."""
    return [
        one
        for one in unasked(sentence, question)
        if ("denied" if is_over(one, sentence) else one.kind) in kinds and not _quoted_question(one, sentence)
    ]


def is_over(frame: Frame, sentence: str) -> bool:
    """True if what was so is denied for today: "Dogs are no longer allowed"."""
    return frame.kind == "superseded" and _NO_LONGER.match(sentence, frame.cue[0]) is not None


def _quoted_question(frame: Frame, sentence: str) -> bool:
    """True if a direct question is asked within a sentence that does not begin with it."""
    return sentence[slice(*frame.cue)] == "?" and _QUESTION.match(sentence) is None


def holds_most(found: Iterable[Frame], sentence: str, wanted: frozenset[str]) -> bool:
    """True if most of the wanted stems that a sentence has stand nowhere outside of some of its frames."""
    ranges = [(one.start, one.end) for one in found]
    placed = [(place, term) for place, term in placed_terms(sentence) if term in wanted]
    free = {term for place, term in placed if not any(start <= place < end for start, end in ranges)}
    return bool(placed) and 2 * len(free) < len({term for _, term in placed})


def in_a_condition(sentence: str, question: str) -> bool:
    """True if what a sentence says of a question is what it makes a condition of: "If X is still supplied, ..."."""
    conditions = [one for one in unasked(sentence, question) if one.kind == "conditional"]
    # Both clauses hang together; the condition is the one that the cue stands right before.
    inside = [one for one in conditions if 0 <= one.start - one.cue[1] <= 1]
    return bool(inside) and holds_most(inside, sentence, frozenset(terms(question)))


def only_framed(words: str, sentence: str, question: str) -> bool:
    """True if some folded words stand in a sentence only where it denies, asks, supposes or withdraws them."""
    found = _withholding(sentence, question, WITHHELD)
    rest = sentence
    for one in found:
        rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    inside = any(stands_in(words, folded(sentence[one.start : one.end])) for one in found)
    return inside and not stands_in(words, folded(rest))


def _asked_for(frame: Frame, sentence: str, asked: frozenset[str], stems: frozenset[str]) -> bool:
    """True if the question has the words that make a frame, or asks for what its kind is about."""
    if frame.kind == "superseded" and not _PAST.isdisjoint(asked):
        return True
    if frame.kind in {"hypothetical", "conditional"} and not _SUPPOSING.isdisjoint(asked):
        return True
    if frame.kind == "denied" and not cues().words["negators"].isdisjoint(asked):
        return True
    cue = _QUESTION_WORD.findall(sentence[slice(*frame.cue)].lower())
    telling = [word for word in cue if word not in _function_words()] or cue
    return bool(telling) and all(stem(word) in stems for word in telling)


def _heading_stays(section: str, question: str) -> bool:
    """True if a heading still frames its section without the words that the question has as well."""
    stems = frozenset(map(stem, _QUESTION_WORD.findall(question.lower())))
    if heading_frame(section) == "superseded" and not _PAST.isdisjoint(_QUESTION_WORD.findall(question.lower())):
        return False
    kept: Sequence[str] = [word for word in _QUESTION_WORD.findall(section.lower()) if stem(word) not in stems]
    return heading_frame(" ".join(kept)) is not None


@cache
def _function_words() -> frozenset[str]:
    words = cues().words
    return words["determiners"] | words["prepositions"] | words["pronouns"] | words["auxiliaries"] | words["joins"]
