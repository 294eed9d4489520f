import hashlib
import io
import threading
import time
import zlib
from contextlib import suppress

import pikepdf
import pytest
from every import every
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from spanwise.errors import (
    DamagedDocumentError,
    DocumentNotFoundError,
    LimitError,
    PasswordError,
    WorkStoppedError,
)
from spanwise.serving import pictures as module
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_limits import Limits
from spanwise.serving.drawing import MOST_PIXELS, MOST_SIDE, read_frame, size_of, write_frame
from spanwise.serving.pictures import PageRequest, Pictures


def pdf(*pages: str, size=(300, 400)) -> bytes:
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=size, invariant=1)
    for text in pages:
        canvas.drawString(40, size[1] / 2, text)
        canvas.showPage()
    canvas.save()
    return made.getvalue()


def endless() -> bytes:
    """A form that draws a form twice, and so on: it takes longer than anybody waits."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf("The mast is nine metres high."))) as made:
        inner = made.make_stream(
            b"0 0 1 1 re f", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9]
        )
        for _ in range(22):
            inner = made.make_stream(
                b"/F Do /F Do",
                Type=pikepdf.Name.XObject,
                Subtype=pikepdf.Name.Form,
                BBox=[0, 0, 9, 9],
                Resources={"/XObject": {"/F": inner}},
            )
        page = made.pages[0]
        page.obj.Resources.XObject = pikepdf.Dictionary(F=inner)
        page.contents_add(made.make_stream(b"/F Do"))
        made.save(out)
    return out.getvalue()


@pytest.fixture
def opened():
    """Pictures with some limits; the processes end with the test."""
    made = []

    def open_(**limits) -> Pictures:
        made.append(Pictures(Limits(**limits)))
        return made[-1]

    yield open_
    for one in made:
        one.close()


@pytest.fixture
def wanted(tmp_path):
    """A page of a file that has these bytes."""

    def make(content: bytes, page: int = 1, width: int = 300, password: str | None = None) -> PageRequest:
        digest = hashlib.sha256(content).hexdigest()
        path = tmp_path / f"{digest}.pdf"
        path.write_bytes(content)
        return PageRequest(path, "some.pdf", digest, page, width, password)

    return make


def seen(picture: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(picture))
    image.load()
    return image


def test_a_page_is_drawn_as_wide_as_it_is_wanted(opened, wanted):
    pictures = opened()
    content = pdf("one", "two")
    first = pictures.draw(wanted(content, width=300), Stop())
    assert (seen(first).format, seen(first).mode, seen(first).size) == ("PNG", "RGB", (300, 400))
    assert seen(first).getpixel((5, 5)) == (255, 255, 255)
    assert min(seen(first).convert("L").tobytes()) < 60
    assert seen(pictures.draw(wanted(content, width=901), Stop())).size == (901, 1201)
    assert pictures.draw(wanted(content, page=2), Stop()) != first


def test_no_module_of_the_folder_is_imported_for_a_picture(opened, wanted, tmp_path, monkeypatch):
    (tmp_path / "selectors.py").write_text("open('imported', 'w').close()\nraise SystemExit\n")
    monkeypatch.chdir(tmp_path)
    assert seen(opened().draw(wanted(pdf("one"), width=300), Stop())).size == (300, 400)
    assert not (tmp_path / "imported").exists()


def test_the_same_page_is_the_same_bytes(opened, wanted):
    content = pdf("one")
    assert opened().draw(wanted(content), Stop()) == opened().draw(wanted(content), Stop())


@every(("across", "down"), [(612, 792), (14_400, 14_400), (1, 14_400), (14_400, 1), (0, 0), (1e9, 3)])
@every("width", [16, 1_200, 8_192])
def test_a_picture_is_bounded(across, down, width):
    wide, high = size_of(across, down, width)
    assert 1 <= wide <= min(width, MOST_SIDE)
    assert 1 <= high <= MOST_SIDE
    assert wide * high <= MOST_PIXELS * 1.01


def test_a_page_that_takes_too_long_is_given_up_and_the_next_is_drawn(opened, wanted):
    pictures = opened(picture_seconds=1.0)
    for _ in range(5):  # its process starts in the first second, which takes longer on a busy machine
        with suppress(LimitError):
            pictures.draw(wanted(pdf("one")), Stop())
            break
    began = time.monotonic()
    with pytest.raises(LimitError, match=r"Page 1 of some\.pdf took longer than 1 seconds"):
        pictures.draw(wanted(endless()), Stop())
    assert time.monotonic() - began < 30
    assert seen(pictures.draw(wanted(pdf("two")), Stop())).size == (300, 400)


def test_a_process_that_was_ended_while_idle_fails_no_page(opened, wanted):
    pictures = opened()
    pictures.draw(wanted(pdf("one")), Stop())
    [running] = [one for one in pictures._processes if one._process is not None]
    running._process.kill()  # as a system without memory does
    running._process.wait()
    assert seen(pictures.draw(wanted(pdf("two")), Stop())).size == (300, 400)


def test_a_page_that_swells_ends_its_process_only(opened, wanted):
    pictures = opened(picture_bytes=300 * 1024 * 1024)
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf("one"))) as made:
        image = made.make_stream(
            zlib.compress(b"\0" * 1_000),
            Type=pikepdf.Name.XObject,
            Subtype=pikepdf.Name.Image,
            Width=30_000,
            Height=30_000,
            BitsPerComponent=8,
            ColorSpace=pikepdf.Name.DeviceRGB,
            Filter=pikepdf.Name.FlateDecode,
        )
        made.pages[0].obj.Resources.XObject = pikepdf.Dictionary(I=image)
        made.pages[0].contents_add(made.make_stream(b"300 0 0 400 0 0 cm /I Do"))
        made.save(out)
    with suppress(LimitError):  # whether pdfium gives the picture up or is ended is its own affair
        pictures.draw(wanted(out.getvalue()), Stop())
    assert seen(pictures.draw(wanted(pdf("two")), Stop())).size == (300, 400)


def test_who_goes_away_is_not_drawn_for(opened, wanted, monkeypatch):
    monkeypatch.setattr(module, "PROCESSES", 1)
    pictures = opened()
    pictures.draw(wanted(pdf("one")), Stop())
    stops, raised = [Stop(), Stop()], []
    asked = wanted(endless())  # written once: a file that another thread writes anew is rightly refused as changed

    def draw(stop: Stop) -> None:
        with pytest.raises(WorkStoppedError):
            pictures.draw(asked, stop)
        raised.append(stop)

    threads = [threading.Thread(target=draw, args=(stop,)) for stop in stops]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    for stop in stops:
        stop.ask()
    for thread in threads:
        thread.join(30)
    assert len(raised) == 2
    assert pictures.draw(wanted(pdf("two")), Stop())


def test_what_is_kept_is_bounded(opened, wanted, monkeypatch):
    pictures = opened()
    content = pdf("one")
    size = len(pictures.draw(wanted(content, width=300), Stop()))
    monkeypatch.setattr(module, "KEPT_BYTES", 3 * size)
    for width in range(300, 310):
        pictures.draw(wanted(content, width=width), Stop())
        assert sum(map(len, pictures._kept.values())) == pictures._bytes <= 3 * size
    assert [key[2] for key in pictures._kept][-1] == 309


def test_another_content_is_not_drawn(opened, wanted):
    pictures = opened()
    asked = wanted(pdf("one"))
    asked.path.write_bytes(pdf("two"))
    with pytest.raises(DocumentNotFoundError, match="has changed"):
        pictures.draw(asked, Stop())
    asked.path.unlink()
    with pytest.raises(DocumentNotFoundError):
        pictures.draw(asked, Stop())


def test_a_picture_made_with_a_password_is_for_who_has_it(opened, wanted):
    pictures = opened()
    locked = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf("one"))) as plain:
        plain.save(locked, encryption=pikepdf.Encryption(owner="o", user="sésame", R=6))
    for password in (None, "", "wrong", "o" * 100):
        with pytest.raises(PasswordError):
            pictures.draw(wanted(locked.getvalue(), password=password), Stop())
    assert pictures.draw(wanted(locked.getvalue(), password="sésame"), Stop())
    for password in (None, "wrong"):
        with pytest.raises(PasswordError):
            pictures.draw(wanted(locked.getvalue(), password=password), Stop())


def test_a_page_that_is_not_there(opened, wanted):
    with pytest.raises(DamagedDocumentError, match="cannot be drawn"):
        opened().draw(wanted(pdf("one"), page=2), Stop())


def test_nothing_is_drawn_after_the_end(opened, wanted):
    pictures = opened()
    pictures.close()
    with pytest.raises(WorkStoppedError):
        pictures.draw(wanted(pdf("one")), Stop())


class Taken:
    """A process that a document has taken over."""

    def __init__(self, told: dict[str, object], rest: bytes) -> None:
        self.stdin, self.stdout = io.BytesIO(), io.BytesIO()
        write_frame(self.stdout, told)
        self.stdout.write(rest)
        self.stdout.seek(0)


@pytest.mark.parametrize(
    ("told", "rest"),
    [
        ({"bytes": 10**12}, b""),
        ({"bytes": -1}, b""),
        ({"bytes": "8"}, b"\x89PNG\r\n\x1a\n"),
        ({"bytes": 8}, b"<script>"),
        ({"bytes": 9}, b"\x89PNG\r\n\x1a\n"),
        ({}, b""),
    ],
)
def test_nothing_of_a_process_is_believed(wanted, told, rest):
    with pytest.raises((ValueError, EOFError)):
        module._asked(Taken(told, rest), {}, wanted(pdf("one")))


@pytest.mark.parametrize("kind", ["SystemExit", "errors", "__name__", "SpanwiseError", "CorpusError"])
def test_an_error_of_a_process_is_a_document_error_of_ours(wanted, kind):
    with pytest.raises(module.DocumentError, match=r"some\.pdf"):
        module._asked(Taken({"error": kind, "message": str(wanted(pdf("one")).path)}, b""), {}, wanted(pdf("one")))


@pytest.mark.parametrize("sent", [b"", b"\0\0", b"\xff\xff\xff\xff", b"\0\0\0\x02[]", b"\0\0\0\x05{}", b"\0\0\0\x02no"])
def test_a_frame_that_is_none(sent):
    with pytest.raises((ValueError, EOFError)):
        read_frame(io.BytesIO(sent))
