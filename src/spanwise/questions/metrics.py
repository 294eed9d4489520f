"""Which figures a question asks for: the rows of statements that hold them, and the statements that it names."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from spanwise.domain.question import Metric, Statement
from spanwise.questions.profiles import Profile, asked_terms
from spanwise.text.terms import terms


def asked_metrics(text: str, profile: Profile) -> tuple[tuple[Metric, ...], frozenset[str]]:
    """The rows that the question asks for, each once in the order of asking, and the stems that ask for them.

    Of phrases that overlap ("current liabilities", "liabilities") the longest counts.
    """
    stems = asked_terms(text)
    found = [
        (start, start + len(phrase), entry.metrics)
        for entry in profile.metrics
        for phrase in entry.asked
        for start in _places(phrase, stems)
    ]
    found.sort(key=lambda place: (place[0] - place[1], place[0]))
    taken: list[tuple[int, int, tuple[Metric, ...]]] = []
    for start, end, metrics in found:
        if all(end <= other_start or other_end <= start for other_start, other_end, _ in taken):
            taken.append((start, end, metrics))
    taken.sort(key=lambda place: place[0])
    asking = frozenset(stem for start, end, _ in taken for stem in stems[start:end])
    return tuple(dict.fromkeys(metric for _, _, metrics in taken for metric in metrics)), asking


def metric_share(text: str, asking: Collection[str], names: Sequence[str], profile: Profile) -> float:
    """Share of the question's own words that ask for metrics; names, times and words of form are nobody's."""
    apart = profile.form | ({stem for name in names for stem in terms(name)} - set(asking))
    own = {stem for stem in asked_terms(text) if stem not in apart and not any(map(str.isdigit, stem))}
    return len(own & set(asking)) / len(own) if own else 0.0


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
