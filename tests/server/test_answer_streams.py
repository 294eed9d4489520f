import json
import threading
from contextlib import ExitStack

import pytest
from pydantic import TypeAdapter
from server_cases import (
    CONTRACT,
    QUESTION,
    SECONDS,
    connected,
    listening,
    post,
    put,
    question_of,
    running,
    stream,
)

from spanwise.contract.record import ResultRecord
from spanwise.domain.claim import Citation
from spanwise.errors import ProviderDownError
from spanwise.llm.scripted import ScriptedModel
from spanwise.server.app import create_app
from spanwise.server.server_settings import ServerSettings
from spanwise.serving.corpus_library import Library

BASE = "/v1/corpora/default"
EVENTS = {"accept": "text/event-stream"}
WRITTEN = "A late fee of 1.5% per month will apply to any outstanding balance [1]."

pytestmark = pytest.mark.enable_socket


def events(address: str, question: str, **options) -> list[tuple[str, dict]]:
    """The events of a question, to the end of the stream."""
    with stream("POST", f"{address}{BASE}/ask", json={"question": question}, headers=EVENTS, **options) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        return parsed("".join(response.iter_text()))


def parsed(text: str) -> list[tuple[str, dict]]:
    found = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.partition(": ")[::2] for line in block.splitlines() if not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


class Waiting(ScriptedModel):
    """Answers when it is told to."""

    def __init__(self, replies) -> None:
        super().__init__(replies)
        self.asked, self.go = threading.Event(), threading.Event()

    def complete(self, call):
        self.asked.set()
        assert self.go.wait(SECONDS)
        return super().complete(call)


@pytest.fixture
def modelled(tmp_path):
    """A corpus whose model waits."""
    model = Waiting([WRITTEN] * 5)
    with Library.open(tmp_path / "corpus.db", model=model, mode="compact") as library:
        put(library, "contract.txt", CONTRACT.encode())
        yield library, model
        model.go.set()


@pytest.fixture
def waiting(modelled):
    """A corpus whose model waits, and a server that says often that it is alive."""
    library, model = modelled
    with running([library], ServerSettings(heartbeat_seconds=0.1)) as address:
        yield library, model, address
        model.go.set()


def test_stream_shows_checked_text_citations_and_the_result(address, library, contract):
    assert contract.lines
    told = events(address, QUESTION)
    kinds = [kind for kind, _ in told]
    assert kinds[-1] == "result"
    assert set(kinds) == {"text", "citation", "result"}
    result = ResultRecord.model_validate(told[-1][1])
    assert "".join(event["text"] for kind, event in told if kind == "text") == result.text
    cited = [TypeAdapter(Citation).validate_python(event) for kind, event in told if kind == "citation"]
    assert cited == result.citations
    assert library.history.record(result.trace_id) == told[-1][1]


def test_stream_of_a_model_counts_its_calls(waiting):
    _, model, address = waiting
    model.go.set()
    kinds = [kind for kind, _ in events(address, QUESTION)]
    assert kinds[0] == "call"
    assert kinds[-1] == "result"


def test_stream_says_that_it_is_alive(waiting):
    _, model, address = waiting
    text = ""
    with stream("POST", f"{address}{BASE}/ask", json={"question": QUESTION}, headers=EVENTS) as response:
        for piece in response.iter_text():
            text += piece
            if text.count(": still here") > 1:
                model.go.set()
    assert parsed(text)[-1][0] == "result"


def test_error_of_a_stream_is_its_last_event(address):
    ((kind, problem),) = events(address, "?? !!" + "x" * 10, params={})[-1:]
    assert kind == "result"
    assert problem["decision"] in ("not_found", "clarify")


def test_failing_model_is_told_without_its_words(tmp_path):
    def fails(_):
        return ProviderDownError("https://internal.example/v1 said: key sk-secret is overloaded")

    with Library.open(tmp_path / "corpus.db", model=ScriptedModel(fails), mode="compact") as library:
        put(library, "contract.txt", CONTRACT.encode())
        with running([library]) as address:
            kind, problem = events(address, QUESTION)[-1]
            response = post(f"{address}{BASE}/ask", json={"question": QUESTION})
    assert kind == "error"
    assert (problem["status"], response.status_code) == (502, 502)
    assert "internal" not in str(problem) + response.text
    assert "sk-secret" not in str(problem) + response.text


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"], ids=["stream", "JSON"])
def test_who_goes_away_stops_the_question(waiting, stops, waits, accept):
    library, model, address = waiting
    with connected(address) as connection:
        connection.sendall(question_of(f"{BASE}/ask", f"Accept: {accept}"))
        assert model.asked.wait(SECONDS)
    waits(lambda: stops[0].asked)
    model.go.set()
    answered = post(f"{address}{BASE}/ask", json={"question": "When is payment due?"})
    assert answered.status_code == 200
    waits(lambda: len(model.calls) == 2)
    assert [asked.question for asked in library.history.newest()] == ["When is payment due?"]


def test_waiting_questions_of_those_who_left_are_dropped(modelled, stops, waits):
    library, model = modelled
    app = create_app([library], settings=ServerSettings(threads=2, waiting=5))
    with listening(app) as address, ExitStack() as running_ones:
        for number in (1, 2):
            running_ones.enter_context(connected(address)).sendall(question_of(f"{BASE}/ask"))
            waits(lambda begun=number: len(stops) == begun)
        going = app.state.serving.work._going
        for _ in range(12):  # more than may wait
            with connected(address) as connection:
                connection.sendall(question_of(f"{BASE}/ask"))
                waits(lambda: len(going) == 3)
            waits(lambda: len(going) == 2)
        model.go.set()
        assert post(f"{address}{BASE}/ask", json={"question": QUESTION}).status_code == 200


def test_job_is_told_as_it_goes_on(address, library):
    files = {"file": ("terms.txt", CONTRACT.encode())}
    place = post(f"{address}{BASE}/documents", files=files).headers["location"]
    with stream("GET", f"{address}{place}/events") as response:
        told = parsed("".join(response.iter_text()))
    assert {kind for kind, _ in told} == {"job"}
    assert told[-1][1]["state"] == "done"
    assert told[-1][1]["document"]["id"] == library.documents()[0].id
    with stream("GET", f"{address}{place}/events") as response:
        assert parsed("".join(response.iter_text())) == told[-1:]
