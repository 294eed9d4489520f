"""`spanwise serve` as a process: started, used, told to end, killed, and started again."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from server_cases import CONTRACT, QUESTION

BASE = "/v1/corpora/default"
TOKEN = "a-token-long-enough"
COMMAND = [sys.executable, "-m", "spanwise", "serve"]

pytestmark = pytest.mark.enable_socket


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SPANWISE")}
    return kept | {"PYTHONUNBUFFERED": "1"} | more


class Served:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *options: str, **variables: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "--port", "0", *options],
            cwd=folder,
            env=environment(**variables),
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        line = self.process.stderr.readline()
        found = re.search(r"at (http://\S+)", line)
        assert found, line + self.process.stderr.read()
        self.line, self.address = line, found[1]

    def upload(self, name: str, content: bytes) -> dict:
        place = httpx.post(f"{self.address}{BASE}/documents", files={"file": (name, content)}).headers["location"]
        until = time.monotonic() + 60
        while (job := httpx.get(f"{self.address}{place}").json())["state"] in ("waiting", "running"):
            assert time.monotonic() < until
            time.sleep(0.02)
        return job

    def get(self, path: str, **options) -> dict:
        return httpx.get(f"{self.address}{path}", timeout=30, **options).json()

    def ask(self, question: str = QUESTION) -> dict:
        return httpx.post(f"{self.address}{BASE}/ask", json={"question": question}, timeout=60).json()

    def end(self, told: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(told)
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err


@contextmanager
def serving(folder: Path, *options: str, **variables: str) -> Iterator[Served]:
    served = Served(folder, *options, **variables)
    try:
        yield served
    finally:
        served.process.kill()
        served.process.communicate()


def refused(folder: Path, *options: str, **variables: str) -> str:
    """What `serve` says when it does not start."""
    done = subprocess.run(
        [*COMMAND, *options],
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    return done.stderr


def test_serves_the_current_folder_and_ends_when_told(tmp_path):
    with serving(tmp_path) as served:
        assert "default (spanwise.db)" in served.line
        assert served.address.startswith("http://127.0.0.1:")
        assert served.upload("terms.txt", CONTRACT.encode())["state"] == "done"
        assert "1.5%" in served.ask()["text"]
        assert served.get("/v1/ready") == {"status": "ok"}
        assert served.end() == (0, "")
    assert (tmp_path / "spanwise.db").is_file()


def test_ctrl_c_ends_it_without_a_complaint(tmp_path):
    with serving(tmp_path) as served:
        assert served.end(signal.SIGINT) == (0, "")


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
    assert "cannot be listened to" in refused(tmp_path, "--host", "no.such.host.invalid", "--token", TOKEN)
    assert [path.name for path in tmp_path.iterdir()] == []


def test_several_corpora_with_tokens_of_their_own(tmp_path):
    (tmp_path / "serve.toml").write_text(
        "[corpora.contracts]\nfile = 'contracts.db'\ntoken = 'token-of-contracts'\n"
        "[corpora.filings]\nfile = 'filings.db'\n[limits]\nupload_bytes = 1000\n[server]\nthreads = 2\n"
    )
    with serving(
        tmp_path, "--config", "serve.toml", SPANWISE_TOKEN_FILINGS="token-of-filings", SPANWISE_TOKEN=TOKEN
    ) as served:

        def seen(token: str) -> list[str]:
            told = served.get("/v1/corpora", headers={"authorization": f"Bearer {token}"})
            return [one["name"] for one in told["corpora"]]

        assert seen("token-of-contracts") == ["contracts"]
        assert seen("token-of-filings") == ["filings"]
        assert seen(TOKEN) == ["contracts", "filings"]
        assert served.get("/v1/corpora")["status"] == 401
        large = httpx.post(
            f"{served.address}/v1/corpora/filings/documents",
            files={"file": ("a.txt", b"x" * 2000)},
            headers={"authorization": "Bearer token-of-filings"},
        )
        assert large.status_code == 413
        code, err = served.end()
        assert code == 0
        assert "token-of" not in err + served.line


def test_tools_are_beside_the_api_behind_the_same_token(tmp_path):
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"accept": "application/json, text/event-stream"}
    with serving(tmp_path, "--corpus", "one=1.db", "--corpus", "two=2.db", "--token", TOKEN) as served:
        for path in ("/mcp", "/mcp/two"):
            assert httpx.post(f"{served.address}{path}", json=message, headers=headers).status_code == 401
            opened = headers | {"authorization": f"Bearer {TOKEN}"}
            assert httpx.post(f"{served.address}{path}", json=message, headers=opened).status_code != 401


def test_kill_loses_nothing_that_was_acknowledged(tmp_path):
    with serving(tmp_path) as served:
        kept = [served.upload(f"{number}.txt", CONTRACT.encode() + b"%d" % number) for number in range(3)]
        answer = served.ask()
        stop = threading.Event()

        def busy() -> None:
            number = 0
            while not stop.is_set():
                number += 1
                try:
                    files = {"file": (f"more-{number}.txt", CONTRACT.encode() * 200)}
                    httpx.post(f"{served.address}{BASE}/documents", files=files)
                except httpx.HTTPError:
                    return

        sending = [threading.Thread(target=busy) for _ in range(3)]
        for one in sending:
            one.start()
        time.sleep(1.0)
        served.process.kill()
        served.process.wait()
        stop.set()
        for one in sending:
            one.join()
    with serving(tmp_path) as served:
        documents = {one["id"]: one for one in served.get(f"{BASE}/documents")["documents"]}
        for job in kept:
            assert documents[job["document"]["id"]] == job["document"]
        for document in documents.values():
            content = httpx.get(f"{served.address}{BASE}/documents/{document['id']}/file").content
            assert content.startswith(b"SERVICE AGREEMENT")
        assert served.get(f"{BASE}/results/{answer['trace_id']}") == answer
        files = [path for path in (tmp_path / "spanwise.db.files").rglob("*") if path.is_file()]
        assert len(files) == len(documents)
        assert served.ask()["decision"] == answer["decision"]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_running_questions_are_finished_and_new_ones_refused(tmp_path, accept):
    (tmp_path / "replies.json").write_text(json.dumps(["A late fee of 1.5% per month will apply [1]."] * 5))
    (tmp_path / "slow.py").write_text(
        "import time\nfrom spanwise.llm import scripted\ncomplete = scripted.ScriptedModel.complete\n"
        "def slow(self, call):\n    print('asked', flush=True)\n    time.sleep(3)\n    return complete(self, call)\n"
        "scripted.ScriptedModel.complete = slow\nfrom spanwise.cli import main\nmain()\n"
    )
    command = [
        sys.executable,
        "slow.py",
        "serve",
        "--port",
        "0",
        "--model",
        "scripted:replies.json",
        "--mode",
        "compact",
    ]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        address = re.search(r"at (http://\S+)", process.stderr.readline())[1]
        with httpx.Client(base_url=address, timeout=60) as client:
            client.post(f"{BASE}/documents", files={"file": ("contract.txt", CONTRACT.encode())})
            while not client.get(f"{BASE}/documents").json()["documents"]:
                time.sleep(0.05)
            told = []
            asking = threading.Thread(
                target=lambda: told.append(
                    httpx.post(
                        f"{address}{BASE}/ask", json={"question": QUESTION}, headers={"accept": accept}, timeout=60
                    )
                )
            )
            asking.start()
            assert process.stdout.readline() == "asked\n"
            process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"{address}/v1/health")
            asking.join()
            assert told[0].status_code == 200
            assert '"decision":' in told[0].text
        process.communicate(timeout=60)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()
