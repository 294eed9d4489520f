"""The decomposition of a question: intent, parts, pages, section and names, instructions, and premise.

It uses word lists and patterns but no model, so the same question always has the same parts, and no part is dropped
silently.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, TypedDict

from spanwise.text.expectations.polarity import asks_yes_or_no
from spanwise.text.languages import ENGLISH, language_of
from spanwise.text.patterns import AUXILIARIES, QUESTION_WORDS, lazy_pattern
from spanwise.text.terms import FUNCTION_WORDS, words

UNKNOWN_INTENT = "unknown"

# The first pattern that matches decides, so their order matters.
_INTENTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (intent, re.compile(rf"\b(?:{cues})\b", re.IGNORECASE))
    for intent, cues in (
        ("penalty", r"late\s{1,9}(?:fees?|charges?|payments?)|overdue|past\s{1,9}due|penal(?:ty|ties|i[sz]ed)"),
        ("payment_terms", r"pay(?:s|ing|able|ments?)?|paid|invoic(?:e|es|ed|ing)"),
        (
            "intellectual_property",
            (
                r"intellectual\s{1,9}property|ip|own(?:s|ed|ers?|ership)|licen[sc](?:e|es|ed|ing|or|ee)"
                r"|infring(?:e|es|ed|ing|ements?)|copyrights?|patents?"
            ),
        ),
        ("indemnification", r"indemni(?:fy|fies|fied|fying|fication|ty|ties)|third[\s-]{1,9}party\s{1,9}claims?"),
        ("termination", r"terminat(?:e|es|ed|ing|ion)|written\s{1,9}notice|cancel(?:s|led|ling|lation)?"),
        ("confidentiality", r"confidential(?:ity|ly)?|proprietary\s{1,9}information|non-?disclosure"),
        ("scope_of_services", r"shall\s{1,9}provide|services?|scope"),
    )
)
_TIMEFRAME = re.compile(
    r"\bwithin\s{1,9}(\d{1,9}\s{1,9}(?:(?:business|calendar|working)\s{1,9})?(?:days?|weeks?|months?|years?))\b",
    re.IGNORECASE,
)
_PERCENTAGE = re.compile(r"(?<![\w.,])(\d{1,9}(?:\.\d{1,9})?)\s{0,9}%")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_TEMPORAL = re.compile(
    rf"\b(?:on|by|before|after)\s{{1,9}}{_MONTH}\.?\s{{1,9}}\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s{{1,9}}\d{{4}}\b)?",
    re.IGNORECASE,
)


class Decomposition(TypedDict):
    """The parts of a question."""

    intent: str
    """One of the seven intents, or `unknown`."""
    entities: list[str]
    """The content words of the question, in lower case, without duplicates, in order."""
    constraints: dict[str, str]
    """`timeframe` ("30 days") and `percentage` ("1.5"), as far as the question gives them."""
    temporals: list[str]
    """Dates with their preposition, as written: "before March 1, 2025"."""


class QueryDecomposer:
    """Decomposes a question into intent, entities, constraints and dates; deterministic."""

    async def decompose(self, query: str) -> Decomposition:
        """The parts of a question; without a known cue, its intent is `unknown`."""
        return {
            "intent": _intent(query),
            "entities": list(dict.fromkeys(word for word in words(query) if word not in FUNCTION_WORDS)),
            "constraints": constraints(query),
            "temporals": [" ".join(match.group().split()) for match in _TEMPORAL.finditer(query)],
        }


def _intent(query: str) -> str:
    return next((intent for intent, cues in _INTENTS if cues.search(query)), UNKNOWN_INTENT)


def constraints(query: str) -> dict[str, str]:
    """The time frame ("within 30 days") and the percentage in a question, as far as it gives them."""
    found = {"timeframe": _TIMEFRAME.search(query), "percentage": _PERCENTAGE.search(query)}
    return {name: " ".join(match.group(1).split()) for name, match in found.items() if match}


Pattern: TypeAlias = Literal["single", "independent", "sequential", "unified", "conditional"]

_OPENER = r"(?:what|which|who|whose|when|where|why|how|is|are|does|do|did|can|may|must|shall|list|name)"
_SPLIT = re.compile(rf"(?<=\?)\s+(?=\w)|[,;]?\s+(?:and|also|and\s+also)\s+(?={_OPENER}\b)", re.IGNORECASE)
_ASKS = re.compile(rf"\W*{_OPENER}\b", re.IGNORECASE)
_LISTED = re.compile(r"[,;]\s+(?=(?:what|who|whose|when|where|why|how)\b)", re.IGNORECASE)
"""Separators between questions in a row, the last of which is joined by "and"."""
_NOUNS = re.compile(
    r"^\W*(?:what|which)\s+(?:is|are)\s+the\s+(?P<one>[\w' -]{2,40}?)\s+and\s+(?:(?P<article>the)\s+)?"
    r"(?P<other>[\w' -]{2,40}?)(?P<rest>\s+(?:of|in|under|for)\b[^?]*)?\?*\s*$",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"^\W*(?P<opener>what|which|who|where|when|how\s+(?:high|long|large|much))\s+(?:is|are|was|were)\s+"
    r"(?P<row>the\s[^?;:]{2,300})\?*\s*$",
    re.IGNORECASE,
)
_JOINT = re.compile(r",\s+(?:and\s+)?(?=the\s)|\s+and\s+(?=the\s)", re.IGNORECASE)
_OF = re.compile(r"\s+(?:of|in|under|for)\s", re.IGNORECASE)
_MOST_NOUN_WORDS = 8
_TOGETHER = re.compile(
    r"\b(?:between|both|sum|total|combined|ratio|relationship|relation|average|compar\w+|versus|vs|same)\b",
    re.IGNORECASE,
)
"""Words that relate two things to each other, so that they cannot be asked separately."""
_VERBS = re.compile(
    r"^(?P<head>\W*(?:when|where)\s+(?:does|do|did|is|are|was|were|can|may|must|shall|should|will|would)\s+"
    r"(?:the|an?|this|that|my|our|your|its|their|each|every|[A-Z][\w.&-]{0,40})(?:\s+[\w'-]{1,40}){1,5}?)"
    r"\s+(?P<one>\w{2,20})\s+and\s+(?P<other>\w{2,20})\s*\?*\s*$",
    re.IGNORECASE,
)
_IS = re.compile(r"\b(?:is|are|was|were)\b", re.IGNORECASE)
_DONE = re.compile(r"(?:ed|en|wn|ld|pt|nt|id|ght)$", re.IGNORECASE)
_FIRST_THEN = re.compile(
    r"^\W*first(?:ly)?\s*,?\s+(?P<first>.{3,300}?)\s*[,;.?]?\s+(?:and\s+)?(?:then|next)\s*,?\s+(?P<then>.{3,300})$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:please\s+)?(?:find(?:\s+out)?|identify|give(?:\s+(?:me|us))?|state|name|look\s+up|say|tell(?:\s+(?:me|us))?"
    r"|determine|explain|check|report|quote)\s+(?=\w)",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"^\W*if\b.+,\s*\w", re.IGNORECASE)
_SEQUENCE = re.compile(r"\b(?:and\s+then|after\s+that|based\s+on\s+that)\b", re.IGNORECASE)


def split_parts(text: str) -> tuple[Pattern, tuple[str, ...]]:
    """The composition of a question and its part questions; no parts if it is a single question."""
    if _CONDITION.search(text):
        return "conditional", ()
    if found := _FIRST_THEN.match(text):
        return "sequential", tuple(_question(found[name]) for name in ("first", "then"))
    pieces = _pieces(text)
    if len(pieces) > 1:
        pattern: Pattern = "sequential" if _SEQUENCE.search(text) else "independent"
        return pattern, tuple(_asked(piece) for piece in pieces)
    if parts := _verbs(text) or (() if _TOGETHER.search(text) else _row(text)):
        return "independent", parts
    return ("single", ()) if _TOGETHER.search(text) else _nouns(text)


def _verbs(text: str) -> tuple[str, ...]:
    """The parts of "When does the lease begin and end?"; after "is" only participles count ("held and invested")."""
    found = _VERBS.match(text)
    if found is None or (_IS.search(found["head"]) and not all(_DONE.search(found[name]) for name in ("one", "other"))):
        return ()
    return tuple(f"{found['head'].strip()} {found[name]}?" for name in ("one", "other"))


def _nouns(text: str) -> tuple[Pattern, tuple[str, ...]]:
    """The composition and parts of "What are the premium and exclusions of the policy?", if it asks for two things."""
    nouns = _NOUNS.match(text)
    if nouns is None:
        return "single", ()
    # "the premium and the exclusions" are two things, "exclusions and limitations" a pair of words. In
    # "research and development expenses", one word has no meaning without the other.
    alike = is_plural(nouns["one"]) == is_plural(nouns["other"]) or " " in nouns["other"].strip()
    pair = nouns["article"] is None and alike
    if pair or (nouns["rest"] is None and _OF.search(nouns["one"])):
        return "unified", ()
    rest = nouns["rest"] or ""
    return "independent", tuple(
        f"{'What are' if is_plural(noun) else 'What is'} the {noun.strip()}{rest}?"
        for noun in (nouns["one"], nouns["other"])
    )


def _row(text: str) -> tuple[str, ...]:
    """The parts of "What are the rent, the deposit and the notice period of the lease?"."""
    found = _ROW.match(text)
    nouns = [noun.strip() for noun in _JOINT.split(found["row"])] if found else []
    if found is None or len(nouns) < 2 or any(len(noun.split()) > _MOST_NOUN_WORDS for noun in nouns[:-1]):
        return ()
    whose = _OF.search(nouns[-1])
    if whose is None and any(_OF.search(noun) for noun in nouns):
        return ()  # "the purpose of the terms and the conditions" asks for one thing
    rest = nouns[-1][whose.start() :] if whose else ""
    whole = [noun if at == len(nouns) - 1 or _OF.search(noun) else f"{noun}{rest}" for at, noun in enumerate(nouns)]
    opener = found["opener"].capitalize()
    return tuple(f"{opener} {'are' if is_plural(_OF.split(noun)[0]) else 'is'} {noun}?" for noun in whole)


def _question(piece: str) -> str:
    """A part that is an order ("find the deposit") as a question ("What is the deposit?")."""
    plain = piece.strip(" ,;.?")
    ordered = _ORDER.match(plain)
    said = plain[ordered.end() :] if ordered else plain
    if ordered and not _ASKS.match(said):
        said = f"What is {said}"
    return f"{said[0].upper()}{said[1:]}?"


def _pieces(text: str) -> tuple[str, ...]:
    """The consecutive questions in a text; a sentence that only explains stays with the question before it."""
    pieces: list[str] = []
    for piece in (part.strip(" ,;") for part in _SPLIT.split(text) if part.strip(" ,;?")):
        if pieces and not piece.endswith("?") and not _ASKS.match(piece):
            pieces[-1] = f"{pieces[-1]} {piece}"
        else:
            pieces.append(piece)
    if len(pieces) < 2:
        return tuple(pieces)
    several = [one for piece in pieces for one in (_LISTED.split(piece) if _ASKS.match(piece) else [piece])]
    first: dict[str, str] = {}  # a repeated question is answered once
    for one in several:
        first.setdefault(one.casefold(), one)
    return tuple(first.values())


def is_plural(noun: str) -> bool:
    """True if the last word of a noun phrase looks like a plural."""
    word = noun.strip().lower().rpartition(" ")[2]
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _asked(piece: str) -> str:
    return piece if piece.endswith(("?", ".", "!")) else f"{piece}?"


MOST_PAGES = 200

_PAGES = re.compile(
    r"\b(?:(?:on|in|at|from|see)\s{1,3})?(?:pages?|pp?\.)\s{0,3}(\d{1,5})(?:\s{0,3}(?:-|\u2013|to|through)\s{0,3}(\d{1,5}))?"
    r"((?:\s{0,3}(?:,|and|&)\s{0,3}(?:page\s{1,3})?\d{1,5}){0,20})",
    re.IGNORECASE,
)
_SECTION = lazy_pattern(
    r"\b(?:in|under|of|from|within)\s+(?:the\s+)?"
    r"(?:(?:section|chapter|article|clause|appendix|exhibit|item|part|note)\s+"
    r"(?:on\s+|about\s+|titled\s+|called\s+)?[\"\u201c']?(?P<after>[\w.&,\- ]{1,60}?)[\"\u201d']?"
    r"|[\"\u201c']?(?P<before>[\w.&\- ]{1,60}?)[\"\u201d']?\s+(?:section|chapter|article|clause|appendix|paragraph))"
    r"\s*(?=\?|[.,;](?:\s|$)|$|\b(?:what|which|who|how|is|are|does|do|say|apply|require)\b)",
    re.IGNORECASE,
)
_INNER = re.compile(r"\b(?:in|under|of|from|within)\s+(?:the\s+)?", re.IGNORECASE)
"""In "the fee of the price in the warranty section", only the words after the last of these are the section."""


def named_pages(text: str) -> tuple[int, ...]:
    """The page numbers that the text names, sorted, at most `MOST_PAGES`."""
    found: set[int] = set()
    for match in _PAGES.finditer(text):
        first = int(match.group(1))
        last = int(match.group(2) or first)
        found.update(range(first, min(last, first + MOST_PAGES) + 1))
        found.update(int(number) for number in re.findall(r"\d+", match.group(3)))
    return tuple(sorted(found - {0}))[:MOST_PAGES]


def without_pages(text: str) -> str:
    """The text without the words that name pages, since these do not say what to search for."""
    return " ".join(_PAGES.sub(" ", text).split())


def named_section(text: str) -> str | None:
    """The section that the text names, without the word "section"; None if it names none."""
    match = _SECTION.search(text)
    if match is None:
        return None
    name = match.group("after") or _INNER.split(match.group("before") or "")[-1]
    name = name.strip(" ,.'\"")
    return name if name and name.lower() not in ("this", "that", "the", "a", "which", "each") else None


_NAME = lazy_pattern(
    r"(?<![.?!]\s)(?<!^)(?<![\u00bf\u00a1])\b[A-Z][\w&'.\u2019-]{0,40}(?:\s+(?:of|and|the|&|[A-Z0-9][\w&'.\u2019-]{0,40})){0,7}"
)


def entities(text: str) -> tuple[str, ...]:
    """The names in a text as written, without duplicates, in order."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name = re.sub(r"(?:\s+(?:of|and|the|&))+$", "", match.group()).strip(" .'\u2019")
        if len(name) > 1:
            found[name] = None
    return tuple(found)


_FORM = re.compile(
    r"""
      \bin\s+(?:USD|US\$|EUR|GBP|JPY|\$|dollars?|euros?)?\s*(?:millions?|billions?|thousands?)\b(?:\s+of\s+\w+)?
    | \((?:in|expressed\s+in|as)\s+[^()]{1,60}\)
    | \bin\s+(?:USD|EUR|GBP|JPY|CHF|US\s+dollars|dollars|euros|(?:units?\s+of\s+)?percent(?:age|s)?(?:\s+points?)?)\b
    | \b(?:as|in)\s+(?:an?\s+)?(?:integers?|numbers?|words?|list|table|bullet\s+points?|json|percent|decimals?)\b
    | \b(?:and\s+)?round(?:ed)?\s+(?:to|(?:your\s+|the\s+)?answer)[^.?!;]{0,60}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = re.compile(r"[^.?!]+(?:\.++(?=[^\s?!])[^.?!]*+)*+[.?!]*+")
"""A sentence with the marks at its end; a dot inside of it ("1.5") ends none, a question mark does without a space."""
_SOURCE = r"(?:information|judge?ments?|conclusions?|details?|line\s+items|data|answers?|figures)"
_ADVICE = re.compile(
    r"^\W*(?:please\b|answer\b|respond\b|(?:give|provide)\s+(?:an?|your|the)\s+(?:answer|response|solution)\b|base\s+your\b"
    r"|state\s+your\b|use\s+the\b|assume\s+that\s+you\b|approach\s+the\b|address\s+the\b|if\b|calculate\s+(?:what\s+)?"
    r"|compute\b|round\b|(?:we|i)\s+(?:need|want|would\s+like)\s+to\b"
    r"|your\s+answer\b|the\s+answer\b|considering\b|you\s+are\b|imagine\b|adopt\b|utili[sz]e\b)",
    re.IGNORECASE,
)
# The text before a colon that announces the question after it.
_BEFORE_COLON = re.compile(r"^[^:?]{0,300}\bquestions?\b[^:?]{0,60}:\s+(?=\w[^?]{3,}\?)", re.IGNORECASE)
# A clause before the question about the information from which to answer.
_LEAD = re.compile(
    rf"^\W*(?:by|based|basing|in\s+agreement|in\s+line|in\s+accordance|according|taking|using|considering|relying|given)\b"
    rf"[^?:]{{0,120}}?\b{_SOURCE}\b[^?:]{{0,200}}?,\s+(?=(?:what|which|how|who|when|where|is|are|was|were|does|do|did|has)\b)",
    re.IGNORECASE,
)


def split_instructions(text: str) -> tuple[str, tuple[str, ...]]:
    """Separate the instructions about the answer's form from a question.

    Returns:
        The remaining text to search for (never empty unless the question is), and the instructions in order.
    """
    instructions: list[str] = []
    kept: list[str] = []
    sentences = [match.group().strip() for match in _SENTENCE.finditer(text) if match.group().strip()]
    asks = any(sentence.endswith("?") for sentence in sentences)
    for written in sentences:
        sentence = written
        if asks and not sentence.endswith("?") and _ADVICE.match(sentence):
            instructions.append(sentence)
            continue
        for introduction in (_BEFORE_COLON, _LEAD):
            if (match := introduction.match(sentence)) is not None:
                instructions.append(match.group().strip())
                sentence = sentence[match.end() :]
        instructions += [match.group().strip() for match in _FORM.finditer(sentence)]
        kept.append(" ".join(_FORM.sub(" ", sentence).split()))
    query = " ".join(part for part in kept if part)
    return (query, tuple(instructions)) if re.search(r"\w", query) else (text, ())


_LONGEST = 400
"""Most characters of a question whose premise is determined."""
_AUXILIARY = re.compile(rf"\b(?P<do>do|does|did)\b\s*|\b(?:{AUXILIARIES})\b\s*", re.IGNORECASE)
_ASKING = re.compile(
    rf"\b(?:{QUESTION_WORDS})\b"
    r"(?:\s+(?:many|much|long|often|far|old|large|big|high|tall|deep|soon|wide|fast|heavy)\b)?\s*",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"\b(?:in|at|on|for|from|to|with|by|of|under|within|after|before|until|since|during)$", re.IGNORECASE
)
"""A preposition at the end of the text before the question word: "In which year"."""
_MOST_NAMED = 4
"""Most words between the question word and the verb ("How many wells")."""


def premise(question: str, language: str | None = None) -> str | None:
    """The statement that an English question takes for granted, without what it asks for; None for yes-or-no questions.

    Example:
        >>> premise("How many wells did the club dig in 2024?")
        'Wells the club dig in 2024.'
    """
    asked = question.strip().rstrip("?.! ")
    match = _ASKING.search(asked)
    if (language or language_of(question)) != ENGLISH:
        return None
    if match is None or len(asked) > _LONGEST or asks_yes_or_no(question):
        return None
    before = _PREPOSITION.sub("", asked[: match.start()].strip(" ,")).strip(" ,")
    rest = asked[match.end() :]
    verb = _AUXILIARY.search(rest)
    if verb is not None and len(rest[: verb.start()].split()) <= _MOST_NAMED:
        # The verb after "did" makes it redundant; "was" is kept if something is named before it.
        rest = rest[: verb.start()] + rest[verb.end() if verb["do"] or not verb.start() else verb.start() :]
    said = ", ".join(part for part in (before, rest.strip(" ,")) if part)
    return f"{said[0].upper()}{said[1:]}." if said else None
