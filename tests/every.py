"""Many small cases as one test: thousands of them cost far more in being tests than in what they look at."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence

_SHOWN = 8
_LONGEST = 300


def every(names: str | Sequence[str], cases: Iterable[object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, for cases that share their fixtures: all are tried, those that fail are told."""
    named = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    tried = list(cases)

    def of(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def all_of_them(**fixtures: object) -> None:
            assert tried
            failed = []
            for case in tried:
                values = case if len(named) > 1 else (case,)
                try:
                    test(**fixtures, **dict(zip(named, values, strict=True)))
                except Exception as error:  # noqa: BLE001  # whatever it is, the others are tried
                    failed.append((case, error))
            if failed:
                told = (f"{case!r:.{_LONGEST}}: {type(error).__name__}: {error}" for case, error in failed[:_SHOWN])
                raise AssertionError("\n".join([f"{len(failed)} of {len(tried)} fail:", *told])) from failed[0][1]

        others = [one for name, one in signature.parameters.items() if name not in named]
        all_of_them.__signature__ = signature.replace(parameters=others)
        return all_of_them

    return of
