"""Predication: whether words state something, and where a wrapped statement begins ("Did you know that ...?")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from spanwise.text.patterns import lazy_pattern

_WORD = lazy_pattern(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LONGEST = 1000
"""Characters of a sentence in which a wrapped statement is looked for."""

_AUXILIARIES = frozenset(
    "is are was were has have had does do did can could may might must shall should will would cannot isn't aren't "
    "wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't mustn't shouldn't won't wouldn't".split()
)
_CONTRACTED = lazy_pattern(r"(?:it|he|she|they|we|you|i|there|this|that)'(?:s|re|ve|ll|d|m)")
_NO_SUBJECT = frozenset(
    "a an the of in on at by for from to with without about between into per and or nor than as if whether that which "
    "who whom whose what when where why how not".split()
)
"""Words right before a verb that leave it without a subject of its own: "the will", "fees that are due", "in May"."""
_NO_COMPLEMENT = frozenset("and or of".split())
_COMPLEMENTS = frozenset(
    "the a an no nothing nobody none all every each any its his her their our your my this these those".split()
)
"""First words of the object of a verb that seldom follow a noun."""
_PARTICIPLES = frozenset(
    "paid sold made kept sent held found built left told lost bought brought met spent won said".split()
)
"""Forms without -ed that also stand behind a noun: "fees paid by the tenant"."""
_BEHIND_A_PARTICIPLE = frozenset("in on at to for from with under of".split())
_DETERMINERS = frozenset("the a an this that these those each every all no any its his her their our your my".split())
_QUESTION_WORDS = frozenset("what how why when where which who whom whose whether".split())
_REGULAR = lazy_pattern(r"[a-z]{2,}(?:[^s'\u2019]s|ed)")
_FIGURE = lazy_pattern(
    r"[$\u20ac\u00a3\u00a5]\s?\d|\d\s?(?:%|percent\b|per cent\b|(?:eur|usd|gbp|chf|dollars?|euros?|pounds)\b)",
    re.IGNORECASE,
)

_ANNOUNCING = lazy_pattern(
    r"\b(?:ways|steps|such as|including|includes?|namely|e\.g|like|a (?:couple|number|few) of [a-z-]{2,20}"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|several|some|many|various|different|few|key|main|\d{1,2})"
    r"(?: [a-z-]{2,20}){1,3})\W{0,4}:"
    r"|\b(?:here(?:'s|\u2019s)?|following|follows?|these|below|there (?:are|were))\b",
    re.IGNORECASE,
)
"""Cues of a lead-in that only announces: "the following terms:", "for two reasons:"."""
_OPEN_END = lazy_pattern(
    r"\b(?:is|are|was|were|be|been|by|to|of|for|in|on|at|with|from|that|means?|says?|states?|reads?|as|about|and|or)"
    r"\W{0,4}:\W{0,4}$",
    re.IGNORECASE,
)
"""The end of a lead-in whose own sentence goes on in what it introduces: "the steps are:"."""

_ASIDE = lazy_pattern(
    r"(?:(?:please |do |kindly )?(?:note|remember|recall|be aware|keep in mind|bear in mind|notice|observe) that"
    r"|(?:i|we) (?:can |would |must |should |want to |have to |am happy to |'m happy to )?"
    r"(?:think|believe|guess|suppose|confirm|say|tell you|assure you|add|note|report|promise|see)"
    r"(?: (?:from|in|on)[^,.;:]{1,60})?(?: that\b|,)?"
    r"|(?:in my (?:humble )?opinion|to be honest|as you (?:may |might |probably )?(?:know|can see)|needless to say"
    r"|it goes without saying that|as an ai(?: language)?(?: model| assistant)?|for your information"
    r"|fun fact)[,:]?)\s+",
    re.IGNORECASE,
)
"""An opening that adds nothing to the statement behind it."""
_PLEASANTRY = lazy_pattern(
    r"(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|great|thanks|thank you|hello|hi|happy to help"
    r"|no problem|(?:i |we )?hope (?:this|that|it)|let (?:me|us) know|feel free|please (?:let|feel|do|note|find)"
    r"|(?:i|we) (?:can|will|'ll|could|would|am|hope)|i'm|as an ai"
    r"|if you(?: (?:have|need|want) (?:any|more|further|other)|(?:'d| would) like)|confidence\b|here(?:'s| is| are)"
    r"|below\b|the following|it (?:is|'s) (?:important to|worth) (?:note|noting|remember\w*|mention\w*)|it depends"
    r"|hope this)\b",
    re.IGNORECASE,
)
_JOINT = lazy_pattern(
    r"(?:[,;:!.(\u2013\u2014]|\s-)\s{0,4}(?:(?:but|and|so|because|since|as|that|note that)\s)?|\s(?:but|that)\s"
)
_APPENDED = lazy_pattern(r"(?:[,;:(\u2013\u2014]|\s-)\s{0,4}(?:(?:but|and|so|however,?|yet)\s)?")
_INDIRECT = lazy_pattern(
    r"\b(?:whether|that|if|about|regarding|concerning|how|what|why|when|where|which|who)\b", re.IGNORECASE
)
"""Behind these, a clause is part of what is not known."""
_OF_THE_REPLY = lazy_pattern(
    r"\W{0,4}(?:i|i'm|i'd|i'll|we|you|your|let|please|feel|here|here's|this|these|those|below|if|it|that|there|they|what"
    r"|which|who|how)\b",
    re.IGNORECASE,
)
"""First words of a clause about the reply or the reader, not about the subject matter."""

_ASKED_WHETHER_KNOWN = lazy_pattern(
    r"(?:(?:but |and |so )?(?:did|do|didn't|don't) you (?:know|realise|realize|remember|not know|notice)"
    r"|have you (?:ever )?(?:heard|noticed|considered)|(?:are|were|aren't) you aware(?: of the fact)?"
    r"|(?:isn't|wasn't|is|was) it (?:not )?(?:a fact|obvious|clear|well known|amazing|surprising|a shame)"
    r"|isn't it (?:true|the case|so)|is it not (?:true|the case|so)"
    r"|(?:wouldn't|don't|won't|can't) you (?:agree|say|think|admit|see|find)"
    r"|(?:can|could|would) you (?:believe|have (?:thought|guessed))"
    r"|would it surprise you(?: to (?:learn|hear|know))?"
    r"|who (?:knew|would have thought|could have known|can deny|would deny)|doesn't everyone know"
    r"|need i say)\s+(?:that\s+)?",
    re.IGNORECASE,
)
_NEGATIVE_QUESTION = lazy_pattern(
    r"(?:isn't|aren't|wasn't|weren't|doesn't|didn't|hasn't|haven't|hadn't|won't|wouldn't|shouldn't|can't|couldn't)\s+"
    r"(?!you\b|we\b|i\b)",
    re.IGNORECASE,
)
_TAG = lazy_pattern(
    r",?\s+(?:right|correct|yes|no|eh|true|okay|ok|agreed|innit|don't you think|wouldn't you say|is that not so"
    r"|(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)(?:n't)?"
    r" (?:it|he|she|they|there|that|this)(?: not)?)\s?\?\W{0,3}$",
    re.IGNORECASE,
)
_INVERTED = lazy_pattern(
    r"(?:^|[,;:]\s|\b(?:and|but|or|so|then)\s)(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|shall"
    r"|should|will|would|am)\s",
    re.IGNORECASE,
)
_ASKS_THE_READER = lazy_pattern(r"\b(?:you|your|i|we|me|us)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A statement inside a sentence, `[start, end)`, and what the words around it are."""

    start: int
    end: int
    around: Literal["hedge", "question"]


def states(text: str) -> bool:
    """True if the words hold a subject with a finite verb and something after it, as "The Buyer Owes Nothing" does.

    Titles ("Payment Terms", "Late Fees", "What the Contract Says", "Terms that are due") do not.
    """
    words = [word.lower().replace("\u2019", "'") for word in _WORD.findall(text[:_LONGEST])]
    if not words or words[0] in _QUESTION_WORDS:
        return False
    return any(_is_predicate(words, place) for place in range(len(words) - 1))


def predicate_at(words: Sequence[str]) -> int | None:
    """Index of the first finite verb with a subject before it, of lower-case words; None where there is none."""
    return next((place for place in range(1, len(words) - 1) if _is_predicate(words, place)), None)


def states_in_title(title: str) -> bool:
    """`states`, or a figure with a unit: "Late fee: 99 percent" says something without a verb."""
    return states(title) or _FIGURE.search(title) is not None


def announces(lead: str) -> bool:
    """True if a line that ends with a colon only introduces what follows: "The steps are:", "Fees:"."""
    return (
        not states_in_title(lead)
        or lead.lower().startswith("to ")
        or bool(_OPEN_END.search(lead) or _ANNOUNCING.search(lead))
    )


def wrapped_statement(sentence: str) -> Wrapped | None:
    """The statement that a sentence wraps in a question, a pleasantry or an aside; None where it wraps none."""
    text = sentence[:_LONGEST].replace("\u2019", "'")
    return _asked(text, sentence) if text.rstrip(" *_\"'").endswith("?") else _behind_an_opening(text, sentence)


def _asked(text: str, sentence: str) -> Wrapped | None:
    """A question that takes its statement for granted; a plain question does not."""
    known = _ASKED_WHETHER_KNOWN.match(text)
    if known and states(text[known.end() :]):
        return Wrapped(known.end(), len(sentence), "question")
    tag = _TAG.search(text)
    if tag and states(text[: tag.start()]) and not _INVERTED.match(text):
        return Wrapped(0, tag.start(), "question")
    negative = _NEGATIVE_QUESTION.match(text)
    if negative and len(_WORD.findall(text)) > 2 and not _ASKS_THE_READER.search(text):
        return Wrapped(negative.end(), len(sentence), "question")
    words = {word.lower() for word in _WORD.findall(text)}
    asks = _INVERTED.search(text) or words & _QUESTION_WORDS or _ASKS_THE_READER.search(text)
    return Wrapped(0, len(sentence), "question") if not asks and states(text) else None


def _behind_an_opening(text: str, sentence: str) -> Wrapped | None:
    aside = _ASIDE.match(text)
    if aside and states(text[aside.end() :]) and not _OF_THE_REPLY.match(text, aside.end()):
        return Wrapped(aside.end(), len(sentence), "hedge")
    if not _PLEASANTRY.match(text):
        return None
    starts = (joint.end() for joint in _JOINT.finditer(text) if _goes_on_with_a_statement(text, joint.end()))
    return next((Wrapped(start, len(sentence), "hedge") for start in starts), None)


def appended_statement(refusal: str) -> int | None:
    """Where a statement begins that is only appended to words about what is not known; None where none is."""
    text = refusal[:_LONGEST]
    for joint in _APPENDED.finditer(text):
        if _INDIRECT.search(text, 0, joint.start()) is None and _goes_on_with_a_statement(text, joint.end()):
            return joint.end()
    return None


def _goes_on_with_a_statement(text: str, start: int) -> bool:
    """True if what begins there, up to the next joint, states something about the matter."""
    following = _JOINT.search(text, start)
    clause = text[start : following.start() if following else len(text)]
    return _OF_THE_REPLY.match(clause) is None and states(clause)


def _is_predicate(words: Sequence[str], place: int) -> bool:
    """True if the word is a finite verb that has a subject before it and something to say behind it."""
    word = words[place]
    if _CONTRACTED.fullmatch(word):
        return True
    if not place or words[place - 1] in _NO_SUBJECT or words[place + 1] in _NO_COMPLEMENT:
        return False
    if word in _AUXILIARIES:
        return True
    if (word.endswith("ed") or word in _PARTICIPLES) and _is_a_participle(words, place):
        return False
    if word in finite_verbs():
        return True
    has_subject = place > 1 or words[0] not in _DETERMINERS
    return has_subject and words[place + 1] in _COMPLEMENTS and _REGULAR.fullmatch(word) is not None


def _is_a_participle(words: Sequence[str], place: int) -> bool:
    """True if a past form rather describes the noun before it: "Goods Sold in May"."""
    behind = words[place + 1]
    return behind == "by" or (behind in _BEHIND_A_PARTICIPLE and words[0] not in _DETERMINERS)


@cache
def finite_verbs() -> frozenset[str]:
    """Finite forms of frequent verbs that are seldom nouns."""
    lines = files(__package__).joinpath("finite_verbs.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
