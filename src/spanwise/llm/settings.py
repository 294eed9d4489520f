"""Keys of providers and what is known of models, from a settings file; keep it readable by you only.

# ~/.config/spanwise/settings.toml
[keys]
openai = "..."

[models."openai:my-model"]
context_window = 32768
rejects_temperature = true
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from spanwise.errors import ModelSetupError

_LARGEST = 1_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Settings:
    """What a settings file says.

    Attributes:
        keys: From the name of a provider to its key; never shown.
        models: From "provider:model" to fields of its `ModelProfile`.
    """

    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    models: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


def settings_path() -> Path:
    """Where the settings file is: `SPANWISE_SETTINGS`, else `spanwise/settings.toml` in the user's configuration."""
    named = os.environ.get("SPANWISE_SETTINGS")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CONFIG_HOME")
    return Path(base or Path.home() / ".config") / "spanwise" / "settings.toml"


def read_settings() -> Settings:
    """What the settings file says; nothing where there is none.

    Raises:
        ModelSetupError: It cannot be read, or is not of this form.
    """
    path = settings_path()
    try:
        with path.open("rb") as file:
            said = tomllib.loads(file.read(_LARGEST).decode())
    except (FileNotFoundError, NotADirectoryError):
        if os.environ.get("SPANWISE_SETTINGS"):
            raise ModelSetupError(f"There is no settings file {path}; unset SPANWISE_SETTINGS or write it.") from None
        return Settings()
    except OSError as error:
        raise ModelSetupError(f"The settings file {path} cannot be read ({error.strerror or error}).") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        # The parser's own message may quote the line, and with it a key.
        raise ModelSetupError(f"The settings file {path} is not TOML; see docs/models.md for its form.") from None
    keys, models = said.get("keys", {}), said.get("models", {})
    if not _strings(keys) or not isinstance(models, dict) or not all(isinstance(one, dict) for one in models.values()):
        raise ModelSetupError(
            f'The settings file {path} needs texts under [keys] and tables like [models."openai:name"].'
        )
    return Settings(keys=keys, models=models)


def _strings(table: object) -> bool:
    return isinstance(table, dict) and all(isinstance(value, str) for value in table.values())
