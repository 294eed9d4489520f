import json
import subprocess
import sys

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from spanwise.contract.record import ResultRecord

QUESTION = "What are the essential properties of a station?"


@pytest.fixture
def server(tmp_path, standard):
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "standard.pdf").write_bytes(standard.read_bytes())
    (tmp_path / "empty.pdf").write_bytes(b"")
    return StdioServerParameters(
        command=sys.executable, args=["-m", "spanwise", "mcp", "--corpus", "corpus.db"], cwd=str(tmp_path)
    )


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_indexes_asks_and_reads(server, talk, mode):
    told = []

    async def heard(*progress):
        told.append(progress)

    async def script(client):
        indexed = await client.call_tool("index", {"paths": ["."]}, progress_callback=heard)
        asked, again = None, None
        async with anyio.create_task_group() as group:

            async def ask(answers):
                answers.append(await client.call_tool("ask", {"question": QUESTION}))

            answers: list = []
            group.start_soon(ask, answers)
            group.start_soon(ask, answers)
        asked, again = answers
        resources = await client.list_resources()
        outside = await client.call_tool("index", {"paths": ["/etc/passwd"]})
        return indexed, asked, again, resources.resources, outside

    indexed, asked, again, resources, outside = talk(server, script, mode=mode)
    assert [one["name"] for one in indexed.structured_content["documents"]] == ["standard.pdf"]
    assert [one["reason"] for one in indexed.structured_content["failed"]]
    assert [progress[0] for progress in told] == [1, 2]
    record = ResultRecord.model_validate(asked.structured_content)
    assert record.citations[0].page == 5
    assert record.citations == ResultRecord.model_validate(again.structured_content).citations
    assert {one.name for one in resources} == {"standard.pdf", f"trace {record.trace_id}"}
    assert outside.is_error
    assert "root:" not in outside.content[0].text


def test_two_agents_share_a_corpus(server):
    async def conversation():
        async with Client(server) as one, Client(server) as other:
            await one.call_tool("index", {"paths": ["reports"]})
            return await other.call_tool("ask", {"question": QUESTION})

    with anyio.from_thread.start_blocking_portal() as portal:
        assert portal.call(conversation).structured_content["decision"] == "ship"


def test_nothing_but_the_protocol_is_written(tmp_path, started):
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    lines = [
        b"this is no JSON",
        b"\xff\xfe\x00",
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": ' + json.dumps(hello).encode() + b"}",
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask", "arguments": {"question": 1}}}',
        b'{"jsonrpc": "2.0", "id": 3, "method": "nothing/here"}',
        b"[" * 100_000,
    ]
    with (tmp_path / "log").open("wb") as log:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": log, "text": False}
        server = started(sys.executable, "-m", "spanwise", "mcp", cwd=tmp_path, **pipes)
    server.stdin.write(b"\n".join(lines) + b"\n")
    server.stdin.flush()
    ids = set()
    while not {1, 2, 3} <= ids:
        answer = json.loads(server.stdout.readline())
        assert answer["jsonrpc"] == "2.0"
        ids.add(answer.get("id"))
    rest, _ = server.communicate(timeout=120)
    assert server.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
