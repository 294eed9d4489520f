"""The checks that are shipped, run on every model that is shipped; and on models that break a promise."""

from itertools import count

import pytest

from spanwise import Call, ModelProfile, Reply, ScriptedModel
from spanwise.errors import ProviderDownError
from spanwise.llm.middleware.limits import Budget, Limits
from spanwise.llm.middleware.retry import Retry
from spanwise.llm.middleware.stack import wrapped
from spanwise.llm.providers import model_from
from spanwise.testing import FakeProvider, Fault, ModelConformance


class TestScripted(ModelConformance):
    def make(self, replies):
        return ScriptedModel(replies)


class TestScriptedWithoutSchemas(ModelConformance):
    def make(self, replies):
        return ScriptedModel(replies, profile=ModelProfile("plain"))


class TestMiddleware(ModelConformance):
    numbers = count()

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.path = tmp_path

    def make(self, replies):
        return wrapped(
            ScriptedModel(replies),
            limits=Limits(concurrency=4, requests_per_minute=1e6),
            retry=Retry(attempts=1),
            budget=Budget(calls=100),
            cache=self.path / f"{next(self.numbers)}.db",
            recording=self.path / "run.jsonl",
        )


@pytest.mark.enable_socket
@pytest.mark.parametrize("spec", ["openai:gpt-4o", "openai-responses:gpt-5-mini", "anthropic:claude-sonnet-5-5"])
class TestProviders(ModelConformance):
    @pytest.fixture(autouse=True)
    def servers(self, spec):
        self.spec = spec
        self.open = []
        yield
        for provider in self.open:
            provider.__exit__()

    def make(self, replies):
        provider = FakeProvider([Fault.down() if isinstance(reply, Exception) else reply for reply in replies])
        provider.__enter__()
        self.open.append(provider)
        address = provider.root if self.spec.startswith("anthropic") else provider.url
        return model_from(self.spec, base_url=address, api_key="test-key-123456", retry=None)


class Raising(ScriptedModel):
    """Breaks a promise: a failure is raised, and not in the reply."""

    def complete(self, call):
        return super().complete(call).checked()


class Forgetful(ScriptedModel):
    """Breaks a promise: the async half says something else."""

    async def acomplete(self, call):
        return Reply(f"Not {self.complete(call).text}")


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (Forgetful, "test_it_answers_sync_and_async_alike"),
        (Raising, "test_a_failure_is_an_error_in_the_reply"),
    ],
    ids=["async", "raising"],
)
def test_a_model_that_breaks_a_promise_is_found(broken, check):
    class Checks(ModelConformance):
        def make(self, replies):
            return broken(replies)

    with pytest.raises((AssertionError, ProviderDownError)):
        getattr(Checks(), check)()


@pytest.mark.enable_socket
def test_a_fake_provider_records_what_it_is_sent():
    with FakeProvider(["fine"]) as provider:
        model = model_from("openai:any", base_url=provider.url, api_key="test-key-123456", retry=None)
        assert model.complete(Call("hello?")).text == "fine"
        assert str(model.complete(Call("more?")).error).endswith("no reply is left for request 2")
    assert [request.path for request in provider.requests] == ["/v1/chat/completions"] * 2
    assert provider.requests[0].body["messages"] == [{"role": "user", "content": "hello?"}]
