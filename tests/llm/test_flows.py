import asyncio
import signal
import threading
import time

import pytest

from spanwise import Call, ScriptedModel
from spanwise.errors import BudgetError, CallCancelledError, InputError, ProviderDownError, ScriptExhausted
from spanwise.llm.rounds import Cancel
from spanwise.llm.run import Answered, Delta, Finished, adrive, adrive_many, aevents, drive, drive_many, events


def two_rounds(count):
    """Ask so many questions, then one about their answers."""
    replies = yield [Call(f"q{number}") for number in range(count)]
    failed = [type(reply.error).__name__ for reply in replies if reply.error]
    texts = [reply.text for reply in replies if not reply.error]
    [last] = yield [Call(" ".join(texts), purpose="summary", final=True)]
    return last.text, failed, type(last.error).__name__ if last.error else None


def echo(call):
    return call.prompt


SYNC_AND_ASYNC = pytest.mark.parametrize(
    "run",
    [drive, lambda flow, model, **options: asyncio.run(adrive(flow, model, **options))],
    ids=["sync", "async"],
)


@SYNC_AND_ASYNC
@pytest.mark.parametrize("cap", [1, 3, 8])
def test_replies_keep_the_order_of_their_calls(run, cap):
    def late(call):
        time.sleep(0.002 * (8 - int(call.prompt[1:]))) if call.purpose == "answer" else None
        return call.prompt

    text, failed, error = run(two_rounds(8), ScriptedModel(late), max_concurrency=cap)
    assert (text, failed, error) == ("q0 q1 q2 q3 q4 q5 q6 q7", [], None)


@SYNC_AND_ASYNC
def test_one_failed_call_leaves_the_others(run):
    model = ScriptedModel(lambda call: RuntimeError("boom") if call.prompt == "q3" else call.prompt)
    text, failed, _ = run(two_rounds(50), model)
    assert failed == ["ModelError"]
    assert text.split() == [f"q{number}" for number in range(50) if number != 3]


@SYNC_AND_ASYNC
def test_no_more_calls_at_the_same_time_than_the_cap(run):
    lock = threading.Lock()
    now = most = 0

    class Watched(ScriptedModel):
        def complete(self, call):
            self.enter()
            try:
                return super().complete(call)
            finally:
                self.leave()

        async def acomplete(self, call):
            self.enter()
            try:
                return await super().acomplete(call)
            finally:
                self.leave()

        def enter(self):
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)

        def leave(self):
            nonlocal now
            with lock:
                now -= 1

    run(two_rounds(20), Watched(echo, latency=0.005), max_concurrency=4)
    assert most == 4


@SYNC_AND_ASYNC
def test_calls_of_a_round_run_together(run):
    begun = time.monotonic()
    run(two_rounds(50), ScriptedModel(echo, latency=0.2), max_concurrency=50)
    assert time.monotonic() - begun < 50 * 0.2 / 4


@SYNC_AND_ASYNC
def test_a_script_that_runs_out_is_told_and_no_failed_call(run):
    with pytest.raises(ScriptExhausted):
        run(two_rounds(3), ScriptedModel(["only one"]))


@SYNC_AND_ASYNC
def test_a_cap_below_one_is_refused(run):
    with pytest.raises(InputError, match="max_concurrency is 0"):
        run(two_rounds(3), ScriptedModel(echo), max_concurrency=0)


@SYNC_AND_ASYNC
def test_an_error_of_a_flow_is_raised(run):
    def failing():
        yield [Call("a")]
        raise BudgetError("spent")

    with pytest.raises(BudgetError):
        run(failing(), ScriptedModel(echo))


@SYNC_AND_ASYNC
def test_an_error_that_a_flow_returns_is_its_result(run):
    def returning():
        [reply] = yield [Call("a")]
        return reply.error

    assert isinstance(run(returning(), ScriptedModel([ProviderDownError("down")])), ProviderDownError)


@SYNC_AND_ASYNC
def test_an_empty_round_costs_nothing(run):
    def empty():
        replies = yield []
        return list(replies)

    assert run(empty(), ScriptedModel([])) == []


@pytest.mark.parametrize("run", [drive_many, lambda *given: asyncio.run(adrive_many(*given))], ids=["sync", "async"])
def test_many_flows_share_their_rounds_and_fail_alone(run):
    def failing():
        yield [Call("bad")]
        raise ProviderDownError("all failed")

    model = ScriptedModel(echo)
    first, second, third = run([two_rounds(2), failing(), two_rounds(3)], model)
    assert first[0] == "q0 q1"
    assert isinstance(second, ProviderDownError)
    assert third[0] == "q0 q1 q2"
    assert sorted(call.prompt for call in model.calls[:6]) == ["bad", "q0", "q0", "q1", "q1", "q2"]


@SYNC_AND_ASYNC
@pytest.mark.parametrize("cap", [1, 4])
def test_a_cancelled_run_returns_what_is_done_and_calls_nobody_any_more(run, cap):
    cancel = Cancel()

    def cancelling(call):
        if call.prompt == "q2":
            cancel.cancel()
        return call.prompt

    model = ScriptedModel(cancelling, latency=0.001)
    text, failed, error = run(two_rounds(50), model, max_concurrency=cap, cancel=cancel)
    assert text == ""
    assert error == "CallCancelledError"
    assert set(failed) == {"CallCancelledError"}
    assert len(failed) >= 50 - 3 - cap
    assert len(model.calls) <= 3 + cap


@SYNC_AND_ASYNC
@pytest.mark.parametrize("count", [1, 4])
def test_a_cancelled_run_does_not_wait_for_slow_calls(run, count):
    cancel = Cancel()
    threading.Timer(0.05, cancel.cancel).start()
    begun = time.monotonic()
    _, failed, _ = run(two_rounds(count), ScriptedModel(echo, latency=30), cancel=cancel)
    assert len(failed) == count
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize("cap", [1, 4])
def test_ctrl_c_returns_what_is_done(cap, monkeypatch):
    # A shell that starts us in the background has SIGINT ignored; a person's Ctrl-C comes to the default handler.
    monkeypatch.setattr(signal, "ignored", signal.signal(signal.SIGINT, signal.default_int_handler), raising=False)

    def interrupted(call):
        if call.prompt == "q2":
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        return call.prompt

    _, failed, error = drive(two_rounds(100), ScriptedModel(interrupted, latency=0.05), max_concurrency=cap)
    assert failed
    assert set(failed) == {"CallCancelledError"}
    assert error == "CallCancelledError"


def test_a_flow_that_never_ends_is_ended_after_a_cancel():
    def endless():
        while True:
            yield [Call("again")]

    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(CallCancelledError):
        drive(endless(), ScriptedModel(echo), cancel=cancel)


def test_a_cancelled_task_closes_its_flow_and_stays_cancelled():
    closed = []

    def watched():
        try:
            yield [Call("a"), Call("b")]
        finally:
            closed.append(True)

    async def cancelled():
        task = asyncio.create_task(adrive(watched(), ScriptedModel(echo, latency=30)))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert closed == [True]


async def collected(flow, model):
    return [event async for event in aevents(flow, model)]


@pytest.mark.parametrize(
    "listen",
    [lambda flow, model: list(events(flow, model)), lambda flow, model: asyncio.run(collected(flow, model))],
    ids=["sync", "async"],
)
def test_events_tell_progress_the_final_text_and_the_result(listen):
    happened = listen(two_rounds(3), ScriptedModel(echo))
    progress = [(event.done, event.total) for event in happened if isinstance(event, Answered)]
    assert progress == [(1, 3), (2, 3), (3, 3), (1, 1)]
    assert [event.text for event in happened if isinstance(event, Delta)] == ["q0 ", "q1 ", "q2"]
    assert happened[-1] == Finished(("q0 q1 q2", [], None))


def test_a_final_text_of_a_model_that_cannot_stream_is_one_delta():
    class Plain:
        def __init__(self):
            self.model = ScriptedModel(echo)
            self.profile = self.model.profile
            self.complete, self.acomplete = self.model.complete, self.model.acomplete

    happened = list(events(two_rounds(2), Plain()))
    assert [event.text for event in happened if isinstance(event, Delta)] == ["q0 q1"]


def test_a_typed_final_answer_shows_no_json(capital):
    def typed():
        [reply] = yield [Call("capital of France?", schema=capital, final=True)]
        return reply.parsed

    happened = list(events(typed(), ScriptedModel(['{"name": "Paris"}'])))
    assert [type(event) for event in happened] == [Answered, Finished]
    assert happened[-1].result == {"name": "Paris"}


def test_a_cancelled_stream_ends_with_what_was_shown():
    cancel = Cancel()
    happened = []
    for event in events(two_rounds(3), ScriptedModel(echo), cancel=cancel):
        happened.append(event)
        if isinstance(event, Delta):
            cancel.cancel()
    assert [event.text for event in happened if isinstance(event, Delta)] == ["q0 "]
    assert happened[-1].result == ("q0 ", [], "CallCancelledError")


def test_who_stops_listening_closes_the_flow():
    closed = []

    def watched():
        try:
            yield [Call("a")]
            yield [Call("b")]
        finally:
            closed.append(True)

    happening = events(watched(), ScriptedModel(echo))
    next(happening)
    happening.close()
    assert closed == [True]
