"""Real clients of providers, over real HTTP, against a provider on this machine."""

import asyncio
import gc
import json
import pickle
import subprocess
import sys
import threading

import pytest

from spanwise import AmountAnswer, Call, Reply, TextAnswer
from spanwise.errors import (
    CutReplyError,
    EmptyReplyError,
    InputError,
    MissingExtraError,
    MissingKeyError,
    ModelSetupError,
    ModelTimeoutError,
    ProviderDownError,
    ProviderError,
    RateLimitedError,
    RefusedError,
    StructuredOutputError,
    UnknownModelError,
    UnreachableError,
)
from spanwise.llm import providers
from spanwise.llm.middleware.retry import Retry
from spanwise.llm.providers import model_from
from spanwise.llm.run import drive
from spanwise.testing import FakeProvider, Fault

pytestmark = pytest.mark.enable_socket

KEY = "test-key-0123456789"

# One of each protocol, and each SDK that has one of its own.
SPECS = [
    "openai:gpt-4o",
    "openai:some-llama",
    "openai-responses:gpt-5-mini",
    "anthropic:claude-sonnet-5-5",
    "groq:llama-3.3-70b-versatile",
    "mistral:mistral-large-latest",
    "ollama:llama3.3",
]
EVERY_PROVIDER = pytest.mark.parametrize("spec", SPECS)
ONE_A_PROTOCOL = pytest.mark.parametrize("spec", [SPECS[0], SPECS[2], SPECS[3]])


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch, tmp_path):
    """No key and no settings of whoever runs the tests."""
    for provider in providers.PROVIDERS.values():
        for variable in provider.keys:
            monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv("SPANWISE_SETTINGS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def connect():
    """Make a fake provider and a model that speaks to it."""
    opened = []

    def connected(spec, replies, **options):
        provider = FakeProvider(replies)
        provider.__enter__()
        opened.append(provider)
        own_path = spec.startswith(("anthropic", "groq", "mistral"))
        options = {"api_key": KEY, "retry": None, "timeout": 120} | options
        return model_from(spec, base_url=provider.root if own_path else provider.url, **options), provider

    yield connected
    for provider in opened:
        provider.__exit__()


@EVERY_PROVIDER
def test_a_call_goes_out_and_its_reply_comes_back(spec, connect):
    model, provider = connect(spec, ["Paris is the capital."])
    reply = model.complete(Call("capital of France?", system="Be brief.", max_output_tokens=99))
    assert (reply.text, reply.error, reply.finish) == ("Paris is the capital.", None, "stop")
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.requests) == (11, 4, 1)
    [request] = provider.requests
    sent = json.dumps(request.body)
    assert "capital of France?" in sent
    assert "Be brief." in sent
    assert request.body["model"] == spec.partition(":")[2]
    assert 99 in request.body.values()


@EVERY_PROVIDER
def test_a_schema_goes_out_and_an_instance_comes_back(spec, connect, nothing_found):
    model, provider = connect(spec, [nothing_found])
    reply = model.complete(Call("how much?", schema=AmountAnswer))
    assert isinstance(reply.parsed, AmountAnswer), reply.error
    assert provider.requests[0].has_schema
    assert "extraction_method" in json.dumps(provider.requests[0].body)


@EVERY_PROVIDER
def test_a_provider_that_takes_no_schema_gets_it_in_the_prompt(spec, connect, nothing_found):
    model, provider = connect(spec, lambda request: Fault.no_schema() if request.has_schema else nothing_found)
    for _ in range(2):
        reply = model.complete(Call("what?", schema=TextAnswer))
        assert isinstance(reply.parsed, TextAnswer), reply.error
    refused = [request.has_schema for request in provider.requests]
    assert refused.count(False) == 2
    assert refused[-1] is False
    assert refused[-2] is False, "the second call tried again what had been refused"


@ONE_A_PROTOCOL
def test_a_reply_that_is_no_answer_is_repaired_once(spec, connect, nothing_found):
    model, provider = connect(spec, ["I think so.", nothing_found, "I think so.", "Yes."])
    assert isinstance(model.complete(Call("what?", schema=TextAnswer)).parsed, TextAnswer)
    assert len(provider.requests) == 2
    assert isinstance(model.complete(Call("what?", schema=TextAnswer)).error, StructuredOutputError)
    assert len(provider.requests) == 4


FAULTS = [
    (Fault.rate_limited(7), RateLimitedError),
    (Fault.down(500), ProviderDownError),
    (Fault.down(503), ProviderDownError),
    (Fault.garbage(), CutReplyError),
    (Fault.cut(), (UnreachableError, CutReplyError)),
    ("", EmptyReplyError),
    (Fault.too_long(""), CutReplyError),
    (Fault.rejected("no such thing"), ProviderError),
    (Fault.rejected("wrong key", status=401), ProviderError),
    (Fault.rejected("unknown model", status=404), ProviderError),
]


@EVERY_PROVIDER
@pytest.mark.parametrize(
    ("fault", "kind"),
    FAULTS,
    ids=["429", "500", "503", "garbage", "cut", "empty", "length", "400", "401", "404"],
)
def test_each_fault_is_its_typed_error_and_no_answer(spec, fault, kind, connect):
    model, provider = connect(spec, [fault])
    reply = model.complete(Call("?"))
    assert isinstance(reply.error, kind), reply
    assert reply.error.exit_code == 3
    assert reply.parsed is None
    assert len(provider.requests) == 1, "the SDK tried again by itself"


@EVERY_PROVIDER
def test_retry_after_is_read(spec, connect):
    assert connect(spec, [Fault.rate_limited(7)])[0].complete(Call("?")).error.retry_after == 7


@ONE_A_PROTOCOL
def test_a_refusal_is_no_answer(spec, connect):
    assert isinstance(connect(spec, [Fault.refusal()])[0].complete(Call("?")).error, RefusedError)


@ONE_A_PROTOCOL
def test_a_reply_that_the_limit_cuts_says_so(spec, connect):
    reply = connect(spec, [Fault.too_long("The answer is")])[0].complete(Call("?"))
    assert (reply.text, reply.finish) == ("The answer is", "length")


@ONE_A_PROTOCOL
def test_a_slow_provider_is_given_up(spec, connect):
    given_up = threading.Event()
    model, _ = connect(spec, lambda _: "late" if given_up.wait(60) else "too late", timeout=0.3)
    error = model.complete(Call("?")).error
    given_up.set()
    assert isinstance(error, ModelTimeoutError)
    assert "timeout=" in str(error)


@ONE_A_PROTOCOL
def test_faults_that_pass_are_survived(spec, connect):
    model, provider = connect(spec, [Fault.rate_limited(0.01), Fault.down(), "fine"], retry=Retry(first=0.01))
    reply = model.complete(Call("?"))
    assert (reply.text, reply.usage.requests, len(provider.requests)) == ("fine", 3, 3)


@EVERY_PROVIDER
def test_text_streams(spec, connect):
    model, provider = connect(spec, ["Paris is the capital."])
    *texts, reply = model.stream(Call("capital of France?"))
    assert "".join(texts) == reply.text == "Paris is the capital."
    assert len(texts) > 1
    assert reply.error is None
    assert provider.requests[0].body["stream"] is True


@EVERY_PROVIDER
def test_a_stream_that_is_cut_is_no_answer(spec, connect):
    *texts, reply = connect(spec, [Fault.cut("The answer begins and")])[0].stream(Call("?"))
    assert "".join(texts) == "The answer begins and"
    assert isinstance(reply.error, CutReplyError | UnreachableError)


def test_a_reply_that_cannot_be_read_ends_its_stream(connect, monkeypatch):
    def broken(*_):
        raise ValueError("no such part")

    monkeypatch.setattr("spanwise.llm.adapter._text", broken)
    model, _ = connect("openai:gpt-4o", ["one two"])
    got = []
    reading = threading.Thread(target=lambda: got.extend(model.stream(Call("?"))), daemon=True)
    reading.start()
    reading.join(30)
    assert not reading.is_alive()
    *texts, reply = got
    assert texts == ["one ", "two"]
    assert reply.error is not None


def test_streams_in_async_code_too(connect):
    async def streamed(model):
        return [piece async for piece in model.astream(Call("?"))]

    model, _ = connect("openai:gpt-4o", ["one two", Fault.down()])
    *texts, reply = asyncio.run(streamed(model))
    assert texts == ["one ", "two"]
    assert reply.text == "one two"
    [reply] = asyncio.run(streamed(model))
    assert isinstance(reply.error, ProviderDownError)


def test_one_client_serves_threads_and_several_loops(connect):
    model, provider = connect("openai:gpt-4o", lambda request: str(len(request.body["messages"])))

    def flow():
        replies = yield [Call(f"q{number}") for number in range(20)]
        return [reply.text for reply in replies]

    async def gathered():
        return await asyncio.gather(*(model.acomplete(Call("?")) for _ in range(5)))

    assert drive(flow(), model) == ["1"] * 20
    for _ in range(2):
        assert [reply.text for reply in asyncio.run(gathered())] == ["1"] * 5
    assert len(provider.requests) == 30


def test_reasoning_models_get_the_parameters_they_take(connect):
    model, provider = connect("openai:o4-mini", ["fine"])
    assert model.complete(Call("?", temperature=0.0, max_output_tokens=512)).text == "fine"
    body = provider.requests[0].body
    assert "temperature" not in body
    assert "max_tokens" not in body
    assert body["max_completion_tokens"] == 512


def test_other_models_get_temperature_and_limit_by_their_usual_names(connect):
    model, provider = connect("openai:mixtral-8x7b", ["fine"])
    model.complete(Call("?", temperature=0.0, max_output_tokens=512))
    body = provider.requests[0].body
    assert (body["temperature"], body["max_tokens"]) == (0.0, 512)
    assert "max_completion_tokens" not in body


def test_abilities_are_data_that_the_caller_may_know_better(connect):
    known = {"rejects_temperature": True, "rejects_max_tokens": True, "native_schema": False, "json_schema": False}
    model, provider = connect("openai:house-model", ["fine", "{}"], profile=known | {"context_window": 32768})
    assert model.profile.context_window == 32768
    model.complete(Call("?", temperature=0.0, max_output_tokens=5))
    assert "temperature" not in provider.requests[0].body
    assert provider.requests[0].body["max_completion_tokens"] == 5
    model.complete(Call("?", schema={"type": "object"}))
    assert not provider.requests[1].has_schema


@pytest.mark.parametrize("parameter", ["temperature", "max_tokens"])
def test_a_parameter_that_is_rejected_is_told_with_the_ability_to_set(parameter, connect):
    model, _ = connect("openai:new-model", [Fault.rejected(f"Unsupported parameter: '{parameter}'.")])
    error = model.complete(Call("?", temperature=0.0, max_output_tokens=5)).error
    assert f'profile={{"rejects_{parameter}": True}}' in str(error)


def test_a_call_may_name_another_model_of_the_provider(connect):
    model, provider = connect("openai:gpt-4o", ["a", "b"])
    model.complete(Call("?", model="gpt-4o-mini"))
    model.complete(Call("?", model="openai:gpt-4o-mini"))
    assert [request.body["model"] for request in provider.requests] == ["gpt-4o-mini"] * 2


def test_prices_and_windows_of_known_models_are_data():
    profile = model_from("openai:gpt-5-mini", api_key=KEY).profile
    assert 0 < profile.input_price < profile.output_price < 100
    assert profile.context_window >= 100_000
    assert profile.reasoning
    assert profile.rejects_temperature


def test_a_server_of_ones_own_has_no_price_and_no_window_until_told(connect):
    profile = connect("openai:gpt-5-mini", [])[0].profile
    assert (profile.input_price, profile.output_price, profile.context_window) == (None, None, None)
    model, _ = connect("openai:gpt-5-mini", ["one two"], profile={"input_price": 1e6, "output_price": 2e6})
    assert model.complete(Call("?")).usage.cost_usd == pytest.approx(11 + 2 * 2)


def test_gemini_is_set_up_without_a_call():
    assert model_from("google:gemini-2.5-flash", api_key=KEY).profile.native_schema


def test_a_model_alone_with_an_address_is_an_openai_compatible_server(connect):
    model, provider = connect("llama3:8b", ["fine"], api_key=None)
    assert model.complete(Call("?")).text == "fine"
    assert provider.requests[0].path == "/v1/chat/completions"
    assert provider.requests[0].body["model"] == "llama3:8b"


def test_an_unreachable_server_is_told_with_what_to_do():
    model = model_from("openai:x", base_url="http://127.0.0.1:9/v1", retry=None)
    error = model.complete(Call("?")).error
    assert isinstance(error, UnreachableError)
    assert "check the address" in str(error)


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("opanai:gpt-5", "did you mean openai:gpt-5?"),
        ("llama3", "names no provider"),
        ("openai:", "names no model"),
        ("", "names no provider"),
        ("foo:bar", "known are openai"),
    ],
    ids=["typo", "no-provider", "no-model", "nothing", "unknown"],
)
def test_an_unknown_model_says_what_is_known(spec, hint):
    with pytest.raises(UnknownModelError) as caught:
        model_from(spec)
    assert hint in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("spec", ["openai:gpt-5", "groq:x", "anthropic:x", "google:x", "mistral:x"])
def test_a_missing_key_names_the_variable(spec):
    with pytest.raises(MissingKeyError, match=r"set [A-Z_]+_KEY"):
        model_from(spec)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x", ""], ids=["no-scheme", "ftp", "empty"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ModelSetupError, match="http://localhost:8000/v1"):
        model_from("openai:x", base_url=url)


def test_a_timeout_of_nothing_is_refused():
    with pytest.raises(InputError, match="timeout"):
        model_from("openai:x", api_key=KEY, timeout=0)


def test_an_unknown_field_of_a_profile_is_refused():
    with pytest.raises(ModelSetupError, match="context_windw"):
        model_from("openai:x", api_key=KEY, profile={"context_windw": 1})


def test_a_missing_extra_says_what_to_install(monkeypatch):
    monkeypatch.setattr(providers, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r'pip install "\.\[llm\]" in the folder of the repository'):
        model_from("openai:x", api_key=KEY)


def test_keys_come_from_the_environment_then_from_the_settings_file(monkeypatch, tmp_path, connect):
    settings = tmp_path / "settings.toml"
    settings.write_text('[keys]\nopenai = "kept-key-999"\n[models."openai:house"]\ncontext_window = 5\n')
    monkeypatch.setenv("SPANWISE_SETTINGS", str(settings))
    model, provider = connect("openai:house", ["a", "b"], api_key=None)
    model.complete(Call("?"))
    assert provider.requests[0].headers["authorization"] == "Bearer kept-key-999"
    assert model.profile.context_window == 5
    monkeypatch.setenv("OPENAI_API_KEY", "environment-key-1")
    model, provider = connect("openai:house", ["a"], api_key=None)
    model.complete(Call("?"))
    assert provider.requests[0].headers["authorization"] == "Bearer environment-key-1"


@EVERY_PROVIDER
def test_a_key_is_in_no_error_and_in_no_repr(spec, connect):
    model, provider = connect(spec, [Fault.rejected(f"Incorrect API key provided: {KEY}", status=401)])
    error = model.complete(Call("?")).error
    assert KEY in json.dumps(dict(provider.requests[0].headers))
    assert KEY not in str(error)
    assert KEY not in repr(error)
    assert KEY not in repr(model)
    assert KEY not in repr(model.inner)
    assert error.__cause__ is None


def test_a_scripted_file_is_a_model(tmp_path):
    path = tmp_path / "replies.json"
    path.write_text('["one", "two"]')
    model = model_from(f"scripted:{path}")
    assert [model.complete(Call("?")).text for _ in range(2)] == ["one", "two"]


@pytest.mark.parametrize("content", ["{", '{"a": 1}', "[1]", None], ids=["no-json", "object", "numbers", "missing"])
def test_a_scripted_file_that_is_no_list_of_texts_is_told(tmp_path, content):
    path = tmp_path / "replies.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ModelSetupError, match="replies"):
        model_from(f"scripted:{path}")


def test_connections_are_closed_when_nobody_has_the_model(connect):
    model, _ = connect("openai:gpt-4o", ["fine"])
    assert model.complete(Call("?")).text == "fine"
    del model
    gc.collect()  # an open socket would warn, and warnings are errors


def test_nothing_of_a_provider_is_loaded_before_a_model_is_asked_for():
    code = "import spanwise, spanwise.llm.providers, sys; spanwise.Call, spanwise.ScriptedModel; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"pydantic_ai", "openai", "anthropic", "groq", "httpx", "httpx2"}.isdisjoint(loaded)


def test_a_model_says_how_another_process_gets_it():
    with pytest.raises(TypeError, match="model_from there"):
        pickle.dumps(model_from("openai:gpt-4o", api_key=KEY))


def test_errors_survive_a_pickle():
    error = pickle.loads(pickle.dumps(RateLimitedError("wait", retry_after=2.0, status=429)))
    assert (str(error), error.retry_after, error.status) == ("wait", 2.0, 429)


def test_a_reply_in_a_failed_stream_keeps_what_was_shown(connect):
    *_, reply = connect("openai:gpt-4o", [Fault.cut("one two")])[0].stream(Call("?"))
    assert isinstance(reply, Reply)
    assert reply.text == "one two"
