"""Complement clauses with what their predicate says of them: "it is false that S", "no study has shown that S"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spanwise.text.framing.cues import Predicate, cues
from spanwise.text.framing.segments import Clauses

_WINDOW = 11
"""Tokens between a predicate and the "that" of its clause."""
_RULE = frozenset({"rule", "rules", "ruled", "ruling"})
_GAP = 5
"""Tokens between a noun and its "that"."""
_LEFT = 5
"""Tokens before a noun among which stands what negates it ("no convincing clinical evidence")."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """Tokens of a clause, first and last, with the kind of its frame and the first and last token of the cue."""

    kind: str
    first: int
    last: int
    cue: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The frame that a predicate after a clause gives it ("is false"); the kind is empty where it affirms it."""

    kind: str
    last: int
    noun: bool


def complements(clauses: Clauses) -> Iterator[Claimed]:
    """The clauses that a predicate of the vocabulary embeds and does not assert."""
    held = cues()
    contrary = clauses.words.index("contrary") if "contrary" in clauses.words else None
    if contrary is not None and clauses.at(contrary + 1) == "to":
        last = clauses.main_comma(contrary, clauses.last[contrary]) or clauses.last[contrary]
        yield Claimed("denied", contrary + 2, last, (contrary, contrary + 1))
    turned = not held.turning.isdisjoint(clauses.words) or any(word.endswith("n't") for word in clauses.words)
    for at, word in enumerate(clauses.words):
        predicate = held.predicates.get(word)
        if word in _RULE:
            predicate = held.predicates["exclude" if clauses.at(at + 1) == "out" else "conclude"]
        if (
            predicate is None
            or not (turned or predicate.affirmed or predicate.name == "veridical")
            or (contrary is not None and clauses.first[at] == clauses.first[contrary])
        ):
            continue
        noun = is_noun(clauses, at)
        negated, cue_from = negation(clauses, at, noun)
        found = _complement(clauses, at, predicate, noun, negated)
        if found is None:
            continue
        first, cue_to = found
        kind = predicate.negated if negated else predicate.affirmed
        if any(clauses.at(k) in held.words["falsely"] for k in range(max(0, at - 4), at)) or _erred(clauses, at):
            kind = "denied"
        last = _end(clauses, at, first)
        if noun and first > at and (judged := _judged(clauses, first, last)):
            kind, last = judged
        if not kind and predicate.name == "veridical" and (from_ := _unreached(clauses, at)) is not None:
            kind, cue_from = "doubted", from_
        if kind:
            yield Claimed(kind, first, last, (min(cue_from, at), cue_to))


def _unreached(clauses: Clauses, at: int) -> int | None:
    """The word by which a proof is only owed, tried or tempting ("must prove that S", "hopes to show that S")."""
    words = cues().words
    for index in range(at - 1, max(-1, at - 5), -1):
        word = clauses.words[index]
        if word in words["striving"] and (clauses.words[at] in words["proving"] or word in {"tempted", "inclined"}):
            return index
        if clauses.at(index - 1) == "too":  # "the data are too thin to conclude that S"
            return index - 1
        if word not in {"to", "be"} and not word.endswith("ly"):
            return None
    return None


def _end(clauses: Clauses, at: int, first: int) -> int:
    """Where a clause ends: at the comma if its predicate opens the sentence ("Far from showing that S, it ...")."""
    last = clauses.last[at]
    opens = clauses.words[at].endswith("ing") and clauses.first[at] >= at - _LEFT
    return clauses.main_comma(first, last) or last if opens else last


def _erred(clauses: Clauses, at: int) -> bool:
    """True if a report is called a mistake of the one who made it ("was mistaken when he said that S")."""
    for k in range(max(clauses.first[at], at - _LEFT), at - 1):
        predicate = cues().predicates.get(clauses.words[k])
        if predicate is not None and predicate.name == "negative" and clauses.words[k + 1] in {"when", "in", "to"}:
            return not negation(clauses, k, noun=False)[0]
    return False


def verdict(clauses: Clauses, at: int) -> Verdict | None:
    """The verdict that begins at a form of "be" ("has never been true", "is a myth"), or None."""
    held = cues()
    seen = negated = noun = False
    for index in range(at, min(len(clauses), at + 8)):
        word = clauses.words[index]
        if word in held.words["be"] or word.endswith("n't"):
            seen = True
            negated ^= word.endswith("n't")
        elif word in {"not", "never", "hardly", "no"}:
            negated ^= True
        elif word in {"a", "an", "the"}:
            noun = True
        elif seen and word in held.words["removed"]:
            return Verdict("" if negated else "superseded", index, noun)
        elif seen and (predicate := held.predicates.get(word)):
            follows = clauses.at(index + 1)
            open_ = noun or not follows[:1].isalnum() or follows in held.words["joins"] | held.words["pronouns"]
            if not (open_ or follows in held.words["prepositions"] or follows.endswith("ly")):
                return None
            if predicate.name not in {"veridical", "negative", "doubt", "excluded", "rumoured"} or follows == "that":
                return None
            return Verdict(predicate.negated if negated else predicate.affirmed, index, noun)
        elif word not in held.words["adverbs"] and word not in held.words["modifiers"] and not word.endswith("ly"):
            return None
    return None


def _judged(clauses: Clauses, first: int, last: int) -> tuple[str, int] | None:
    """The kind by the verdict behind the clause of a noun ("the rumour that S is unfounded"), and where S ends."""
    words = cues().words
    for at in range(last, first, -1):
        if clauses.words[at] in words["be"] and clauses.at(at - 1) not in words["be"]:
            said = verdict(clauses, at)
            return (said.kind, at - 1) if said else None
    return None


def is_noun(clauses: Clauses, at: int) -> bool:
    """True if a word stands where a noun does: behind a determiner, or at some distance if it is no plural verb."""
    words, before = cues().words, clauses.at(at - 1)
    known = clauses.words[at] in words["content_nouns"] or clauses.words[at] in words["noun_forms"]
    if (
        clauses.at(at + 1) == "that"
        and before in words["subjects"] | {"that", "which"}
        and not known
        and clauses.words[at] in cues().verbs
    ):
        return False
    if clauses.words[at] not in cues().verbs or before in words["determiners"] or before in words["noun_adjectives"]:
        return True
    if cues().predicates.get(before) is cues().predicates["deny"] and before in cues().verbs:
        return True
    near = not words["determiners"].isdisjoint(clauses.words[max(clauses.first[at], at - 3) : at])
    return (
        near and clauses.words[at] in words["noun_forms"] and not before.endswith("s") and before not in words["nouns"]
    )


def negation(clauses: Clauses, at: int, noun: bool) -> tuple[bool, int]:
    """True if a predicate is negated, with the first token of what negates it."""
    words, first = cues().words, clauses.first[at]
    negated, cue = False, at
    for index in range(at - 1, first - 1, -1):
        word = clauses.words[index]
        turns = word in words["negators"] or word.endswith("n't")
        if word == "without" and clauses.at(index - 1) in {"goes", "go"}:
            break
        turns |= word in words["negators_before_to"] and clauses.at(index + 1) == "to"
        turns |= (word, clauses.at(index + 1)) in {("far", "from"), ("short", "of")}
        turns |= noun and word in cues().verbs and cues().predicates[word].name == "negative"
        if turns or (word in words["none_of"] and clauses.at(index - 1) != "a"):
            negated, cue = not negated, index
        elif noun and at - index <= _LEFT and word not in words["joins"] and word != ",":
            continue
        elif (
            word not in words["auxiliaries"]
            and word not in words["adverbs"]
            and word != "from"
            and not word.endswith("ly")
        ):
            break
    return (True, cue) if negated else _none_of(clauses, first, at)


def _none_of(clauses: Clauses, first: int, at: int) -> tuple[bool, int]:
    """True if the subject or the object of a predicate's clause is negative ("no study has", "there is nothing to")."""
    words = cues().words
    if clauses.words[first] == "not" and clauses.at(first + 1) in {"one", "a", "any", "even"}:
        return True, first
    for index in range(first, at):
        word, before = clauses.words[index], clauses.at(index - 1)
        if word not in words["none_of"] or before == "a":
            continue
        begins = index <= first + 1 or before in words["be"] or before in words["find"]
        if begins and words["joins"].isdisjoint(
            set(clauses.words[index + 1 : at]) - {"that", "which", "and", "or", "nor"}
        ):
            # "There is no doubt" does not negate what is shown behind it
            between = [k for k in range(index + 1, at) if clauses.words[k] == "that"]
            if not between or between[0] >= at - 3:
                if between and between[0] == at - 1:
                    return True, index
                doubted = clauses.at(index + 1) in {"doubt", "question", "one"} and between
                return not doubted, index
    return False, at


def _complement(clauses: Clauses, at: int, predicate: Predicate, noun: bool, negated: bool) -> tuple[int, int] | None:
    """Where the embedded clause begins and the cue ends."""
    if (clauses.words[at] == "case" and clauses.at(at - 1) != "the") or clauses.words[at] == "requests":
        return None
    words, last = cues().words, clauses.last[at]
    for index in range(at + 1, min(last, at + _WINDOW) + 1):
        word = clauses.words[index]
        if word == "that":
            content = clauses.words[at] in words["content_nouns"] or clauses.words[at] not in cues().verbs
            return (index + 1, index) if not is_relative(clauses, index) and (not noun or content) else None
        if word in {"whether", "if"} and predicate.name == "doubt":
            return index + 1, index
        if word in words["joins"] or word in "(:" or (noun and index > at + _GAP):
            break
        if (
            word == ","
            and index > at + 1
            and "," not in clauses.words[at + 1 : index]
            and "," not in clauses.words[index + 1 : index + 7]
        ):
            break
        if index == at + 1 and not _may_follow(clauses, at, index):
            break
    if noun and clauses.words[at] not in words["verbal"]:
        return None
    return (
        _infinitive(clauses, at, predicate, negated)
        or _gerund(clauses, at, predicate)
        or _bare(clauses, at, predicate, negated)
    )


def _may_follow(clauses: Clauses, at: int, index: int) -> bool:
    """True if a word right behind a predicate still lets its "that" follow."""
    words, word = cues().words, clauses.words[index]
    if (
        cues().predicates[clauses.words[at]].name in {"report", "evidence", "rumoured", "excluded"}
        or clauses.words[at] in words["verbal"]
    ):
        return True
    if word in words["prepositions"] or word in words["auxiliaries"] or word in words["be"]:
        return True
    if word == ",":
        return "," in clauses.words[index + 1 : index + 7]
    return word.endswith(("ly", "ed")) or word in words["objects"] or word in words["adverbs"] - words["determiners"]


def is_relative(clauses: Clauses, that: int) -> bool:
    """True if "that" is followed by a verb, as a relative pronoun is."""
    words, word = cues().words, clauses.at(that + 1)
    if word == "do" and clauses.at(that + 2) == "not" and clauses.at(that - 1) in cues().predicates:
        return False
    return not word or not word[0].isalnum() or word in words["auxiliaries"] or word in words["relative_verbs"]


def _infinitive(clauses: Clauses, at: int, predicate: Predicate, negated: bool) -> tuple[int, int] | None:
    """Find where S begins in "S is believed to V", "claims to V", "no study has shown S to be"."""
    words, word, first = cues().words, clauses.words[at], clauses.first[at]
    verb = word in cues().verbs or word in {"known", "proven"}
    if not verb or predicate.name not in {"veridical", "report", "opinion", "negative"}:
        return None
    if clauses.at(at + 1) == "to":
        passive = not words["be"].isdisjoint(clauses.words[max(first, at - 4) : at]) and not word.endswith("ing")
        if passive and predicate.name != "negative":
            return first, at + 1
        return (at + 2, at + 1) if predicate.name == "opinion" or word.startswith("pretend") else None
    if negated and predicate.name == "veridical":
        for index in range(at + 2, min(clauses.last[at], at + _WINDOW)):
            if clauses.words[index] == "to" and clauses.words[index + 1] in {"be", "have"}:
                return at + 1, at
    return None


def _gerund(clauses: Clauses, at: int, predicate: Predicate) -> tuple[int, int] | None:
    """Find where S begins in "denied taking", "accused of taking"."""
    if clauses.words[at] not in cues().verbs:
        return None
    if predicate.name == "negative" and clauses.at(at + 1).endswith("ing"):
        return at + 1, at
    if clauses.words[at] in {"accused", "accuse", "accuses", "accusing", "suspected", "suspect", "suspects"}:
        for index in range(at + 1, min(clauses.last[at], at + _WINDOW)):
            if clauses.words[index] == "of" and clauses.at(index + 1).endswith("ing"):
                return index + 1, index
    return None


def _bare(clauses: Clauses, at: int, predicate: Predicate, negated: bool) -> tuple[int, int] | None:
    """A clause without "that" behind a verb: "critics claim the drug is safe"."""
    words, follows = cues().words, clauses.at(at + 1)
    framed = predicate.negated if negated else predicate.affirmed
    if not framed or clauses.words[at] not in cues().verbs or not follows or clauses.last[at] < at + 2:
        return None
    if clauses.words[at] not in words["bare"]:
        return None
    if follows == ":":
        return at + 2, at
    unlike = words["prepositions"] | words["joins"] | words["auxiliaries"] | {",", "?"}
    if follows in unlike - words["pronouns"] or follows.endswith("ly") or not follows[0].isalnum():
        return None
    return (at + 1, at) if clauses.finite(at + 1, clauses.last[at]) else None
