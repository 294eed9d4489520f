"""Postal addresses: a street with a number, and the city or the postal code in the parts that follow it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spanwise.contract.values import Address
from spanwise.synthesis.extractive.typed.extractors import MOST_CHARACTERS, Around, Found
from spanwise.text.patterns import lazy_pattern

_PARTS = lazy_pattern(r"[^,;\n]+")
_WORD = r"[A-Z\u00c0-\u00de][\w.'\u2019\u00df-\u00ff-]*"
_STREET = lazy_pattern(
    r"(?P<number_first>\b\d{1,6}[A-Za-z]?(?:\s?[-\u2013/]\s?\d{1,5})?"
    rf"\s+(?:{_WORD}|\d{{1,3}}(?:st|nd|rd|th))(?:\s+(?:{_WORD}|of|de|la|the)){{0,5}})$"
    rf"|(?P<number_last>\b{_WORD}(?:\s+(?:{_WORD}|de|la|der|am|an)){{0,4}}\s+\d{{1,4}}\s?[a-zA-Z]?)$"
    r"|(?P<box>\bP\.?\s?O\.?\s+Box\s+\d{1,7})$"
)
_MORE_STREET = lazy_pattern(
    r"^\s*(?:Suite|Ste\.?|Floor|Unit|Room|Apt\.?|Building|Bldg\.?|\d{1,3}(?:st|nd|rd|th)\s+Floor|#)\b", re.IGNORECASE
)
_UK = r"[A-Z]{1,2}\d[A-Z\d]?\s+\d[A-Z]{2}"
_CITY = rf"{_WORD}(?:[ ]{_WORD}){{0,3}}"
_PLACES = (
    re.compile(rf"^(?P<city>{_CITY})\s+[A-Z]{{2}}\.?\s+(?P<code>\d{{5}}(?:-\d{{4}})?)(?P<rest>.*)$"),
    re.compile(rf"^(?:[A-Z]{{2}}\.?|{_CITY})\s+(?P<code>\d{{5}}(?:-\s?\d{{4}})?)(?P<rest>.*)$"),
    re.compile(rf"^(?:[A-Z]{{1,2}}-)?(?P<code>\d{{4,6}})\s+(?P<city>{_CITY})(?P<rest>)$"),
    re.compile(rf"^(?:(?P<city>{_CITY})\s+)?(?P<code>{_UK}|\d{{4,6}}(?:-\d{{4}})?)(?P<rest>.*)$"),
)
_COUNTRIES = (
    "USA|U\\.?S\\.?A?\\.?|United States(?: of America)?|UK|U\\.K\\.|United Kingdom|England|Scotland|Wales|Ireland"
    "|Germany|France|Spain|Italy|Portugal|Netherlands|Belgium|Luxembourg|Switzerland|Austria|Poland|Sweden|Norway|Denmark"
    "|Finland|Iceland|Canada|Mexico|Brazil|Argentina|Chile|China|P\\.?R\\.? ?China|Hong Kong|Taiwan|Japan|Korea"
    "|South Korea|India|Singapore|Malaysia|Indonesia|Thailand|Vietnam|Philippines|Australia|New Zealand|South Africa"
    "|Israel|Turkey|Egypt|Nigeria|Kenya|Russia|Ukraine|Greece|Hungary|Romania|Bulgaria|Croatia|Slovenia|Slovakia"
    "|Czech Republic|Estonia|Latvia|Lithuania|Cyprus|Malta|United Arab Emirates|Saudi Arabia|Qatar|Bermuda"
    "|Cayman Islands|Deutschland|Schweiz"
)
_COUNTRY = lazy_pattern(rf"^(?:the\s+)?(?P<country>{_COUNTRIES})(?!\w)")
_FOLLOWING = 4
"""Parts after the street that may belong to the address."""


@dataclass(slots=True)
class _Reading:
    """An address while its parts are read."""

    start: int
    street_end: int
    end: int
    city: str | None = None
    code: str | None = None
    country: str | None = None


def find_addresses(text: str, around: Around) -> list[Found]:
    """Addresses in order; a street without a city and a postal code is none."""
    del around
    parts = list(_PARTS.finditer(text[:MOST_CHARACTERS]))
    found: list[Found] = []
    for at, part in enumerate(parts):
        opens = _STREET.search(part.group().rstrip())
        if opens is None or (found and part.start() + opens.start() < found[-1].end):
            continue
        end = part.start() + opens.end()
        read = _Reading(part.start() + opens.start(), end, end)
        for following in parts[at + 1 : at + 1 + _FOLLOWING]:
            if not _take(read, following.group(), following.start()):
                break
        street = " ".join(text[read.start : read.street_end].split())
        if read.code or (read.city and read.country):
            address = Address(street=street, postal_code=read.code, city=read.city, country=read.country)
            found.append(Found(address, read.start, read.end))
    return found


def _take(read: _Reading, part: str, start: int) -> bool:
    """Take what a part says into the address; False where it does not belong to it."""
    said = part.strip()
    end = start + len(part.rstrip())
    if _MORE_STREET.match(part) and read.city is None:
        read.street_end = read.end = end
        return True
    country = _COUNTRY.match(said)
    if country and read.country is None and (read.city or read.code):
        read.country, read.end = country["country"], start + part.index(said) + country.end("country")
        return False
    for place in _PLACES if read.code is None else ():
        match = place.match(said)
        if match is None:
            continue
        groups = match.groupdict()
        read.city, read.code = read.city or groups.get("city"), match["code"]
        offset = start + part.index(said)
        read.end = offset + max(match.end("code"), match.end("city") if groups.get("city") else 0)
        rest = _COUNTRY.match(match["rest"].strip())
        if rest:
            read.country = rest["country"]
            read.end = offset + match.start("rest") + match["rest"].index(rest.group()) + rest.end("country")
        return not match["rest"].strip() and read.country is None
    if re.fullmatch(_CITY, said) and read.city is None:
        read.city, read.end = said, end
        return True
    return bool(re.fullmatch(r"[A-Z]{2}|" + _CITY, said)) and read.code is None
