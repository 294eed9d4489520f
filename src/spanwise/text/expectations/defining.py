"""What something is: questions that ask for a definition, and sentences that give one.

Whoever finds passages and whoever picks the answer use this one rule.
"""

from __future__ import annotations

import re

from spanwise.text.terms import terms

_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^\W*what\s+does\s+(?:an?\s+|the\s+)?(?:terms?\s+)?(?P<what>.{2,80}?)\s+(?:mean|stand\s+for|refer\s+to)\b",
        r"^\W*(?:how\s+(?:is|are)|what\s+(?:is|are))\s+(?:an?\s+|the\s+)?(?P<what>.{2,80}?)\s+defined(?:\s+as)?\b",
        r"^\W*(?:what\s+(?:is|are)|give|state|find|show)\s+(?:\w+\s+){0,3}?(?:definitions?|meaning)\s+of\s+(?:an?\s+|the\s+)?"
        r"(?:terms?\s+)?(?P<what>[^?.!]{2,80})",
        r"^\W*define\s+(?:an?\s+|the\s+)?(?:terms?\s+)?(?P<what>[^?.!]{2,80})",
        r"^\W*what\s+(?:is|are)\s+(?:meant\s+by\s+)?(?:an?\s+)?(?P<what>(?!(?:an?|the)\s)[^?.!,]{2,60})[?.!]*\s*$",
    )
)
_FURTHER = re.compile(
    r"\b(?:in|under|according|within|for|by|on|at|to|from|with|as|that|which|when|if)\b", re.IGNORECASE
)
"""A short question that goes on with one of these is about something of the thing, not about what it is."""
_MOST_WORDS = 5
_ARTICLE = re.compile(r"^\W*(?:an?|the)\s+", re.IGNORECASE)
_LONGEST_HEAD = 120
_LONGEST_ROW = 1000
_FEWEST_WORDS = 4
_TOLD = (
    r"[\"\u201d'\u2019*_`]{0,3}(?:\s*\([^()]{1,40}\)|\s+or\s+[\"\u201c][^\"\u201d]{1,40}(?=[\"\u201d]))?[\"\u201d'\u2019]?\s*"
    r"(?:(?:is|are)\s+(?:an?|the|any|one|defined\s+as)\b|(?:shall\s+)?means?\b|refers?\s+to\b|comprises?\b"
    r"|consists?\s+of\b|stands?\s+for\b|denotes?\b|(?:[:\u2013\u2014]|(?<=\s)-)\s(?=[^\n]{0,20}?[^\W\d_]{2})"
    r"|,\s+(?:an?|the)\s+\w+\s+(?:that|which|where|who|of|for|in)\b)"
)


def asked_subject(question: str) -> str | None:
    """The thing of which a question asks what it is ("What is a baseline configuration?"), or None.

    "What is the price of X?" asks for a property, and is none.
    """
    for pattern in _ASKED:
        match = pattern.search(question)
        if match is None:
            continue
        subject = match["what"].strip(" \"'\u201c\u201d\u2018\u2019")
        further = _FURTHER.search(subject) is not None and not _is_name(subject)
        if further or not terms(subject) or len(subject.split()) > _MOST_WORDS:
            return None
        return subject
    return None


_THE = re.compile(
    r"^\W*(?:what\s+(?:is|are)|who\s+(?:is|are)|how\s+(?:much|high|long|large)\s+(?:is|are))\s+(?:the|our|my|your)\s+"
    r"(?P<what>[^?.!,]{2,60}?)[?.!]*\s*$",
    re.IGNORECASE,
)


def asked_term(question: str) -> str | None:
    """The thing that a question names as known ("What is the surge residual?", "Who is the landlord?"), or None.

    A document may define it as a term of its own; else the question is for one of its kind.
    """
    match = _THE.search(question)
    if match is None or _FURTHER.search(match["what"]) or re.search(r"\bof\b", match["what"]):
        return None
    return match["what"].strip() if terms(match["what"]) and len(match["what"].split()) <= _MOST_WORDS else None


def states(term: str, sentence: str) -> bool:
    """True if a sentence lays a term down: "Rent means ...", "Rent. The sum that ...", "Jane Doe (the Landlord)"."""
    words = r"[\s\-]{1,3}".join(rf"{re.escape(word)}(?:e?s)?" for word in re.findall(r"[^\W_]+", term))
    return re.search(_LAID_DOWN.format(term=words), sentence[:_LONGEST_ROW], re.IGNORECASE) is not None


_LAID_DOWN = (
    r"^\W{{0,3}}(?:\d+(?:\.\d+)*[.)]?\s+)?(?:an?\s+|the\s+)?[\"\u201c]?{term}[\"\u201d*_`]{{0,3}}(?:\s+\([^()]{{1,40}}\))?\s*"
    r"(?:\.\s+(?=[A-Z]\w*\s+\w)|(?:[:\u2013\u2014]|(?<=\s)-)\s(?=[^\n]{{0,20}}?[^\W\d_]{{2}})"
    r"|(?:shall\s+)?means?\b|is\s+defined\s+as\b)"
    r"|\w[^()]{{0,300}}\((?:(?:the|an?|each|collectively|hereinafter|referred\s+to\s+as|called)[\s,]+){{0,4}}"
    r"[\"\u201c'\u2018]?{term}[\"\u201d'\u2019]?\)"
)


def _is_name(subject: str) -> bool:
    """Whether it is written as a name, in which "as" and "of" are parts: "Software as a Service"."""
    first, *rest = subject.split()
    return first[0].isupper() and rest[-1][0].isupper() if rest else False


def defines(subject: str, sentence: str) -> bool:
    """Whether a sentence says what the subject is: "A baseline configuration is a set of ...", "'Day' means ..."."""
    words = [rf"{re.escape(word)}(?:e?s)?" for word in re.findall(r"[^\W_]+", subject)]
    if not words:
        return False
    named = r"[\s\-]{1,3}".join(words)
    return re.search(rf"\b{named}{_TOLD}", sentence, re.IGNORECASE) is not None


_HEAD = re.compile(
    r"\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?P<name>[^()]{2,80}?)\s*(?:\((?P<short>[^()]{1,40})\))?[\s.:\u2013\u2014-]*"
)


def named_alone(subject: str, sentence: str) -> bool:
    """Whether a sentence is the subject's name and no more, as before its definition: "Software as a Service (SaaS).".

    What follows it in its paragraph says what it is.
    """
    if len(sentence) > _LONGEST_HEAD:
        return False
    head = _HEAD.fullmatch(sentence)
    return head is not None and any(_same(subject, name) for name in (head["name"], head["short"] or ""))


def _same(subject: str, name: str) -> bool:
    """Whether two names are one but for articles and endings: "Degaussing Described" is another than "degauss"."""
    return terms(subject) == terms(name) and len(_ARTICLE.sub("", name).split()) == len(
        _ARTICLE.sub("", subject).split()
    )


def glossed(subject: str, row: str) -> str:
    """What a row of a glossary says of the subject ("Degauss  To reduce the magnetic flux to ..."), or nothing."""
    name, _, said = row.strip()[:_LONGEST_ROW].partition("  ")
    said = said.strip()
    words = said.split()
    is_text = said[:1].isalpha() and "  " not in said and len(words) >= _FEWEST_WORDS
    return said if is_text and named_alone(subject, name) else ""
