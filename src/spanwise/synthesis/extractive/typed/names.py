"""Fillers of names: people, places whose law governs, titles of documents, parties."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spanwise.contract.values import PersonName
from spanwise.synthesis.extractive.typed.extractors import MOST_CHARACTERS, Around, Found
from spanwise.text.patterns import lazy_pattern

_PART = (
    r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+(?:[-'\u2019][A-Z][a-z]+)*|Mc[A-Z][a-z]+|O['\u2019][A-Z][a-z]+"
    r"|[A-Z\u00c0-\u00de]{2,}(?:[-'\u2019][A-Z]{2,})*"
)
_NAME = lazy_pattern(
    r"(?<![\w&])(?P<title>(?:Mr|Mrs|Ms|Dr|Prof|Sir)\.?\s+)?"
    rf"(?P<first>{_PART})\s+(?:(?P<middle>[A-Z])\.?\s+)?"
    rf"(?P<more>(?:(?:{_PART}|de|la|van|von|der|den|di|da|bin|al)\s+){{0,2}})(?P<last>{_PART})"
    r"(?:,?\s+(?:Jr|Sr|II|III|IV)\b\.?)?(?!\w)"
)
_NOT = frozenset(
    """
    inc llc ltd limited corp corporation company co plc gmbh group holdings partners bank trust fund university college
    institute department ministry committee board council association agency office court section article exhibit
    agreement act code state states united north south east west new york city county street avenue road chief executive
    financial operating officer president vice director secretary chairman chairwoman chair manager general counsel
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday the this that these those all any each for and with from in on at by of to as is
    international national federal american european board services systems technologies software party parties
    effective date name title dear sincerely signed form annual report fiscal year quarter total net high court supreme
    purchase lease license master data security information technology cloud computing war world
    """.split()
)


def find_people(text: str, around: Around) -> list[Found]:
    """Names with a first and a last part; a middle initial is told apart."""
    del around
    found = []
    for match in _NAME.finditer(text[:MOST_CHARACTERS]):
        parts = [match["first"], *match["more"].split(), match["last"]]
        if any(part.lower() in _NOT for part in parts) or all(part.isupper() and len(part) <= 3 for part in parts):
            continue
        start = match.start("first")
        last = " ".join([*match["more"].split(), match["last"]])
        name = PersonName(first_name=match["first"], last_name=last, middle_initial=match["middle"])
        found.append(Found(name, start, match.end("last")))
    return found


_KIND = r"(?i:state|commonwealth|province|republic|kingdom|sovereign\s+state|states|country)"
_OF = rf"(?i:the\s+)?(?i:internal\s+|substantive\s+|local\s+)?(?:{_KIND}\s+(?i:of)\s+(?i:the\s+)?)?"
_PLACE_NAME = r"[A-Z][\w\u00c0-\u024f'\u2019\-]*"
_NOT_MORE = (
    r"(?!(?i:without|including|excluding|and|or|in|as|applicable|except|regardless|exclusive|notwithstanding|with|that"
    r"|which|law|laws|shall|will|to)\b)"
)
"""In a clause in capitals every word looks like a part of the name."""
_PLACE = (
    rf"(?P<place>(?:{_PLACE_NAME}|U\.S\.A?\.?|P\.R\.C\.?)"
    rf"(?:\s+(?:(?i:of)\s+(?:the\s+)?(?!(?i:state))|(?i:and)\s+(?=(?i:wales|barbuda|tobago)))?"
    rf"{_NOT_MORE}{_PLACE_NAME}){{0,5}})"
)
_WAYS = (
    lazy_pattern(rf"\b(?i:laws?)\b[^.;]{{0,60}}?\b(?i:of|in|for)\s+{_OF}{_PLACE}"),
    re.compile(
        r"\b(?i:state|commonwealth|province)\s+(?i:of)\s+(?P<place>[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)"
        r"[^.;]{0,80}\b(?i:laws?)\s+of\s+(?:that|such|said)\b"
    ),
    re.compile(r"\b(?P<place>[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)\s+(?:[Ll]aws?|LAWS?)\b"),
)
_NO_PLACE = lazy_pattern(
    r"^(?:this|the|that|such|any|applicable|state|federal|federal and|its|agreement|section|governing|choice"
    r"|conflicts?|contract|rules?|party|parties|articles?|general|corporate|company|internal|substantive|local|civil"
    r"|common|business|all|each|no|law|laws|uniform)\b",
    re.IGNORECASE,
)
_CONFLICT = lazy_pattern(r"\b(?:conflicts?|choice)\s+(?:of\s+)?$", re.IGNORECASE)


def find_laws(text: str, around: Around) -> list[Found]:
    """Places whose law a clause names, each once, in order; "State of" left out."""
    del around
    for way in _WAYS:
        found: dict[str, Found] = {}
        for match in way.finditer(text[:MOST_CHARACTERS]):
            place = match["place"].rstrip(" .,")
            if (
                _NO_PLACE.match(place)
                or place.endswith(("'s", "\u2019s"))
                or _CONFLICT.search(text[max(0, match.start() - 14) : match.start()])
            ):
                continue
            start = match.start("place")
            found.setdefault(place.casefold(), Found(place, start, start + len(place)))
        if found:
            # "the laws of the United States and of Kentucky": the state is the narrower answer.
            return sorted(found.values(), key=lambda one: str(one.value).casefold().startswith("united states"))
    return []


_KINDS = (
    r"agreement|contract|amendment|lease|plan|licen[cs]e|letter|note|warrant|addendum|statement|indenture|deed|policy"
    r"|memorandum|order|terms|charter|bylaws|schedule|supplement|guarantee|guaranty|undertaking|understanding|intent|will"
)
_TITLE_WORD = r"(?:[A-Z0-9&][\w&'\u2019./\-]*|&|-|\u2013)"
_TITLE_LINK = r"(?:\s*,\s*|\s+(?:of|and|for|to|the|in|on|or|by|with|a|an)\s+|\s+)"
_TITLE = lazy_pattern(rf"{_TITLE_WORD}(?:{_TITLE_LINK}{_TITLE_WORD}){{0,24}}")
_PARTS = lazy_pattern(r"\b(?:THIS|This|HERETO|(?:BY\s+AND\s+)?BETWEEN|AMONG|DATED|Dated|WHEREAS|The)\b")
_BEFORE = lazy_pattern(
    r"^(?:(?i:ex(?:hibit)?|appendix|annex|attachment|schedule)\b[\s\-.]*(?:[\d.]+[\w.()]*|[A-Z]\b)?"
    r"|(?i:execution|final|conformed)\s+(?:version|copy)|(?i:confidential|draft|copy|version)\b|and\b|AND\b|[\d.,\-]+\s|[\s,.\-]+)+"
)
_TITLE_COMPANY = lazy_pattern(r"^.*\b(?:INC|LLC|LTD|CORP|L\.P|N\.V|Inc|Ltd)\b\.?,?\s+(?=\S+\s+\S)")
_TITLE_ENDS = lazy_pattern(rf"\b(?:{_KINDS})s?\b(?:\s+(?:NO|No)\.?\s?\d+)?", re.IGNORECASE)
_BARE = frozenset(["agreement", "contract", "amendment", "order", "exhibit", "terms"])


def find_titles(text: str, around: Around) -> list[Found]:
    """Titles in the order of the text; what stands before them ("Exhibit 10.2", "This") left out."""
    del around
    found = []
    for match in _TITLE.finditer(text[:MOST_CHARACTERS]):
        at = 0
        for part in [*_PARTS.finditer(match.group()), None]:
            end = part.start() if part else len(match.group())
            if title := _title(match.group()[at:end], match.start() + at):
                found.append(title)
            at = part.end() if part else end
    return found


def _title(run: str, start: int) -> Found | None:
    for before in (_BEFORE, _TITLE_COMPANY, _BEFORE):
        if stands := before.match(run):
            start += stands.end()
            run = run[stands.end() :]
    ends = list(_TITLE_ENDS.finditer(run))
    if not ends:
        return None
    loud = _loud(run)
    # "SERVICES AGREEMENT Services Agreement": the title ends where the capitals end.
    last = next((one for one in reversed(ends) if loud is None or one.end() <= loud), ends[-1])
    title = run[: last.end()].strip(" ,-")
    half = len(title) // 2
    if title[:half].strip() == title[half:].strip():
        title = title[:half].strip()  # printed twice
    if title.lower() in _BARE:
        return None  # it names nothing; a telling title stands elsewhere
    return Found(title, start, start + len(title))


def _loud(run: str) -> int | None:
    """Where the capitals that a run opens with end; None when it does not open with capitals, or all of it is."""
    words = list(re.finditer(r"\S+", run))
    quiet = next((word for word in words if any(character.islower() for character in word.group())), None)
    if quiet is None or quiet is words[0]:
        return None
    return quiet.start()


_OPENS = (
    re.compile(
        r"\b(?:between|among|amongst)\b(?:\s+the\s+(?:following|undersigned)(?:\s+\w+){0,2})?[\s:,]*",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:made|entered\s+into|executed)\s+by\b(?:\s+and)?[\s:,]*|\bPARTIES\b[\s:,]*"),
)
_ENDS = lazy_pattern(
    r"\b(?:WHEREAS|R\s?E\s?C\s?I\s?T\s?A\s?L\s?S?|Recitals|W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H"
    r"|BACKGROUND|NOW,? THEREFORE|(?i:agrees?\s+as\s+follows|(?:individually|collectively)\s+referred"
    r"|may\s+be\s+referred|in\s+consideration\s+of))\b"
)
_QUOTE = r"[\"\u201c\u201d\u2018\u2019'`]{1,2}"
_DEFINED = lazy_pattern(
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
_PARTY = lazy_pattern(
    rf"(?:(?<!\w)[a-z][\w.\-]{{1,30}},?\s(?={_SUFFIX}))?{_WORD}(?:(?:{_LINK})?\s{{1,4}}{_WORD}){{0,11}}(?:\s?,\s{{0,2}}(?i:{_SUFFIX})){{0,2}}"
)
_JOINT = lazy_pattern(
    r"(?:^|\band\b|&|;|:|\([a-z0-9]{1,3}\)|\b\d{1,2}[.)])[\s,\-]*(?:(?:the|each\s+of)\s+)?$", re.IGNORECASE
)
_FOLLOWS = lazy_pattern(
    r"\s*(?:$|[,;(\[.:\"\u201c-]|(?:and|an?|whose|with|having|located|which|is|of|acting|on\s+behalf|[df]/[bk]/a)\b)",
    re.IGNORECASE,
)
_NO_PARTY = lazy_pattern(
    r"^(?:you|by\b.*|this\b.*|the\s+\w+|name|title|customer|recitals?\b.*|party\s+[a-z]|article\b.*|section\b.*|\d+"
    r"|\d[\d ]*\s.*|this|the|agreement|effective|date|party|parties|each|exhibit|whereas|company|collectively"
    r"|individually|state|delaware|california|nevada|new york|a|an|and|or|its|whose|inc\.?|llc|ltd\.?|united|in|on|by"
    r"|of|to|as|at|attn|attention|p\.?o|suite|street)$",
    re.IGNORECASE,
)
_CALLED_LATER = lazy_pattern(r"[\s,]{0,3}(?:[(\[\"\u201c]|an?\s|hereinafter|$)")
MOST_PARTIES = 20
_COMPANY = lazy_pattern(rf"\b{_SUFFIX}$", re.IGNORECASE)


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
    for match in _PARTY.finditer(text, first, last):
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
