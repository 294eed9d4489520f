"""International bank account numbers (ISO 13616): lengths by country, and the checksum (ISO 7064 mod 97-10)."""

from __future__ import annotations

import re

_LENGTHS = """
    AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
    FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
    LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
    RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
"""
LENGTHS = {entry[:2]: int(entry[2:]) for entry in _LENGTHS.split()}
"""Characters of an account number in each country that has them, from the registry of ISO 13616."""
_FORM = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}")


def compact(iban: str) -> str:
    """The account number as machines write it: capitals, no white space and no hyphens."""
    return "".join(iban.split()).replace("-", "").upper()


def iban_fault(iban: str) -> str | None:
    """What is wrong with an account number, in a few words; None when its form, length and checksum are right."""
    plain = compact(iban)
    if not plain.isascii() or not _FORM.fullmatch(plain):
        return "it is not two letters, two digits and up to 30 letters or digits"
    length = LENGTHS.get(plain[:2])
    if length is None:
        return f"no country with account numbers of this kind has the code {plain[:2]}"
    if len(plain) != length:
        return f"{plain[:2]} has {length} characters, this one has {len(plain)}"
    digits = "".join(str(int(character, 36)) for character in plain[4:] + plain[:4])
    return None if int(digits) % 97 == 1 else "its check digits do not fit the rest"
