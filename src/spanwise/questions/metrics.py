"""Which figures a question asks for: the rows of statements that hold them, and the statements that it names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from spanwise.domain.question import Metric, Statement
from spanwise.questions.formulas import asked_formula
from spanwise.questions.profiles import AskedMetric, Profile, asked_terms
from spanwise.text.terms import terms


@dataclass(frozen=True, slots=True)
class AskedFigures:
    """The figures of statements that a question asks for."""

    metrics: tuple[Metric, ...] = ()
    """Rows that hold them or that they are computed from, each once in the order of asking."""
    named: tuple[Metric, ...] = ()
    """The figures themselves."""
    formula: str = ""
    """Arithmetic over them that the question writes itself, their names in braces."""
    stems: frozenset[str] = frozenset()
    """Stems of the question that ask for them."""


def asked_metrics(text: str, profile: Profile) -> AskedFigures:
    """The figures that the question asks for.

    Of phrases that overlap ("current liabilities", "liabilities") the longest counts.
    """
    stems = asked_terms(text)
    found = [
        (start, start + len(phrase), entry)
        for entry in profile.metrics
        for phrase in entry.asked
        for start in _places(phrase, stems)
    ]
    found.sort(key=lambda place: (place[0] - place[1], place[0]))
    taken: list[tuple[int, int, AskedMetric]] = []
    for start, end, entry in found:
        if all(end <= other_start or other_end <= start for other_start, other_end, _ in taken):
            taken.append((start, end, entry))
    taken.sort(key=lambda place: place[0])
    named = tuple(dict.fromkeys(entry.itself for _, _, entry in taken))
    return AskedFigures(
        metrics=tuple(dict.fromkeys(metric for _, _, entry in taken for metric in entry.metrics)),
        named=named,
        formula=asked_formula(text, profile, named[0].name) if len(named) > 1 else "",
        stems=frozenset(stem for start, end, _ in taken for stem in stems[start:end]),
    )


def metric_share(text: str, asking: Collection[str], names: Sequence[str], profile: Profile) -> float:
    """Share of the question's own words that ask for metrics; names, times and words of form are nobody's."""
    apart = profile.form | ({stem for name in names for stem in terms(name)} - set(asking))
    own = {stem for stem in asked_terms(text) if stem not in apart and not any(map(str.isdigit, stem))}
    # "What was the gross margin in 2022?" has no word but of form, which name the figure together.
    return len(own & set(asking)) / len(own) if own else float(bool(asking))


def expected_statements(text: str, metrics: Sequence[Metric], profile: Profile) -> tuple[Statement, ...]:
    """The statements that the question names; when it names none, those that hold its metrics."""
    stems = asked_terms(text)
    named = [entry.statement for entry in profile.statements if any(_places(phrase, stems) for phrase in entry.asked)]
    wanted = {metric.statement for metric in metrics}
    holding = [entry.statement for entry in profile.statements if entry.statement.name in wanted]
    return tuple(named or holding)


def _places(phrase: Sequence[str], stems: Sequence[str]) -> list[int]:
    """Where the phrase begins in the text."""
    size = len(phrase)
    if not size:
        return []
    return [at for at in range(len(stems) - size + 1) if tuple(stems[at : at + size]) == tuple(phrase)]
