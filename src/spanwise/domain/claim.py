"""What an answer says and what holds it up: claims, how well each is supported, citations, and what may ship."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict, get_args

from spanwise.domain.document import Box, Recognition
from spanwise.errors import InputError

Support: TypeAlias = Literal["supported", "contradicted", "unsupported", "unchecked"]
"""Measured: what the evidence says about a claim."""

Verdict: TypeAlias = Literal["keep", "flag", "remove"]
"""Decided: what happens to the claim."""

Cited: TypeAlias = Literal["holds", "wrong_place", "fabricated", "none"]
"""What becomes of the citations of a claim: the cited passages support it without the others, they do not, one of them
was never given, or nothing is cited."""

Policy: TypeAlias = Literal["prune", "mark", "strict"]
"""What ships of a text that is not supported. `prune`: what fails goes, what is uncertain ships marked. `mark`: all of
it ships, marked. `strict`: none of it ships."""
POLICIES: tuple[Policy, ...] = get_args(Policy)


def policy_named(name: str) -> Policy:
    """The policy of that name.

    Raises:
        InputError: There is none.
    """
    for policy in POLICIES:
        if policy == name:
            return policy
    raise InputError(f"there is no policy {name!r}: choose one of {', '.join(POLICIES)}")


@dataclass(frozen=True, slots=True)
class Citation:
    """From a place in the answer to the lines that prove it."""

    id: str
    item: int
    """Index of the answer's item, from 0."""
    document: str
    line_start: int
    line_end: int
    page: int | None
    """1-based position in the file; None in formats without pages."""
    page_label: str | None
    """What is printed on the page as its number."""
    boxes: tuple[Box, ...]
    quote: str
    """The text of those lines, recovered from the source, never a model's."""
    at: tuple[int, int]
    """Range of the result's text that it proves, end exclusive."""
    cells: str | None = None
    """The cells of a spreadsheet that the lines are the rows of (`Prices!A7:C7`); None in other formats."""
    recognition: Recognition | None = None
    """For lines that were recognised in a picture: the confidence of the least sure one, all doubtful figures."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A checkable statement of an answer, with the character range `[start, end)` where it stands."""

    start: int
    end: int
    text: str
    support: Support
    verdict: Verdict
    reason: str
    score: float
    """In [0, 1], higher is better supported."""
    citations: tuple[str, ...] = ()
    cited: Cited = "none"
    """Whether what the text itself cites supports the claim, apart from whether anything does."""

    @property
    def at(self) -> tuple[int, int]:
        """The range, end exclusive."""
        return self.start, self.end


class BoxDict(TypedDict):
    """A rectangle as JSON values."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class RecognitionDict(TypedDict):
    """How sure a recogniser is of lines that it read in a picture, as JSON values."""

    confidence: float
    doubtful: list[str]


class CitationDict(TypedDict):
    """`Citation` as JSON values."""

    id: str
    item: int
    document: str
    line_start: int
    line_end: int
    page: int | None
    page_label: str | None
    boxes: list[BoxDict]
    quote: str
    at: list[int]
    cells: str | None
    recognition: RecognitionDict | None


class ClaimDict(TypedDict):
    """`Claim` as JSON values."""

    at: list[int]
    text: str
    support: Support
    verdict: Verdict
    reason: str
    score: float
    citations: list[str]
    cited: Cited
