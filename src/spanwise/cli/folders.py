"""Folders of the user where settings stand and the last answer is kept, as each system has them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_MAC = {"config": "Library/Application Support", "cache": "Library/Caches"}
_WINDOWS = {"config": "APPDATA", "cache": "LOCALAPPDATA"}
_XDG = {"config": ("XDG_CONFIG_HOME", ".config"), "cache": ("XDG_CACHE_HOME", ".cache")}


def user_folder(kind: str) -> Path:
    """Our folder in that of the user for `config` or `cache`; it need not be there."""
    if sys.platform == "win32":
        return Path(os.environ.get(_WINDOWS[kind]) or Path.home()) / "spanwise"
    if sys.platform == "darwin":
        return Path.home() / _MAC[kind] / "spanwise"
    variable, usual = _XDG[kind]
    base = os.environ.get(variable, "")
    return Path(base if os.path.isabs(base) else Path.home() / usual) / "spanwise"
