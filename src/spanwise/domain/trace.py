"""The audit trail of one question: what each part of the way got and gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Step:
    """One part of the way (`question`, `retrieval`, `synthesis`, `guard`, `decision`) and its record in JSON values."""

    name: str
    record: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps in order. `id` is derived from question, documents and settings: the same input has the same id."""

    id: str
    steps: tuple[Step, ...] = ()
