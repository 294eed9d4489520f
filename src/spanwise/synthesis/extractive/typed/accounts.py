"""International bank account numbers: by their form, and only where the checksum is right."""

from __future__ import annotations

import re

from spanwise.contract.values import Iban
from spanwise.synthesis.extractive.typed.found import MOST_CHARACTERS, Around, Found
from spanwise.text.iban import LENGTHS, compact, iban_fault

_FORM = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}")


def find_ibans(text: str, around: Around) -> list[Found]:
    """Account numbers with the right length and check digits, without the spaces that print them in groups."""
    del around
    found = []
    for match in _FORM.finditer(text[:MOST_CHARACTERS]):
        end = _end(match.group(), LENGTHS.get(match.group()[:2], 0))
        plain = compact(match.group()[:end])
        if end and iban_fault(plain) is None:
            found.append(Found(Iban(value=plain), match.start(), match.start() + end))
    return found


def _end(text: str, length: int) -> int:
    """Where the `length`-th letter or digit ends; what follows belongs to the sentence."""
    seen = 0
    for at, character in enumerate(text):
        seen += character.isalnum()
        if length and seen == length:
            return at + 1
    return 0
