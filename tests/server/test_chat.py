import asyncio
import json
import threading
import time
from contextlib import ExitStack

import openai
import pytest
from server_cases import SECONDS, Client, put, running

from spanwise.errors import ProviderDownError
from spanwise.llm.scripted import ScriptedModel
from spanwise.server.app import create_app
from spanwise.server.routes import chat
from spanwise.server.server_settings import ServerSettings, digest_of
from spanwise.serving.corpus_library import Library

pytestmark = pytest.mark.enable_socket

QUESTION = "What is the late fee?"
FEE = "A late fee of 1.5% per month (18% annually) will apply to any outstanding balance"
WRITTEN = f"{FEE} [1]."
PATH = "/v1/chat/completions"


def user(content):
    return [{"role": "user", "content": content}]


@pytest.fixture
def ai(address):
    with openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
        yield client


@pytest.fixture
def ask(ai):
    def run(messages=QUESTION, **options):
        messages = user(messages) if isinstance(messages, str) else messages
        return ai.chat.completions.create(model="spanwise", messages=messages, **options)

    return run


@pytest.fixture
def modelled(tmp_path):
    """A client of a server whose model replies as told, and the library."""
    with ExitStack() as opened:

        def start(replies):
            library = Library.open(tmp_path / "modelled.db", model=ScriptedModel(replies), mode="compact")
            opened.enter_context(library)
            put(library, "contract.txt", f"Late payment.\n\n{FEE}.\n".encode())
            address = opened.enter_context(running([library]))
            return opened.enter_context(openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)), library

        yield start


@pytest.mark.usefixtures("contract")
def test_an_answer_has_its_citations_as_annotations(ask, library):
    completion = ask()
    (choice,) = completion.choices
    result = library.history.result(choice.message.spanwise["trace_id"])
    told = choice.message.to_dict()
    assert told.pop("spanwise") == {
        "corpus": "default",
        "trace_id": result.trace_id,
        "decision": "ship",
        "confidence": result.confidence,
        "review": result.review,
    }
    assert told == result.to("openai-chat")
    assert completion.id == f"chatcmpl-{result.trace_id}"
    assert choice.finish_reason == "stop"
    (annotation,) = choice.message.annotations
    at = annotation.url_citation
    assert "1.5% per month" in choice.message.content[at.start_index : at.end_index]
    assert at.url == "contract.txt"
    assert completion.usage.total_tokens == 0
    assert time.time() - 600 < completion.created <= time.time()


@pytest.mark.usefixtures("paper")
def test_a_stream_is_the_answer_in_pieces(ask):
    question = "What are the essential properties?"
    whole = ask(question).choices[0].message
    *pieces, last, usage = ask(question, stream=True, stream_options={"include_usage": True})
    deltas = [piece.choices[0].delta for piece in [*pieces, last]]
    assert deltas[0].role == "assistant"
    assert "".join(delta.content or "" for delta in deltas) == whole.content
    annotations = [note for delta in deltas for note in getattr(delta, "annotations", ())]
    assert annotations == [note.to_dict() for note in whole.annotations]
    assert annotations[0]["url_citation"]["url"] == "standard.pdf#page=5"
    assert deltas[-1].spanwise == whole.spanwise
    assert [piece.choices[0].finish_reason for piece in pieces] == [None] * len(pieces)
    assert last.choices[0].finish_reason == "stop"
    assert usage.choices == []
    assert usage.usage.total_tokens == 0
    assert len(list(ask(question, stream=True))) == len(pieces) + 1


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "system", "content": "Answer in French."}, *user(QUESTION)],
        [*user("What is due?"), {"role": "assistant", "content": "Payment."}, *user(QUESTION)],
        user([{"type": "text", "text": "What is"}, {"type": "text", "text": "the late fee?"}]),
        [{"role": "developer", "content": "x"}, {"role": "tool", "content": "y", "tool_call_id": "1"}, *user(QUESTION)],
    ],
)
@pytest.mark.usefixtures("contract")
def test_the_last_message_of_the_user_is_the_question(ask, messages):
    assert "1.5% per month" in ask(messages).choices[0].message.content


@pytest.mark.usefixtures("contract")
def test_what_is_not_there_is_not_found(ask):
    message = ask("Who is the king of France?").choices[0].message
    assert message.content.split("\n") == [
        "not found in this document",
        "None of the documents is about France, and none mentions it.",
    ]
    assert message.annotations == []
    assert (message.spanwise["decision"], message.spanwise["review"]) == ("not_found", False)


@pytest.mark.usefixtures("contract")
def test_parameters_of_sampling_have_no_effect(ask):
    plain = ask().choices[0].message
    steered = ask(
        temperature=2, top_p=0.1, max_tokens=1, seed=7, stop="late", user="me", n=1, tools=[], tool_choice="none",
        response_format={"type": "text"}, modalities=["text"], logprobs=False, extra_body={"anything": [{}]},
    )  # fmt: skip
    assert steered.choices[0].message == plain


def test_a_question_may_be_limited_to_documents(ask, library, contract):
    put(library, "other.txt", b"A late fee of 9% will apply.\n")
    limited = ask(extra_body={"spanwise": {"documents": [contract.id], "type": "quantity"}})
    assert {note.url_citation.url for note in limited.choices[0].message.annotations} <= {"contract.txt"}
    with pytest.raises(openai.NotFoundError):
        ask(extra_body={"spanwise": {"documents": ["0" * 16]}})


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"n": 2}, "n"),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"function_call": {"name": "f"}}, "function_call"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"logprobs": True}, "logprobs"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"web_search_options": {}}, "web_search_options"),
        ({"messages": [{"role": "system", "content": "x"}]}, "messages"),
        ({"messages": user([{"type": "image_url", "image_url": {"url": "x"}}])}, "messages"),
    ],
)
def test_what_cannot_be_honoured_is_refused(ask, options, param, stream):
    with pytest.raises(openai.BadRequestError) as caught:
        ask(**options, stream=stream)
    assert caught.value.param == param
    assert caught.value.code == "unsupported_parameter"
    assert caught.value.type == "invalid_request_error"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"messages": []},
        {"messages": user("")},
        {"messages": user(None)},
        {"messages": user("x" * 100_000)},
        {"messages": user(7)},
        {"messages": [{"role": "king", "content": "x"}]},
        {"n": "many"},
        {"extra_body": {"spanwise": {"documents": ["../x"]}}},
        {"extra_body": {"spanwise": {"anything": 1}}},
    ],
)
def test_bad_requests_are_told(ask, options, stream):
    with pytest.raises(openai.BadRequestError) as caught:
        ask(**options, stream=stream)
    assert caught.value.type == "invalid_request_error"


@pytest.mark.parametrize("name", ["gpt-5", "", "spanwise/", "spanwise/nothing", "spanwise/../default", "x" * 400])
def test_unknown_models_are_not_found(ai, name):
    with pytest.raises(openai.NotFoundError) as caught:
        ai.chat.completions.create(model=name, messages=user(QUESTION))
    assert caught.value.code == "model_not_found"


def test_corpora_are_models(ai):
    assert [model.id for model in ai.models.list()] == ["spanwise", "spanwise/default"]
    assert ai.models.retrieve("spanwise/default").owned_by == "spanwise"
    with pytest.raises(openai.NotFoundError):
        ai.models.retrieve("gpt-5")


def test_errors_keep_the_one_shape(client):
    answer = client.post(PATH, json={"model": "spanwise", "messages": user("")})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert {"type", "title", "status", "detail", "instance", "code"} < set(problem)
    assert problem["status"] == 400
    assert problem["error"]["message"] == problem["detail"]
    assert "error" not in client.get("/v1/corpora/nothing/documents").json()


@pytest.mark.usefixtures("contract")
def test_many_ask_at_once(address):
    async def conversation():
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as ai:
            asked = [ai.chat.completions.create(model="spanwise", messages=user(QUESTION)) for _ in range(20)]
            return await asyncio.gather(*asked)

    completions = asyncio.run(conversation())
    assert {completion.choices[0].message.spanwise["trace_id"] for completion in completions} == {
        completions[0].choices[0].message.spanwise["trace_id"]
    }


def test_tokens_of_a_model_are_counted(modelled):
    client, _ = modelled(lambda _: WRITTEN)
    completion = client.chat.completions.create(model="spanwise", messages=user(QUESTION))
    assert completion.choices[0].message.content.startswith(FEE)
    assert completion.usage.prompt_tokens > 0
    assert completion.usage.completion_tokens > 0
    assert completion.usage.total_tokens == completion.usage.prompt_tokens + completion.usage.completion_tokens


@pytest.mark.parametrize("stream", [False, True])
def test_a_model_that_fails_is_told_with_a_status(modelled, stream):
    client, _ = modelled(lambda _: ProviderDownError("at https://secret.example"))
    with pytest.raises(openai.InternalServerError) as caught:
        client.chat.completions.create(model="spanwise", messages=user(QUESTION), stream=stream)
    assert caught.value.status_code == 502
    assert "secret" not in str(caught.value.body)


def test_an_error_in_a_stream_that_has_begun_is_its_last_event(modelled, monkeypatch):
    begun = threading.Event()

    def reply(_):
        assert begun.wait(SECONDS)
        raise ProviderDownError("at https://secret.example")

    monkeypatch.setattr(chat, "FIRST_SECONDS", 0.05)
    client, _ = modelled(reply)
    stream = client.chat.completions.create(model="spanwise", messages=user(QUESTION), stream=True)
    begun.set()
    with pytest.raises(openai.APIError) as caught:
        list(stream)
    assert "secret" not in str(caught.value.body)
    assert caught.value.type == "server_error"


def test_who_goes_away_stops_the_work(modelled, monkeypatch, stops, waits):
    asked, released = threading.Event(), threading.Event()

    def reply(_):
        asked.set()
        assert released.wait(SECONDS)
        return WRITTEN

    monkeypatch.setattr(chat, "FIRST_SECONDS", 0.05)
    client, library = modelled(reply)
    stream = client.chat.completions.create(model="spanwise", messages=user(QUESTION), stream=True)
    assert asked.wait(SECONDS)
    stream.close()
    waits(lambda: stops[0].asked)
    released.set()
    client.chat.completions.create(model="spanwise", messages=user("What is the fee?"))
    assert [answer.question for answer in library.history.newest()] == ["What is the fee?"]


def test_a_token_opens_its_corpora_as_models(tmp_path):
    with Library.open(tmp_path / "1.db", name="one") as one, Library.open(tmp_path / "2.db", name="two") as two:
        put(two, "a.txt", b"A late fee of 9% will apply.\n")
        tokens = {digest_of("token-one"): frozenset(["one"]), digest_of("token-two"): frozenset(["two"])}
        app = create_app([one, two], settings=ServerSettings(tokens=tokens))
        second = Client(app, {"Authorization": "Bearer token-two"})
        assert [model["id"] for model in second.get("/v1/models").json()["data"]] == ["spanwise", "spanwise/two"]
        answer = second.post(PATH, json={"model": "spanwise", "messages": user(QUESTION)}).json()
        assert answer["choices"][0]["message"]["spanwise"]["corpus"] == "two"
        closed = second.post(PATH, json={"model": "spanwise/one", "messages": user(QUESTION)})
        assert (closed.status_code, closed.json()["error"]["code"]) == (404, "model_not_found")
        forged = Client(app, {"Authorization": "Bearer token-three"}).get("/v1/models")
        assert (forged.status_code, forged.json()["error"]["type"]) == (401, "authentication_error")


@pytest.mark.usefixtures("contract")
def test_halves_of_characters_do_no_harm(client):
    body = json.dumps({"model": "spanwise", "messages": user("What is the late fee \ud800?")})
    answer = client.post(PATH, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (200, 400)
