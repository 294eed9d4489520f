"""What nobody sees on a page or in a document is never a line, whatever hides it; what is seen always is."""

from every import every
from hidden_markup import WORDS, docx_cases, html_cases, markdown_cases

from spanwise.domain.document import Document
from spanwise.readers.registry import read_here as read

UNREPORTED = ("<script", "field instruction")
"""Code that was never meant to be read, and is no hidden text."""


def check(document: Document, *, seen: bool, name: str) -> None:
    lines = " ".join(line.text for line in document.lines)
    hidden = " ".join(entry.text for entry in document.hidden)
    assert (WORDS in lines) == seen, lines
    assert seen or "before" in lines or "after" in lines
    assert seen or WORDS in hidden or any(part in name for part in UNREPORTED), hidden
    assert not seen or WORDS not in hidden
    for entry in document.hidden:
        assert entry.line is not None
        assert 0 <= entry.line <= len(document.lines)


@every("case", html_cases())
def test_html(case) -> None:
    check(read(case.source.encode(), name="a.html"), seen=case.seen, name=case.name)


@every("case", docx_cases())
def test_docx(raw_docx, case) -> None:
    check(read(raw_docx(case.body, case.parts, page=case.page), name="a.docx"), seen=case.seen, name=case.name)


@every("case", markdown_cases())
def test_markdown(case) -> None:
    check(read(case.source.encode(), name="a.md"), seen=case.seen, name=case.name)
