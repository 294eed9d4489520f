import asyncio
import gc
import json
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import time

import pytest

from spanwise import Call, ModelProfile, Reply, ScriptedModel, Usage
from spanwise.errors import (
    BudgetError,
    CutReplyError,
    InputError,
    ModelSetupError,
    NotRecordedError,
    ProviderDownError,
    ProviderError,
    RateLimitedError,
    StorageError,
)
from spanwise.llm.layer import Layer, Pause
from spanwise.llm.middleware.cache import Cache, Replay
from spanwise.llm.middleware.limits import Budget, Limited, Limits
from spanwise.llm.middleware.retry import Retry
from spanwise.llm.middleware.stack import wrapped
from spanwise.llm.run import drive

QUICK = Retry(attempts=3, first=0.001)


def echo(call):
    return call.prompt


def ask(model, call, how):
    """One call in each of the four ways; the reply is the last piece of a stream."""
    if how == "sync":
        return model.complete(call)
    if how == "async":
        return asyncio.run(model.acomplete(call))
    if how == "stream":
        return list(model.stream(call))[-1]

    async def streamed():
        return [piece async for piece in model.astream(call)][-1]

    return asyncio.run(streamed())


EVERY_WAY = pytest.mark.parametrize("how", ["sync", "async", "stream", "astream"])


class Steppy(Layer):
    """Pauses, asks twice, and answers with both."""

    def steps(self, call):
        yield Pause(0.001)
        first = yield call
        yield Pause(0.001)
        second = yield call
        return Reply(f"{first.text} and {second.text}")


@pytest.mark.parametrize("how", ["sync", "async"])
def test_steps_are_the_same_in_every_way(how):
    assert ask(Steppy(ScriptedModel(["one", "two"])), Call("?"), how).text == "one and two"


def test_a_stream_that_showed_text_asks_no_second_time():
    model = ScriptedModel(["one", "two"])
    assert [piece if isinstance(piece, str) else piece.text for piece in Steppy(model).stream(Call("?"))] == ["one"] * 2
    assert len(model.calls) == 1


@EVERY_WAY
def test_what_may_succeed_later_is_tried_again(how):
    model = ScriptedModel([ProviderDownError("down"), RateLimitedError("wait", retry_after=0.001), "fine"])
    reply = ask(wrapped(model, retry=QUICK), Call("?"), how)
    assert reply.text == "fine"
    assert reply.usage.requests == 3


@EVERY_WAY
def test_what_will_not_succeed_is_not_tried_again(how):
    model = ScriptedModel([ProviderError("no such model")])
    assert isinstance(ask(wrapped(model, retry=QUICK), Call("?"), how).error, ProviderError)


def test_attempts_are_bounded_and_the_last_error_is_told():
    model = ScriptedModel([ProviderDownError(f"down {number}") for number in range(5)])
    assert str(wrapped(model, retry=QUICK).complete(Call("?")).error) == "down 2"
    assert len(model.calls) == 3


def test_waits_grow_differ_and_honour_what_the_provider_asks():
    retry = Retry(attempts=10, first=1, longest=8)
    for attempt, top in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 8)]:
        waits = [retry.wait(attempt, None) for _ in range(50)]
        assert top / 2 <= min(waits) < max(waits) <= top
    assert min(retry.wait(1, 7) for _ in range(50)) >= 7
    assert retry.wait(1, 9) is None
    assert retry.wait(10, None) is None


def test_a_cached_reply_costs_nothing(tmp_path, capital):
    model = ScriptedModel(['{"name": "Paris"}'])
    cached = wrapped(model, cache=tmp_path / "replies.db")
    call = Call("capital of France?", schema=capital)
    first, second = cached.complete(call), cached.complete(call)
    assert (first.parsed, first.cached) == ({"name": "Paris"}, False)
    assert (second.parsed, second.cached, second.usage) == ({"name": "Paris"}, True, Usage())
    assert len(model.calls) == 1


def test_another_call_or_another_model_is_not_in_the_cache(tmp_path):
    path = tmp_path / "replies.db"
    wrapped(ScriptedModel(["a"], profile=ModelProfile("one")), cache=path).complete(Call("?"))
    assert wrapped(ScriptedModel(["b"], profile=ModelProfile("two")), cache=path).complete(Call("?")).text == "b"
    one = wrapped(ScriptedModel(["c"], profile=ModelProfile("one")), cache=path)
    assert one.complete(Call("?", temperature=1.0)).text == "c"
    assert one.complete(Call("?")).text == "a"


def test_failures_are_never_cached_so_that_a_run_resumes(tmp_path):
    def flow():
        replies = yield [Call(f"q{number}") for number in range(50)]
        return [reply.error is None for reply in replies]

    first = ScriptedModel(lambda call: RuntimeError("boom") if call.prompt == "q7" else call.prompt)
    assert drive(flow(), wrapped(first, cache=tmp_path / "replies.db")).count(False) == 1
    second = ScriptedModel(echo)
    assert all(drive(flow(), wrapped(second, cache=tmp_path / "replies.db")))
    assert [call.prompt for call in second.calls] == ["q7"]


def test_the_cache_is_bounded_and_the_oldest_go_first(tmp_path):
    with Cache(tmp_path / "replies.db", max_bytes=10_000) as cache:
        for number in range(100):
            cache.put(f"key{number:03}", "x" * 994)
        held = [number for number in range(100) if cache.get(f"key{number:03}")]
        assert 5 <= len(held) <= 10
        assert held == list(range(held[0], 100))
        cache.put("huge", "x" * 20_000)
        assert cache.get("huge") is None


def write_replies(path, name):
    with Cache(path) as cache:
        for number in range(50):
            cache.put(f"{name}{number}", f"reply {number}")


def test_processes_share_a_cache(tmp_path):
    path = tmp_path / "replies.db"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=write_replies, args=(path, name)) for name in "ab"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    with Cache(path) as cache:
        assert [cache.get(f"{name}{number}") for name in "ab" for number in range(50)] == [
            f"reply {number}" for _ in "ab" for number in range(50)
        ]


def beside(path):
    """The files that SQLite keeps beside a database only while somebody has it open."""
    return sorted(file.name for file in path.parent.iterdir() if file != path)


def test_a_cache_is_closed_with_its_model_or_before_and_opens_again(tmp_path):
    path = tmp_path / "replies.db"
    model = wrapped(ScriptedModel(["a"]), cache=path)
    model.complete(Call("?"))
    assert beside(path) == ["replies.db-shm", "replies.db-wal"]
    del model
    gc.collect()
    assert beside(path) == []
    with Cache(path) as cache:
        cache.put("key", "reply")
        assert beside(path)
    assert beside(path) == []
    assert cache.get("key") == "reply"
    cache.close()
    cache.close()
    assert beside(path) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_opens_the_cache_anew_and_leaves_the_first_one_alone(tmp_path):
    program = """
import os, sys
from spanwise.llm.middleware.cache import Cache
with Cache(sys.argv[1]) as cache:
    cache.put("before", "parent")
    child = os.fork()
    if not child:
        cache.put("during", cache.get("before") + " and child")
        cache.close()
        os._exit(0)  # as the processes of multiprocessing end
    assert os.waitpid(child, 0)[1] == 0
    cache.put("after", cache.get("during"))
    print(cache.get("after"))
"""
    command = [sys.executable, "-W", "error", "-c", program, str(tmp_path / "replies.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("parent and child\n", "")


def test_a_file_that_is_no_cache_is_told_and_left_alone(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, " * 1000)
    with pytest.raises(StorageError, match="give another path"):
        Cache(path)
    assert path.read_text().startswith("Dear reader")


def test_damage_in_the_cache_is_a_miss(tmp_path):
    path = tmp_path / "replies.db"
    wrapped(ScriptedModel(["a"]), cache=path).complete(Call("?"))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE replies SET reply = '[' || reply")
    connection.close()
    assert wrapped(ScriptedModel(["b"]), cache=path).complete(Call("?")).text == "b"


@EVERY_WAY
def test_a_budget_refuses_before_anything_is_sent(how):
    model = ScriptedModel(echo)
    budgeted = wrapped(model, budget=Budget(calls=2))
    replies = [ask(budgeted, Call("?"), how) for _ in range(3)]
    assert [type(reply.error) for reply in replies] == [type(None), type(None), BudgetError]
    assert "budget of 2 calls" in str(replies[2].error)
    assert len(model.calls) == 2


def test_a_budget_of_tokens_counts_what_was_spent_and_what_may_come():
    budget = Budget(tokens=20)
    budgeted = wrapped(ScriptedModel(lambda _call: "one two"), budget=budget)
    assert budgeted.complete(Call("a b c", max_output_tokens=10)).error is None
    assert budget.spent == Usage(3, 2, estimated=True, requests=1)
    assert budgeted.complete(Call("a b c", max_output_tokens=12)).error is None
    assert isinstance(budgeted.complete(Call("a b c", max_output_tokens=12)).error, BudgetError)


def test_calls_at_the_same_time_cannot_overspend():
    model = ScriptedModel(echo, latency=0.01)

    def flow():
        replies = yield [Call(f"q{number}") for number in range(20)]
        return sum(reply.error is None for reply in replies)

    assert drive(flow(), wrapped(model, budget=Budget(calls=5)), max_concurrency=20) == 5


def test_a_budget_of_money_needs_prices():
    priced = ModelProfile("priced", input_price=1.0, output_price=2.0)
    budgeted = wrapped(ScriptedModel(echo, profile=priced), budget=Budget(cost_usd=0.0001))
    assert isinstance(budgeted.complete(Call("word " * 1000)).error, BudgetError)
    with pytest.raises(InputError, match="input_price"):
        wrapped(ScriptedModel(echo), budget=Budget(cost_usd=1))


def test_a_plan_can_be_checked_against_a_budget():
    budget = Budget(calls=10, tokens=1000)
    budget.check(Usage(900, 50, requests=10))
    with pytest.raises(BudgetError, match="1000 tokens"):
        budget.check(Usage(900, 200, requests=10))


def test_rates_spread_calls_over_time():
    now = [0.0]
    limited = Limited(ScriptedModel(echo), Limits(requests_per_minute=60), clock=lambda: now[0])
    waits = []
    for _ in range(10):
        steps = limited.steps(Call("?"))
        step = next(steps)
        waits.append(step.seconds if isinstance(step, Pause) else 0.0)
        steps.close()
    assert waits == pytest.approx([0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    now[0] = 60.0
    assert isinstance(next(limited.steps(Call("?"))), Call)


def test_tokens_a_minute_hold_back_long_calls():
    limited = Limited(ScriptedModel(echo), Limits(tokens_per_minute=600), clock=lambda: 0.0)
    next(limited.steps(Call("a", max_output_tokens=59)))
    assert next(limited.steps(Call("a", max_output_tokens=99))).seconds == pytest.approx(10)


@pytest.mark.parametrize(
    "limits", [Limits(requests_per_minute=6000), Limits(tokens_per_minute=60_000), Limits(concurrency=2)]
)
def test_after_too_many_requests_all_calls_wait_as_told(limits):
    limited = Limited(ScriptedModel(echo), limits, clock=lambda: 0.0)
    steps = limited.steps(Call("?"))
    next(steps)
    with pytest.raises(StopIteration):
        steps.send(Reply(error=RateLimitedError("wait", retry_after=30)))
    assert next(limited.steps(Call("?"))).seconds == pytest.approx(30, abs=0.1)


def test_a_limit_on_concurrency_holds_over_runs():
    now, most = 0, 0

    def watched(call):
        nonlocal now, most
        now += 1
        most = max(most, now)
        time.sleep(0.002)  # another one, if it were let in, would be seen; nothing waits for it
        now -= 1
        return call.prompt

    def flow():
        return (yield [Call(f"q{number}") for number in range(12)])

    drive(flow(), wrapped(ScriptedModel(watched), limits=Limits(concurrency=1)), max_concurrency=6)
    assert most == 1


@pytest.mark.parametrize("wrong", [{"concurrency": 0}, {"requests_per_minute": -1}], ids=["concurrency", "rate"])
def test_limits_that_let_nothing_through_are_refused(wrong):
    with pytest.raises(InputError, match="above 0"):
        Limits(**wrong)


def test_a_recording_replays_without_the_model(tmp_path, capital):
    path = tmp_path / "run.jsonl"
    calls = [Call("a"), Call("b", schema=capital), Call("a"), Call("c")]
    model = wrapped(ScriptedModel(["one", '{"name": "Paris"}', "two", CutReplyError("cut")]), recording=path)
    recorded = [model.complete(call) for call in calls]
    replayed = [Replay(path).complete(call) for call in calls[:2]]
    assert [reply.text for reply in replayed] == ["one", '{"name": "Paris"}']
    again = Replay(path)
    replies = [again.complete(call) for call in calls]
    assert [(reply.text, reply.parsed, type(reply.error)) for reply in replies] == [
        (reply.text, reply.parsed, type(reply.error)) for reply in recorded
    ]
    assert all(reply.cached for reply in replies)
    assert again.complete(Call("a")).text == "two"
    assert isinstance(again.complete(Call("never asked")).error, NotRecordedError)


def test_a_recording_holds_no_prompt(tmp_path):
    path = tmp_path / "run.jsonl"
    wrapped(ScriptedModel(["one"]), recording=path).complete(Call("a private document", system="secret"))
    [line] = path.read_text().splitlines()
    assert set(json.loads(line)) == {"call", "purpose", "reply"}
    assert "private" not in line


@pytest.mark.parametrize("content", ["not json", '{"call": 1}', "[]"], ids=["text", "incomplete", "list"])
def test_a_file_that_is_no_recording_is_told(tmp_path, content):
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    with pytest.raises(ModelSetupError, match="not a recording"):
        Replay(path)


def test_a_recording_that_cannot_be_written_is_told(tmp_path):
    model = wrapped(ScriptedModel(["one"]), recording=tmp_path / "nowhere" / "run.jsonl")
    with pytest.raises(StorageError, match="cannot be written"):
        model.complete(Call("?"))


def test_a_repair_is_counted_by_the_budget_and_cached_as_one(tmp_path, capital):
    budget = Budget(calls=2)
    plain = ScriptedModel(["no", '{"name": "Paris"}'], profile=ModelProfile("plain"))
    model = wrapped(plain, budget=budget, cache=tmp_path / "replies.db")
    assert model.complete(Call("?", schema=capital)).parsed == {"name": "Paris"}
    assert budget.spent.requests == 2
    assert model.complete(Call("?", schema=capital)).cached
