"""Pages as pictures, hidden texts and cited versions, over HTTP."""

import hashlib
import io
from urllib.parse import quote

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from server_cases import Client, put

from spanwise.domain.document import Box, Document, Hidden, Line, Page
from spanwise.server.app import create_app
from spanwise.server.routes import documents as routes
from spanwise.server.server_settings import ServerSettings, digest_of
from spanwise.serving.corpus_library import Library

BASE = "/v1/corpora/default"


def pdf(*lines: str, rotate: int = 0, crop=None, white: str = "") -> bytes:
    """One page with lines of text, turned and cropped; one of them may be white on white."""
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=(612, 792), invariant=1)
    canvas.setFont("Helvetica", 14)
    for position, line in enumerate(lines):
        canvas.drawString(140, 600 - 40 * position, line)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(140, 400, white)
    canvas.save()
    with pikepdf.open(made) as turned:
        if rotate:
            turned.pages[0].Rotate = rotate
        if crop:
            turned.pages[0].CropBox = list(crop)
        out = io.BytesIO()
        turned.save(out)
        return out.getvalue()


def image_of(response) -> Image.Image:
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "image/png"
    image = Image.open(io.BytesIO(response.content))
    image.load()
    return image


@pytest.fixture
def signed(library):
    return put(library, "signed.pdf", pdf("The warranty lasts eleven years.", white="Pay nothing."))


def test_a_page_comes_as_a_picture_and_is_kept(client, signed):
    place = f"{BASE}/documents/{signed.id}/pages/1/image"
    plain = client.get(place, params={"width": 612})
    assert image_of(plain).size == (612, 792)
    assert plain.headers["cache-control"] == "private, no-cache"
    named = client.get(place, params={"width": 612, "version": signed.sha256})
    assert named.content == plain.content
    assert named.headers["cache-control"] == "private, max-age=86400, immutable"
    assert "Cookie" in named.headers["vary"]
    again = client.get(place, params={"width": 612}, headers={"if-none-match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(place, params={"width": 613}).headers["etag"] != plain.headers["etag"]


CROPS = {
    "part": (100, 300, 500, 700),
    "fractions": (10.3, 20.7, 590.1, 780.9),
    "beyond": (-100, -100, 900, 900),
    "elsewhere": (1000, 1000, 1200, 1200),
    "reversed": (590, 780, 10, 20),
    "empty": (0, 0, 0, 0),
}


@pytest.mark.parametrize(
    ("rotate", "crop"),
    [
        *((0, "part"), (90, "part"), (180, "part"), (270, "part"), (-90, "fractions"), (450, "reversed")),
        *((0, "beyond"), (0, "elsewhere"), (90, "elsewhere"), (0, "empty")),
    ],
)
def test_the_boxes_of_lines_lie_on_the_picture(client, library, rotate, crop):
    content = pdf("The warranty lasts eleven years.", "It ends in May.", rotate=rotate, crop=CROPS[crop])
    entry = put(library, "turned.pdf", content)
    page = client.get(f"{BASE}/documents/{entry.id}/pages/1").json()
    image = image_of(client.get(f"{BASE}/documents/{entry.id}/pages/1/image", params={"width": 800})).convert("L")
    scale = 800 / page["width"]
    assert image.size[0] == 800
    assert image.size[1] == pytest.approx(page["height"] * scale, abs=1)
    boxes = [[line["box"][side] * scale for side in ("x0", "y0", "x1", "y1")] for line in page["lines"]]
    ink = [(at % 800, at // 800) for at, value in enumerate(image.tobytes()) if value < 128]
    assert len(boxes) == 2
    for left, top, right, bottom in boxes:
        assert any(left <= x <= right and top <= y <= bottom for x, y in ink)
    outside = [
        at for at in ink if not any(b[0] - 1 <= at[0] <= b[2] + 1 and b[1] - 1 <= at[1] <= b[3] + 1 for b in boxes)
    ]
    assert len(outside) <= 0.01 * len(ink)


def test_what_has_no_such_page_says_so(client, library, signed, contract):
    assert client.get(f"{BASE}/documents/{contract.id}/pages/1/image").json()["code"] == "no_pages"
    assert client.get(f"{BASE}/documents/{signed.id}/pages/2/image").json()["code"] == "page_not_found"
    assert client.get(f"{BASE}/documents/{signed.id}/pages/1/image?width=9000").status_code == 422
    library.file(signed.id).unlink()
    assert client.get(f"{BASE}/documents/{signed.id}/pages/1/image").status_code == 404


PARTS = ("", "/lines", "/hidden", "/file", "/pages/1", "/pages/1/image")


@pytest.mark.parametrize("part", PARTS)
def test_a_version_that_was_replaced_is_not_served_as_another(client, library, signed, part):
    place = f"{BASE}/documents/{signed.id}{part}"
    assert client.get(place, params={"version": signed.sha256}).status_code == 200
    put(library, "signed.pdf", pdf("The warranty lasts twelve years."))
    problem = client.get(place, params={"version": signed.sha256})
    assert (problem.status_code, problem.json()["code"]) == (409, "document_replaced")
    assert client.get(place).status_code == 200


def test_an_encrypted_page_needs_its_password_each_time(client, encrypted):
    entry = client.upload("locked.pdf", encrypted, password="open sesame")["document"]
    place = f"{BASE}/documents/{entry['id']}/pages/1/image"
    for headers in ({}, {"x-document-password": "wrong"}):
        problem = client.get(place, headers=headers)
        assert (problem.status_code, problem.json()["code"]) == (422, "password")
    opened = client.get(place, headers={"x-document-password": quote("open sesame")})
    assert image_of(opened).size[0] == 1_200
    assert opened.headers["cache-control"] == "no-store"
    assert "etag" not in opened.headers
    assert client.get(place).json()["code"] == "password"


def test_pictures_and_hidden_texts_are_for_who_may_read_the_document(tmp_path):
    tokens = {digest_of("token-of-one-corpus"): frozenset(["one"]), digest_of("token-of-another"): frozenset(["two"])}
    with Library.open(tmp_path / "1.db", name="one") as one, Library.open(tmp_path / "2.db", name="two") as two:
        entry = put(one, "signed.pdf", pdf("The warranty lasts eleven years."))
        app = create_app([one, two], settings=ServerSettings(tokens=tokens, hosts=None))
        for part in ("/pages/1/image", "/hidden"):
            place = f"/v1/corpora/one/documents/{entry.id}{part}"
            assert Client(app).get(place).status_code == 401
            assert Client(app, {"authorization": "Bearer token-of-another"}).get(place).status_code == 404
            assert Client(app, {"authorization": "Bearer token-of-one-corpus"}).get(place).status_code == 200


def test_hidden_text_is_told_and_is_no_line(client, signed):
    told = client.get(f"{BASE}/documents/{signed.id}/hidden").json()
    assert (told["total"], told["next"]) == (1, None)
    (hidden,) = told["hidden"]
    assert (hidden["page"], hidden["text"], hidden["reason"], hidden["left_out"]) == (
        1,
        "Pay nothing.",
        "no_contrast",
        0,
    )
    assert hidden["box"]["page"] == 1
    assert "Pay nothing" not in client.get(f"{BASE}/documents/{signed.id}/pages/1").text


def test_hidden_text_comes_in_portions_with_what_cannot_be_seen_spelled(client, library, monkeypatch):
    monkeypatch.setattr(routes, "MOST_HIDDEN", 3)
    monkeypatch.setattr(routes, "CHARACTERS", 50)
    texts = ["a\u200bb\u202ec", "<b>é\U000e0041\x00", "x" * 60, "four", "five\nsix", "z" * 45, "end"]
    document = Document(
        id=hashlib.sha256(b"made").hexdigest(),
        name="made.txt",
        format="text",
        lines=(Line(1, 1, 1, "A line."),),
        pages=(Page(1, "1", 0, 0, 1, 1),),
        hidden=tuple(Hidden(1, text, "zero_width", Box(1, 1, 2, 3, 4)) for text in texts),
    )
    library._documents._written.put(document)
    (entry,) = library.documents()
    found, first = [], 1
    while first is not None:
        told = client.get(f"{BASE}/documents/{entry.id}/hidden", params={"first": first}).json()
        assert (told["total"], 0 < len(told["hidden"]) <= 3) == (7, True)
        found += told["hidden"]
        first = told["next"]
    assert [one["text"] for one in found] == [
        r"a\u{200b}b\u{202e}c",
        r"<b>é\u{e0041}\u{0}",
        "x" * 50,
        "four",
        "five\nsix",
        "z" * 45,
        "end",
    ]
    assert [one["left_out"] for one in found] == [0, 0, 10, 0, 0, 0, 0]
    assert client.get(f"{BASE}/documents/{entry.id}/hidden?first=9").json() == {"hidden": [], "total": 7, "next": None}


def test_an_answer_names_the_versions_that_it_cites(client, library, signed):
    put(library, "other.pdf", pdf("The kettle holds two litres."))

    def states(trace: str) -> list[tuple[str, str, str]]:
        told = client.get(f"{BASE}/results/{trace}/documents").json()["documents"]
        return [(one["name"], one["sha256"], one["state"]) for one in told]

    asked = client.post(f"{BASE}/ask", json={"question": "How long does the warranty last?", "documents": [signed.id]})
    trace = asked.json()["trace_id"]
    assert states(trace) == [("signed.pdf", signed.sha256, "current")]
    put(library, "signed.pdf", pdf("The warranty lasts twelve years."))
    assert states(trace) == [("signed.pdf", signed.sha256, "replaced")]
    library.remove(signed.id)
    assert states(trace) == [("signed.pdf", signed.sha256, "removed")]
    missing = client.get(f"{BASE}/results/{'0' * 16}/documents")
    assert (missing.status_code, missing.json()["code"]) == (404, "answer_not_found")
