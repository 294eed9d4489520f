import os
import socket
import subprocess
import sys
from functools import partial
from urllib.parse import urlsplit

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

pytestmark = pytest.mark.enable_socket

QUESTION = "What is the rent?"
TOKEN = "a-token-that-nobody-guesses"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
SECONDS = 120.0
"""How long a test waits for what has to come; only one that fails takes so long."""
post = partial(httpx.post, timeout=SECONDS)
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_sends_content_and_asks(library, serve, talk, mode):
    async def script(client):
        await client.call_tool("index", {"name": "a.txt", "text": "The rent is EUR 900 a month.\n"})
        return await client.call_tool("ask", {"question": QUESTION})

    answer = talk(serve(library), script, mode=mode)
    assert answer.structured_content["decision"] == "ship"
    assert "EUR 900" in answer.content[0].text


@pytest.mark.usefixtures("lease")
def test_two_agents_at_once(library, serve):
    url = serve(library)

    async def conversation():
        async with Client(url) as one, Client(url, mode="legacy") as other:
            answers = []

            async def ask(client):
                answers.append(await client.call_tool("ask", {"question": QUESTION}))

            async with anyio.create_task_group() as group:
                for client in (one, other) * 5:
                    group.start_soon(ask, client)
            return answers

    with anyio.from_thread.start_blocking_portal() as portal:
        answers = portal.call(conversation)
    assert len({answer.content[0].text for answer in answers}) == 1
    assert len(answers) == 10


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_who_goes_away_stops_the_work(slow, serve, mode):
    url = serve(slow.opened)

    async def conversation():
        async with Client(url, mode=mode) as client, anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "ask", {"question": QUESTION})
            await slow.begun()
            group.cancel_scope.cancel()
        await slow.stopped()
        async with Client(url) as client:  # the server is still there for others
            slow.released.set()
            return await client.call_tool("list_documents", {})

    with anyio.from_thread.start_blocking_portal() as portal:
        assert portal.call(conversation).structured_content["total"] == 1
    assert slow.opened.history.newest() == ()


@pytest.mark.parametrize("token", [None, "x", "x" * 10_000, TOKEN + "x", TOKEN.upper()])
def test_a_forged_token_is_refused(library, serve, token):
    headers = HEADERS if token is None else HEADERS | {"Authorization": f"Bearer {token}"}
    answer = post(serve(library, TOKEN), json=INITIALIZE, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert TOKEN not in answer.text


def test_the_token_opens(library, serve):
    url = serve(library, TOKEN)

    async def conversation():
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=SECONDS) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return await client.call_tool("list_documents", {})

    with anyio.from_thread.start_blocking_portal() as portal:
        assert portal.call(conversation).structured_content["total"] == 0


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content-Type": "text/plain"}, 400),
    ],
)
def test_pages_of_other_sites_are_refused(library, serve, headers, status):
    assert post(serve(library), json=INITIALIZE, headers=HEADERS | headers).status_code == status


def test_a_name_of_this_machine_is_taken(library, serve):
    url = serve(library)
    for host in ("localhost", "[::1]:1", "127.0.0.1:8000"):
        answer = post(url, json=INITIALIZE, headers=HEADERS | {"Host": host, "Origin": f"http://{host}"})
        assert answer.status_code == 200


def test_bodies_are_bounded_and_paths_are_few(library, serve):
    url = serve(library)
    assert post(url, content=b"x" * 7_000_000, headers=HEADERS).status_code == 413
    assert post(f"{url}/../etc", json=INITIALIZE, headers=HEADERS).status_code == 404
    assert post(url, content=b"[" * 100_000, headers=HEADERS).status_code == 400
    assert post(url, content=b'{"a": "\\ud800"}', headers=HEADERS).status_code == 400
    assert post(url, json=INITIALIZE, headers=HEADERS).status_code == 200


@pytest.fixture
def command(tmp_path, started):
    """Starts `spanwise mcp --http` and gives the process and its address."""

    def start(**variables):
        words = "-m", "spanwise", "mcp", "--http", "--port", "0"
        server = started(sys.executable, *words, cwd=tmp_path, env=os.environ | variables)
        return server, server.stderr.readline().split()[-1]

    return start


def test_the_command_serves_until_it_is_told_to_end(command):
    server, url = command(SPANWISE_TOKEN=TOKEN)
    forged = post(url, json=INITIALIZE, headers=HEADERS | {"Authorization": "Bearer forged"})
    opened = post(url, json=INITIALIZE, headers=HEADERS | {"Authorization": f"Bearer {TOKEN}"})
    server.terminate()
    _, rest = server.communicate(timeout=SECONDS)
    assert (forged.status_code, opened.status_code) == (401, 200)
    assert server.returncode == 0
    assert TOKEN not in rest
    assert "Traceback" not in rest


@pytest.fixture
def raw():
    """Sends bytes to a server and gives all that comes back until it closes the connection."""

    def send(url: str, request: bytes) -> bytes:
        parts = urlsplit(url)
        with socket.create_connection((parts.hostname, parts.port), timeout=SECONDS) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(65_536), b""))

    return send


def test_a_request_of_two_lengths_is_refused(library, serve, raw):
    head = "POST /mcp HTTP/1.1", "Host: localhost", "Content-Length: 4", "Transfer-Encoding: chunked"
    answer = raw(serve(library), "\r\n".join([*head, "", "0\r\n\r\n"]).encode())
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"ambiguous_length" in answer


def test_wrong_tokens_are_slowed_and_the_right_one_is_let_in(library, serve):
    url = serve(library, TOKEN)
    forged = HEADERS | {"Authorization": "Bearer forged"}
    statuses = [post(url, json=INITIALIZE, headers=forged).status_code for _ in range(40)]
    assert statuses[:20] == [401] * 20
    assert 429 in statuses[20:]  # one is let in every five seconds
    assert post(url, json=INITIALIZE, headers=HEADERS | {"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_what_is_elsewhere_says_what_there_is(library, serve):
    answer = httpx.get(serve(library).replace("/mcp", "/v2"), timeout=SECONDS)
    assert (answer.status_code, answer.json()["detail"]) == (404, "There is nothing here but /mcp.")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_server_of_tools_needs_no_framework_of_the_api():
    program = (
        "import sys; sys.modules['fastapi'] = None; import spanwise.server.middleware, spanwise.server.connections"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_command_ends_quietly_while_an_agent_listens(command):
    server, url = command()
    opened = post(url, json=INITIALIZE, headers=HEADERS)
    session = {"Mcp-Session-Id": opened.headers["Mcp-Session-Id"], "Mcp-Protocol-Version": "2025-06-18"}
    with httpx.stream("GET", url, headers=HEADERS | session, timeout=SECONDS) as listening:
        assert listening.status_code == 200
        server.terminate()
        told = [line for line in listening.iter_lines() if line and not line.startswith(":")]
    _, rest = server.communicate(timeout=SECONDS)
    assert told == []
    assert server.returncode == 0
    assert rest == ""
