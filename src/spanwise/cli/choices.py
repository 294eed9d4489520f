"""What a shell completes an option with."""

from __future__ import annotations

from collections.abc import Sequence


def choices(kind: str) -> Sequence[str]:
    """The values that an option may have: `format`, `language`, `mode`, `profile`, `shape` or `type`."""
    return _CHOICES[kind]()


def _formats() -> list[str]:
    from spanwise.export.formats import FORMATS

    return ["text", "md", *FORMATS]


def _languages() -> list[str]:
    from spanwise.text.languages.data import languages

    return sorted(languages())


def _modes() -> list[str]:
    from spanwise.synthesis.modes import MODES

    return ["typed", *MODES]


def _profiles() -> list[str]:
    from importlib.resources import files

    return sorted(
        one.name.removesuffix(".toml")
        for one in files("spanwise.questions.profiles").iterdir()
        if one.name.endswith(".toml")
    )


def _shapes() -> list[str]:
    from spanwise.contract.registry import SHAPES

    return list(SHAPES)


def _types() -> list[str]:
    from spanwise.contract.registry import answer_classes

    return list(answer_classes())


_CHOICES = {
    "format": _formats,
    "language": _languages,
    "mode": _modes,
    "profile": _profiles,
    "shape": _shapes,
    "type": _types,
}
