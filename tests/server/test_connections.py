"""Connections that hold something open: half a request, a body without end, an answer that nobody takes."""

import asyncio
import contextlib
import logging
import socket
import time

import httpx
import pytest
from server_cases import QUESTION, connected, listening, running

from spanwise.server import bodies
from spanwise.server.connections import Connection
from spanwise.server.settings import ServerSettings

BASE = "/v1/corpora/default"
HALF = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX-Ha"
WHOLE = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"

pytestmark = pytest.mark.enable_socket


def post(path: str, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def rest(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65_536):
            found += chunk
    return found


@pytest.fixture
def hasty(monkeypatch):
    """Requests have to begin at once."""
    monkeypatch.setattr(Connection, "head_seconds", 0.3)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("sent", [b"", HALF, WHOLE + HALF], ids=["nothing", "half a head", "half of the next head"])
def test_request_that_does_not_begin_is_given_up(address, sent):
    with connected(address) as connection:
        began = time.monotonic()
        connection.sendall(sent)
        told = rest(connection)
        assert time.monotonic() - began < 5
        assert (b'"ok"' in told) == sent.startswith(WHOLE)


@pytest.mark.usefixtures("hasty", "contract")
def test_request_that_has_begun_has_its_own_time(address):
    body = b'{"question": "%s"}' % QUESTION.encode()
    with connected(address) as connection:
        connection.sendall(post(f"{BASE}/ask", f"Content-Length: {len(body)}", "Connection: close"))
        time.sleep(0.6)
        connection.sendall(body)
        assert b"1.5%" in rest(connection)


def test_too_many_connections_end_the_idle_ones(library):
    with running([library], ServerSettings(connections=3)) as address, contextlib.ExitStack() as stack:
        idle = [stack.enter_context(connected(address)) for _ in range(3)]
        for connection in idle:
            connection.sendall(HALF)
        assert httpx.get(f"{address}/v1/health").status_code == 200
        assert rest(idle[0]) == b""
        working = [stack.enter_context(connected(address)) for _ in range(3)]
        for connection in working:
            connection.sendall(post(f"{BASE}/ask", "Content-Length: 100") + b"{")
            time.sleep(0.05)
        assert httpx.get(f"{address}/v1/health").status_code == 503
        working[0].close()
        time.sleep(0.05)
        assert httpx.get(f"{address}/v1/health").status_code == 200


def test_answer_that_nobody_takes_is_given_up(monkeypatch, waits):
    monkeypatch.setattr(Connection, "stalled_seconds", 0.2)
    ended = []

    async def large(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        with contextlib.suppress(asyncio.CancelledError):
            for _ in range(100):
                await send({"type": "http.response.body", "body": b"x" * 2**20, "more_body": True})
        await receive()
        ended.append(scope["path"])

    with listening(large) as address, connected(address) as connection:
        connection.sendall(WHOLE)
        waits(lambda: ended == ["/v1/health"], 5)


@pytest.mark.parametrize("length", ["Content-Length: 3", "Content-Length: 0"])
def test_two_lengths_are_refused(address, length):
    with connected(address) as connection:
        body = b"2\r\n{}\r\n0\r\n\r\n"
        connection.sendall(post(f"{BASE}/ask", length, "Transfer-Encoding: chunked") + body + WHOLE)
        told = rest(connection)
    assert told.startswith(b"HTTP/1.1 400")
    assert b'"ambiguous_length"' in told
    assert told.count(b"HTTP/1.1") == 1


def flooded(connection: socket.socket, chunk: bytes, most: int) -> int:
    """Send a chunk again and again, until the server wants no more; how much that was."""
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < most:
            connection.sendall(chunk)
            sent += len(chunk)
    return sent


@pytest.mark.parametrize("path", [f"{BASE}/ask", "/v1/corpora", "/v1/session", "/page/x", "/v1/nothing"])
@pytest.mark.parametrize(
    ("length", "chunk"),
    [("Content-Length: 999999999", b"x" * 2**16), ("Transfer-Encoding: chunked", b"10000\r\n%s\r\n" % (b"x" * 2**16))],
    ids=["length", "chunked"],
)
def test_body_that_nobody_reads_ends_the_connection(address, path, length, chunk):
    with connected(address) as connection:
        connection.sendall(post(path, length))
        assert flooded(connection, chunk, 100_000_000) < 50_000_000


def test_refusal_comes_to_those_who_send_before_they_read(address):
    with connected(address) as connection:
        connection.sendall(post("/v1/session", "Content-Length: 2000000") + b"x" * 2_000_000)
        told = rest(connection)
    assert told.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in told
    assert b"send less" in told


def test_silence_after_a_refusal_ends_soon(address, monkeypatch):
    monkeypatch.setattr(bodies, "_LINGER_SECONDS", 0.2)
    with connected(address) as connection:
        began = time.monotonic()
        connection.sendall(post("/v1/session", "Content-Length: 2000000"))
        assert rest(connection).startswith(b"HTTP/1.1 413")
        assert time.monotonic() - began < 3


def test_small_bodies_keep_the_connection(address):
    with httpx.Client(base_url=address) as client:
        for _ in range(2):
            refused = client.post(f"{BASE}/ask", json={})
            assert (refused.status_code, refused.headers.get("connection")) == (422, None)


def test_upload_that_breaks_off_is_no_error_of_the_server(library, address, caplog, waits):
    head = post(f"{BASE}/documents", "Content-Length: 100000").replace(
        b"application/json", b"multipart/form-data; boundary=xyz"
    )
    begun = b'--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf'
    with caplog.at_level(logging.WARNING):
        with connected(address) as connection:
            connection.sendall(head + begun)
            waits(lambda: len(list(library.partial().parent.iterdir())) == 1)
        waits(lambda: not list(library.partial().parent.iterdir()))
        assert httpx.get(f"{address}/v1/health").status_code == 200
    assert caplog.text == ""
