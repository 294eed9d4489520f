"""Who the parties of a contract are: the names that its opening puts between "between" and their defined terms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spanwise.synthesis.extractive.typed.found import MOST_CHARACTERS, Around, Found

_OPENS = (
    re.compile(
        r"\b(?:between|among|amongst)\b(?:\s+the\s+(?:following|undersigned)(?:\s+\w+){0,2})?[\s:,]*",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:made|entered\s+into|executed)\s+by\b(?:\s+and)?[\s:,]*|\bPARTIES\b[\s:,]*"),
)
_ENDS = re.compile(
    r"\b(?:WHEREAS|R\s?E\s?C\s?I\s?T\s?A\s?L\s?S?|Recitals|W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H"
    r"|BACKGROUND|NOW,? THEREFORE|(?i:agrees?\s+as\s+follows|(?:individually|collectively)\s+referred"
    r"|may\s+be\s+referred|in\s+consideration\s+of))\b"
)
_QUOTE = r"[\"\u201c\u201d\u2018\u2019'`]{1,2}"
_DEFINED = re.compile(
    rf"[(\[][^()\[\]]{{0,120}}?{_QUOTE}[^()\[\]\"\u201c\u201d]{{1,80}}{_QUOTE}[^()\[\]]{{0,120}}[)\]]"
)
"""What a party is called from there on: (the "Company")."""
_SUFFIX = (
    r"(?:Inc(?:orporated)?|L\.?\s?L\.?\s?C|Ltd|Limited|Corp(?:oration)?|Co|Company|L\.?P|L\.?L\.?P|N\.A"
    r"|S\.?A(?:\.S|\.R\.L)?|S\.?p\.?A|GmbH|AG|B\.?V|N\.?V|PLC|Pty|Pte|LTDA|S\.?r\.?l|A/S|AB|Oy|K\.?K|Trust|Bank)\b\.?"
)
_WORD = (
    r"(?:[A-Z0-9\u00c0-\u00de][\w\u00c0-\u024f.&'\u2019/+\-]*|[a-z]{1,2}-?[A-Z][\w.&'\-]+|[a-z][\w-]*\.com\b"
    r"|(?:[a-z]\.){2,4}|\[[\s*\u25cf\u2022_]{1,9}\])"
)
_LINK = r"(?:\s+(?:of|de|do|da|la|du|for|d/b/a|t/a|the|e|y|von|van)(?=\s+[A-Z])|\s*&)"
_NAME = re.compile(
    rf"(?:(?<!\w)[a-z][\w.\-]{{1,30}},?\s(?={_SUFFIX}))?{_WORD}(?:(?:{_LINK})?\s{{1,4}}{_WORD}){{0,11}}(?:\s?,\s{{0,2}}(?i:{_SUFFIX})){{0,2}}"
)
_JOINT = re.compile(
    r"(?:^|\band\b|&|;|:|\([a-z0-9]{1,3}\)|\b\d{1,2}[.)])[\s,\-]*(?:(?:the|each\s+of)\s+)?$", re.IGNORECASE
)
_FOLLOWS = re.compile(
    r"\s*(?:$|[,;(\[.:\"\u201c-]|(?:and|an?|whose|with|having|located|which|is|of|acting|on\s+behalf|[df]/[bk]/a)\b)",
    re.IGNORECASE,
)
_NO_PARTY = re.compile(
    r"^(?:you|by\b.*|this\b.*|the\s+\w+|name|title|customer|recitals?\b.*|party\s+[a-z]|article\b.*|section\b.*|\d+"
    r"|\d[\d ]*\s.*|this|the|agreement|effective|date|party|parties|each|exhibit|whereas|company|collectively"
    r"|individually|state|delaware|california|nevada|new york|a|an|and|or|its|whose|inc\.?|llc|ltd\.?|united|in|on|by"
    r"|of|to|as|at|attn|attention|p\.?o|suite|street)$",
    re.IGNORECASE,
)
_CALLED_LATER = re.compile(r"[\s,]{0,3}(?:[(\[\"\u201c]|an?\s|hereinafter|$)")
MOST_PARTIES = 20
_COMPANY = re.compile(rf"\b{_SUFFIX}$", re.IGNORECASE)


def find_parties(text: str, around: Around) -> list[Found]:
    """The names of the parties, without what they are called later and where they are from."""
    del around
    opened = next((one for pattern in _OPENS if (one := pattern.search(text[:MOST_CHARACTERS]))), None)
    if opened is None:
        return []
    start = opened.end()
    ended = _ENDS.search(text, start, start + MOST_CHARACTERS)
    end = ended.start() if ended else min(len(text), start + MOST_CHARACTERS)
    found: dict[str, Found] = {}
    for first, last in _segments(text, start, end):
        for name in _names(text, first, last):
            if len(found) < MOST_PARTIES:
                found.setdefault(str(name.value).casefold(), name)
    return list(found.values())


def _segments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches that each end in a defined term; where there are none, those that "and" parts."""
    terms = list(_DEFINED.finditer(text, start, end))
    if not terms:
        at = start
        for joint in re.finditer(r"\band\b|;", text[start:end]):
            yield at, start + joint.start()
            at = start + joint.end()
        yield at, end
        return
    at = start
    for term in terms:
        yield at, term.start()
        at = term.end()


def _names(text: str, first: int, last: int) -> Iterator[Found]:
    """The name that a stretch opens with or that follows its "and", and more that are companies by their endings."""
    several = False
    for match in _NAME.finditer(text, first, last):
        name = match.group().rstrip(" ,-")
        before = text[max(first, match.start() - 24) : match.start()]
        opens = not text[first : match.start()].strip(" ,.-:\n") or bool(_JOINT.search(before))
        if not opens or _NO_PARTY.match(name) or not _FOLLOWS.match(text[match.end() : match.end() + 12]):
            continue
        if " " not in name and not _COMPANY.search(name) and not _CALLED_LATER.match(text, match.end()):
            continue  # one word by itself may be any role or heading
        if not several or _COMPANY.search(name):
            yield Found(name, match.start(), match.start() + len(name))
            several = True
