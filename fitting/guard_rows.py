"""Claims of the judged sets as rows of features, each claim once, kept in a file outside the repository.

A row says of its claim whether people called it wrong: in sets with marked ranges a claim is wrong if it touches one,
in others if the text is not supported and this claim is all of it. Claims of a longer text that is not supported are
judged by nobody; they count in the figures of whole texts only.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import public_sets  # noqa: F401 - makes `sets` importable
from numpy.typing import NDArray
from sets.grounding.changing import Changed, changed_pairs, names_in
from sets.grounding.items import LOADERS, Item, spread

import spanwise
from spanwise.guard.support import FEATURES, features_of
from spanwise.guard.verify import examine

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Texts = NDArray[np.str_]
UNJUDGED = -1
PROCESSES = 2
MADE = "made"
STRANGE = ("ragtruth", "wice", "mtrag", "defacto", "factcheckgpt", "realsumm")
"""Fitted sets whose right texts are put beside the passages of another source."""
STRANGERS = 120
"""Such texts of each set."""
TRAPS = "traps"
FITTED_TRAPS = frozenset(["absurd", "another document", "untouched", "synonym", "opening dropped", "voice"])
"""Families that the words of a claim tell by themselves; what the comparators find is none of the score's business."""

UNLICENSED = frozenset(["financebench"])
"""Collections of which nothing is fitted."""


@dataclass(frozen=True)
class Rows:
    """A row for each claim, and what is known of each text."""

    features: Floats
    wrong: Numbers
    """1, 0, or `UNJUDGED`."""
    item: Numbers
    """Index of the text that the claim belongs to."""
    sets: Texts
    """Of each text, as all that follow."""
    tasks: Texts
    sources: Texts
    """Texts that must not be parted between fitting and measuring."""
    labels: Texts
    supported: Numbers

    def of(self, column: Texts) -> Texts:
        """The values of a column of texts for each claim."""
        return column[self.item]

    def where(self, names: Sequence[str], *, judged: bool = False) -> Numbers:
        """Indices of the claims of some sets, of those that were judged only if asked so."""
        chosen = np.isin(self.of(self.sets), list(names))
        return np.flatnonzero(chosen & (self.wrong != UNJUDGED) if judged else chosen)


def judged_claims(item: Item) -> Iterator[tuple[list[float], int]]:
    """The features of each claim of a text and its judgement: the one place that knows how the guard is called."""
    examined = examine(item.text, item.passages)
    parts = [part for part, held, _ in examined.parts if held is not None]
    for part, held in zip(parts, examined.held, strict=True):
        features = features_of(held, examined.context)
        wrong = item.is_wrong(part.start, part.end)
        yield features, UNJUDGED if wrong is None else int(wrong)


def rows_of(data: Path, limit: int, pairs: int, cache: Path | None) -> Rows:
    """The claims of all sets.

    Args:
        data: The data folder.
        limit: Texts of each set, drawn by lot; 0 for all.
        pairs: Claims that are made, at most.
        cache: File that keeps the rows for as long as the guard, the sets and the limits stay the same.
    """
    state = _state(limit, pairs)
    if cache is not None and (kept := _kept(cache, state)) is not None:
        return kept
    judged = {name: load(data) for name, load in LOADERS.items()}
    items = [item for own in judged.values() for item in spread(own, limit)]
    items += made([item for own in judged.values() for item in own], pairs)
    items += [item for name in STRANGE for item in strangers(judged[name], limit)]
    items += trapped(data, limit)
    with multiprocessing.Pool(PROCESSES) as pool:
        found = pool.map(_claims, items, chunksize=32)
    rows = _table(items, found)
    if cache is not None:
        np.savez_compressed(cache, state=np.array(state), **{one.name: getattr(rows, one.name) for one in fields(Rows)})
    return rows


def _claims(item: Item) -> list[tuple[list[float], int]]:
    return list(judged_claims(item))


def _table(items: Sequence[Item], found: Iterable[Sequence[tuple[list[float], int]]]) -> Rows:
    claims = [(number, *claim) for number, own in enumerate(found) for claim in own]
    return Rows(
        np.array([features for _, features, _ in claims], float).reshape(-1, len(FEATURES)),
        np.array([wrong for _, _, wrong in claims], np.int64),
        np.array([number for number, _, _ in claims], np.int64),
        np.array([item.set for item in items]),
        np.array([item.task for item in items]),
        np.array([f"{item.set}:{item.source}" for item in items]),
        np.array([item.label for item in items]),
        np.array([item.supported for item in items], np.int64),
    )


def _state(limit: int, pairs: int) -> str:
    """A digest of everything that the rows depend on but the data, which never changes."""
    package = Path(spanwise.__file__).parent
    sets = Path(__file__).parents[1] / "benchmarks" / "sets"
    rooms = (package / "guard", package / "text", package / "contract", sets / "grounding", sets / "traps")
    files = sorted(file for room in rooms for file in room.rglob("*") if file.suffix != ".pyc")
    digest = hashlib.sha256(f"{limit} {pairs}".encode())
    for file in [*files, Path(__file__)]:
        if file.is_file() and file.name != "support.json":
            digest.update(str(file).encode() + file.read_bytes())
    return digest.hexdigest()


def _kept(cache: Path, state: str) -> Rows | None:
    """The rows of an earlier run; None if there are none or something changed since."""
    try:
        with np.load(cache) as kept:
            if str(kept["state"]) != state:
                return None
            return Rows(**{one.name: kept[one.name] for one in fields(Rows)})
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def trapped(data: Path, limit: int) -> list[Item]:
    """Traps and their controls, each alone in its answer; none where the package has no traps."""
    try:
        from sets.traps.cases import cases
        from sets.traps.wordings import HALVES
    except ModuleNotFoundError:
        return []
    every = (case for case in cases(data) if case.half == HALVES[0])  # the other half measures
    found = [
        case
        for case in every
        if case.setting == "alone" and case.family in FITTED_TRAPS and case.collection not in UNLICENSED
    ]
    items = [
        Item(
            *(TRAPS, TRAPS, f"{case.document}/{case.family}/{number}", case.document, case.text, case.passages, ""),
            label=case.family,
            supported=case.label,
            wrong=() if case.label else ((*case.at, False),),
            placed=True,
        )
        for number, case in enumerate(found)
    ]
    return spread(items, limit)


def strangers(items: Sequence[Item], limit: int) -> list[Item]:
    """Right texts in free wording beside the passages of another source, of which none supports them."""
    right = spread([item for item in items if item.supported and item.task != "Data2txt"], limit or STRANGERS)
    return [
        Item(
            *(MADE, MADE, f"{item.set}/{item.id}", item.source, item.text, other.passages, "", "another answer"),
            supported=False,
            wrong=((0, len(item.text), False),),
            placed=True,
        )
        for item, other in zip(right, [*right[7:], *right[:7]], strict=True)
        if item.source != other.source
    ]


def made(items: Sequence[Item], most: int) -> Iterator[Item]:
    """Claims whose support is known because they were made, against a whole source and against a line or two of it."""
    texts = {item.source: "\n".join(item.passages)[:8000] for item in items if item.task in ("QA", "Summary", "wice")}
    names = list(dict.fromkeys(name for text in texts.values() for name in names_in(text)[:2]))
    sources = list(texts)
    count = 0
    for index, source in enumerate(sources):
        pairs = list(changed_pairs(source, texts[source], names[index % 50 :: 7], 1))
        for number, pair in enumerate(pairs):
            if "/word/" in pair.id:
                continue  # a rule tells them, whatever the score
            other = texts[sources[(index + 7) % len(sources)]]
            beside = pairs[(number + 3) % len(pairs)].original
            for name, text, passages, right in _variants(pair, other, beside):
                ranges = () if right else ((0, len(text), False),)
                yield Item(
                    *(MADE, MADE, f"{pair.id}/{name}", source, text, passages, "", name, right), ranges, placed=True
                )
                count += 1
        if count >= most:
            return


def _variants(pair: Changed, other: str, beside: str) -> Iterator[tuple[str, str, tuple[str, ...], bool]]:
    """The claim against its source, against its own sentence alone or beside another one, and where it is not said."""
    right = pair.kind is None
    words = pair.text.split()
    yield "whole source", pair.text, (pair.passage,), right
    yield "own sentence", pair.text, (pair.original,), right
    yield "two sentences", pair.text, (beside, pair.original), right
    if right:
        begun = " ".join(words[: -(-len(words) * 3 // 5)])
        yield "begun", begun, (pair.original,), True
        yield "begun, whole source", begun, (pair.passage,), True
        yield "another source", pair.text, (other,), False
        if beside != pair.original:
            yield "another sentence", pair.text, (beside,), False
