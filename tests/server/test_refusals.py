"""Every error has the one shape, says what to do, and tells nothing of the server."""

import asyncio
import json
import logging
import threading
import time
from pathlib import Path

import httpx
import pytest
from every import every
from server_cases import QUESTION, SECONDS, Client

from spanwise import errors
from spanwise.server.app import create_app
from spanwise.server.http_problems import STATUSES, problem_of
from spanwise.server.server_settings import ServerSettings

BASE = "/v1/corpora/default"
ID = "0" * 16
UNKNOWN = (
    ("GET", f"{BASE}/documents/{ID}"),
    ("DELETE", f"{BASE}/documents/{ID}"),
    ("GET", f"{BASE}/documents/{ID}/file"),
    ("GET", f"{BASE}/documents/{ID}/lines"),
    ("GET", f"{BASE}/documents/{ID}/pages/1"),
    ("GET", f"{BASE}/jobs/{ID}"),
    ("GET", f"{BASE}/jobs/{ID}/events"),
    ("DELETE", f"{BASE}/jobs/{ID}"),
    ("GET", f"{BASE}/results/{ID}"),
    ("DELETE", f"{BASE}/results/{ID}"),
    ("GET", f"{BASE}/results/{ID}/trace"),
    ("GET", f"{BASE}/results/{ID}/as/json"),
    ("GET", f"{BASE}/results/{ID}/highlight/{ID}"),
    ("GET", f"{BASE}/results?before={ID}"),
    ("GET", "/v1/corpora/nothing/documents"),
    ("GET", "/v1/nothing"),
    ("GET", "/nothing"),
    ("GET", "/page/nothing.js"),
    ("GET", "/page/..%2f..%2fsettings.py"),
    ("GET", f"{BASE}/documents/..%2f..%2fetc%2fpasswd/file"),
)


def checked(response, status: int) -> dict:
    problem = response.json()
    assert response.status_code == problem["status"] == status, problem
    assert response.headers["content-type"] == "application/problem+json"
    assert problem["type"] == f"urn:spanwise:problem:{problem['code']}"
    assert {"title", "detail", "instance"} <= set(problem)
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "Traceback" not in response.text
    assert "/tmp" not in response.text
    assert "corpus.db" not in response.text
    return problem


@pytest.mark.parametrize(("method", "path"), UNKNOWN, ids=[f"{method} {path}" for method, path in UNKNOWN])
def test_what_is_not_there(client, method, path):
    checked(client.request(method, path), 404)


def test_method_that_a_path_does_not_have(client):
    assert client.request("PUT", "/v1/health").headers["allow"] == "GET"
    checked(client.request("PUT", "/v1/health"), 405)
    checked(client.request("TRACE", f"{BASE}/ask"), 405)


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({}, ["body", "question"]),
        ({"question": ""}, ["body", "question"]),
        ({"question": "?!"}, ["body", "question"]),
        ({"question": 5}, ["body", "question"]),
        ({"question": "x" * 20_001}, ["body", "question"]),
        ({"question": QUESTION, "shape": "round"}, ["body", "shape"]),
        ({"question": QUESTION, "documents": ["../x"]}, ["body", "documents", 0]),
        ({"question": QUESTION, "documents": []}, ["body", "documents"]),
        ({"question": QUESTION, "modle": "x"}, ["body", "modle"]),
        ([], ["body"]),
    ],
)
def test_body_that_is_wrong_is_told_where(client, body, at):
    problem = checked(client.post(f"{BASE}/ask", json=body), 422)
    assert problem["errors"][0]["at"] == at
    assert problem["code"] == "invalid_request"
    assert "pattern" not in problem["detail"], "told in words"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b'{"question": "\\ud800"}', b"[" * 100_000, b'{"question": NaN}', b"null"],
    ids=["empty", "open", "no UTF-8", "half a character", "deep", "NaN", "null"],
)
def test_body_that_is_no_json(client, content):
    response = client.post(f"{BASE}/ask", content=content, headers={"content-type": "application/json"})
    checked(response, response.status_code)
    assert response.status_code in (400, 422)


MANY = {f"key-{number}": number for number in range(20_000)}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/session", MANY, 413),
        ("/v1/session", {"token": "x" * 5_000}, 413),
        (f"{BASE}/ask", {"question": "x" * 300_000}, 413),
        (f"{BASE}/extract", {"fields": [{"name": "x" * 300_000}]}, 413),
        ("/v1/chat/completions", {"model": "x" * 1_100_000}, 413),
        (f"{BASE}/documents/{ID}", {"x": "x" * 5_000}, 413),
        (f"{BASE}/ask", dict(list(MANY.items())[:10_000]), 422),
        (f"{BASE}/extract", {"fields": [dict(list(MANY.items())[:300])] * 40}, 422),
        (f"{BASE}/ask", {"question": QUESTION, "documents": ["x"] * 1_000}, 422),
        (f"{BASE}/verify", MANY, 422),
        (f"{BASE}/verify", {"text": "x", "passages": [dict(list(MANY.items())[:200])] * 900}, 422),
        (f"{BASE}/verify", {"text": "x", "passages": [""] * 900, "documents": [""] * 900}, 422),
        ("/v1/chat/completions", {"model": "spanwise", "messages": [], "spanwise": MANY}, 400),
    ],
)
def test_many_faults_are_one_and_cost_little(client, path, body, status):
    content = json.dumps(body)
    began = time.process_time()
    problem = checked(client.post(path, content=content, headers={"content-type": "application/json"}), status)
    assert time.process_time() - began < 10  # a tenth of a second here, and no time of others
    assert len(problem.get("errors") or ()) <= 6


def test_page_is_asked_for_again(client):
    assert client.get("/page/nothing.js").headers["cache-control"] == "no-cache"
    assert client.get("/v1/health").headers["cache-control"] == "no-store"


def test_secret_in_a_refused_body_is_not_sent_back(client):
    response = client.post("/v1/session", json={"token": "töken-that-nobody-may-see"})
    checked(response, 422)
    assert "nobody-may-see" not in response.text


def test_large_question_is_refused_before_it_is_read(client):
    sent = 0

    async def body():
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b"x" * 1024 * 1024

    problem = checked(client.post(f"{BASE}/ask", content=body(), headers={"content-type": "application/json"}), 413)
    assert problem["code"] == "content_too_large"
    assert sent < 10
    said = {"content-type": "application/json", "content-length": str(100 * 1024 * 1024)}
    checked(client.post(f"{BASE}/ask", content=b"{}", headers=said), 413)
    checked(client.post(f"{BASE}/ask", content=b"{}", headers=said | {"content-length": "9" * 400}), 413)


def test_unexpected_error_is_told_without_its_text(library, caplog):
    app = create_app([library])

    @app.get("/v1/broken")
    def broken():
        raise ZeroDivisionError("/srv/secret/path of corpus.db")

    with caplog.at_level(logging.ERROR):
        checked(Client(app).get("/v1/broken"), 500)
    assert "ZeroDivisionError" in caplog.text


def everything(kind=errors.SpanwiseError):
    return [
        one for child in kind.__subclasses__() for one in (child, *everything(child)) if "spanwise" in one.__module__
    ]


@every("kind", everything())
def test_every_error_has_a_status_and_keeps_paths_to_itself(kind):
    assert any(issubclass(kind, one) for one, _, _ in STATUSES)
    error = kind.__new__(kind)
    Exception.__init__(error, "/srv/private/corpus.db of http://models.internal")
    problem, headers = problem_of(error, "/v1/x")
    assert 400 <= problem.status < 600
    assert ("Retry-After" in headers) == (problem.status == 503)
    if not issubclass(kind, errors.InputError) or issubclass(kind, errors.CorpusError | errors.StorageError):
        told_as_it_is = (errors.WorkStoppedError, errors.BusyError)
        assert issubclass(kind, told_as_it_is) or "/srv/private" not in problem.detail


def test_too_many_questions_at_once_are_refused(library, contract, monkeypatch):
    assert contract.lines
    released = threading.Event()
    ask = library.ask

    def held(*given, **options):
        assert released.wait(SECONDS)
        return ask(*given, **options)

    monkeypatch.setattr(library, "ask", held)
    app = create_app([library], settings=ServerSettings(threads=1, waiting=0))
    client = Client(app)

    async def four():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as http:
            calls = [http.post(f"{BASE}/ask", json={"question": QUESTION}) for _ in range(4)]
            responses = []
            for call in asyncio.as_completed(calls):
                responses.append(await call)
                if len(responses) == 3:
                    released.set()
            return responses

    *refused, answered = asyncio.run(four())
    assert answered.status_code == 200
    for one in refused:
        assert checked(one, 503)["code"] == "busy"
        assert one.headers["retry-after"] == "1"
    assert client.post(f"{BASE}/ask", json={"question": QUESTION}).status_code == 200


def test_question_that_takes_too_long(library, monkeypatch):
    monkeypatch.setattr(library, "ask", lambda *_, stop, **__: stop.wait(SECONDS))
    client = Client(create_app([library], settings=ServerSettings(question_seconds=0.0)))
    assert checked(client.post(f"{BASE}/ask", json={"question": QUESTION}), 504)["code"] == "too_slow"


def test_server_that_stops_refuses_new_work(library):
    app = create_app([library])
    app.state.serving.ready = app.state.serving.stopping = True
    client = Client(app)
    problem = checked(client.get(f"{BASE}/documents"), 503)
    assert problem["code"] == "stopping"
    assert client.get("/v1/health").status_code == 200
    checked(client.get("/v1/ready"), 503)


def test_body_that_comes_too_slowly_is_given_up(library):
    client = Client(create_app([library], settings=ServerSettings(body_seconds=0.2)))

    async def slow():
        yield b'{"question": '
        await asyncio.Event().wait()

    response = client.post(f"{BASE}/ask", content=slow(), headers={"content-type": "application/json"})
    assert checked(response, 408)["code"] == "request_timeout"


def test_disk_that_is_full_is_told(client, library, monkeypatch):
    monkeypatch.setattr(library, "partial", lambda: Path("/dev/full/x"))
    problem = checked(client.post(f"{BASE}/documents", files={"file": ("a.txt", b"words")}), 507)
    assert problem["code"] == "storage"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"{", "The body is no JSON, at character 1: Expecting property name enclosed in double quotes."),
        (b'{"question": ', "The body is no JSON, at character 13: Expecting value."),
        (b"[]", "body: Input should be a valid dictionary"),
    ],
)
def test_a_body_that_is_no_json_says_where(client, body, told):
    headers = {"content-type": "application/json"}
    problem = client.post("/v1/corpora/default/ask", content=body, headers=headers).json()
    assert (problem["status"], problem["code"]) == (422, "invalid_request")
    assert problem["detail"].startswith(told)


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"model": "spanwise", "messages": [{"role": "wizard", "content": "x"}]}, "messages.0.role"),
        ({"model": "spanwise", "messages": []}, "messages"),
        ([], None),
    ],
)
def test_clients_of_openai_are_told_which_parameter_cannot_be_read(client, body, param):
    problem = client.post("/v1/chat/completions", json=body).json()
    assert problem["status"] == 400
    assert problem["error"].get("param") == param


@pytest.mark.usefixtures("contract")
def test_an_unknown_type_names_all_there_are(client):
    problem = checked(client.post(f"{BASE}/ask", json={"question": QUESTION, "type": "money"}), 422)
    assert "there is no type 'money': choose one of address, amount" in problem["detail"]
