"""Folders that machines have under different paths: `SPANWISE_ROOTS` gives them names, and a corpus keeps the names.

With "contracts=/srv/contracts;notes=/srv/notes" on one machine and "contracts=/mnt/contracts" on another, both know a
file as `root:contracts/2026/lease.pdf`, and neither reads it again or takes it for gone.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from spanwise.errors import InputError

VARIABLE = "SPANWISE_ROOTS"
_MARK = "root:"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def named(path: str) -> str:
    """A path as a corpus keeps it: below a root that this machine names, by that name."""
    for name, folder in _roots(os.environ.get(VARIABLE, "")):
        if path == folder or path.startswith((folder + "/", folder + os.sep)):
            return f"{_MARK}{name}{path[len(folder) :].replace(os.sep, '/')}"
    return path


def here(kept: str) -> str:
    """The path on this machine of what a corpus keeps; of a root that has no folder here, its name."""
    if kept.startswith(_MARK):
        root, slash, rest = kept.removeprefix(_MARK).partition("/")
        for name, folder in _roots(os.environ.get(VARIABLE, "")):
            if name == root:
                return f"{folder}{slash}{rest}"
    return kept


@lru_cache(maxsize=8)
def _roots(given: str) -> tuple[tuple[str, str], ...]:
    """Names and folders, the deepest folder first."""
    found: dict[str, str] = {}
    for one in filter(None, (part.strip() for part in given.split(";"))):
        name, equals, folder = one.partition("=")
        if not equals or not _NAME.fullmatch(name) or not os.path.isabs(folder) or name in found:
            raise InputError(f'{VARIABLE} cannot be read at {one!r}: write "NAME=/FOLDER;NAME=/FOLDER", each name once')
        found[name] = os.path.realpath(folder).rstrip("/" + os.sep)
    return tuple(sorted(found.items(), key=lambda pair: len(pair[1]), reverse=True))
