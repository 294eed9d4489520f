"""How rare a word is in general English: what it tells by itself, not only beside other passages.

`fitting/rarity.py` counts in how many stretches of public text each stem occurs and writes `rarity.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

RARE = 1.0
"""The rarity of a stem that is in none of the lists: a name, a technical word, a number."""


def rarity(stem: str) -> float:
    """Share, in (0, 1], of the most that a stem can tell: its inverse document frequency, 1 for one never counted."""
    return _rarities().get(stem, RARE)


@lru_cache(maxsize=1)
def _rarities() -> Mapping[str, float]:
    text = resources.files(__package__).joinpath("rarity.json").read_text(encoding="utf-8")
    lists: dict[str, str] = json.loads(text)
    return {stem: float(share) for share, stems in lists.items() for stem in stems.split()}
