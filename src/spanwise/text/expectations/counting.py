"""How many, how much and when: questions that ask for it, and sentences that say it.

Whoever finds passages and whoever picks the answer use this one rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities import Quantity, quantities
from spanwise.text.terms import folded_words, stem

TIMES = ("date", "period", "year", "duration", "ordinal")
"""Kinds of quantities that say when."""
_ASKED_WHEN = lazy_pattern(
    r"^\W*(?:(?:since|until|till|from|by|at|on|in|before|after|during)\s+)?(?:when\s+(?:am|is|are|was|were|do|does|did|has|have|had|will|would|shall|should"
    r"|must|may|might|can|could)\b(?!.*,\s*(?:what|who|which|how|why|where)\b)"
    r"|(?:what|which)\s+(?:\w+\s+)?(?:dates?|days?|years?|months?|century|time)\b)",
    re.IGNORECASE,
)
_SAID_WHEN = lazy_pattern(
    r"\b(?:when|whenever|once|as\s+soon\s+as|after|before|until|till|since|upon|during|throughout|following|prior\s+to"
    r"|within|immediately|promptly|forthwith|annually|quarterly|monthly|weekly|daily|yearly|hourly|today|tomorrow"
    r"|yesterday|midnight|noon|dawn|dusk|sunrise|sunset|spring|summer|autumn|winter|easter|christmas|(?:mon|tues|wednes|thurs|fri|satur|sun|week|work|school|bank\s+holi)days?"
    r"|(?:at|by|over)\s+night|overnight|weekends?|(?:in|at|on|by)\s+(?:the\s+)?(?:early\s+|late\s+)?(?:mornings?|afternoons?|evenings?|weekend)"
    r"|(?:at|by|from|on|in)\s+the\s+(?:\w+\s+)?(?:beginning|start|end|close|time|moment|date|day|eve|age|era|reign|same)"
    r"|(?:each|every|last|next|this|that)\s+(?:\w+\s+)?(?:second|minute|hour|day|night|week|month|quarter|year|season"
    r"|session|decade|century)|\d{3,4}s|(?:first|second|third|fourth|last|\d{1,2}(?:st|nd|rd|th))\s+(?:\w+\s+){0,2}(?:day|week|month)|\d{1,2}(?::\d\d)?\s*[ap]\.?m\b|(?:[01]?\d|2[0-3])[:h][0-5]\d(?![\d:])"
    r"|(?:with|at|on|by)\s+(?:the|your|our|their|its)\s+(?:first|next|last|following)\s+\w"
    r"|midday|o['\u2019]clock|(?:half|quarter)\s+(?:past|to)"
    r"|(?:at|by|from|until|till)\s+(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?=\s*(?:[.,;!?]|$)|\s+(?:sharp|in\s+the|on|every|until|till)\b)"
    r"|(?:(?:from|between)\s+(?:[01]?\d|2[0-4])\s*(?:to|and|until|till|-|\u2013)\s*|(?:at|until|till)\s+)(?:[01]?\d|2[0-4])"
    r"(?=\s*(?:[.,;!?)](?!\d)|$)|\s+(?:sharp|in\s+the|on|every|each|daily|and)\b)"
    r"|(?:at|by|from|until|till|between|before|after|about|around)\s+(?:[01]?\d|2[0-3])\.[0-5]\d(?!\d)"
    r"(?!(?:\s*(?:to|and|-|\u2013)\s*\d+\.\d+)?\s*(?:%|per\b|percent|points?\b|million|billion|thousand|euros?\b|dollars?\b"
    r"|pounds?\b|k?g\b|[kcm]?m\b|m?l\b|times?\b)))",
    re.IGNORECASE,
)
_MONTH = lazy_pattern(
    r"\b(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?\s?(?:[-\u2013/&:]|to\b|\d)|"
    r"\b(?:January|February|April|June|July|August|September|October|November|December)\b|(?<=\w )(?:March|May)\b"
)
_YEAR = lazy_pattern(r"\b(?:1\d{3}|20\d{2}|\d{3,4}\s*(?:AD|BC|CE|BCE))\b|\b(?:in|of|by|since|around|circa)\s+\d{3}\b")


def asks_when(question: str) -> bool:
    """True if a time is asked for; "When it rains, what happens?" asks for none."""
    return _ASKED_WHEN.search(question) is not None


def says_when(text: str) -> bool:
    """True if a text says any time: a date, a period, or what something is before, after or during."""
    if any(pattern.search(text) is not None for pattern in (_YEAR, _SAID_WHEN, _MONTH)):
        return True
    return any(one.kind in TIMES for one in quantities(text))


_ASKED = lazy_pattern(
    r"\b(?:how\s+many|(?:what|state|give|find)\s+(?:(?:is|was|are|were)\s+)?(?:the\s+)?(?:(?!(?:tele)?phone|fax|serial|account|reference|registration|policy|invoice|order|model|part|id|room)\w+\s+){0,2}?numbers?\s+of)\s+"
    r"(?P<what>[^?.!,;:]{2,120})",
    re.IGNORECASE,
)
_ENDS = frozenset(
    """
    am an and any are as at be been by can could did do does during each for from had has have if in into is it may
    might must of on or ought over per shall should than that the their there these they this those to under use used
    was we were what when where which while who will with within without would you
    """.split()
)
"""Words with which the noun that is counted has ended; between a number and its noun none of them stands."""
_ANY_NOUN = frozenset("person people individual man men woman women human time thing item other more".split())
"""Nouns that sentences leave out or say in another way ("killed 12", "a population of 3 million")."""
_UNITS = frozenset("percent percentage point dollar euro pound cent yen".split())
"""What follows "how many" without being counted."""
_WORKERS = frozenset(map(stem, "employee worker staff personnel colleague associate people person workforce".split()))
"""Stems of those who may be meant by employees, where a sentence says that they are employed."""
_EMPLOYED = re.compile(r"\b(?:employ(?:s|ed|ing)?|work(?:s|ed|ing)?\s+for|workforce|staff|headcount)\b", re.IGNORECASE)
_IN_WORDS = lazy_pattern(
    r"\b(?<!any )(?:no|none|neither|one(?!\s+of\b)|single|sole|both|pair|couple|dozens?|hundreds?|thousands?|millions?"
    r"|billions?|several|zero)\b(?:\s+of(?:\s+(?:the|its|our|their|these|those))?)?",
    re.IGNORECASE,
)
"""Counts that are no figures."""
_OTHER_COUNTS = lazy_pattern(r"\b(?:half|once|twice|thrice|never|nobody|majority)\b", re.IGNORECASE)
_HOW_MUCH = lazy_pattern(
    r"^\W*(?:\w+\s+)?how\s+much\b(?!\s+(?:\w+\s+)?(?:time|notice|longer|later|earlier))", re.IGNORECASE
)
_NO_AMOUNT = ("date", "period", "year", "ordinal", "duration")
_SHARES = lazy_pattern(
    r"\b(?:all|none|nothing|half|most|majority|minority|twice|double|triple|zero|nil|free|unlimited|free\s+of\s+charge"
    r"|hundreds?|thousands?|millions?|billions?|quarter|thirds?|little|few|several|many|entire(?:ly)?|whole|one)\b",
    re.IGNORECASE,
)
_BETWEEN = _ENDS - {"and", "or"}
_PLURALS = frozenset("people men women children staff personnel workforce".split())
_WORD = lazy_pattern(r"[^\W_]+(?:-[^\W_]+)*(?!['\u2019\w])")
_BEHIND_WORDS = 5
"""Words that may describe what is counted: "9,200 total full-time and part-time employees"."""
_LONGEST = 5_000
"""Characters of a text in which counts are looked for: a longer one is no sentence."""
_BEFORE = 80
"""Characters from a noun to the number that is said of it."""
_PARTS = lazy_pattern(r"[.;:()\u2022|]\s")
_BOUND = (
    r"(?:(?:only|just|now|currently|approximately|about|around|over|nearly|almost|roughly|some|up\s+to|a\s+total\s+of"
    r"|more\s+than|less\s+than|fewer\s+than|at\s+least|at\s+most|the|its|our|their|these|following)\s+){0,3}$"
)
_SAID = lazy_pattern(
    r"(?:\b(?:is|are|was|were|been|total\w*|number\w*|reache[ds]|exceed(?:s|ed)|(?:\w+ed|grew|rose|fell)\s+to)"
    r"|[:|=\u2013\u2014]|^\w+\s+of\b|\btotal\s+of\b)\s*" + _BOUND,
    re.IGNORECASE,
)
_HAVING = lazy_pattern(
    r"\b(?:is|are|was|were|be|been|have|has|had|having|employ(?:s|ed|ing)?|operate[sd]?|own(?:s|ed)?|total(?:s|ed|ing)?"
    r"|(?:consist|compos|compris|contain|made\s+up|number)(?:s|es|ed|ing)?(?:\s+of)?|(?:divid|organi[sz])ed\s+into)\s+"
    + _BOUND,
    re.IGNORECASE,
)
_BEING = lazy_pattern(
    r"^(?:[\w-]+\s+){1,5}?(?:work(?:s|ed)?\s+for|exist(?:s|ed)?|(?:is|are|was|were)\s+(?:employed|open|in\s+operation))\b",
    re.IGNORECASE,
)
"""What is counted with the verb that says no more than that it is there: "employees worked for us"."""
_OTHERWISE = lazy_pattern(
    r"[;\u2022()]|,\s(?!\d{4}\b)|\.\s|\b(?:who|which|that|and|or|if|when|shall|must|(?-i:may))\b", re.IGNORECASE
)
"""What parts a noun from a figure that is said of something else."""
_ALL = lazy_pattern(
    r"\bhow\s+many\s+(?:[\w-]+\s+){1,4}?(?:(?:are|were|is|was)\s+there\b(?!\s+(?:that|which|who))"
    r"|(?:do|does|did)\s+.{1,80}?\b(?:have|employ|own|operate(?:\s+in)?|contain|comprise|consist\s+of)\W{0,9}$"
    r"|work\s+for\b)|\bnumbers?\s+of\s+(?:[\w-]{1,40}\s+){0,2}[\w-]{1,40}\W{0,9}$",
    re.IGNORECASE,
)
"""Questions for all there are: "does Acme have", "are there"."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What a question wants counted."""

    noun: str
    """Stem of the noun."""
    words: str
    """The noun with what stands before it, to be looked for."""
    anything: bool
    """True if sentences say it in other words as well."""
    whole: bool
    """True if the question is for all there are, and not for those that do something."""

    @property
    def stems(self) -> frozenset[str]:
        """Stems by which a text may name it."""
        return _WORKERS if self.noun in _WORKERS else frozenset([self.noun])


@lru_cache(maxsize=64)
def asked_count(question: str) -> Counted | None:
    """What is to be counted ("How many full-time employees does ...": employees); None when it asks for no count."""
    match = _ASKED.search(question)
    if match is None:
        return None
    noun, words = "", []
    for word in re.findall(r"[^\W_]+(?:['\u2019-][^\W_]+)*", match["what"]):
        if word.lower() in _ENDS:
            break
        noun = re.sub(r"['\u2019]s?$", "", word).lower()
        words.append(word)
        if noun in _PLURALS or (noun.endswith("s") and len(noun) > 3):
            break
    if not _UNITS.isdisjoint(folded_words(" ".join(words))):
        return None
    if stem(noun) in _WORKERS and (noun not in _ANY_NOUN or _EMPLOYED.search(question)):
        noun, words = "employees", [*words, "employees", "employed", "workforce", "people"]
    return Counted(stem(noun), " ".join(words), not noun or noun in _ANY_NOUN, _ALL.search(question) is not None)


def has_count(text: str) -> bool:
    """True if a text says any number that may be a count: no date, no amount of money, no share."""
    found = quantities(text)
    return any(map(_may_count, found)) or bool(_in_words(text, found)) or _OTHER_COUNTS.search(text) is not None


def asks_how_much(question: str) -> bool:
    """True if an amount is asked for in words ("How much cash does ...")."""
    return _HOW_MUCH.search(question) is not None


def has_amount(text: str) -> bool:
    """True if a text says how much: any figure but a date, or a share in words."""
    found = quantities(text)
    return any(one.kind not in _NO_AMOUNT for one in found) or _SHARES.search(text) is not None


def says_count(counted: Counted, text: str, *, whole: bool = False) -> bool:
    """True if a text says how many there are of it.

    Args:
        counted: What is to be counted.
        text: A sentence.
        whole: Whether it has to say how many there are in all ("we had 9,200 employees"), and not only how many did
            something ("9,000 employees use it").
    """
    if counted.anything:
        return has_count(text)
    return bool(counts(counted, text, whole=whole))


def counts(counted: Counted, text: str, *, whole: bool = False) -> list[tuple[int, int]]:
    """The places `[start, end)` of the figures that say how many there are; arguments as of `says_count`."""
    if len(text) > _LONGEST:
        return []
    stems = counted.stems if _EMPLOYED.search(text) else frozenset([counted.noun])
    nouns = [
        _Noun(match.start(), match[0].lower().endswith("s") or match[0].lower() in _PLURALS)
        for match in _WORD.finditer(text)
        if stem(match[0].lower()) in stems
    ]
    if not nouns:
        return []
    found = quantities(text)
    figures = {(one.start, one.end): one for one in found if _may_count(one)}
    words = _in_words(text, found)
    return [
        place
        for place in [*figures, *words]
        if (not whole or _told(text, *place))
        and any((noun.plural or place in words) and _behind(text, *place, noun.start) for noun in nouns)
    ] + [
        place
        for place, figure in figures.items()
        if not figure.unit and any(noun.plural and _before(text, noun.start, figure.start) for noun in nouns)
    ]


def holds_count(question: str, sentence: str, start: int, end: int) -> bool:
    """True if a piece of a sentence holds the figure that counts what is asked for, where the sentence has one."""
    counted = asked_count(question)
    places = counts(counted, sentence) if counted is not None and not counted.anything else []
    return not places or any(first < end and start < last for first, last in places)


@dataclass(frozen=True, slots=True)
class _Noun:
    """Where a text names what is counted."""

    start: int
    plural: bool


def _may_count(one: Quantity) -> bool:
    if one.value is not None and one.value < 0:
        return False
    if one.kind == "number":
        return one.scaled or one.value is None or one.value == one.value.to_integral_value()
    return one.kind in ("count", "fraction", "duration")


def _in_words(text: str, found: Sequence[Quantity]) -> list[tuple[int, int]]:
    """Counts that are no figures: "no", "both"; the "million" of an amount is none."""
    taken = {place for one in found for place in range(one.start, one.end)}
    return [match.span() for match in _IN_WORDS.finditer(text) if match.start() not in taken]


def _behind(text: str, start: int, end: int, place: int) -> bool:
    """True if the noun at `place` follows the figure in `[start, end)`, or is part of it."""
    if place < end:
        return place >= start
    words = text[end:place].lower().split()
    return len(words) <= _BEHIND_WORDS and not _BETWEEN.intersection(words) and not _PARTS.search(text, end, place)


def _before(text: str, place: int, start: int) -> bool:
    """True if the figure at `start` is said of the noun at `place`: "the number of employees was 9,200"."""
    between = text[place:start]
    if not 0 < len(between) <= _BEFORE or _OTHERWISE.search(between):
        return False
    return _SAID.search(between) is not None or len(between.split()) == 1


def _told(text: str, start: int, end: int) -> bool:
    """True if the figure in `[start, end)` is what the sentence tells: it follows or comes before a verb of being."""
    before, behind = text[max(0, start - _BEFORE) : start], text[end : end + _BEFORE].lstrip()
    return _HAVING.search(before) is not None or _BEING.match(behind) is not None
