"""Regular expressions that are compiled when they are first used: most questions need few of the long ones."""

from __future__ import annotations

import re
from typing import cast


def lazy_pattern(written: str, flags: int | re.RegexFlag = 0) -> re.Pattern[str]:
    """What `re.compile` makes of it, at its first use instead of at once: a long alternation takes milliseconds."""
    return cast("re.Pattern[str]", _Pattern(written, flags))


class _Pattern:
    """Compiled when a method is first asked for; then each method is found as quickly as elsewhere."""

    def __init__(self, written: str, flags: int | re.RegexFlag) -> None:
        self._written = written
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        value: object = getattr(re.compile(self._written, self._flags), name)  # `re` keeps what it compiled last
        if not name.startswith("__"):
            setattr(self, name, value)
        return value
