"""What a question is limited to: a section, pages or lines of some documents."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spanwise.errors import InputError


@dataclass(frozen=True, slots=True)
class Scope:
    """What a question is limited to; None is no limit. Nothing outside of it is searched, cited or counted as proof.

    Example:
        >>> engine.ask("What is excluded?", scope=Scope(section="Exclusions"))
        >>> engine.ask("Who signed?", scope=Scope(first_page=9, last_page=10))

    Raises:
        InputError: A page or line is below 1, the last one comes before the first, or the section has no words.
    """

    documents: tuple[str, ...] | None = None
    """Names of documents."""
    section: str | None = None
    """Words of the title of a section: from its heading to its last line."""
    first_page: int | None = None
    """Pages are counted from 1."""
    last_page: int | None = None
    first_line: int | None = None
    """Lines are counted from 1 through the whole document, as citations count them."""
    last_line: int | None = None
    overlap: bool | None = None
    """Whether the page after the evidence is looked at to tell if a list or text goes on there. It is never a source.
    None decides by the shape of the answer."""

    def __post_init__(self) -> None:
        for what, first, last in (("page", self.first_page, self.last_page), ("line", self.first_line, self.last_line)):
            if any(one is not None and one < 1 for one in (first, last)):
                raise InputError(f"There is no {what} below 1: count from 1.")
            if first is not None and last is not None and last < first:
                raise InputError(f"The last {what}, {last}, comes before the first, {first}: name them in their order.")
        if self.section is not None and not self.section.strip():
            raise InputError("The section to look in has no name: write some words of its title.")

    @classmethod
    def read(cls, *, section: str | None = None, pages: str | None = None, lines: str | None = None) -> Scope | None:
        """The scope that words describe; None where they limit nothing.

        Args:
            section: Words of the title of a section.
            pages: `3`, `3-5`, `3-` or `-5`.
            lines: The same of lines.

        Raises:
            InputError: Pages or lines are written in another way, or make no scope.
        """
        first_page, last_page = _range(pages, "pages")
        first_line, last_line = _range(lines, "lines")
        scope = cls(None, section, first_page, last_page, first_line, last_line)
        return scope if scope.limited else None

    @property
    def limited(self) -> bool:
        """Whether it limits more than the documents."""
        return any(
            value is not None
            for value in (self.section, self.first_page, self.last_page, self.first_line, self.last_line)
        )

    def __str__(self) -> str:
        """In words."""
        said = [f"the section {self.section!r}"] if self.section is not None else []
        for what, first, last in (("page", self.first_page, self.last_page), ("line", self.first_line, self.last_line)):
            if first is not None and last is not None:
                said.append(f"{what} {first}" if first == last else f"{what}s {first} to {last}")
            elif first is not None or last is not None:
                said.append(f"{what}s from {first}" if first is not None else f"{what}s to {last}")
        return " and ".join(said) or "everything"


def _range(written: str | None, what: str) -> tuple[int | None, int | None]:
    if written is None:
        return None, None
    match = re.fullmatch(r"(\d{1,9})?(-)?(\d{1,9})?", written.replace(" ", ""), re.ASCII)
    if match is None or match.lastindex is None or not (match[1] or match[3]):
        raise InputError(f"{written!r} names no {what}: write 3, 3-5, 3- or -5.")
    first, last = (int(one) if one else None for one in (match[1], match[3]))
    return (first, last) if match[2] else (first, first)
