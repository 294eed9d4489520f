"""How often a supported claim has a word that its passages lack: general words often, a tiger hardly ever.

`fitting/absences.py` counts claims that people called supported and writes `absences.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

_MOST = -math.log(0.1)
"""The surprisal of a stem that is in none of the lists."""


def surprise(stem: str) -> float:
    """How much it tells against a claim that its passages lack a stem: the surprisal of that, in nats."""
    return _surprises().get(stem, _MOST)


@lru_cache(maxsize=1)
def _surprises() -> Mapping[str, float]:
    text = resources.files(__package__).joinpath("absences.json").read_text(encoding="utf-8")
    lists: dict[str, str] = json.loads(text)
    return {stem: -math.log(float(share)) for share, stems in lists.items() for stem in stems.split()}
