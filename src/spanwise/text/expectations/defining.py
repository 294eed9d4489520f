"""What something is: questions that ask for a definition, and sentences that give one.

Whoever finds passages and whoever picks the answer use this one rule.
"""

from __future__ import annotations

import re

from spanwise.text.terms import terms

_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^\W*what\s+does\s+it\s+mean\s+to\s+(?P<what>[^?.!,]{2,60})",
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
_BEFORE = 60
"""Characters before a name in which a word that makes it part of another is looked for."""
_OF_IT = r"(?:\s+(?:an?|for|of|in|to|with|by|on|from|between|under|within)\s(?:[^\W_]|[ '\u2019\-]){1,80}?)?"
"""What may stand between a term and its verb: "The 'source' for a work in object form means ..."."""
_PART_OF_ANOTHER = re.compile(
    r"\b(?:(?:for|of|in|with|by|on|from|between|under|within|into|through|without|as|than)\s+"
    r"(?:(?:an?|the|this|that|each|every|any|such|all)\s+)?|to\s+(?:an?|the|each|every|any|all)\s+)[\"\u201c'\u2018]?$",
    re.IGNORECASE,
)
"""The end of what stands before a name that belongs to another: "'Fitting information' for a device means ..."."""
_TOLD = (
    r"[\"\u201d'\u2019*_`]{0,3}(?:\s*\([^()]{1,40}\)|\s+or\s+[\"\u201c][^\"\u201d]{1,40}(?=[\"\u201d]))?[\"\u201d'\u2019]?\s*"
    rf"(?:{_OF_IT}\s+(?:(?:shall\s+)?means?\b|(?:is|are)\s+defined\s+as\b)"
    r"|(?:is|are)\s+(?:an?|the|any|one|either)\b|(?:shall\s+)?means?\b|refers?\s+to\b|comprises?\b"
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


_KINDS = r"(?:flag|option|switch|argument|parameter|command|setting|button|key|field|mode|group)(?:e?s)?"
_FOR_WHAT = (
    re.compile(
        rf"^\W*what\s+(?:does|do)\s+(?:the\s+)?(?:{_KINDS}\s+)?(?P<what>[^?.!]{{1,40}}?)(?:\s+{_KINDS})?\s+do\W*$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^\W*what\s+(?:is|are)\s+(?:the\s+)?(?:{_KINDS}\s+)?(?P<what>[^?.!]{{1,40}}?)(?:\s+{_KINDS})?"
        r"(?:\s+(?:used|good|there))?\s+for\W*$",
        re.IGNORECASE,
    ),
)
"""Questions for what something does or is for: an entry under its name says so."""
_OPTION = re.compile(r"(?<![\w-])-{1,2}[\w?@#][\w-]*")
"""An option of a command, as its manual writes it."""


def asked_term(question: str) -> str | None:
    """The thing that a question names as known ("What is the surge residual?", "What does -k do?"), or None.

    A document may define it as a term of its own; else the question is for one of its kind.
    """
    match = next(filter(None, (one.search(question) for one in (*_FOR_WHAT, _THE))), None)
    if match is None or _FURTHER.search(match["what"]) or re.search(r"\bof\b", match["what"]):
        return None
    return match["what"].strip() if terms(match["what"]) and len(match["what"].split()) <= _MOST_WORDS else None


def states(term: str, sentence: str) -> bool:
    """True if a sentence lays a term down: "Rent means ...", "Rent. The sum that ...", "Jane Doe (the Landlord)"."""
    words = r"[\s\-]{1,3}".join(rf"{re.escape(word)}(?:e?s)?" for word in re.findall(r"[^\W_]+", term))
    laid_down = _LAID_DOWN.format(term=words, between=_OF_IT, called=_CALLED.format(term=words))
    return re.search(laid_down, sentence[:_LONGEST_ROW], re.IGNORECASE) is not None


_CALLED = (
    r"\b(?:is|are)\s+(?:called|known\s+as|termed|referred\s+to\s+as)\s+(?:an?\s+|the\s+)?[\"\u201c]?{term}"
    r"(?!['\u2019\w])"
)
_LAID_DOWN = (
    r"^\W{{0,3}}(?:\d+(?:\.\d+)*[.)]?\s+)?(?:an?\s+|the\s+)?[\"\u201c]?{term}[\"\u201d*_`]{{0,3}}(?:\s+\([^()]{{1,40}}\))?\s*"
    r"(?:\.\s+(?=[A-Z]\w*\s+\w)|(?:[:\u2013\u2014]|(?<=\s)-)\s(?=[^\n]{{0,20}}?[^\W\d_]{{2}})"
    r"|{between}\s*(?:shall\s+)?(?:means?\b|is\s+defined\s+as\b))"
    r"|{called}|\w[^()]{{0,300}}\((?:(?:the|an?|each|collectively|hereinafter|referred\s+to\s+as|called)[\s,]+){{0,4}}"
    r"[\"\u201c'\u2018]?{term}[\"\u201d'\u2019]?\)"
)


def _is_name(subject: str) -> bool:
    """True if it is written as a name, in which "as" and "of" are parts: "Software as a Service"."""
    first, *rest = subject.split()
    return first[0].isupper() and rest[-1][0].isupper() if rest else False


def defines(subject: str, sentence: str) -> bool:
    """True if a sentence says what the subject is: "A baseline configuration is a set of ...", "'Day' means ..."."""
    words = [rf"{re.escape(word)}(?:e?s)?" for word in re.findall(r"[^\W_]+", subject)]
    if not words:
        return False
    named = r"[\s\-]{1,3}".join(words)
    told = re.finditer(rf"\b{named}{_TOLD}|{_CALLED.format(term=named)}", sentence, re.IGNORECASE)
    # "It rests on a baseline, a set of ..." says what a baseline is, whatever stands before it.
    return any("," in one[0] or not _PART_OF_ANOTHER.search(sentence[: one.start()][-_BEFORE:]) for one in told)


_HEAD = re.compile(
    r"\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?P<name>[^()]{2,80}?)\s*(?:\((?P<short>[^()]{1,40})\))?[\s.:\u2013\u2014-]*"
)


def named_alone(subject: str, sentence: str) -> bool:
    """True if a sentence is the subject's name and no more, as before its definition: "Software as a Service (SaaS).".

    What follows it in its paragraph says what it is.
    """
    if len(sentence) > _LONGEST_HEAD:
        return False
    if sentence.lstrip().startswith("-") and subject.startswith("-"):  # the entry of an option: "-k, --keep"
        return subject in _OPTION.findall(sentence)
    head = _HEAD.fullmatch(sentence)
    return head is not None and any(_same(subject, name) for name in (head["name"], head["short"] or ""))


def _same(subject: str, name: str) -> bool:
    """True if two names are one but for articles and endings: "Degaussing Described" is another than "degauss"."""
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
