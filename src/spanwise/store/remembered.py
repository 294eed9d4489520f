"""Values read from a document, cached until another document has its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from spanwise.store.port import Store, StoredDocument

T = TypeVar("T")
MOST = 2_048
"""Documents of which it is kept."""


def remembered(read: Callable[[str, Store], T]) -> Callable[[str, Store], T]:
    """Read each document once: questions ask for the same of the same documents, and openings are long."""
    kept: dict[str, tuple[StoredDocument, T]] = {}

    @wraps(read)
    def known(name: str, store: Store) -> T:
        stored = store.stored(name)
        held = kept.get(name)
        if held is None or held[0] != stored:
            held = stored, read(name, store)
            if len(kept) >= MOST:
                kept.clear()
            kept[name] = held
        return held[1]

    return known
