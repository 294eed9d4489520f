"""Text that is recognised in pictures: scans, pictures as files, layers that lie, and a program that does not work."""

from __future__ import annotations

import io
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

import spanwise
from spanwise.answering.loop import Rereader
from spanwise.domain.document import Document
from spanwise.errors import DocumentError
from spanwise.ingest.ingest import IngestProgress
from spanwise.readers import process
from spanwise.readers.pdf import read_pdf
from spanwise.readers.port import Limits, Ocr, ReadOptions
from spanwise.readers.reading import read
from spanwise.readers.registry import read_here
from spanwise.serving.drawing import LastDocument
from spanwise.store.codec import decode, encode
from spanwise.text.noise import is_garbled

WIDTH, HEIGHT = 300.0, 120.0
TEXT = ("Rental of the boat house", "The yearly rent is £1,250 and is due on 1 March.", "The deposit is £300.")
SCAN = Path(__file__).parents[2] / "examples" / "documents" / "minutes-scan.pdf"


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SPANWISE_OCR", "auto")
    monkeypatch.setenv("SPANWISE_OCR_LANGUAGE", "eng")
    return tmp_path / "cache"


@pytest.fixture
def tesseract() -> None:
    """Skips a test that needs the program where it is not; in CI it has to be."""
    if shutil.which("tesseract") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no tesseract: run .ci/tesseract")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Puts a shell script in the place of tesseract; it gets `--psm N` as `$8`."""

    def make(script: str, version: str = "tesseract 9.9.9", languages: str = "eng") -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "tesseract"
        told = f'case "$1" in --version) echo "{version}";; --list-langs) printf "List:\\n{languages}\\n";; *) '
        program.write_text(f"#!/bin/sh\n{told}echo called >> {tmp_path}/calls\n{script}\n;; esac\n", "utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return tmp_path / "calls"

    pool = process._Pool()  # processes that run already know another PATH
    monkeypatch.setattr(process, "_pool", pool)
    yield make
    pool.stop()


def table(*words: tuple[str, float, int, int]) -> str:
    """A script that writes words as tesseract does: text, and where it begins in pixels."""
    head = "level\\tpage_num\\tblock_num\\tpar_num\\tline_num\\tword_num\\tleft\\ttop\\twidth\\theight\\tconf\\ttext\\n"
    rows = (
        f"5\\t1\\t1\\t1\\t{top}\\t{at}\\t{left}\\t{top}\\t{20 * len(text)}\\t30\\t{sure}\\t{text}\\n"
        for at, (text, sure, left, top) in enumerate(words, start=1)
    )
    return f"cat > /dev/null; printf '%b' '{head}{''.join(rows)}'"


def drawn(lines: tuple[str, ...] = TEXT) -> bytes:
    """A small page of print."""
    packed = io.BytesIO()
    canvas = Canvas(packed, pagesize=(WIDTH, HEIGHT), invariant=1)
    canvas.setFont("Helvetica", 11)
    for number, line in enumerate(lines):
        canvas.drawString(20, HEIGHT - 30 - 22 * number, line)
    canvas.save()
    return packed.getvalue()


def picture(lines: tuple[str, ...] = TEXT) -> Image.Image:
    """A picture of it."""
    with pypdfium2.PdfDocument(drawn(lines)) as document:
        return document[0].render(scale=250 / 72, grayscale=True).to_pil().convert("L")


def scan(*pages: Image.Image, layer: tuple[tuple[str, float], ...] = (), stamp: str = "") -> bytes:
    """A PDF of pictures, over which text may lie that nobody sees, at heights from the top, and a stamp."""
    packed = io.BytesIO()
    canvas = Canvas(packed, pagesize=(WIDTH, HEIGHT), invariant=1)
    for page in pages:
        canvas.drawImage(ImageReader(page), 0, 0, WIDTH, HEIGHT)
        for line, top in layer:
            text = canvas.beginText(20, HEIGHT - top)
            text.setFont("Helvetica", 11)
            text.setTextRenderMode(3)
            text.textLine(line)
            canvas.drawText(text)
        canvas.drawString(20, 10, stamp)
        canvas.showPage()
    canvas.save()
    return packed.getvalue()


def saved(image: Image.Image, format: str, **options: object) -> bytes:
    packed = io.BytesIO()
    image.save(packed, format, **options)
    return packed.getvalue()


def texts(document: Document) -> list[str]:
    return [line.text for line in document.lines]


def read_scan(data: bytes, ocr: Ocr | None = None, limits: Limits | None = None, **options: object) -> Document:
    return read_pdf(data, "scan.pdf", ReadOptions(ocr=ocr or Ocr(language="eng"), limits=limits or Limits(), **options))


@pytest.mark.usefixtures("tesseract")
def test_a_scan_is_read_like_the_page_it_was_made_of() -> None:
    ours, theirs = read_scan(scan(picture())), read_pdf(drawn(), "page.pdf", ReadOptions())
    assert texts(ours) == texts(theirs) == list(TEXT)
    for line, other in zip(ours.lines, theirs.lines, strict=True):
        edges = [(box.x0, box.y0, box.x1, box.y1) for box in (line.box, other.box) if box]
        assert edges[0] == pytest.approx(edges[1], abs=3)
        assert line.recognition is not None
        assert line.recognition.confidence > 0.8
        assert other.recognition is None
    assert [notice.code for notice in ours.notices] == ["recognised_page"]
    assert decode(encode(ours)) == ours


@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_that_lies_on_its_side_or_upside_down_is_read_where_it_stands(turn: int) -> None:
    images = picture(), picture().rotate(turn, expand=True)
    upright, turned = (read_scan(saved(image, "PDF", resolution=250)) for image in images)
    assert texts(turned) == texts(upright) == list(TEXT)
    whole = (turned.pages[0].width, turned.pages[0].height)
    for line, other in zip(turned.lines, upright.lines, strict=True):
        assert line.box is not None
        assert other.box is not None
        x0, y0, x1, y1 = other.box.x0, other.box.y0, other.box.x1, other.box.y1
        if turn == 90:
            x0, y0, x1, y1 = y0, whole[1] - x1, y1, whole[1] - x0
        elif turn == 180:
            x0, y0, x1, y1 = whole[0] - x1, whole[1] - y1, whole[0] - x0, whole[1] - y0
        else:
            x0, y0, x1, y1 = whole[0] - y1, x0, whole[0] - y0, x1
        assert (line.box.x0, line.box.y0, line.box.x1, line.box.y1) == pytest.approx((x0, y0, x1, y1), abs=3)


@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize("format", ["PNG", "JPEG", "TIFF"])
def test_a_picture_is_a_document(format: str) -> None:
    more = {"save_all": True, "append_images": [picture(("A second page.",))]} if format == "TIFF" else {}
    image = picture().convert("1") if format == "TIFF" else picture().convert("RGBA" if format == "PNG" else "RGB")
    document = read_here(saved(image, format, **more), name="rent.bin")
    assert texts(document)[:3] == list(TEXT)
    assert (document.format, document.paged, len(document.pages)) == ("image", True, 2 if more else 1)


@pytest.mark.usefixtures("tesseract")
def test_an_answer_from_a_scan_says_so_and_is_marked_on_the_picture(tmp_path: Path) -> None:
    result = spanwise.ask("When is the next meeting?", SCAN)
    assert "13 May 2025 at 17:30" in result.text
    assert "recognised_text" in result.warnings
    [citation] = result.to_dict()["citations"]
    assert citation["recognition"]["confidence"] > 0.8
    assert citation["recognition"]["doubtful"] == []
    assert not result.review
    [copy] = result.highlight(tmp_path / "marked.pdf")
    with pikepdf.open(copy) as marked:
        assert len(marked.pages[0].Annots) == len(citation["boxes"]) == 1


@pytest.mark.usefixtures("tesseract")
def test_the_few_lines_that_a_scan_has_itself_stay_as_they_are() -> None:
    document = read_scan(scan(picture(), stamp="Scanned at desk 7/B"))
    assert sorted(texts(document)) == sorted([*TEXT, "Scanned at desk 7/B"])
    assert [line.text for line in document.lines if line.recognition is None] == ["Scanned at desk 7/B"]


@pytest.mark.usefixtures("tesseract")
def test_the_unseen_text_of_a_scan_is_evidence_only_as_far_as_its_picture_shows_it() -> None:
    layer = ((TEXT[0], 30), (TEXT[1].replace("1,250", "1,750"), 52), ("Nothing has to be paid at all.", 74))
    document = read_scan(scan(picture(), layer=layer))
    assert texts(document) == list(TEXT)
    assert [(one.text, one.reason) for one in document.hidden] == [("Nothing has to be paid at all.", "other_text")]
    doubtful = document.lines[1].recognition
    assert doubtful is not None
    assert doubtful.doubtful == ("£1,250 or £1,750",)
    assert "doubtful_figure" in {notice.code for notice in document.notices}


@pytest.mark.usefixtures("tesseract")
def test_what_hardly_differs_from_its_ground_is_not_read() -> None:
    pale = picture().point(lambda value: 255 - (255 - value) // 9)
    page = Image.new("L", (pale.width, 2 * pale.height), 255)
    page.paste(picture(("This line is black.",)), (0, 0))
    page.paste(pale, (0, pale.height))
    assert texts(read_scan(scan(page))) == ["This line is black."]


def test_a_figure_that_two_looks_read_otherwise_is_doubtful(fake: Callable[[str], Path]) -> None:
    first, second = table(("Rent", 96, 80, 60), ("1,200", 96, 200, 60)), table(("1,280", 96, 300, 90))
    fake(f'if [ "$8" = 11 ]; then {second}; else {first}; fi')
    document = read_scan(scan(picture()))
    assert texts(document) == ["Rent 1,200"]
    assert document.lines[0].recognition is not None
    assert document.lines[0].recognition.doubtful == ("1,200 or 1,280",)
    result = spanwise.Engine(spanwise.Corpus.of([document])).ask("What is the rent?")
    assert {"recognised_text", "doubtful_figure"} <= set(result.warnings)
    assert result.review


def test_a_small_l_before_a_capital_is_a_capital_i(fake: Callable[[str], Path]) -> None:
    fake(table(("laaS", 96, 80, 60), ("lSO", 96, 170, 60), ("label", 96, 240, 60), ("mL", 96, 350, 60)))
    assert texts(read_scan(scan(picture()))) == ["IaaS ISO label mL"]


def test_a_reading_that_was_interrupted_goes_on_where_it_was(fake: Callable[[str], Path], own_cache: Path) -> None:
    pages = [picture((TEXT[0], f"page {number}")) for number in range(2)]
    words = table(("Some", 96, 80, 60), ("words", 96, 200, 60))
    calls = fake(words)
    heard: list[tuple[int, int]] = []

    def interrupt(done: int, total: int) -> None:
        heard.append((done, total))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_scan(scan(*pages), progress=interrupt)
    assert heard == [(1, 2)]
    calls.write_text("", "utf-8")
    assert texts(read_scan(scan(*pages))) == ["Some words"] * 2
    assert len(calls.read_text().split()) <= 1
    assert list((own_cache / "spanwise" / "recognition").iterdir()) == []  # nothing of a document that is read stays


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("sleep 30", "took more than 0.5 seconds"),
        ("echo no memory >&2; exit 3", "ended with status 3 (no memory)"),
        ("kill -9 $$", "ended with status -9"),
        ("head -c 40000000 /dev/zero", "tesseract"),
        ("echo Some words that are no table", "has no text"),
    ],
    ids=["hangs", "fails", "dies", "floods", "babbles"],
)
def test_a_program_that_does_not_work_costs_one_clear_sentence(
    fake: Callable[[str], Path], script: str, why: str
) -> None:
    fake(script)
    with pytest.raises(DocumentError) as caught:
        read_scan(scan(picture(), picture(), picture()), limits=Limits(page_seconds=0.5))
    assert why in str(caught.value)


def test_another_program_of_that_name_is_told(fake: Callable[..., Path]) -> None:
    fake("true", version="GNU tesseract")
    with pytest.raises(DocumentError, match="is another program"):
        read_scan(scan(picture()), Ocr("always"))
    with pytest.raises(DocumentError, match=r"no text layer: tesseract .* is another program"):
        read_scan(scan(picture()))


def test_without_the_program_a_scan_is_refused_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for data, name in ((scan(picture()), "scan.pdf"), (saved(picture(), "PNG"), "scan.png")):
        with pytest.raises(DocumentError, match=r"install tesseract .*apt-get install tesseract-ocr"):
            read_here(data, name=name)
    with pytest.raises(DocumentError, match="install tesseract"):
        read_here(drawn(), name="page.pdf", reader="ocr")
    layered = read_here(scan(picture(), layer=((TEXT[0], 30),)), name="layered.pdf")
    assert texts(layered) == [TEXT[0]]
    assert "was not compared with the picture and may be wrong; install tesseract" in layered.notices[0].message


def test_more_pages_than_may_be_recognised_are_refused(fake: Callable[[str], Path]) -> None:
    fake("true")
    with pytest.raises(DocumentError, match="3 pages to be recognised, more than 2"):
        read_scan(scan(*[picture()] * 3), limits=Limits(recognised_pages=2))
    frames = saved(picture(), "TIFF", save_all=True, append_images=[picture()] * 2)
    with pytest.raises(DocumentError, match="3 pictures, more than 2"):
        read_here(frames, name="a.tif", limits=Limits(recognised_pages=2))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (lambda: saved(picture(), "PNG")[:900], "is damaged"),
        (lambda: saved(picture(), "JPEG")[:200], "is damaged"),
        (lambda: b"II*\x00\xff\xff\xff\x7f", "is damaged"),
        (lambda: b"GIF89a", "is damaged"),
        (lambda: saved(Image.new("1", (60_000, 40_000)), "PNG"), "more than 120,000,000 pixels"),
    ],
    ids=["png", "jpeg", "tiff", "gif", "bomb"],
)
def test_a_broken_picture_is_told(data: Callable[[], bytes], why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        read_here(data(), name="a.png")


def test_progress_comes_from_the_reading_process_and_through_an_ingest(
    fake: Callable[[str], Path], tmp_path: Path
) -> None:
    fake(table(("Some", 96, 80, 60), ("words", 96, 200, 60)))
    heard: list[tuple[int, int]] = []
    document = read(scan(picture(), picture()), name="a.pdf", progress=lambda done, total: heard.append((done, total)))
    assert (heard, len(document.lines)) == ([(1, 2), (2, 2)], 2)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(scan(picture(), picture()))
    (folder / "b.png").write_bytes(saved(picture(), "PNG", dpi=(250, 250)))
    events: list[IngestProgress] = []
    report = spanwise.Corpus.memory().add(folder, progress=events.append)
    assert report.added == ("a.pdf", "b.png")
    assert [(one.page, one.pages) for one in events if one.name == "a.pdf"] == [(1, 2), (2, 2), (None, None)]
    fake("true")
    again = spanwise.Corpus.memory().add(folder)
    assert [Path(one.path).name for one in again.skipped] == ["b.png"]  # a picture without text is no failure


GARBLED = {
    "shifted": "7KH FRPPLWWHH VKDOO PHHW WZLFH XQOHVV LWV PHPEHUV DJUHH RWKHUZLVH LQ ZULWLQJ " * 2,
    "caesar": "Wkh frpplwwhh vkdoo phhw wzlfh d bhdu, xqohvv lwv phpehuv djuhh rwkhuzlvh lq zulwlqj eb wkh hqg.",
    "replaced": "T\ufffde c\ufffd\ufffdm\ufffdtt\ufffde sh\ufffdll m\ufffd\ufffdt" * 20,
    "private": "\ue001\ue002\ue003 \ue004\ue005 " * 40,
}
PLAIN = {
    "en": "The committee shall meet twice a year, unless its members agree otherwise in writing by the end of May.",
    "de": "Der Mietvertrag läuft auf unbestimmte Zeit; Rechtsschutzversicherungen sind davon nicht betroffen.",
    "pl": "Szczęście przyszło znienacka, a wstrząs był krótki i gwałtowny dla wszystkich mieszkańców tej wsi.",
    "ru": "Комиссия собирается дважды в год, если её члены письменно не договорятся об ином до конца мая.",
    "zh": "委员会每年召开两次会议，除非其成员在五月底之前以书面形式另行商定。" * 3,
    "codes": "NIST SP 800-53 AC-2(1) | AWS EC2 HTTP API GDPR ISO/IEC 27001 XML JSON TLS 1.3 RSA-2048 SHA-256 " * 2,
}


@pytest.mark.parametrize("name", [*GARBLED, *PLAIN])
def test_text_that_makes_no_words(name: str) -> None:
    assert is_garbled([{**GARBLED, **PLAIN}[name]]) is (name in GARBLED)


def test_pages_and_marks_of_a_picture_come_from_the_picture(fake: Callable[[str], Path], tmp_path: Path) -> None:
    fake(table(("Rent", 96, 80, 60), ("1,200", 96, 200, 60)))
    path = tmp_path / "rent.png"
    path.write_bytes(saved(picture(), "PNG", dpi=(250, 250)))
    document = read_here(path)
    corpus = spanwise.Corpus.memory()
    corpus.keep(encode(document), path)
    result = spanwise.Engine(corpus).ask("What is the rent?")
    [copy] = result.highlight(tmp_path / "marked.pdf")
    with pikepdf.open(copy) as marked:
        assert len(marked.pages[0].Annots) == 1
    request = {"name": "rent.png", "sha256": document.id, "page": 1, "width": 300, "password": None, "path": str(path)}
    shown = Image.open(io.BytesIO(LastDocument().draw(request)))
    assert shown.size == (300, 120)
    assert shown.convert("L").getextrema()[0] < 50


def test_reading_again_recognises_what_the_file_says_wrongly(fake: Callable[[str], Path], tmp_path: Path) -> None:
    fake(table(("Rent", 96, 90, 95), ("1,200", 96, 190, 95)))
    path = tmp_path / "page.pdf"
    path.write_bytes(drawn())
    corpus = spanwise.Corpus.memory()
    corpus.keep(encode(read_here(path)), path)
    again = Rereader().again(corpus, ["page.pdf"], {})
    assert again.readers == {"page.pdf": "ocr"}
    assert again.store is not None
    assert texts(again.store.document("page.pdf")) == ["Rent 1,200"]


def test_the_language_that_is_read_most_surely_is_taken(
    fake: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the first page all are tried, for the others the one that was found, unless it reads badly."""
    monkeypatch.delenv("SPANWISE_OCR_LANGUAGE")
    long = "Rechtsschutzversicherungsgesellschaftenrecht"
    german, english = table((long, 95, 80, 60)), table((long.upper(), 88, 80, 60))
    calls = fake(f'if [ "$4" = deu ]; then {german}; else {english}; fi', languages="deu\\neng\\nosd")
    pages = [picture((TEXT[0], name)) for name in ("one", "two")]
    assert texts(read_scan(scan(*pages), Ocr())) == [long] * 2
    assert len(calls.read_text().split()) == 3
