"""The public sets that `spanwise eval NAME` measures on, each read from the data folder.

A module of sets, this one or your own (`spanwise eval NAME --set MODULE`), has `SETS`, and may have `GROUPS` (names for
several of them) and `MEASURED` (counts over cases that are made from documents instead of asked).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from sets import cuad, docqa, everyday, financebench, lay, nist, squad2, tatqa, yes_or_no
from sets.conflicts import measuring as conflicts
from sets.grounding import guardsets, pairs, shipping
from sets.grounding import measuring as grounding
from sets.grounding.items import LOADERS
from sets.planted import measuring as planted
from sets.traps import measuring as traps
from spanwise.evaluation.cases import DataSet
from spanwise.evaluation.sets import Measure, Measured

SETS: Mapping[str, DataSet] = {
    data_set.name: data_set
    for data_set in (
        *(nist.SET, financebench.SET, cuad.SET, squad2.SET, tatqa.SET, everyday.SET, lay.SET, yes_or_no.SET),
        *docqa.SETS,
    )
}
GROUPS: Mapping[str, Sequence[str]] = {docqa.DOCQA: [data_set.name for data_set in docqa.SETS]}


def _planted(folder: Path, limit: int | None) -> Measured:
    return planted.measure(planted.documents_in(folder / "pdfs", limit or None))


def _conflicts(folder: Path, limit: int | None) -> Measured:
    return conflicts.measure(conflicts.sources_in(folder, limit))


MEASURED: Mapping[str, Measure] = {
    planted.PLANTED: _planted,
    conflicts.SET: _conflicts,
    pairs.CHANGED: pairs.measure,
    traps.SET: traps.measure,
    guardsets.ALL_GUARD_SETS: guardsets.measure_all,
    shipping.GUARDED: shipping.measure,
    **{name: partial(grounding.measure, name) for name in LOADERS},
}
"""The guard and validation are measured on them."""
CARRIED = frozenset([lay.SET.name, yes_or_no.SET.name, "plain"])
"""Sets of our own, which lie in this folder."""
