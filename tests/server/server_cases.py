"""A client in this process, a real server on loopback, and what they are tried with."""

import asyncio
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import uvicorn

from spanwise.server.app import create_app
from spanwise.server.connections import bounded
from spanwise.server.server_settings import ServerSettings
from spanwise.serving.corpus_library import Library
from spanwise.serving.entries import Entry

SECONDS = 120.0
"""How long a test waits for what has to come; only one that fails takes so long."""
get = partial(httpx.get, timeout=SECONDS)
post = partial(httpx.post, timeout=SECONDS)
stream = partial(httpx.stream, timeout=SECONDS)

QUESTION = "What is the late fee?"
CONTRACT = """\
SERVICE AGREEMENT

1. Payment Terms

Payment is due within 30 days of invoice receipt. Invoices are sent monthly by e-mail.

2. Late Payment Penalties

A late fee of 1.5% per month (18% annually) will apply to any outstanding balance.
"""


def put(library: Library, name: str, content: bytes | Path) -> Entry:
    """A document in a library, without HTTP."""
    path = library.partial()
    if isinstance(content, Path):
        shutil.copyfile(content, path)
    else:
        path.write_bytes(content)
    return library.add(name, path)


class Client:
    """Calls an app in this process, one request at a time."""

    def __init__(self, app, headers=None) -> None:
        self.app = app
        self._headers = headers or {}

    def request(self, method: str, path: str, *, at: str = "http://localhost", **options) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=True)
            async with httpx.AsyncClient(transport=transport, base_url=at, headers=self._headers) as client:
                return await client.request(method, path, **options)

        return asyncio.run(send())

    def get(self, path: str, **options) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options) -> httpx.Response:
        return self.request("POST", path, **options)

    def delete(self, path: str, **options) -> httpx.Response:
        return self.request("DELETE", path, **options)

    def upload(self, name: str, content: bytes, *, corpus: str = "default", **fields: str) -> dict:
        """Upload a file and wait for the end of its job."""
        response = self.post(f"/v1/corpora/{corpus}/documents", files={"file": (name, content)}, data=fields)
        assert response.status_code == 202, response.text
        return self.ended(response.headers["location"])

    def ended(self, place: str) -> dict:
        """A job, once it has ended."""
        until = time.monotonic() + SECONDS
        while (job := self.get(place).json())["state"] in ("waiting", "running"):
            assert time.monotonic() < until, "the job does not end"
            time.sleep(0.02)
        return job


@contextmanager
def running(libraries, settings: ServerSettings | None = None, beside=()) -> Iterator[str]:
    """A real server on loopback; gives its address."""
    settings = settings or ServerSettings()
    with listening(create_app(libraries, settings=settings, beside=beside), settings.connections) as found:
        yield found


@contextmanager
def listening(app, connections: int = 500) -> Iterator[str]:
    """A real server of any app on loopback; gives its address."""
    config = uvicorn.Config(
        app,
        port=0,
        http=bounded(connections),
        proxy_headers=False,
        log_config=None,
        log_level="error",
        access_log=False,
        lifespan="auto",
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        until = time.monotonic() + SECONDS
        while not server.started:
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(SECONDS)
        assert not thread.is_alive(), "the server does not end"


def connected(address: str) -> socket.socket:
    """A connection to a server, over which a test writes what it likes."""
    url = urlsplit(address)
    return socket.create_connection((url.hostname, url.port), timeout=SECONDS)


def head_of(path: str, *headers: str) -> bytes:
    """A POST without its body, as bytes for a connection."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def question_of(path: str, *headers: str) -> bytes:
    """A POST that asks, as bytes for a connection."""
    body = b'{"question": "%s"}' % QUESTION.encode()
    return head_of(path, f"Content-Length: {len(body)}", *headers) + body
