"""What the guard says of traps and controls: by half, family and setting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sets.traps.cases import SETTINGS, TRUE, Case, Setting, cases
from sets.traps.controls import CONTROLS
from sets.traps.traps import TRAPS
from sets.traps.wordings import HALVES, Half
from spanwise.guard.verification import Verification
from spanwise.guard.verify import verify

SET = "traps"
"""Its name among the sets of `spanwise eval`."""
_MOST_NAMED = 30


@dataclass(slots=True)
class Measured:
    """Counts by half, family and setting."""

    claims: Counter[tuple[Half, str, Setting]] = field(default_factory=Counter)
    supported: Counter[tuple[Half, str, Setting]] = field(default_factory=Counter)
    contradicted: Counter[tuple[Half, str, Setting]] = field(default_factory=Counter)
    kinds: Counter[tuple[Half, str, str]] = field(default_factory=Counter)
    """Traps alone, by sort of their family."""
    kinds_supported: Counter[tuple[Half, str, str]] = field(default_factory=Counter)
    documents: set[tuple[Half, str, str]] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    """The first traps of the first half that were supported alone, and controls that were not."""

    def add(self, case: Case, supported: bool, contradicted: bool) -> None:
        """Count one case."""
        key = (case.half, case.family, case.setting)
        self.documents.add((case.half, case.collection, case.document))
        self.claims[key] += 1
        self.supported[key] += supported
        self.contradicted[key] += contradicted
        if case.setting != "alone":
            return
        if case.kind:
            self.kinds[case.half, case.family, case.kind] += 1
            self.kinds_supported[case.half, case.family, case.kind] += supported
        if case.half == HALVES[0] and supported != case.label and len(self.wrong) < _MOST_NAMED:
            said = "not noticed" if supported else "not kept"
            self.wrong.append(f"{said}: {case.family}: {case.collection}/{case.document}: {case.claim}")

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""
        return {
            half: {
                "documents": sum(one == half for one, _, _ in self.documents),
                "sets": len({collection for one, collection, _ in self.documents if one == half}),
                "traps": {
                    family: {setting: self._noticed(half, family, setting) for setting in SETTINGS} for family in TRAPS
                },
                "kinds": {
                    f"{family}: {kind}": [self.kinds[half, family, kind] - self.kinds_supported[half, family, kind], of]
                    for (one, family, kind), of in sorted(self.kinds.items())
                    if one == half and family in TRAPS
                },
                "controls": {
                    family: [
                        sum(self.supported[half, family, setting] for setting in SETTINGS),
                        self._made(half, family),
                    ]
                    for family in (*CONTROLS, TRUE)
                },
            }
            for half in HALVES
        } | {"examples": self.wrong}

    def _noticed(self, half: Half, family: str, setting: Setting) -> list[int]:
        """How many were not supported, how many of these are called contradicted, and of how many."""
        key = (half, family, setting)
        return [self.claims[key] - self.supported[key], self.contradicted[key], self.claims[key]]

    def _made(self, half: Half, family: str) -> int:
        return sum(self.claims[half, family, setting] for setting in SETTINGS)

    def as_text(self) -> str:
        """The counts as tables for a person."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for half in HALVES:
            documents = [collection for one, collection, _ in self.documents if one == half]
            yield f"{half}: {len(documents)} documents of {len(set(documents))} sets"
            yield f"  {'trap noticed':<28}{'of':>6}{'alone':>9}{'row':>9}{'between':>9}{'contradicted':>14}"
            for family in TRAPS:
                yield self._trap_line(half, family, (family,))
                for (one, name, kind), of in sorted(self.kinds.items()):
                    if (one, name) == (half, family):
                        yield f"    {kind:<26}{of:>6}{_share(of - self.kinds_supported[half, family, kind], of)}"
            yield self._trap_line(half, "all", tuple(TRAPS))
            yield f"  {'control kept':<28}{'of':>6}{'share':>9}"
            for family in (*CONTROLS, TRUE):
                kept = sum(self.supported[half, family, setting] for setting in SETTINGS)
                yield f"  {family:<28}{self._made(half, family):>6}{_share(kept, self._made(half, family))}"
            made = sum(self._made(half, family) for family in CONTROLS)
            kept = sum(self.supported[half, family, setting] for family in CONTROLS for setting in SETTINGS)
            yield f"  {'all but ' + TRUE:<28}{made:>6}{_share(kept, made)}"
        yield from self.wrong

    def _trap_line(self, half: Half, name: str, families: tuple[str, ...]) -> str:
        shares = []
        for setting in SETTINGS:
            of = sum(self.claims[half, family, setting] for family in families)
            shares.append(_share(of - sum(self.supported[half, family, setting] for family in families), of))
        of = sum(self.claims[half, family, SETTINGS[0]] for family in families)
        contradicted = _share(sum(self.contradicted[half, family, SETTINGS[0]] for family in families), of)
        return f"  {name:<28}{of:>6}{''.join(shares)}{contradicted:>14}"


def measure(folder: Path, limit: int | None = None) -> Measured:
    """Count over the data folder.

    Raises:
        EvaluationDataError: A set is not in its schema.
    """
    return count(cases(folder, limit))


def count(made: Iterable[Case]) -> Measured:
    """Check each answer once, and count what is said of its claims."""
    measured = Measured()
    answer: tuple[str, tuple[str, ...]] | None = None
    verification: Verification | None = None
    for case in made:
        if verification is None or (case.text, case.passages) != answer:
            answer = case.text, case.passages
            verification = verify(case.text, case.passages)
        said = [claim.support for claim in verification.claims if claim.start < case.at[1] and case.at[0] < claim.end]
        measured.add(case, all(support == "supported" for support in said), "contradicted" in said)
    return measured


def _share(part: int, of: int) -> str:
    return f"{part / of:9.1%}" if of else f"{'-':>9}"
