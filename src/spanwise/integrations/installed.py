"""Messages for a framework that is missing, too old, or cannot be imported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version

from spanwise.errors import MissingExtraError, install_line

OLDEST = {
    "deepeval": ("deepeval", "4.0"),
    "dspy": ("dspy", "3.1"),
    "haystack": ("haystack-ai", "2.20"),
    "inspect-ai": ("inspect-ai", "0.3.200"),
    "langchain": ("langchain-core", "1.0"),
    "llama-index": ("llama-index-core", "0.14"),
    "ragas": ("ragas", "0.4.3"),
    "llm": ("pydantic-ai-slim", "2.60"),
}
"""For each extra its package and the oldest version that the adapter works with, as in pyproject.toml."""


@contextmanager
def framework(extra: str) -> Iterator[None]:
    """Make sure that the framework of an extra is there, and that what is imported of it meanwhile can be.

    Raises:
        MissingExtraError: It is not installed, is too old, or has not got what is imported.
    """
    package, oldest = OLDEST[extra]
    install = install_line(extra)
    try:
        found = version(package)
    except PackageNotFoundError:
        raise MissingExtraError(f"spanwise.integrations needs {package}, which is not installed: {install}") from None
    if _numbers(found) < _numbers(oldest):
        raise MissingExtraError(f"spanwise.integrations needs {package} {oldest} or newer, not {found}: {install}")
    try:
        yield
    except ImportError as error:  # a newer one has moved a name, or what it needs itself is of another version
        raise MissingExtraError(
            f"{package} {found} cannot be imported as the adapter does ({error}): {install}, or take an older {package}"
        ) from error


def _numbers(written: str) -> tuple[int, ...]:
    release = re.match(r"\d+(\.\d+)*", written)
    return tuple(int(one) for one in release[0].split(".")) if release else ()
