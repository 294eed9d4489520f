import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import SimpleNamespace

import anyio
import jsonschema
import pytest
import uvicorn
from mcp import Client

from spanwise.cli.http_server import connected, listening
from spanwise.cli.mcp_command import Address, _app, _settings
from spanwise.llm.scripted import ScriptedModel
from spanwise.mcp.indexing import OfContent
from spanwise.mcp.server import Server
from spanwise.serving.corpus_library import Library
from spanwise.serving.entries import id_of

LEASE = """Lease of the harbour office

The rent is EUR 4,200 a month. The rent is due on the first day of each month.

A late fee of 1.5% per month applies to any overdue rent.

Either party may end the lease with 90 days of written notice.
"""


SECONDS = 120.0
"""How long a test waits for what has to come; only one that fails takes so long."""


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "corpus.db") as opened:
        yield opened


@pytest.fixture
def put(tmp_path):
    """Reads a text into a library and gives its entry."""

    def run(library, name: str, text: str):
        file = tmp_path / name
        file.write_bytes(text.encode())
        (name,) = library.read([file]).added
        return library.entry(id_of(name))

    return run


@pytest.fixture
def lease(library, put):
    """The library with one document, and its entry."""
    return put(library, "lease.txt", LEASE)


@pytest.fixture
def talk():
    """Runs a conversation of the official client with a server and gives what it returns."""

    def run(target, script: Callable, **options):
        async def conversation():
            async with Client(target, **options) as client:
                try:
                    return await script(client), None
                except Exception as error:  # noqa: BLE001  # raised below, not in the client's groups
                    return None, error

        with anyio.from_thread.start_blocking_portal() as portal:
            said, error = portal.call(conversation)
        if error is not None:
            raise error
        return said

    return run


@pytest.fixture
def call(library, talk):
    """Calls one tool of a server in this process; a result that is no error has to be what its schema promises."""

    def run(name: str, /, **arguments):
        async def script(client):
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            result = await client.call_tool(name, arguments)
            if not result.is_error:
                jsonschema.validate(result.structured_content, tools[name].output_schema)
            return SimpleNamespace(text=result.content[0].text, data=result.structured_content, error=result.is_error)

        return talk(Server(library, OfContent(library)), script)

    return run


@pytest.fixture
def serve():
    """Serves a library over HTTP on a free port of the loopback, and gives the address."""
    with ExitStack() as serving:

        def start(library, token=None):
            settings = _settings(Address("127.0.0.1", 0, token))
            listener = serving.enter_context(listening("127.0.0.1", 0))
            server = uvicorn.Server(connected(_app(library, settings), settings))
            thread = threading.Thread(target=server.run, args=([listener],))
            thread.start()
            serving.callback(end, server, thread)
            until = time.monotonic() + SECONDS
            while not server.started:
                assert thread.is_alive(), "the server does not start"
                assert time.monotonic() < until, "the server does not start"
                time.sleep(0.01)
            return f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"

        yield start


def end(server, thread):
    server.should_exit = True
    thread.join(SECONDS)
    assert not thread.is_alive(), "the server does not end"


@pytest.fixture
def stops(monkeypatch):
    """What asks the questions of all libraries to stop, in the order in which they were begun."""
    found = []
    stream = Library.stream

    def noted(library, question, *, stop=None, **options):
        found.append(stop)
        return stream(library, question, stop=stop, **options)

    monkeypatch.setattr(Library, "stream", noted)
    return found


@pytest.fixture
def slow(tmp_path, put, stops):
    """A library whose model answers only when it is let, and what waits until a question has begun, or is stopped."""
    asked, released = threading.Event(), threading.Event()

    def reply(_):
        asked.set()
        assert released.wait(SECONDS)
        return "The rent is EUR 4,200 a month [1]."

    def looks_until_stopped():
        until = time.monotonic() + SECONDS
        while not stops[0].asked:
            assert time.monotonic() < until, "the question is not stopped"
            time.sleep(0.01)

    async def begun():
        assert await anyio.to_thread.run_sync(asked.wait, SECONDS)

    async def stopped():
        await anyio.to_thread.run_sync(looks_until_stopped)

    with Library.open(tmp_path / "slow.db", model=ScriptedModel(reply), mode="compact") as opened:
        put(opened, "lease.txt", LEASE)
        yield SimpleNamespace(opened=opened, released=released, begun=begun, stopped=stopped)
        released.set()
