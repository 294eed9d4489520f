"""The result as JSON values, and as Markdown with footnotes."""

from __future__ import annotations

import re

from spanwise.contract.record import ResultDict
from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.pieces import NEARBY, caution, computed, lead, pieces, place

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$!&^])")
_LINE_START = re.compile(r"^(\s*)([-+=]|\d+[.)])", re.MULTILINE)


def record(result: Result) -> ResultDict:
    """The published record."""
    return result.to_dict()


def markdown(result: Result) -> str:
    """The text with a footnote mark after each proved stretch, and the places and quotes below (GitHub's footnotes).

    Nothing of a document is read as Markdown or HTML: what would be is escaped.
    """
    said = _escaped(lead(result))
    for piece in pieces(result):
        marks = "".join(f"[^{one.id}]" for one in piece.citations if one.at[1] == piece.end)
        said += _escaped(piece.text) + marks
    notes = [f"> {_escaped(note)}" for note in (*_marks(result), *result.answer.caveats)]
    cited = [_footnote(citation) for citation in result.citations]
    near = [
        f"- {_escaped(place(one))}: {_escaped(_one_line(one.quote))}"
        for one in (result.missing.nearest if result.missing is not None else ())
    ]
    if near:
        near = [f"{NEARBY} (not an answer):", "", *near]
    return "\n\n".join("\n".join(part) for part in ([said], notes, near, cited) if part) + "\n"


def _marks(result: Result) -> list[str]:
    """Notes before the caveats: how figures were computed, and that somebody should look."""
    return [*(f"Computed: {formula}" for formula in computed(result)), *filter(None, [caution(result)])]


def _footnote(citation: Citation) -> str:
    return f"[^{citation.id}]: {_escaped(place(citation))}: \u201c{_escaped(_one_line(citation.quote))}\u201d"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text)).replace("\n", "  \n")
