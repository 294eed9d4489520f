"""pytest: `assert_grounded` and `assert_cited`, as fixtures and as functions.

    def test_the_summary(assert_cited):
        assert_cited(summarise(passages), passages)

The plugin is loaded in every project that has Spanwise installed, so it imports nothing of it until a check is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import pytest

Check: TypeAlias = Callable[[object, Iterable[object]], None]

_SHOWN = 20
"""Most claims that a message lists."""


def assert_grounded(answer: object, passages: Iterable[object]) -> None:
    """Fail if the passages do not support a claim of an answer; the answer's citations are ignored.

    Args:
        answer: A text, or an object that is converted to one; None for none.
        passages: In any form that `spanwise.verify` accepts.

    Raises:
        AssertionError: A claim is not supported, or there is none; the message says why, with the nearest evidence.
    """
    __tracebackhide__ = True
    _check(answer, passages, citations=False)


def assert_cited(answer: object, passages: Iterable[object]) -> None:
    """Fail also for a claim that cites nothing, or that its cited passages do not support."""
    __tracebackhide__ = True
    _check(answer, passages, citations=True)


def _check(answer: object, passages: Iterable[object], *, citations: bool) -> None:
    from spanwise.guard.failing import failures
    from spanwise.guard.verify import verify

    __tracebackhide__ = True
    verification = verify("" if answer is None else str(answer), list(passages))
    found = failures(verification, holding=citations, citing=citations)
    if verification.claims and not found:
        return
    what = "does not cite its passages" if citations else "is not grounded in its passages"
    told = f"{len(found)} of {len(verification.claims)} claims fail" if found else verification.reason
    more = [f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    raise AssertionError("\n".join([f"the answer {what}: {told}", *map(str, found[:_SHOWN]), *more]))


@pytest.fixture(name="assert_grounded")
def _assert_grounded() -> Check:
    """`assert_grounded(answer, passages)`: every claim of the answer is supported by the passages."""
    return assert_grounded


@pytest.fixture(name="assert_cited")
def _assert_cited() -> Check:
    """`assert_cited(answer, passages)`: every claim cites passages that support it."""
    return assert_cited
