"""The MCP endpoint that `spanwise serve` has beside its API: the same corpora, the same tokens."""

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from server_cases import SECONDS, post, put, running

from spanwise.cli.serving import _tools
from spanwise.server.server_settings import ServerSettings, digest_of
from spanwise.serving.corpus_library import Library

pytestmark = pytest.mark.enable_socket


@pytest.fixture
def address(tmp_path):
    """A server of two corpora, each with a token of its own."""
    tokens = {digest_of(f"token-{name}"): frozenset([name]) for name in ("one", "two")}
    with Library.open(tmp_path / "1.db", name="one") as one, Library.open(tmp_path / "2.db", name="two") as two:
        put(one, "one.txt", b"A late fee of 9% applies to any overdue rent.\n")
        with running([one, two], ServerSettings(tokens=tokens), _tools([one, two])) as found:
            yield found


def listed(url, token):
    async def conversation():
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=SECONDS) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            found = await client.call_tool("list_documents", {})
            return [document["name"] for document in found.structured_content["documents"]]

    with anyio.from_thread.start_blocking_portal() as portal:
        return portal.call(conversation)


def test_a_token_opens_the_tools_of_its_corpus(address):
    assert listed(f"{address}/mcp", "token-one") == ["one.txt"]
    assert listed(f"{address}/mcp/two", "token-two") == []


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/mcp", {}, 401),
        ("/mcp", {"Authorization": "Bearer forged"}, 401),
        ("/mcp/two", {"Authorization": "Bearer token-one"}, 404),
        ("/mcp/three", {"Authorization": "Bearer token-one"}, 404),
        ("/mcp", {"Authorization": "Bearer token-one", "Host": "evil.example"}, 421),
        ("/mcp", {"Authorization": "Bearer token-one", "Origin": "http://evil.example"}, 403),
    ],
)
def test_others_are_turned_away(address, path, headers, status):
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"} | headers
    answer = post(f"{address}{path}", content=b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}', headers=headers)
    assert answer.status_code == status
    assert answer.json()["status"] == status


def test_bodies_are_bounded(address):
    headers = {"Authorization": "Bearer token-one", "Content-Type": "application/json"}
    assert post(f"{address}/mcp", content=b"x" * 9_000_000, headers=headers).status_code == 413
