"""The licences of what Spanwise needs: `python tests/licences.py` prints them, `tests/test_licences.py` checks them."""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RULES = PROJECT["tool"]["spanwise"]["licences"]
_CLASSIFIER = "License :: OSI Approved :: "


def needed(wanted: Iterable[str], extras: frozenset[str] = frozenset()) -> dict[str, Distribution]:
    """The distributions that some requirements lead to, as far as they are installed here, by their names."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()

    def follow(requirements: Iterable[str], extras: frozenset[str]) -> None:
        for requirement in map(Requirement, requirements):
            if requirement.marker and not any(
                requirement.marker.evaluate({"extra": extra}) for extra in extras | frozenset([""])
            ):
                continue
            key = (normal(requirement.name), frozenset(requirement.extras))
            if key in seen or key[0] == "spanwise":
                continue
            seen.add(key)
            try:
                found[key[0]] = distribution(requirement.name)
            except PackageNotFoundError:
                continue
            follow(found[key[0]].requires or (), key[1])

    follow(wanted, extras)
    return dict(sorted(found.items()))


def shipped() -> dict[str, Distribution]:
    """What an installation with every extra brings."""
    project = PROJECT["project"]
    wanted = [*project["dependencies"], *(one for own in project["optional-dependencies"].values() for one in own)]
    return needed(wanted)


def developing() -> dict[str, Distribution]:
    """What developers install besides."""
    users = shipped()
    return {name: found for name, found in needed(PROJECT["dependency-groups"]["dev"]).items() if name not in users}


def licences(found: Distribution) -> str:
    """What a distribution says of its licence: an SPDX expression, else its classifiers, else its own words."""
    told = found.metadata
    named = [one.removeprefix(_CLASSIFIER) for one in told.get_all("Classifier") or () if _CLASSIFIER in one]
    classifiers = [RULES["same"].get(one, one) for one in named]
    words = (told.get("License") or "").strip()
    return (
        RULES["stated_elsewhere"].get(normal(told["Name"]))
        or told.get("License-Expression")
        or " AND ".join(classifiers)
        or (words.splitlines()[0] if words else "")
        or "not stated"
    )


def parts(text: str) -> Iterator[str]:
    """The licences of an expression; of alternatives (OR) one is enough, so only the first that is allowed counts."""
    allowed = set(RULES["allowed"])
    for both in re.split(r"\s+AND\s+|;", text.replace("(", "").replace(")", "")):
        written = [one.strip() for one in re.split(r"\s+OR\s+|\s+or\s+", both) if one.strip()]
        choices = [RULES["same"].get(one, one) for one in written]
        yield next((one for one in choices if one in allowed), choices[0] if choices else "not stated")


def refused(found: Distribution, *, developer: bool = False) -> list[str]:
    """The licences of a distribution that are not on the list."""
    allowed = {*RULES["allowed"], *(RULES["allowed_in_development"] if developer else ())}
    return [part for part in parts(licences(found)) if part not in allowed]


def normal(name: str) -> str:
    """A name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> int:
    """Print each distribution with its licence; 1 where one is not allowed."""
    wrong = 0
    for developer, group in ((False, shipped()), (True, developing())):
        print("needed by developers only:" if developer else "needed by Spanwise and its extras:")
        for name, found in group.items():
            bad = refused(found, developer=developer)
            wrong += bool(bad)
            print(f"  {name} {found.version}: {licences(found)}{'   <- not on the list' if bad else ''}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
