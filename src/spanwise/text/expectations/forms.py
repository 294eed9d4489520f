"""The form of an answer: what a question expects a sentence to hold, and whether one holds it.

"Who" expects a name or a role, "when" a time, "how many X" a number that counts X, "why" a cause or a purpose, "how"
a way or a step, "what is X" a definition. Whoever finds passages, ranks sentences or checks answers uses this one rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

from spanwise.text.expectations.counting import (
    Counted,
    asked_count,
    asks_how_much,
    asks_when,
    has_amount,
    has_count,
    says_count,
    says_when,
)
from spanwise.text.expectations.defining import asked_subject, defines
from spanwise.text.expectations.polarity import asks_yes_or_no
from spanwise.text.languages import ENGLISH, language_of, question_kind
from spanwise.text.languages.data import languages
from spanwise.text.patterns import QUESTION_WORDS, lazy_pattern
from spanwise.text.quantities import quantities
from spanwise.text.quantities.numerals import TENS, UNITS
from spanwise.text.terms import stem, terms, words

Form: TypeAlias = Literal[
    "who", "where", "when", "how_long", "how_often", "how_many", "how_much", "why", "how", "whether", "definition",
    "list", "which", "what",
]  # fmt: skip
"""What is asked for; `what` where any form will do."""
FORMS: tuple[Form, ...] = get_args(Form)
_PATTERNS: tuple[tuple[Form, str], ...] = (
    ("who", r"\b(?:who|whom|whose)\b"),
    (
        "how_long",
        r"\bhow\s+(?:long|much\s+longer|quickly|old|soon|early|late|far\s+(?:in\s+advance|ahead|back))\b"
        r"|\bhow\s+(?:much\s+(?:\w+\s+)?(?:time|notice|warning|leave|holiday|vacation|delay)|many\s+(?:days|weeks|months|years|hours|minutes))\b",
    ),
    ("how_often", r"\bhow\s+(?:often|frequently)\b|\bhow\s+many\s+times\b"),
    ("where", r"\bwhere\b|\b(?:what|which)\s+(?:\w+\s+)?(?:place|city|town|country|state|region|area|location)\b"),
    ("why", r"\bwhy\b|\b(?:what|which)\s+(?:is|are|was|were)?\s*(?:the\s+)?(?:\w+\s+)?(?:reasons?|causes?|purpose)\b"),
    ("how_much", r"\bhow\s+(?:much|high|large|big|tall|far|fast|deep|heavy|hot|cold|wide)\b"),
    ("how", r"\bhow\b|\bwhat\s+steps?\b|\bwhat\s+(?:should|must|do)\s+(?:i|we|you|one)\b"),
    ("which", r"\bwhich\b|\bwhat\s+(?:type|kind|sort)s?\b"),
)
_COMPILED = {form: re.compile(pattern, re.IGNORECASE) for form, pattern in _PATTERNS}
_LIST = lazy_pattern(
    r"\b(?:list|name|enumerate|give)\s+(?:me\s+)?(?:all|the|every|some)\b|\b(?:what|which)\s+(?:\w+\s+){0,2}?(?:are|were)\s+"
    r"(?:the|some|all)\b|\b(?:what|which)\s+(?:\w+\s+){0,2}(?:steps|types|kinds|ways|examples|requirements|conditions"
    r"|items|features|benefits|reasons|symptoms|signs)\b",
    re.IGNORECASE,
)
_ASKS = lazy_pattern(rf"\b(?:{QUESTION_WORDS})\b", re.IGNORECASE)
_CASE_FIRST = lazy_pattern(
    r"\W*(?:when|where|if)\s+(?!(?:did|do|does|is|are|was|were|will|can|could|should|would|has|have|had)\b)[^?]{1,200},\s*$",
    re.IGNORECASE,
)
"""A clause in front of a question that says in which case it is asked."""
_AND = lazy_pattern(r"\b(?:and|or)\s+(?:\w+\s+)?$", re.IGNORECASE)
_CAUSE = lazy_pattern(
    r"\b(?:because|since(?!\s+(?:\w+\s+){0,2}\d{3,4}\b|\s+then\b)|due\s+to|owing\s+to|thanks\s+to|as\s+a\s+result|therefore"
    r"|thus|hence|so\s+that|in\s+order"
    r"|result(?:s|ed|ing)?\s+(?:in|from)|caus(?:e|es|ed|ing)|reasons?|led\s+to|leads?\s+to|lead\s+to|to\s+(?:avoid|prevent"
    r"|protect|ensure|allow|reduce|help|make|keep|give|encourage|improve)|purpose|intended|aims?|enabl(?:e|es|ed|ing)"
    r"|helps?|for\s+fear|out\s+of|driven\s+by|attribut\w+|reflect(?:s|ed|ing))\b|,\s+so\b",
    re.IGNORECASE,
)
_WAY = lazy_pattern(
    r"\bby\s+(?:\w+ly\s+)?\w+ing\b|\b(?:using|via|through|with|must|should|can|first|then|next|step|click|select|press"
    r"|open|enter|run|set|use|add|install|turn|choose|go\s+to|type|follow)\b",
    re.IGNORECASE,
)
_ORDER = lazy_pattern(r"^\W*(?:\d+[.)]\s*)?[A-Z][a-z]{1,14}\s+(?:the|a|an|your|it|all|to|on|in|at|up|into|and)\b")
_PERSON = lazy_pattern(
    r"\b(?:(?:Mr|Mrs|Ms|Dr|Prof|Sir|Lord|Lady|Judge|President|King|Queen|Pope)\.?\s+[A-Z]|by\s+(?:the\s+)?[A-Z])|"
    r"\b(?:chief|director|manager|officer|chair\w*|president|secretary|member|owner|author|team|committee|board|council"
    r"|department|employee|employer|tenant|landlord|buyer|seller|customer|provider|supplier|contractor|user|patient|doctor"
    r"|parents?|people|person|anyone|anybody|everyone|everybody|nobody|those\s+who|whoever|insurer|government"
    r"|landlady|mayor|nurse|neighbour|neighbor|company|court|agency|minister|teacher|student|administrator)s?\b",
    re.IGNORECASE,
)
_NAME = lazy_pattern(r"(?<=[\w,;:()\"'\u201c-] )[A-Z\u00c0-\u00de][\w'\u2019-]+")
_NAMES = lazy_pattern(rf"{_NAME.pattern}(?:\s+v[ao]n)?(?:\s+[A-Z\u00c0-\u00de][\w'\u2019-]+)+")
_LETTERS = lazy_pattern(r"[^\W\d_]+")
_PLACE = lazy_pattern(
    r"\b(?:in|at|near|from|to|of|on|within|under|inside|outside|between|behind|next\s+to)\s+(?:the\s+)?[A-Z]"
)
_SPOT = lazy_pattern(
    r"\b(?:in|at|on|near|under|inside|outside|behind|within|into|from|to)\s+(?:the|a|an|your|our|its|this|each|any)\s+\w"
    r"|\b(?:in|at|on|to|near)\s+(?:rows?|rooms?|floors?|gates?|platforms?|halls?|aisles?|levels?|buildings?)\s+\w"
    r"|(?<![\w/])/[\w.-]+/",
    re.IGNORECASE,
)
_NUMERALS = "|".join((*UNITS, *TENS, "half", "quarter", "dozen", "hundred", "thousand"))
_DURATION = lazy_pattern(
    rf"\b(?:(?:\d+|an?|{_NUMERALS}|few|several|many)\W{{0,3}}"
    r"(?:\(\d+\)\s*)?(?:calendar\s+|business\s+|working\s+)?(?:second|minute|hour|day|week|month|year|decade|centur)\w*"
    r"|fortnight|permanent\w*|indefinite\w*|perpetual\w*|until|lifetime|forever|overnight)\b",
    re.IGNORECASE,
)
_OFTEN = lazy_pattern(
    r"\b(?:daily|weekly|monthly|quarterly|annual\w*|yearly|hourly|every|each|per|once|twice(?!\s+(?:as|the|its|their|that)\b)|times|always|never|usually"
    r"|regularly|sometimes|rarely|continuous\w*)\b",
    re.IGNORECASE,
)
_FIGURE = lazy_pattern(rf"\d|\b(?:{_NUMERALS}|third)\b", re.IGNORECASE)
_SERIES = lazy_pattern(r",\s[^,]{1,80}(?:,|\s)\s?(?:and|or)\s|;\s.{1,200};|:\s", re.IGNORECASE)
_DIGIT = re.compile(r"\d|[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343\u4e07\u5104\u4ebf]")
"""A figure in any script, or a Chinese numeral."""
_CLOCK = lazy_pattern(r"(?<![\d.,])(?:[01]?\d|2[0-4])(?::[0-5]\d|\s?h(?:\s?[0-5]\d)?)\b", re.IGNORECASE)
_MARKER = lazy_pattern(r"^\W{0,3}(?:\d{1,3}|[a-z])(?:\.\d{1,3}){0,4}(?:[.)\u3001]+\s*|\s+(?=[^\W\d_]))")
"""The number of a clause or of an item."""
_CASED = lazy_pattern(r"[a-z\u00df-\u00ff\u0430-\u044f\u03b1-\u03c9]")
"""A lower-case letter: the script tells names by their capitals."""
_VALUES = frozenset(["how_many", "how_much", "when"])
VALUED = _VALUES | {"how_long", "how_often"}
"""Forms of which the answer is a value."""
_IN_WORDS = 0.4
"""How well a number in words alone is an amount."""
_PRICE = lazy_pattern(r"\b(?:cost|price|fee|charge|pay|much\s+(?:is|are|was|were|for|to))", re.IGNORECASE)
_COST = lazy_pattern(r"\b(?:costs?|price)\b", re.IGNORECASE)
_WHAT_COSTS = lazy_pattern(r"^\W*what\s+(?:do|does|did|will|would)\s+(?:[\w'\u2019.,-]+\s+){1,8}?cost\b", re.IGNORECASE)
_NO_PRICE = frozenset(["count", "duration", "percent"])
"""Kinds of quantities that are none."""
_COUNT = frozenset(["count"])
_NONE = frozenset[str]()
_FREE = lazy_pattern(
    r"\b(?:free(?:\s+of\s+charge)?(?!\s+(?:to|from|time|school|will|copy)\b)|no\s+(?:\w+\s+)?(?:charge|fee|cost)|without\s+(?:extra\s+)?charge"
    r"|complimentary|gratis|(?:costs?|pays?|charges?)\s+nothing)\b",
    re.IGNORECASE,
)
"""Nothing as a price."""
_FREE_HELD = 0.7
"""How well it is one."""
_LONGEST = 3000
"""Characters of a sentence that are looked at."""


_SHAPES: tuple[tuple[str, str, str], ...] = (
    (
        "percentage percent share rate proportion",
        r"\d\s*(?:%|per\s*cent\b|percent)|\b(?:half|third|quarter)s?\b",
        "",
    ),
    ("ratio", r"\d\s*(?:%|per\s*cent\b|percent|:\s?\d|to\s\d)|\b(?:half|third|quarter)s?\b", ""),
    ("phone telephone hotline fax", r"\+?\(?\d[\d\s()./-]{5,}\d", "only"),
    ("email e-mail mail", r"\S@\S", "only"),
    ("website url link webpage site page", r"https?://|\bwww\.|\b[\w-]+\.(?:org|com|net|gov|edu|io|example)\b", ""),
    ("version release", r"\bv?\d+\.\d+[\w.]*", "new"),
    ("temperature degree", r"\d\s*\W?(?:\u00b0|degrees?\b|[CFK]\b)", ""),
    (
        "price cost fee fare charge penalty fine salary rent deposit budget amount sum grant payment premium",
        r"\d",
        "money",
    ),
    ("currency", r"[$\u20ac\u00a3\u00a5]|\b(?:dollar|euro|pound|yen|USD|EUR|GBP|RMB|CNY)s?\b", ""),
    (
        "age size length width height depth distance weight capacity speed voltage power limit maximum minimum dose"
        " dosage",
        r"\d",
        "",
    ),
    ("number figure count total quantity", r"\d", ""),
    ("deadline date day year month time hour hours expiry", "", "when"),
    ("address", r"\d", ""),
    ("name", r"(?-i:(?<=[\w,;:()\"'\u201c-] )[A-Z\u00c0-\u00de][\w'\u2019-]+)", "new"),
    ("command option flag parameter file folder path", r"[/\\_<>`=]|--?\w|\w\.\w{2,4}\b", ""),
)
"""Nouns that ask for a value of one look: what it looks like, and which reader of values finds it."""
_ASKED_NOUN = lazy_pattern(
    r"\b(?:what|which)(?:\s+(?:is|are|was|were)(?:\s+(?:the|an?|your|my|our|its))?)?((?:\s+[\w'-]+){1,5})",
    re.IGNORECASE,
)
_OF = lazy_pattern(
    r"\s(?:of|for|in|on|at|to|by|from|with|is|are|was|were|do|does|did|has|have|can|should|must|will|may|that)\s.*",
    re.IGNORECASE,
)
_PAST = lazy_pattern(r"\b(?:did|had|has|have|was|were)\b", re.IGNORECASE)
_ALLOWED = lazy_pattern(
    r"\b(?:may|can|cannot|must|shall|should|will|need|needs|allow\w*|permit\w*|forbid\w*|forbidden|prohibit\w*|requir\w+"
    r"|entitled|eligible|free|welcome|never|always|accepted|possible|only|no|not|yes)\b|n['\u2019]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Expectation:
    """What a question expects of the sentence that answers it."""

    question: str
    form: Form
    language: str = ENGLISH
    """Code of the language that it is asked in."""

    @property
    def foreign(self) -> bool:
        """True if that is another one than English, of which only names, places and figures are told apart."""
        return self.language != ENGLISH

    @cached_property
    def counted(self) -> Counted | None:
        """What is to be counted."""
        return asked_count(self.question)

    @cached_property
    def subject(self) -> str | None:
        """What is to be defined."""
        return asked_subject(self.question)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the question."""
        return frozenset(terms(self.question))

    @cached_property
    def shape(self) -> tuple[re.Pattern[str], str] | None:
        """What the value looks like that the noun behind "what" or "which" asks for, and who reads it."""
        match = None if self.foreign else _ASKED_NOUN.search(self.question)
        nouns = frozenset(map(stem, _OF.sub("", f"{match[1]} ").lower().split())) if match else frozenset()
        return next((shape for noun, shape in _shapes().items() if noun in nouns), None)

    def shaped(self, sentence: str) -> float:
        """1 if a sentence has a value of the look that is asked for, -1 if it has none, 0 if any will do."""
        if self.shape is None:
            return 0.0
        pattern, reader = self.shape
        text = sentence[:_LONGEST]
        if reader == "when":
            return 1.0 if says_when(text) else -1.0
        if pattern.search(text) is None or (reader == "new" and not _new(self, pattern, text)):
            return -1.0
        return 1.0 if reader != "money" or any(one.kind in ("money", "percent") for one in quantities(text)) else 0.0

    def lacks(self, sentence: str) -> bool:
        """True if a sentence has no value of the kind that is plainly asked for: a count, an amount or a time."""
        if self.shape is not None and self.shape[1] == "only":
            return self.shaped(sentence) < 0
        if self.form == "what" and not self.foreign and _WHAT_COSTS.search(self.question):
            return _how_much(self, sentence[:_LONGEST]) <= _IN_WORDS
        return self.form in _VALUES and self.held(sentence) == 0.0

    def doubts(self, sentence: str) -> bool:
        """True if a sentence seems to name no one, no place, no name or no figure where one is asked for."""
        if self.shape is not None and self.shape[1] == "new":
            return self.shaped(sentence) < 0
        if self.form == "how_much" and not self.foreign and self.held(sentence) <= _IN_WORDS:
            return True  # "two members" is no amount, "two" might be one
        nouns = self.form == "who" and languages()[self.language].capital_nouns
        return self.form in ("who", "where") and self.held(sentence) <= (0.5 if nouns else 0.0)

    def given_by(self, heading: str) -> bool:
        """True if a heading gives the time or the version that is asked for: "2.4.0 (3 May 2023)".

        It dates what was done, not what is to come.
        """
        past = self.form == "when" and _PAST.search(self.question) is not None
        valued = past or (self.shape is not None and self.shape[1] == "new")
        return valued and not (self.lacks(heading) or self.doubts(heading))

    def held(self, sentence: str) -> float:
        """How well a sentence has the form, in [0, 1]: 1 as expected, .5 where any form will do or in a weaker way."""
        check = (_FOREIGN if self.foreign else _CHECKS).get(self.form)
        return 0.5 if check is None else check(self, sentence[:_LONGEST])


_WHEN_NEEDED = lazy_pattern(
    r"^\W*when\s+(?:do|does|must|should|shall|am|is|are|can|may)\s+(?:\w+\s+){1,4}?"
    r"(?:need|have\s+to|required|pay|wear|bring|get|ask|apply|show|allowed|entitled)\b",
    re.IGNORECASE,
)
_CONDITION = lazy_pattern(
    r"\b(?:if|unless|over|above|under|below|(?:more|less|longer|heavier|older|younger|fewer|higher|lower)\s+than|at\s+least"
    r"|up\s+to|exceed\w*|worth|provided|in\s+case)\b",
    re.IGNORECASE,
)


@cache
def _shapes() -> Mapping[str, tuple[re.Pattern[str], str]]:
    return {
        stem(noun): (re.compile(pattern, re.IGNORECASE), reader)
        for nouns, pattern, reader in _SHAPES
        for noun in nouns.split()
    }


@lru_cache(maxsize=256)
def expectation(question: str, language: str | None = None) -> Expectation:
    """What a question expects, from its words alone; they tell its language too, where the caller does not."""
    language = language or language_of(question)
    form = _form(question) if language == ENGLISH else _foreign_form(question, language)
    return Expectation(question, form, language)


def _foreign_form(question: str, language: str) -> Form:
    kind = question_kind(question, language)
    if kind == "yes_no":
        return "whether"
    return next((form for form in FORMS if form == kind), "what")


def asking_part(question: str) -> str:
    """A question without its later question words, which are relative: "the tenants who pay late" asks for no one.

    "... and where" asks for something more. "WHO" is an organisation.
    """
    capitals = question.isupper()
    words = [one for one in _ASKS.finditer(question) if one.group() != "WHO" or capitals]
    if len(words) > 1 and _CASE_FIRST.match(question[: words[1].start()]):
        return asking_part(question[words[1].start() :])
    if len(words) > 1 and not _AND.search(question[: words[1].start()]):
        question = question[: words[1].start()]
    return question if capitals else question.replace("WHO", "")


def _form(question: str) -> Form:
    part = asking_part(question)
    timed = _COMPILED["how_long"].search(question) or _COMPILED["how_often"].search(question)
    checks: tuple[tuple[Form, bool], ...] = (
        ("whether", asks_yes_or_no(question)),
        ("how_many", not timed and asked_count(question) is not None),
        ("when", asks_when(part)),
        ("how_much", not timed and asks_how_much(question)),
        ("definition", asked_subject(question) is not None),
        *((form, pattern.search(part) is not None) for form, pattern in _COMPILED.items()),
    )
    form: Form = next((one for one, holds in checks if holds), "what")
    return "list" if form in ("which", "what") and _LIST.search(question) else form


def _who(expected: Expectation, sentence: str) -> float:
    if _new(expected, _NAME, sentence):
        return 1.0
    return 0.7 if _new(expected, _PERSON, sentence) else 0.0


def _where(expected: Expectation, sentence: str) -> float:
    if _new(expected, _PLACE, sentence):
        return 1.0
    return 0.6 if _SPOT.search(sentence) else 0.0


def _when(expected: Expectation, sentence: str) -> float:
    if says_when(sentence):
        return 1.0
    # "When do I need a helmet?" may be told by a condition ("over 25 km an hour").
    return 0.5 if _WHEN_NEEDED.search(expected.question) and _CONDITION.search(sentence) else 0.0


def _how_long(_expected: Expectation, sentence: str) -> float:
    if _DURATION.search(sentence):
        return 1.0
    return 0.5 if says_when(sentence) or _FIGURE.search(sentence) else 0.0


def _how_often(_expected: Expectation, sentence: str) -> float:
    return float(_OFTEN.search(sentence) is not None)


def _how_many(expected: Expectation, sentence: str) -> float:
    counted = expected.counted
    if counted is not None and not counted.anything and says_count(counted, sentence):
        return 1.0 if not counted.whole or says_count(counted, sentence, whole=True) else 0.4
    return 0.5 if has_count(sentence) else 0.0


def _how_much(expected: Expectation, sentence: str) -> float:
    free = _FREE_HELD if _PRICE.search(expected.question) and _FREE.search(sentence) else 0.0
    if not has_amount(sentence):
        return free
    measured = {one.kind for one in quantities(sentence) if one.unit}
    no_price = _NO_PRICE if _COST.search(expected.question) else _COUNT if _PRICE.search(expected.question) else _NONE
    if measured and measured <= no_price:
        return max(free, _IN_WORDS)  # "packs of up to 5 litres" is no price, nor are "two members"
    if measured:
        return 1.0
    return 0.7 if _DIGIT.search(sentence) else max(free, _IN_WORDS)


def _why(expected: Expectation, sentence: str) -> float:
    return 1.0 if _new(expected, _CAUSE, sentence) else 0.0


def _how(_expected: Expectation, sentence: str) -> float:
    if _ORDER.search(sentence):
        return 1.0
    return 0.8 if _WAY.search(sentence) else 0.0


def _definition(expected: Expectation, sentence: str) -> float:
    subject = expected.subject
    return 1.0 if subject is not None and defines(subject, sentence) else 0.3


def _whether(_expected: Expectation, sentence: str) -> float:
    return 1.0 if _ALLOWED.search(sentence) else 0.3


def _list(_expected: Expectation, sentence: str) -> float:
    return 1.0 if _SERIES.search(sentence) else 0.3


def _new(expected: Expectation, pattern: re.Pattern[str], sentence: str) -> bool:
    """True if the pattern finds something that is more than words of the question."""
    return any(not _only(expected, match.group()) for match in pattern.finditer(sentence))


def _only(expected: Expectation, words: str) -> bool:
    stems = terms(words)
    return bool(stems) and expected.stems.issuperset(stems)


def _figure(expected: Expectation, sentence: str) -> float:
    numerals = languages()[expected.language].numerals
    return float(_has_digit(sentence) or not numerals.keys().isdisjoint(words(sentence)))


def _amount(expected: Expectation, sentence: str) -> float:
    """As `_figure`, but of days and hours, which are no amounts."""
    for one in reversed(quantities(sentence)):
        if one.kind in ("date", "period"):
            sentence = f"{sentence[: one.start]} {sentence[one.end :]}"
    return _figure(expected, _CLOCK.sub(" ", sentence))


def _foreign_when(expected: Expectation, sentence: str) -> float:
    language = languages()[expected.language]
    told = language.days.union(language.months)
    return float(_has_digit(sentence) or not told.isdisjoint(words(sentence)))


def _has_digit(sentence: str) -> bool:
    """True if a sentence has a figure beside the number of its clause."""
    return _DIGIT.search(_MARKER.sub("", sentence)) is not None


def _name(expected: Expectation, sentence: str) -> float:
    if not _CASED.search(sentence):
        return 0.5
    found = _new(expected, _NAME, sentence)
    if not languages()[expected.language].capital_nouns:
        return float(found)
    # Where every noun has a capital, two of them in a row are a name, and one may be whoever is asked for.
    return 1.0 if _new(expected, _NAMES, sentence) else 0.5 * found


def _place(expected: Expectation, sentence: str) -> float:
    language = languages()[expected.language]
    if not (language.places and _CASED.search(sentence)):
        return _name(expected, sentence)
    words = [word for word in _LETTERS.findall(sentence) if word not in language.function_words - language.places]
    behind = [word for before, word in pairwise(words) if before.lower() in language.places]
    times = language.months.keys() | language.numbers.keys()  # "im Monat" is no place
    spots = [word for word in behind if word.lower() not in times and not _only(expected, word)]
    capital = any(word[0].isupper() for word in spots)
    return (1.0 if capital else 0.6) if spots else 0.0


_FOREIGN: Mapping[Form, Callable[[Expectation, str], float]] = {
    "who": _name,
    "where": _place,
    "when": _foreign_when,
    "how_long": _figure,
    **dict.fromkeys(("how_many", "how_much"), _amount),
}
_CHECKS: Mapping[Form, Callable[[Expectation, str], float]] = {
    "who": _who,
    "where": _where,
    "when": _when,
    "how_long": _how_long,
    "how_often": _how_often,
    "how_many": _how_many,
    "how_much": _how_much,
    "why": _why,
    "how": _how,
    "definition": _definition,
    "list": _list,
    "whether": _whether,
}
