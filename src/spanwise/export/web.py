"""The result as one HTML page: self-contained, no script, everything from documents escaped."""

from __future__ import annotations

from html import escape

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.pieces import NEARBY, Piece, caution, computed, lead, pieces, place
from spanwise.export.providers import link
from spanwise.text.injection.links import steady

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "blockquote{margin:.3rem 0 1rem;padding-left:1rem;border-left:3px solid;white-space:pre-wrap}"
    ".answer{white-space:pre-wrap;font-size:1.1rem}.note{font-style:italic}sup a{text-decoration:none}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(result: Result) -> str:
    """A page with the question, the answer with its marks, and the quotes that prove it."""
    title = _shown(result.question)
    told = [lead(result).strip(), *(f"Computed: {formula}" for formula in computed(result)), caution(result)]
    first, *rest = (f'<p class="note">{_shown(note)}</p>\n' if note else "" for note in (*told, *result.answer.caveats))
    notes = "".join(rest)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n"
        f'{first}<p class="answer">{"".join(_marked(piece) for piece in pieces(result))}</p>\n'
        f"{notes}{_evidence(result)}</main>\n</body>\n</html>\n"
    )


def _shown(text: str) -> str:
    return escape(steady(text))


def _marked(piece: Piece) -> str:
    marks = "".join(
        f'<sup><a href="#{_shown(one.id)}">[{_shown(one.id)}]</a></sup>'
        for one in piece.citations
        if one.at[1] == piece.end
    )
    return _shown(piece.text) + marks


def _evidence(result: Result) -> str:
    if result.citations:
        return "<h2>Evidence</h2>\n" + "".join(_quoted(one) for one in result.citations)
    if result.missing is not None and result.missing.nearest:
        return f"<h2>{NEARBY}, not an answer</h2>\n" + "".join(_quoted(one) for one in result.missing.nearest)
    return ""


def _quoted(citation: Citation) -> str:
    return (
        f'<section id="{_shown(citation.id)}"><a href="{_shown(link(citation))}">{_shown(place(citation))}</a>'
        f"<blockquote>{_shown(citation.quote)}</blockquote></section>\n"
    )
