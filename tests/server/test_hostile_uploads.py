"""What is sent by somebody who means harm, or breaks off: a clear answer, nothing kept, and the server still up."""

import contextlib
import zlib
from pathlib import Path

import pytest
from server_cases import QUESTION, Client, connected, get, post, put, running

from spanwise.readers.port import Limits as ReadingLimits
from spanwise.server.app import create_app
from spanwise.server.server_settings import ServerSettings
from spanwise.serving.corpus_library import Library
from spanwise.serving.corpus_limits import Limits

BASE = "/v1/corpora/default"
SCRIPT = "<script>alert('x')</script><img src=x onerror=alert(1)>"


def partial(library) -> list[Path]:
    return list(library.partial().parent.iterdir())


def multipart(*parts: bytes, boundary: bytes = b"xyz", end: bytes = b"--xyz--\r\n") -> bytes:
    return b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts) + end


def part(name: str, content: bytes, filename: str | None = None) -> bytes:
    disposition = f'Content-Disposition: form-data; name="{name}"' + (f'; filename="{filename}"' if filename else "")
    return disposition.encode() + b"\r\n\r\n" + content


FORM = {"content-type": "multipart/form-data; boundary=xyz"}


@pytest.mark.parametrize(
    ("content", "headers", "status", "code"),
    [
        (b"", FORM, 400, "broken_upload"),
        (b"no multipart", FORM, 400, "broken_upload"),
        (multipart(part("file", b"x" * 500, "a.txt"), end=b""), FORM, 400, "broken_upload"),
        (multipart(part("file", b"x" * 500, "a.txt"))[:-60], FORM, 400, "broken_upload"),
        (multipart(part("other", b"x")), FORM, 422, "file_missing"),
        (multipart(part("file", b"", "a.txt")), FORM, 422, "empty_document"),
        (multipart(part("file", b"x", "a.txt"), part("file", b"y", "b.txt")), FORM, 422, "too_many_files"),
        (multipart(*[part("f", b"x")] * 50), FORM, 422, "too_many_parts"),
        (multipart(part("password", b"x" * 5_000), part("file", b"x", "a.txt")), FORM, 422, "long_password"),
        (multipart(part("file", b"x", "a" * 50_000)), FORM, 400, "broken_upload"),
        (multipart(b"broken header\r\n\r\nx"), FORM, 400, "broken_upload"),
        (multipart(part("file", b"x", "a.txt")), {"content-type": "multipart/form-data"}, 415, "not_multipart"),
        (multipart(part("file", b"x")), {"content-type": "application/x-www-form-urlencoded"}, 415, "not_multipart"),
        (b"%PDF-1.7", {"content-type": "application/pdf"}, 415, "not_multipart"),
        (b"{}", {"content-type": "multipart/form-data; boundary=" + "x" * 5_000}, 415, "not_multipart"),
    ],
)
def test_what_is_no_upload(client, library, content, headers, status, code):
    response = client.post(f"{BASE}/documents", content=content, headers=headers)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert partial(library) == []
    assert library.documents() == ()


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("../../../etc/cron.d/evil.txt", "evil.txt"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\evil.txt", "evil.txt"),
        ("a%2f..%2fb.txt", "a%2f..%2fb.txt"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        (SCRIPT + ".txt", "script><img src=x onerror=alert(1)>.txt"),
        ("x" * 500 + ".txt", None),
        (".", "document"),
        ("CON", "CON"),
        ("a.txt; filename=b.txt", "a.txt; filename=b.txt"),
    ],
)
def test_names_are_names_and_never_paths(client, library, filename, name):
    job = client.upload(filename, b"Some words to read.")
    assert job["state"] == "done", job
    found = job["document"]["name"]
    assert found == name if name else len(found) == 200
    file = library.file(job["document"]["id"])
    assert file.parent == library.partial().parent.parent
    assert file.name == f"{job['document']['id']}-{job['document']['sha256']}.txt"
    served = client.get(f"{BASE}/documents/{job['document']['id']}/file")
    assert served.content == b"Some words to read."
    assert set(served.headers["content-disposition"]) <= set(map(chr, range(33, 127))) | {" "}


def test_scripts_stay_text(client):
    document = client.upload("a.html", f"<p>The late fee is 5 dollars. {SCRIPT.replace('<', '&lt;')}</p>".encode())
    assert document["state"] == "done"
    response = client.post(f"{BASE}/ask", json={"question": f"{QUESTION} {SCRIPT}"})
    assert response.headers["content-type"] == "application/json"
    trace = response.json()["trace_id"]
    page = client.get(f"{BASE}/results/{trace}/as/html")
    assert "<script" not in page.text.lower()
    assert "onerror=alert(1)>" not in page.text
    refused = client.get(f"/v1/{SCRIPT}")
    assert refused.headers["content-type"] == "application/problem+json"


def bomb(size: int) -> bytes:
    """A PDF of a few kilobytes whose page unpacks to so many megabytes."""
    packer = zlib.compressobj(9)
    blank = b" " * 2**20
    content = packer.compress(b"BT /F1 12 Tf 72 700 Td (words) Tj ET\n") + b"".join(
        packer.compress(blank) for _ in range(size)
    )
    content = zlib.compress(content + packer.flush(), 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font"
        b"/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
        b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%b\nendstream" % (len(content), content),
    ]
    out = b"%PDF-1.7\n"
    places = []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)
    return out + b"xref\n0 5\n0000000000 65535 f \n" + table + end


def test_pdf_bomb_ends_its_own_process(tmp_path):
    content = bomb(400)
    assert len(content) < 20_000
    with Library.open(tmp_path / "corpus.db", limits=Limits(reading=ReadingLimits(memory=256 * 2**20))) as library:
        client = Client(create_app([library]))
        job = client.upload("bomb.pdf", content)
        assert (job["state"], job["problem"]["code"], job["problem"]["status"]) == ("failed", "limit", 413)
        assert client.upload("fine.pdf", bomb(1))["state"] == "done"
        assert [entry.name for entry in library.documents()] == ["fine.pdf"]


def test_upload_that_is_too_large(tmp_path):
    with Library.open(tmp_path / "corpus.db", limits=Limits(reading=ReadingLimits(file_bytes=100_000))) as library:
        client = Client(create_app([library]))
        sent = 0

        async def body():
            nonlocal sent
            yield b"--xyz\r\n" + part("file", b"", "a.txt")
            for _ in range(1_000):
                sent += 1
                yield b"x" * 10_000

        response = client.post(f"{BASE}/documents", content=body(), headers=FORM)
        assert (response.status_code, response.json()["code"]) == (413, "limit")
        assert sent < 500  # a little more is thrown away, so that the client gets to know why
        declared = FORM | {"content-length": "999999999"}
        assert client.post(f"{BASE}/documents", content=b"", headers=declared).status_code == 413
        assert partial(library) == []


def half_an_upload() -> bytes:
    head = [f"POST {BASE}/documents HTTP/1.1", "Host: localhost", "Content-Length: 100000"]
    lines = [*head, "Content-Type: multipart/form-data; boundary=xyz", "", "--xyz", ""]
    return "\r\n".join(lines).encode() + part("file", b"half of it", "a.txt")


@pytest.mark.enable_socket
def test_half_an_upload_leaves_nothing(library, address, waits):
    with connected(address) as connection:
        connection.sendall(half_an_upload())
        waits(lambda: len(partial(library)) == 1)
    waits(lambda: partial(library) == [])
    assert get(f"{address}{BASE}/documents").json() == {"documents": []}


@pytest.mark.enable_socket
def test_slow_uploads_hold_up_nobody(library, address, waits):
    put(library, "terms.txt", b"The late fee is 5 dollars.")
    with contextlib.ExitStack() as slow:
        for _ in range(20):
            slow.enter_context(connected(address)).sendall(half_an_upload())
        waits(lambda: len(partial(library)) == 20)
        assert post(f"{address}{BASE}/ask", json={"question": QUESTION}).json()["text"]


@pytest.mark.enable_socket
def test_slow_upload_is_given_up(library, waits):
    with running([library], ServerSettings(upload_seconds=0.2)) as address, connected(address) as connection:
        connection.sendall(half_an_upload())
        assert connection.recv(1000).startswith(b"HTTP/1.1 408")
        waits(lambda: partial(library) == [])


@pytest.mark.enable_socket
def test_what_is_no_http(address):
    for junk in (b"\x16\x03\x01\x02\x00", b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"/" * 200_000 + b" HTTP/1.1\r\n\r\n"):
        with contextlib.suppress(ConnectionError), connected(address) as connection:
            connection.sendall(junk + b"\r\n\r\n")
            connection.recv(1000)
    assert get(f"{address}/v1/health").json() == {"status": "ok"}


def test_fifty_uploads_and_removals_leave_nothing(client, library):
    jobs = [client.upload(f"{number}.txt", f"The late fee is {number} dollars.".encode()) for number in range(50)]
    assert {job["state"] for job in jobs} == {"done"}
    assert len(library.documents()) == 50
    for job in jobs:
        assert client.delete(f"{BASE}/documents/{job['document']['id']}").status_code == 204
    assert library.documents() == ()
    assert [path for path in library.partial().parent.parent.rglob("*") if path.is_file()] == []
