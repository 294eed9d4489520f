import io
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from reportlab.pdfgen import canvas

import spanwise
from spanwise.errors import HighlightError, StorageError

QUESTION = "What is the late fee per month?"
NEEDLE = "The late fee is 7 percent per month."


def make_pdf(path: Path, *, rotate: int = 0, crop: tuple[int, int, int, int] | None = None) -> Path:
    out = io.BytesIO()
    page = canvas.Canvas(out, pagesize=(400, 600), invariant=1)
    page.drawString(120, 420, NEEDLE)
    page.drawString(120, 300, "Nothing else is to be said about anything here.")
    page.showPage()
    page.save()
    with pikepdf.open(out) as pdf:
        pdf.pages[0].Rotate = rotate
        if crop:
            pdf.pages[0].CropBox = list(crop)
        pdf.save(path)
    return path


def annotations(path: Path) -> list[tuple[int, list[float]]]:
    with pikepdf.open(path) as pdf:
        return [
            (number, [float(value) for value in annotation.Rect])
            for number, page in enumerate(pdf.pages, start=1)
            for annotation in page.obj.get("/Annots", [])
            if annotation.Subtype == "/Highlight"
        ]


def user_space_box_of(path: Path, needle: str) -> tuple[float, float, float, float]:
    """Where pdfium sees the words, in the page's own coordinates."""
    document = pypdfium2.PdfDocument(path)
    text = document[0].get_textpage()
    index = text.get_text_range().index(needle)
    corners = [text.get_charbox(index + n) for n, c in enumerate(needle) if c != " "]
    return (
        min(c[0] for c in corners),
        min(c[1] for c in corners),
        max(c[2] for c in corners),
        max(c[3] for c in corners),
    )


@pytest.mark.parametrize("crop", [None, (50, 100, 390, 590)])
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_the_annotation_lies_on_the_cited_words(tmp_path, rotate, crop):
    source = make_pdf(tmp_path / "a.pdf", rotate=rotate, crop=crop)
    before = source.read_bytes()
    result = spanwise.ask(QUESTION, source)
    assert result.text in NEEDLE
    assert result.highlight(tmp_path / "out.pdf") == (tmp_path / "out.pdf",)
    [(page, (x0, y0, x1, y1))] = annotations(tmp_path / "out.pdf")
    left, bottom, right, top = user_space_box_of(source, NEEDLE)
    assert page == 1
    assert x0 - 1 <= left < right <= x1 + 1
    assert y0 - 1 <= bottom < top <= y1 + 1
    assert (x1 - x0) * (y1 - y0) < 2.5 * (right - left) * (top - bottom)
    assert source.read_bytes() == before


def test_one_annotation_a_cited_box_on_the_right_page(tmp_path, standard):
    result = spanwise.ask("What are the five essential properties of a station?", standard)
    result.highlight(tmp_path / "out.pdf")
    boxes = [box for citation in result.citations for box in citation.boxes]
    assert [page for page, _ in annotations(tmp_path / "out.pdf")] == [box.page for box in boxes] == [5] * 5


def test_highlighting_twice_gives_the_same_bytes(tmp_path):
    result = spanwise.ask(QUESTION, make_pdf(tmp_path / "a.pdf"))
    result.highlight(tmp_path / "one.pdf")
    result.highlight(tmp_path / "two.pdf")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_annotations_that_were_there_stay(tmp_path):
    source = make_pdf(tmp_path / "a.pdf")
    spanwise.ask(QUESTION, source).highlight(tmp_path / "one.pdf")
    spanwise.ask(QUESTION, tmp_path / "one.pdf").highlight(tmp_path / "two.pdf")
    assert len(annotations(tmp_path / "two.pdf")) == 2


def test_the_document_itself_is_never_overwritten(tmp_path):
    source = make_pdf(tmp_path / "a.pdf")
    before = source.read_bytes()
    with pytest.raises(HighlightError, match="is the document itself"):
        spanwise.ask(QUESTION, source).highlight(source)
    assert source.read_bytes() == before


def test_a_document_that_changed_is_not_highlighted(tmp_path):
    source = make_pdf(tmp_path / "a.pdf")
    result = spanwise.ask(QUESTION, source)
    make_pdf(source, rotate=90)
    with pytest.raises(HighlightError, match="has changed since it was read"):
        result.highlight(tmp_path / "out.pdf")
    source.unlink()
    with pytest.raises(HighlightError, match="cannot be read"):
        result.highlight(tmp_path / "out.pdf")
    assert not (tmp_path / "out.pdf").exists()


def test_an_encrypted_document_is_highlighted_with_its_password(tmp_path):
    make_pdf(tmp_path / "a.pdf")
    with pikepdf.open(tmp_path / "a.pdf") as pdf:
        pdf.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="owner", user="secret"))
    result = spanwise.ask(QUESTION, tmp_path / "locked.pdf", password="secret")
    result.highlight(tmp_path / "out.pdf")
    assert len(annotations(tmp_path / "out.pdf")) == 1


def test_nothing_to_highlight_is_said(tmp_path):
    (tmp_path / "a.txt").write_text(NEEDLE)
    with pytest.raises(HighlightError, match="only PDFs and pictures can be highlighted"):
        spanwise.ask(QUESTION, tmp_path / "a.txt").highlight(tmp_path / "out.pdf")
    with pytest.raises(HighlightError, match="cites no line"):
        spanwise.ask("Who is the king of Spain?", tmp_path / "a.txt").highlight(tmp_path / "out.pdf")


def test_a_place_that_cannot_be_written_is_a_clear_error_and_leaves_nothing(tmp_path):
    source = make_pdf(tmp_path / "a.pdf")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be written"):
        spanwise.ask(QUESTION, source).highlight(tmp_path / "file" / "out.pdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "file"]


@pytest.mark.parametrize("target", ["b.pdf", "a.pdf", "x.pdf"])
def test_no_copy_is_written_over_another_cited_document(tmp_path, target):
    from dataclasses import replace

    from spanwise.export.highlight import SourceFile, highlight

    names = ["a.pdf", "b.pdf", "x-2.pdf"]
    [cited] = spanwise.ask(QUESTION, make_pdf(tmp_path / "a.pdf")).citations
    for name in names[1:]:
        make_pdf(tmp_path / name)
    before = {name: (tmp_path / name).read_bytes() for name in names}
    files = {name: SourceFile(tmp_path / name, spanwise.read(tmp_path / name).id) for name in names}
    with pytest.raises(HighlightError, match="is the document itself"):
        highlight([replace(cited, document=name) for name in names], tmp_path / target, files.get)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_two_cited_documents_give_two_copies(tmp_path):
    from dataclasses import replace

    one = spanwise.ask(QUESTION, make_pdf(tmp_path / "a.pdf"))
    other = make_pdf(tmp_path / "b.pdf", rotate=90)
    both = spanwise.ask(QUESTION, [tmp_path / "a.pdf", other])
    assert len({citation.document for citation in both.citations}) == 1
    from spanwise.export.highlight import SourceFile, highlight

    citations = (*one.citations, *(replace(citation, document="b.pdf") for citation in one.citations))
    files = {name: SourceFile(tmp_path / name, spanwise.read(tmp_path / name).id) for name in ("a.pdf", "b.pdf")}
    assert highlight(citations, tmp_path / "out.pdf", files.get) == (tmp_path / "out.pdf", tmp_path / "out-2.pdf")
    with pytest.raises(HighlightError, match=r"the file of a\.pdf is not known"):
        highlight(citations, tmp_path / "out.pdf", {}.get)
