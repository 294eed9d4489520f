"""`spanwise.toml`: defaults of options, from the user's configuration folder and from the working folder.

A key is an option without its dashes: at the top for every command that has the option, in a table such as `[ask]` for
that command, and in `[use.NAME]` for `spanwise --use NAME`. An option on the command line comes before the environment
(`SPANWISE_ASK_MODEL`, `SPANWISE_MODEL`), and that before the file.

A file that is merely found in the working folder may be anybody's: it must not decide where documents are sent, what is
written or which code runs. Such options are allowed only in the user's own file, or in one that the user names.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_type_hints

from spanwise.cli.output import printable
from spanwise.errors import InputError
from spanwise.store.address import is_address

if TYPE_CHECKING:
    from typer.core import TyperCommand, TyperOption

FILE = "spanwise.toml"
NAMED = "SPANWISE_SETTINGS"
"""Environment variable with the only file to read, in place of those that are found; empty for none."""
_USE = "use"
_LARGEST = 100_000
_LEVELS = 40
"""Most parent folders in which a file is looked for."""
_OWN_ONLY = frozenset(
    "base-url cache class client config data embedder embedder-url highlight host html http model open opens operator"
    " out password port report reranker root rows set token trace".split()
)
"""Options that send, write or run something or let somebody in: not accepted from a file that was only found."""
_FILES = frozenset(["corpus", "fields", "data"])
"""Options whose relative paths are relative to the folder of the settings."""
_NEVER = frozenset(["help", "version", "use"])
_SHARED = frozenset("base-url corpus embedder embedder-url format mode model password profile reranker".split())
"""Options with a variable for all commands. Not port and host: Kubernetes gives `SPANWISE_PORT` another meaning."""
_MAC = {"config": "Library/Application Support", "cache": "Library/Caches"}
_WINDOWS = {"config": "APPDATA", "cache": "LOCALAPPDATA"}
_XDG = {"config": ("XDG_CONFIG_HOME", ".config"), "cache": ("XDG_CACHE_HOME", ".cache")}


@dataclass(frozen=True, slots=True)
class _Source:
    """A settings file."""

    path: Path
    trusted: bool
    """True if the user wrote or named it."""


def defaults(commands: Mapping[str, TyperCommand], use: str | None) -> dict[str, dict[str, object]]:
    """The defaults of each command, by parameter name, as the parser expects them.

    Args:
        commands: The commands by name.
        use: Name of the settings `[use.NAME]` to apply in addition.

    Raises:
        InputError: A file cannot be read, has an invalid key or value, or lacks the named settings.
    """
    found: dict[str, dict[str, object]] = {name: {} for name in commands}
    named = []
    for source in _sources():
        table = _read(source.path)
        uses = _table(table.pop(_USE, {}), source, _USE)
        _apply(table, source, "", commands, found)
        for name, inner in uses.items():
            chosen = _table(inner, source, f"{_USE}.{name}")
            named.append(name)
            _apply(chosen, source, f"{_USE}.{name}", commands, found if name == use else {one: {} for one in commands})
    if use is not None and use not in named:
        known = ", ".join(dict.fromkeys(named)) or "none"
        raise InputError(f"no settings are named {use!r}: write [use.{use}] in {FILE} (there are {printable(known)})")
    return found


def name_variables(commands: Mapping[str, TyperCommand]) -> None:
    """Set the environment variables of each option: `SPANWISE_COMMAND_OPTION`, for some also `SPANWISE_OPTION`."""
    for name, command in commands.items():
        for key, option in _options(command).items():
            words = key.replace("-", "_").upper()
            shared = [f"SPANWISE_{words}"] if key in _SHARED else []
            option.envvar = [f"SPANWISE_{name.upper()}_{words}", *shared]
            option.show_envvar = False  # twenty lines in every help text; documented once instead


def _sources() -> list[_Source]:
    """The files, in ascending order of precedence."""
    named = os.environ.get(NAMED)
    if named is not None:
        return [_Source(Path(named), trusted=True)] if named else []
    own = user_folder("config") / FILE
    found = [_Source(own, trusted=True)] if own.is_file() else []
    try:
        here = Path.cwd()
    except OSError:  # the working folder was deleted
        return found
    for folder in [here, *here.parents][:_LEVELS]:
        path = folder / FILE
        if path.is_file():
            return [*found, _Source(path, trusted=False)] if path != own else found
    return found


def _read(path: Path) -> dict[str, object]:
    import tomllib

    shown = printable(str(path))
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise InputError(f"{shown} has more than {_LARGEST:,} bytes: it holds no settings")
        return tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise InputError(
            f"the settings {shown} cannot be read ({error.strerror}): mend the path or unset {NAMED}"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{shown} is not TOML ({error}): mend it, or set {NAMED}= to do without it") from error


def _apply(
    table: Mapping[str, object],
    source: _Source,
    place: str,
    commands: Mapping[str, TyperCommand],
    found: Mapping[str, dict[str, object]],
) -> None:
    """Add the keys of a table, and of its tables for single commands, to the defaults in `found`."""
    own = {key: value for key, value in table.items() if isinstance(value, dict)}
    for key, value in table.items():
        if key not in own:
            takers = [name for name, command in commands.items() if _key(key) in _options(command)]
            if not takers:
                raise _unknown(source, place, key, [*commands, *_every_key(commands)])
            for name in takers:
                found[name] |= _default(commands[name], key, value, source, place)
    for name, inner in own.items():
        where = f"{place}.{name}" if place else name
        if name not in commands:
            raise _unknown(source, place, name, [*commands, *_every_key(commands)])
        for key, value in _table(inner, source, where).items():
            found[name] |= _default(commands[name], key, value, source, where)


def _default(command: TyperCommand, key: str, value: object, source: _Source, place: str) -> dict[str, object]:
    options = _options(command)
    option = options.get(_key(key))
    if option is None or option.name is None:
        raise _unknown(source, place, key, list(options))
    if _key(key) in _OWN_ONLY and not source.trusted:
        raise InputError(
            f"{printable(str(source.path))} lies where you work and sets {_key(key)}, which sends, writes or runs "
            f"something: put it into {user_folder('config') / FILE}, or name the file in {NAMED} if you trust it"
        )
    return {option.name: _value(command, option, key, value, source, place)}


_KINDS: Sequence[tuple[type, tuple[type, ...], str]] = (
    (bool, (bool,), "true or false"),
    (int, (int,), "a whole number"),
    (float, (int, float), "a number"),
    (str, (str,), "a text"),
)
"""Type of an option, accepted TOML types, and a description; a boolean is not accepted as a number."""


def _value(command: TyperCommand, option: TyperOption, key: str, value: object, source: _Source, place: str) -> object:
    """The value, checked for the option's type."""
    hints = get_type_hints(inspect.unwrap(command.callback)) if command.callback else {}
    taken = str(hints.get(option.name or "", str))
    kind, wanted, words = next(one for one in _KINDS if re.search(rf"\b{one[0].__name__}\b", taken))
    given = value if isinstance(value, list) and option.multiple else [value]
    if not all(isinstance(one, wanted) and (kind is bool or not isinstance(one, bool)) for one in given):
        where = f" in [{place}]" if place else ""
        raise InputError(
            f"{printable(str(source.path))}: {printable(key)}{where} is {words}"
            f"{' or a list of them' if option.multiple else ''}"
        )
    if _key(key) in _FILES:
        given = [_from(source, str(one), named=option.multiple) for one in given]
    return given if option.multiple else given[0]


def _from(source: _Source, file: str, *, named: bool) -> str:
    """A path relative to the folder of the settings; of `NAME=FILE`, the file is.

    Settings that were only found must not name paths outside of their folder, nor a database, where documents would be
    stored at a place that somebody else chose. The address of a database is no path and stays as it is.
    """
    name, equals, path = file.partition("=") if named and not is_address(file) else ("", "", file)
    name, path = (name, path) if equals else ("", file)
    if is_address(path):
        if source.trusted:
            return file
        raise InputError(
            f"{printable(str(source.path))} lies where you work and names a database, where documents would be kept: "
            f"give it on the command line, or in {user_folder('config') / FILE}"
        )
    folder = source.path.parent.resolve()
    whole = folder / Path(path).expanduser()
    if not source.trusted and not whole.resolve().is_relative_to(folder):
        raise InputError(
            f"{printable(str(source.path))} names {printable(path)}, which lies outside of its folder: give it on the "
            f"command line, or in {user_folder('config') / FILE}"
        )
    return f"{name}{equals}{whole}"


def _options(command: TyperCommand) -> dict[str, TyperOption]:
    """The options of a command by their long names, without dashes."""
    from typer.core import TyperOption

    return {
        name.removeprefix("--"): option
        for option in command.params
        if isinstance(option, TyperOption)
        for name in option.opts
        if name.startswith("--") and name.removeprefix("--") not in _NEVER
    }


def _every_key(commands: Mapping[str, TyperCommand]) -> list[str]:
    return sorted({key for command in commands.values() for key in _options(command)})


def _key(key: str) -> str:
    return key.replace("_", "-")


def _table(value: object, source: _Source, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise InputError(f"{printable(str(source.path))}: {printable(name)} is a table, [{printable(name)}]")
    return value


def _unknown(source: _Source, place: str, key: str, known: Sequence[str]) -> InputError:
    from difflib import get_close_matches

    near = get_close_matches(_key(key), known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    where = f" in [{printable(place)}]" if place else ""
    return InputError(f"{printable(str(source.path))} has a key {printable(key)!r}{where} that is no setting: {hint}")


def user_folder(kind: str) -> Path:
    """Spanwise's folder in the user's `config` or `cache` folder; it may not exist."""
    if sys.platform == "win32":
        return Path(os.environ.get(_WINDOWS[kind]) or Path.home()) / "spanwise"
    if sys.platform == "darwin":
        return Path.home() / _MAC[kind] / "spanwise"
    variable, usual = _XDG[kind]
    base = os.environ.get(variable, "")
    return Path(base if os.path.isabs(base) else Path.home() / usual) / "spanwise"
