"""`spanwise serve` as a process: started, used, told to end, killed, and started again."""

import contextlib
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
import pytest
from server_cases import CONTRACT, QUESTION, SECONDS, connected, get, post, question_of

BASE = "/v1/corpora/default"
TOKEN = "a-token-long-enough"
COMMAND = [sys.executable, "-m", "spanwise", "serve"]

pytestmark = pytest.mark.enable_socket


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SPANWISE")}
    return kept | {"PYTHONUNBUFFERED": "1"} | more


class Served:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.line = process.stderr.readline()
        found = re.search(r"at (http://\S+)", self.line)
        assert found, self.line
        self.address = found[1]

    def upload(self, name: str, content: bytes) -> dict:
        place = post(f"{self.address}{BASE}/documents", files={"file": (name, content)}).headers["location"]
        until = time.monotonic() + SECONDS
        while (job := self.get(place))["state"] in ("waiting", "running"):
            assert time.monotonic() < until
            time.sleep(0.02)
        return job

    def get(self, path: str, **options) -> dict:
        return get(f"{self.address}{path}", **options).json()

    def ask(self, question: str = QUESTION) -> dict:
        return post(f"{self.address}{BASE}/ask", json={"question": question}).json()

    def end(self, told: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(told)
        _, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, err


@pytest.fixture
def serving(tmp_path, started) -> Callable[..., Served]:
    """Starts a server in the folder of the test."""

    def start(*options: str, command: Sequence[str] = COMMAND, **variables: str) -> Served:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return Served(started(*command, "--port", "0", *options, cwd=tmp_path, env=environment(**variables), **pipes))

    return start


def refused(folder: Path, *options: str, **variables: str) -> str:
    """What `serve` says when it does not start."""
    done = subprocess.run(
        [*COMMAND, *options],
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    return done.stderr


def test_serves_the_current_folder_and_ends_when_told(tmp_path, serving):
    served = serving()
    assert "default (spanwise.db)" in served.line
    assert served.address.startswith("http://127.0.0.1:")
    assert served.upload("terms.txt", CONTRACT.encode())["state"] == "done"
    assert "1.5%" in served.ask()["text"]
    assert served.get("/v1/ready") == {"status": "ok"}
    assert served.end() == (0, "")
    assert (tmp_path / "spanwise.db").is_file()


def test_ctrl_c_ends_it_without_a_complaint(serving):
    assert serving().end(signal.SIGINT) == (0, "")


def test_port_in_use_is_said_and_makes_nothing(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(tmp_path, "--port", str(port))
    assert f"127.0.0.1:{port}" in said
    assert "in use" in said
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_served_is_said(tmp_path):
    assert "give a token" in refused(tmp_path, "--host", "0.0.0.0")
    assert "is a folder" in refused(tmp_path, "--corpus", ".", "--port", "0")
    for host in ("192.0.2.1", "a..b"):  # of nobody's machine, and no name at all
        assert "cannot be listened to" in refused(tmp_path, "--host", host, "--token", TOKEN)
    assert [path.name for path in tmp_path.iterdir()] == []


def test_several_corpora_with_tokens_of_their_own(tmp_path, serving):
    (tmp_path / "serve.toml").write_text(
        "[corpora.contracts]\nfile = 'contracts.db'\ntoken = 'token-of-contracts'\n"
        "[corpora.filings]\nfile = 'filings.db'\n[limits.reading]\nfile_bytes = 1000\n[server]\nthreads = 2\n"
    )
    served = serving("--config", "serve.toml", SPANWISE_TOKEN_FILINGS="token-of-filings", SPANWISE_TOKEN=TOKEN)

    def seen(token: str) -> list[str]:
        told = served.get("/v1/corpora", headers={"authorization": f"Bearer {token}"})
        return [one["name"] for one in told["corpora"]]

    assert seen("token-of-contracts") == ["contracts"]
    assert seen("token-of-filings") == ["filings"]
    assert seen(TOKEN) == ["contracts", "filings"]
    assert served.get("/v1/corpora")["status"] == 401
    large = post(
        f"{served.address}/v1/corpora/filings/documents",
        files={"file": ("a.txt", b"x" * 2000)},
        headers={"authorization": "Bearer token-of-filings"},
    )
    assert large.status_code == 413
    code, err = served.end()
    assert code == 0
    assert "token-of" not in err + served.line


def test_tools_are_beside_the_api_behind_the_same_token(serving):
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"accept": "application/json, text/event-stream"}
    served = serving("--corpus", "one=1.db", "--corpus", "two=2.db", "--token", TOKEN)
    for path in ("/mcp", "/mcp/two"):
        assert post(f"{served.address}{path}", json=message, headers=headers).status_code == 401
        opened = headers | {"authorization": f"Bearer {TOKEN}"}
        assert post(f"{served.address}{path}", json=message, headers=opened).status_code != 401


def test_kill_loses_nothing_that_was_acknowledged(tmp_path, serving):
    served = serving()
    kept = [served.upload(f"{number}.txt", CONTRACT.encode() + b"%d" % number) for number in range(3)]
    answer = served.ask()
    taken = threading.Semaphore(0)

    def busy(sender: int) -> None:
        with contextlib.suppress(httpx.HTTPError):  # which comes with the end of the server
            for number in itertools.count():
                files = {"file": (f"more-{sender}-{number}.txt", CONTRACT.encode() * 200)}
                assert post(f"{served.address}{BASE}/documents", files=files).status_code == 202
                taken.release()

    sending = [threading.Thread(target=busy, args=(sender,)) for sender in range(3)]
    try:
        for one in sending:
            one.start()
        for _ in range(20):
            assert taken.acquire(timeout=SECONDS)
    finally:
        served.process.kill()
        for one in sending:
            one.join()
    served.process.wait()
    served = serving()
    documents = {one["id"]: one for one in served.get(f"{BASE}/documents")["documents"]}
    for job in kept:
        assert documents[job["document"]["id"]] == job["document"]
    for document in documents.values():
        content = get(f"{served.address}{BASE}/documents/{document['id']}/file").content
        assert content.startswith(b"SERVICE AGREEMENT")
    assert served.get(f"{BASE}/results/{answer['trace_id']}") == answer
    files = [path for path in (tmp_path / "spanwise.db.files").rglob("*") if path.is_file()]
    assert len(files) == len(documents)
    assert served.ask()["decision"] == answer["decision"]


SLOW = """
from spanwise.llm import scripted
complete = scripted.ScriptedModel.complete
def slow(self, call):
    print("asked", flush=True)
    input()
    return complete(self, call)
scripted.ScriptedModel.complete = slow
from spanwise.cli import main
main()
"""
"""A command whose model answers when it is sent a line."""


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_running_questions_are_finished_and_new_ones_refused(tmp_path, serving, waits, accept):
    (tmp_path / "replies.json").write_text(json.dumps(["A late fee of 1.5% per month will apply [1]."] * 5))
    command = [sys.executable, "-c", SLOW, "serve"]
    served = serving("--model", "scripted:replies.json", "--mode", "compact", command=command)
    assert served.upload("contract.txt", CONTRACT.encode())["state"] == "done"

    def refuses() -> bool:
        try:
            connected(served.address).close()
        except ConnectionError:
            return True
        return False

    with connected(served.address) as asking:
        asking.sendall(question_of(f"{BASE}/ask", f"Accept: {accept}"))
        assert served.process.stdout.readline() == "asked\n"
        served.process.send_signal(signal.SIGTERM)
        waits(refuses)
        served.process.stdin.write("go on\n" * 5)
        served.process.stdin.flush()
        told = b"".join(iter(lambda: asking.recv(65_536), b""))
    assert told.startswith(b"HTTP/1.1 200")
    assert b'"decision":' in told
    assert served.process.wait(SECONDS) == 0


ENDLESS = """
import time
from spanwise.serving.corpus_library import Library
def stream(self, question, *, stop, **options):
    print("asked", flush=True)
    while True:
        {step}
    yield
def add(self, *given, **options):
    print("asked", flush=True)
    time.sleep(3600)
Library.stream, Library.add_all = stream, add
from spanwise.cli import main
main()
"""
"""A command whose questions and uploads do not end by themselves."""
TELLS, DEAF = "stop.wait(3600)", "time.sleep(3600)"


@pytest.mark.parametrize(
    ("step", "accept", "last"),
    [
        (TELLS, "application/json", b'"work_stopped"'),
        (TELLS, "text/event-stream", b'"work_stopped"'),
        (DEAF, "application/json", b""),
        (DEAF, "text/event-stream", b""),
        (DEAF, "upload", b""),
    ],
)
def test_a_server_that_is_told_to_end_is_gone_soon(tmp_path, serving, step, accept, last):
    (tmp_path / "serve.toml").write_text("[server]\ngrace_seconds = 0\n")
    served = serving("--config", "serve.toml", command=[sys.executable, "-c", ENDLESS.format(step=step), "serve"])
    with connected(served.address) as asking:
        if accept == "upload":
            post(f"{served.address}{BASE}/documents", files={"file": ("a.txt", b"The fee is 5 dollars.")})
        else:
            asking.sendall(question_of(f"{BASE}/ask", f"Accept: {accept}"))
        assert served.process.stdout.readline() == "asked\n"
        began = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(ConnectionError):
            assert last in b"".join(iter(lambda: asking.recv(65_536), b""))
        assert served.process.wait(SECONDS) == 0
        assert time.monotonic() - began < SECONDS / 4  # the bound is 5 s; the machine may have much to do
