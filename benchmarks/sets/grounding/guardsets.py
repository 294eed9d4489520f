"""All guard sets in one table: how well the guard tells what is supported, and how often `contradicted` is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sets.grounding.items import GUARD_SETS, LOADERS, NATURAL
from sets.grounding.measuring import (
    Checked,
    Contradictions,
    auroc_of,
    check,
    contradictions,
    sentence_figures,
)
from spanwise.evaluation.metrics import mean

ALL_GUARD_SETS = "guardsets"
"""Its name among the sets of `spanwise eval`."""
_NOTHING = Contradictions(0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class SetFigures:
    """The figures of one set; None where it cannot tell."""

    name: str
    items: int
    auroc: float | None
    sentence_auroc: float | None
    sentence_f1: float | None
    told: Contradictions

    def as_values(self) -> dict[str, object]:
        """The figures as JSON values."""
        shares = {name: getattr(self, name) for name in ("auroc", "sentence_auroc", "sentence_f1")}
        rounded = {name: None if value is None else round(value, 4) for name, value in shares.items()}
        return {"items": self.items, **rounded, "contradicted": _counts(self.told)}


@dataclass(frozen=True, slots=True)
class AllFigures:
    """The figures of every set, and their means."""

    sets: tuple[SetFigures, ...]

    @property
    def mean_auroc(self) -> float | None:
        """Mean of AUROC over the sets that have texts of both kinds."""
        return mean([own.auroc for own in self.sets if own.auroc is not None])

    @property
    def natural(self) -> Contradictions:
        """`contradicted` over the sets that models wrote on their own, all together."""
        return sum((own.told for own in self.sets if own.name in NATURAL), _NOTHING)

    def as_values(self) -> dict[str, object]:
        """The figures as JSON values."""
        return {
            "sets": {own.name: own.as_values() for own in self.sets},
            "mean_auroc": None if self.mean_auroc is None else round(self.mean_auroc, 4),
            "natural": _counts(self.natural),
        }

    def as_text(self) -> str:
        """The figures as a table for a person."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{'':<14}{'texts':>6}{'AUROC':>8}{'sentences':>11}{'their F1':>10}   contradicted: right, recall"
        for own in self.sets:
            shares = f"{_share(own.auroc):>8}{_share(own.sentence_auroc):>11}{_share(own.sentence_f1):>10}"
            yield f"{own.name:<14}{own.items:>6}{shares}   {_told(own.told)}"
        yield f"mean AUROC {_share(self.mean_auroc)}"
        natural = self.natural
        yield f"natural output: contradicted {_told(natural)}, on anything not supported {_share(natural.on_wrong)}"


def measure_all(data: Path, limit: int | None = None) -> AllFigures:
    """Check the items of every guard set.

    Args:
        data: The data folder.
        limit: How many items of each set, spread over it; None or 0 for all.

    Raises:
        EvaluationDataError: The data is missing or not in its schema.
    """
    return AllFigures(tuple(_figures(name, check(LOADERS[name](data), limit)) for name in GUARD_SETS))


def _figures(name: str, checked: Sequence[Checked]) -> SetFigures:
    area, f1 = sentence_figures(checked)
    return SetFigures(name, len(checked), auroc_of(checked)[0], area[0], f1[0], contradictions(checked))


def _counts(told: Contradictions) -> dict[str, int]:
    return {
        "called": told.called,
        "right": told.right,
        "not_supported": told.wrong,
        "conflicts": told.conflicts,
        "found": told.found,
    }


def _told(told: Contradictions) -> str:
    return f"{told.right}/{told.called} {_share(told.precision)}, {told.found}/{told.conflicts} {_share(told.recall)}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
