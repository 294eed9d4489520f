"""Follow-up questions completed from the previous one: "and in 2021?", "why?" and "when does it end?".

This is done by patterns, so the same two questions always give the same result; a complete question stays as it is. The
words that are recognised are English, except for years and dates, which are written alike in many languages.
"""

from __future__ import annotations

import re

from spanwise.questions.decomposer import entities, is_plural
from spanwise.text.patterns import AUXILIARIES, BE, QUESTION_WORDS
from spanwise.text.quantities import quantities

_MOST_WORDS = 10
"""Most words of a fragment; a longer text is a question of its own."""
_MOST_PRONOUNS = 4
_BE = f"(?:{BE})"
_VERB = f"(?:{AUXILIARIES})"
_PREPOSITION = r"(?:of|in|under|for|at|by|from|on|with|to|after|before|during|within|between|since|until|per)"
_WH = f"(?:{QUESTION_WORDS})"
_OPENED = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|and|but|so|then|also|und|et|y)\b[\s,]*)*(?:(?:what|how)\s+about\b|(?:and|but|so|also|und|et|y)\b)[\s,]*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"^\W*(?:{_PREPOSITION}\s+{_WH}\s+\w+\s|{_WH}|{_VERB}|list|name|show|give|tell|explain|compare|define"
    r"|find|say|state|describe)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"^(?:why(?:\s+not|\s+so|\s+is\s+that)?|how(?:\s+so)?|when|where|since\s+when|until\s+when|how\s+(?:long|often|much|many))$",
    re.IGNORECASE,
)
_LED = re.compile(rf"^(?P<preposition>{_PREPOSITION})\s+(?P<what>\S.*)$", re.IGNORECASE)
_FOR_NOUN = re.compile(
    rf"^(?P<open>\W*(?:what|which|who|where|how\s+\w+)\s+{_BE})\s+(?P<what>\S+(?:\s+\S+){{0,11}}?)"
    rf"(?P<rest>(?:\s+{_PREPOSITION}\s.*)?)$",
    re.IGNORECASE,
)
_FOR_VERB = re.compile(
    rf"^(?P<open>\W*(?:{_WH}(?:\s+(?:much|many|long|often|far|high|soon))?\s+)?{_VERB})\s+"
    rf"(?P<what>\S+(?:\s+(?!(?:the|an?|any|this|that)\b)\S+){{0,5}}?)(?P<rest>\s+\w+(?:\s+{_PREPOSITION}\s.*)?)$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r".*\b(?:do|does|did)\s+(?:the|an?|my|our|your|this|each|every)\s+[\w'-]+\s+$", re.IGNORECASE)
"""A question up to a preposition that is said of its subject, whose verb is still to come."""
_MEANS = re.compile(r"^\W*what\s+(?:does|do)\s+(?P<what>.{2,80}?)(?P<rest>\s+mean)$", re.IGNORECASE)
_FOR_OBJECT = re.compile(
    r"^(?P<open>.{3,200}?)\s(?P<what>(?:the|an?)\s[\w'-]+(?:\s(?!the\b)[\w'-]+){0,3})(?P<rest>)$", re.IGNORECASE
)
_NAMES = re.compile(r"^\W*(?:what|which|who|how\s+(?:much|high|large))\b", re.IGNORECASE)
_PRONOUN = re.compile(
    rf"\b(?:(?P<whose>its|their|his)|it|they|them|he|she|him"
    rf"|(?:this|that|these|those)(?=\s*(?:$|(?:{_VERB}|mean|apply|applies|end|begin|start|cost|due|paid|\w+ed)\b)))\b",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(
    rf"\bit\s+(?:takes?|took|{_BE}\s+\w+\s+(?:to|that))\b|\bit\s+\w+\s+(?:to|that)\b", re.IGNORECASE
)
_DETERMINER = re.compile(r"\b(?:the|an?|our|my|your|each|every)\s", re.IGNORECASE)
_NAMED = re.compile(r"(?<!^)\b[A-Z]\w")


def follow_up(said: str, before: str) -> str:
    """The complete question that `said` means after the question `before`; `said` itself if it is complete."""
    asked, earlier = " ".join(said.split()), _bare(before)
    opened = _OPENED.match(asked)
    fragment = _bare(asked[opened.end() :] if opened else asked)
    if not fragment or not earlier or len(earlier) > 1_000:
        return said
    if _ALONE.match(fragment):
        return _turned(fragment, earlier) or said
    if len(fragment.split()) <= _MOST_WORDS and not _ASKS.match(fragment):
        if only_time(fragment):
            return _question(_at_time(fragment, earlier))
        if led := _LED.match(fragment):
            return _question(_placed(led, fragment, earlier))
        return (_about(fragment, earlier) if opened else None) or said
    return _without_pronouns(asked[opened.end() :] if opened and _ASKS.match(fragment) else asked, earlier) or said


def completed(part: str, before: str) -> str:
    """A part of a question that leaves out what the part before it says: "and how much?", "and the lunch?".

    A pronoun stays: within one question it may stand for anything.
    """
    return part if _PRONOUN.search(part) else follow_up(part, before)


def only_time(fragment: str) -> bool:
    """True if a fragment consists of a time only: "in 2021", "2021", "for the second quarter of 2020"."""
    times = [found for found in quantities(fragment) if found.iso]
    rest = fragment
    for found in times:
        rest = rest.replace(fragment[found.start : found.end], " ")
    return bool(times) and re.fullmatch(rf"(?:\W|{_PREPOSITION}|the|en|im|in)*", rest, re.IGNORECASE) is not None


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(" ?!.,;:")


def _question(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}?"


def _turned(fragment: str, earlier: str) -> str | None:
    """The previous question with another question word: "why?" after "Is subletting allowed"."""
    word = re.sub(r"\s+(?:so|is\s+that)$", "", fragment, flags=re.IGNORECASE)
    subject = _parted(earlier)
    if subject is not None and subject.re in (_MEANS, _FOR_NOUN):
        what = f"{subject['what']}{subject['rest'] if subject.re is _FOR_NOUN else ''}"
        if word.lower().startswith("why"):
            return f"What is the reason for {what}?"
        return f"{word.capitalize()} {'are' if is_plural(what) else 'is'} {what}?"
    turned = re.sub(
        rf"^\W*{_WH}(?:\s+(?:much|many|long|often|far|high|soon))?\s+(?={_VERB}\b)",
        "",
        earlier,
        flags=re.IGNORECASE,
    )
    if not re.match(rf"{_VERB}\b", turned, re.IGNORECASE):
        return None
    if word.lower() == "why not":
        denied = _FOR_VERB.match(turned)
        word, turned = "why", f"{turned[: denied.end('what')]} not{denied['rest']}" if denied else turned
    return f"{word.capitalize()} {turned[0].lower()}{turned[1:]}?"


def _at_time(fragment: str, earlier: str) -> str:
    """The previous question for another time, which replaces its own time or is appended."""
    times = [found for found in quantities(earlier) if found.iso]
    led = _LED.match(fragment)
    if not times:
        return f"{earlier} {fragment if led else f'in {fragment}'}"
    head, tail = earlier[: times[0].start], earlier[times[-1].end :]
    own = re.search(rf"\b{_PREPOSITION}\s+(?:the\s+)?$", head, re.IGNORECASE)
    if own and (led or len(times) > 1):
        head = head[: own.start()]
        fragment = fragment if led else f"in {fragment}"
    elif led:
        fragment = led["what"]
    return f"{head}{fragment}{tail}"


def _placed(led: re.Match[str], fragment: str, earlier: str) -> str:
    """The previous question with another "of ...", "for ..." or "in ...", which replaces its own or is appended."""
    same = rf"\b{re.escape(led['preposition'])}\b.*?(?=\s+{_PREPOSITION}\b|$)"
    found = list(re.finditer(same, earlier, re.IGNORECASE))
    if not found:
        return f"{earlier} {fragment}"
    start, end = found[-1].span()
    if end == len(earlier) and _SUBJECT.match(earlier[:start]):
        end = earlier.rindex(" ")  # "does the train to Rome take": the verb stays
    return f"{earlier[:start]}{fragment}{earlier[end:]}"


def _about(fragment: str, earlier: str) -> str | None:
    """The previous question about something else: "and the deposit?" after "What is the rent under the lease"."""
    names = entities(earlier)
    if _NAMED.search(f" {fragment}") and len(names) == 1:
        fragment = re.sub(r"^the\s+", "", fragment, flags=re.IGNORECASE)
        return _question(earlier.replace(names[0], fragment, 1))
    found = _parted(earlier)
    if found is None:
        return None
    head, rest = earlier[: found.start("what")], found["rest"] or ""
    if rest.strip() and _LED.match(rest.strip()) and re.search(rf"\s{_PREPOSITION}\s", fragment):
        rest = ""  # the fragment has a preposition of its own
    head = re.sub(rf"{_BE}\s$", lambda verb: _agreeing(verb[0], fragment), head, flags=re.IGNORECASE)
    return _question(f"{head}{fragment}{rest}")


def _agreeing(verb: str, noun: str) -> str:
    past = verb.strip().lower() in ("was", "were")
    return ("were " if past else "are ") if is_plural(noun) else ("was " if past else "is ")


def _without_pronouns(asked: str, earlier: str) -> str | None:
    """The question with its pronouns replaced by the previous topic; None if they refer to something else."""
    found = _PRONOUN.search(asked)
    if found is None or _EXPLETIVE.search(asked):
        return None
    ahead = asked[: found.start()]
    if _DETERMINER.search(ahead) or _NAMED.search(ahead.strip()):
        return None  # the question names it itself
    topic = _topic(earlier)
    if topic is None:
        return None

    def named(pronoun: re.Match[str]) -> str:
        return f"{topic}'s" if pronoun["whose"] else topic

    return _question(_bare(_PRONOUN.sub(named, asked, count=_MOST_PRONOUNS)))


def _topic(earlier: str) -> str | None:
    """The topic of a question, as a noun phrase with its modifiers; None if none is found."""
    if found := _parted(earlier):
        return f"{found['what']}{found['rest'] if found.re is _FOR_NOUN else ''}"
    names = entities(earlier)
    return names[0] if names else None


def _parted(earlier: str) -> re.Match[str] | None:
    """A match that divides a question into its opening, its topic (`what`) and the rest; None if no pattern fits."""
    of_noun = _FOR_NOUN.match(earlier) if _NAMES.match(earlier) else None
    of_verb = _FOR_VERB.match(earlier)
    if of_verb and _DETERMINER.fullmatch(f"{of_verb['what']} "):
        of_verb = None  # "How long is the warranty": no verb follows the noun
    return _MEANS.match(earlier) or of_noun or of_verb or _FOR_OBJECT.match(earlier)
