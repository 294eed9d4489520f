"""Claims of an answer with their support and verdict, citations, and the policies that decide what is returned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict, get_args

from spanwise.domain.document import Box, Recognition
from spanwise.errors import InputError

Support: TypeAlias = Literal["supported", "contradicted", "unsupported", "unchecked"]
"""The finding about a claim: what the evidence says about it."""

Verdict: TypeAlias = Literal["keep", "flag", "remove"]
"""The decision about a claim: it stays, stays with a mark, or is removed."""

Cited: TypeAlias = Literal["holds", "wrong_place", "fabricated", "none"]
"""The finding about the citations in a claim's own text: `holds` if the cited passages alone support it, `wrong_place`
if they do not, `fabricated` if one of them was never given to the writer, `none` if the text cites nothing."""

Policy: TypeAlias = Literal["prune", "mark", "strict"]
"""What is returned of text that is not fully supported. `prune`: failed claims are removed, uncertain ones are returned
with a mark. `mark`: everything is returned, with marks. `strict`: failed and uncertain claims are removed."""
POLICIES: tuple[Policy, ...] = get_args(Policy)


def policy_named(name: str) -> Policy:
    """The policy with that name.

    Raises:
        InputError: There is no such policy.
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
    """The page number that is printed on the page."""
    boxes: tuple[Box, ...]
    """One box or more for the cited lines; empty in formats without a layout."""
    quote: str
    """The text of the cited lines, taken from the source document, never from a model."""
    at: tuple[int, int]
    """The range `[start, end)` of the result's text that the lines prove."""
    cells: str | None = None
    """The cells of a spreadsheet whose rows the lines are (`Prices!A7:C7`); None in other formats."""
    recognition: Recognition | None = None
    """For lines recognised in a picture: the lowest confidence among them, and all of their doubtful figures. None
    otherwise."""


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
    """Ids of the citations that prove it."""
    cited: Cited = "none"
    """The finding about the citations that the claim's own text contains, independent of `support`."""

    @property
    def at(self) -> tuple[int, int]:
        """The character range `[start, end)` of the claim."""
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
