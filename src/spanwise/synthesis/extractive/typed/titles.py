"""What a document is called: the words in capitals, or in title case, that end in the name of a kind of document."""

from __future__ import annotations

import re

from spanwise.synthesis.extractive.typed.found import MOST_CHARACTERS, Around, Found

_KINDS = (
    r"agreement|contract|amendment|lease|plan|licen[cs]e|letter|note|warrant|addendum|statement|indenture|deed|policy"
    r"|memorandum|order|terms|charter|bylaws|schedule|supplement|guarantee|guaranty|undertaking|understanding|intent|will"
)
_WORD = r"(?:[A-Z0-9&][\w&'\u2019./\-]*|&|-|\u2013)"
_LINK = r"(?:\s*,\s*|\s+(?:of|and|for|to|the|in|on|or|by|with|a|an)\s+|\s+)"
_TITLE = re.compile(rf"{_WORD}(?:{_LINK}{_WORD}){{0,24}}")
_PARTS = re.compile(r"\b(?:THIS|This|HERETO|(?:BY\s+AND\s+)?BETWEEN|AMONG|DATED|Dated|WHEREAS|The)\b")
_BEFORE = re.compile(
    r"^(?:(?i:ex(?:hibit)?|appendix|annex|attachment|schedule)\b[\s\-.]*(?:[\d.]+[\w.()]*|[A-Z]\b)?"
    r"|(?i:execution|final|conformed)\s+(?:version|copy)|(?i:confidential|draft|copy|version)\b|and\b|AND\b|[\d.,\-]+\s|[\s,.\-]+)+"
)
_COMPANY = re.compile(r"^.*\b(?:INC|LLC|LTD|CORP|L\.P|N\.V|Inc|Ltd)\b\.?,?\s+(?=\S+\s+\S)")
_ENDS = re.compile(rf"\b(?:{_KINDS})s?\b(?:\s+(?:NO|No)\.?\s?\d+)?", re.IGNORECASE)
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
    for before in (_BEFORE, _COMPANY, _BEFORE):
        if stands := before.match(run):
            start += stands.end()
            run = run[stands.end() :]
    ends = list(_ENDS.finditer(run))
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
