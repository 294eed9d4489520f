"""Names of people: two to four capitalised words that no company, place or title is made of."""

from __future__ import annotations

import re

from spanwise.contract.values import PersonName
from spanwise.synthesis.extractive.typed.found import MOST_CHARACTERS, Around, Found

_PART = (
    r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+(?:[-'\u2019][A-Z][a-z]+)*|Mc[A-Z][a-z]+|O['\u2019][A-Z][a-z]+"
    r"|[A-Z\u00c0-\u00de]{2,}(?:[-'\u2019][A-Z]{2,})*"
)
_NAME = re.compile(
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
