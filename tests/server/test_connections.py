"""Connections that hold something open: half a request, a body without end, an answer that nobody takes."""

import asyncio
import contextlib
import logging
import socket
import threading

import httpx
import pytest
import uvicorn
from server_cases import SECONDS, connected, get, head_of, listening, question_of, running
from uvicorn.server import ServerState

from spanwise.server import middleware
from spanwise.server.connections import Connection, bounded
from spanwise.server.server_settings import ServerSettings

BASE = "/v1/corpora/default"
HALF = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX-Ha"
WHOLE = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"

pytestmark = pytest.mark.enable_socket


def rest(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65_536):
            found += chunk
    return found


def told_until(connection: socket.socket, words: bytes) -> bytes:
    """What comes, as soon as these words are in it."""
    found = b""
    while words not in found:
        chunk = connection.recv(65_536)
        assert chunk, found
        found += chunk
    return found


@pytest.mark.parametrize("sent", [b"", HALF], ids=["nothing", "half a head"])
def test_request_that_does_not_begin_is_given_up(address, monkeypatch, sent):
    monkeypatch.setattr(Connection, "head_seconds", 0.3)
    with connected(address) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(sent)
        assert rest(connection) == b""


def test_next_request_that_does_not_begin_is_given_up(address, monkeypatch):
    seconds = property(lambda connection: 10 * SECONDS if connection.cycle is None else 0.3)
    monkeypatch.setattr(Connection, "head_seconds", seconds)
    with connected(address) as connection:
        connection.sendall(WHOLE)
        assert b'"ok"' in told_until(connection, b"}")
        with contextlib.suppress(ConnectionError):
            connection.sendall(HALF)  # from here on, uvicorn waits for the rest without end
        assert rest(connection) == b""


@pytest.mark.usefixtures("contract")
def test_request_that_has_begun_has_its_own_time(address, monkeypatch):
    looked = threading.Event()
    end_idle = Connection._end_idle

    def ends(connection: Connection) -> None:
        """The time for the head is over as soon as there is one."""
        if connection.cycle is None:
            connection.loop.call_later(0.01, ends, connection)
            return
        end_idle(connection)
        looked.set()

    monkeypatch.setattr(Connection, "_end_idle", ends)
    monkeypatch.setattr(Connection, "head_seconds", 0.0)
    head, _, body = question_of(f"{BASE}/ask", "Connection: close").rpartition(b"\r\n")
    with connected(address) as connection:
        connection.sendall(head + b"\r\n")
        assert looked.wait(SECONDS)
        connection.sendall(body)
        assert b"1.5%" in rest(connection)


def test_too_many_connections_end_the_idle_ones(library, waits):
    with running([library], ServerSettings(connections=3)) as address, contextlib.ExitStack() as stack:
        idle = [stack.enter_context(connected(address)) for _ in range(3)]
        for connection in idle:
            connection.sendall(HALF)
        assert get(f"{address}/v1/health").status_code == 200
        assert rest(idle[0]) == b""
        working = [stack.enter_context(connected(address)) for _ in range(3)]
        for connection in working:
            connection.sendall(head_of(f"{BASE}/ask", "Content-Length: 100", "Expect: 100-continue"))
            assert told_until(connection, b"\r\n\r\n").startswith(b"HTTP/1.1 100")  # it is being read
        assert get(f"{address}/v1/health").status_code == 503
        working[0].close()
        waits(lambda: get(f"{address}/v1/health").status_code == 200)


class Wire(asyncio.Transport):
    """The end of a connection at the server, without a network."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""

    def write(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        """Whoever it is of hears of it later, as from a socket."""

    abort = close

    def get_write_buffer_size(self) -> int:
        return 0


def test_of_many_that_come_at_once_no_more_are_let_in_than_may_be():
    async def silent(_scope, receive, _send):
        await receive()

    async def come(most: int, count: int) -> list[bool]:
        config = uvicorn.Config(silent, http=bounded(most), log_config=None)
        config.load()
        state = ServerState()
        wires = [Wire() for _ in range(count)]
        for number, wire in enumerate(wires):
            connection = config.http_protocol_class(config, state, {})
            connection.connection_made(wire)
            if number < most:
                connection.data_received(head_of("/", "Content-Length: 1"))
        turned_away = [wire.sent.startswith(b"HTTP/1.1 503") for wire in wires]
        for connection in list(state.connections):
            connection.connection_lost(ConnectionResetError())
        await asyncio.gather(*state.tasks)
        return turned_away

    assert asyncio.run(come(2, 6)) == [False] * 2 + [True] * 4


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
        waits(lambda: ended == ["/v1/health"])


@pytest.mark.parametrize("length", ["Content-Length: 3", "Content-Length: 0"])
def test_two_lengths_are_refused(address, length):
    with connected(address) as connection:
        body = b"2\r\n{}\r\n0\r\n\r\n"
        connection.sendall(head_of(f"{BASE}/ask", length, "Transfer-Encoding: chunked") + body + WHOLE)
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
        connection.sendall(head_of(path, length))
        assert flooded(connection, chunk, 100_000_000) < 50_000_000


def test_refusal_comes_to_those_who_send_before_they_read(address, monkeypatch):
    monkeypatch.setattr(middleware, "_LINGER_SECONDS", SECONDS)
    with connected(address) as connection:
        connection.sendall(head_of("/v1/session", "Content-Length: 2000000") + b"x" * 2_000_000)
        told = rest(connection)
    assert told.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in told
    assert b"send less" in told


def test_silence_after_a_refusal_ends_the_connection(address, monkeypatch):
    monkeypatch.setattr(middleware, "_LINGER_SECONDS", 0.2)
    with connected(address) as connection:
        connection.sendall(head_of("/v1/session", "Content-Length: 2000000"))
        assert rest(connection).startswith(b"HTTP/1.1 413")


def test_small_bodies_keep_the_connection(address):
    with httpx.Client(base_url=address, timeout=SECONDS) as client:
        for _ in range(2):
            refused = client.post(f"{BASE}/ask", json={})
            assert (refused.status_code, refused.headers.get("connection")) == (422, None)


def test_upload_that_breaks_off_is_no_error_of_the_server(library, address, caplog, waits):
    head = head_of(f"{BASE}/documents", "Content-Length: 100000").replace(
        b"application/json", b"multipart/form-data; boundary=xyz"
    )
    begun = b'--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf'
    with caplog.at_level(logging.WARNING):
        with connected(address) as connection:
            connection.sendall(head + begun)
            waits(lambda: len(list(library.partial().parent.iterdir())) == 1)
        waits(lambda: not list(library.partial().parent.iterdir()))
        assert get(f"{address}/v1/health").status_code == 200
    assert caplog.text == ""
