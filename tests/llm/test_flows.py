import asyncio
import signal
import threading
import time

import pytest

from spanwise import Call, ScriptedModel
from spanwise.errors import BudgetError, CallCancelledError, InputError, ProviderDownError, ScriptExhausted
from spanwise.llm.rounds import Cancel
from spanwise.llm.run import Answered, Delta, Finished, adrive, aevents, drive, drive_many, events


def two_rounds(count):
    """Ask so many questions, then one about their answers."""
    replies = yield [Call(f"q{number}") for number in range(count)]
    failed = [type(reply.error).__name__ for reply in replies if reply.error]
    texts = [reply.text for reply in replies if not reply.error]
    [last] = yield [Call(" ".join(texts), purpose="summary", final=True)]
    return last.text, failed, type(last.error).__name__ if last.error else None


def echo(call):
    return call.prompt


def elsewhere():
    """Whether a call is made in a thread of its own, where it may wait for others."""
    return threading.current_thread() is not threading.main_thread()


class Held(ScriptedModel):
    """Keeps each call until so many are under way at once, and counts the most there were."""

    def __init__(self, together):
        super().__init__(echo)
        self.together = together
        self.enough = threading.Event()
        self.lock = threading.Lock()
        self.now = self.most = 0

    def complete(self, call):
        self.count(1)
        self.wait()
        time.sleep(0.002)  # one call too many would come now; nothing else waits for it
        self.count(-1)
        return super().complete(call)

    async def acomplete(self, call):
        self.count(1)
        await asyncio.to_thread(self.wait)
        await asyncio.sleep(0.002)  # as above
        self.count(-1)
        return await super().acomplete(call)

    def count(self, by):
        with self.lock:
            self.now += by
            self.most = max(self.most, self.now)
            if self.now == self.together:
                self.enough.set()

    def wait(self):
        if not self.enough.wait(60):  # the test has failed: no other call has to wait as long
            self.enough.set()


SYNC_AND_ASYNC = pytest.mark.parametrize(
    "run",
    [drive, lambda flow, model, **options: asyncio.run(adrive(flow, model, **options))],
    ids=["sync", "async"],
)


@SYNC_AND_ASYNC
@pytest.mark.parametrize("cap", [1, 3, 8])
def test_replies_keep_the_order_of_their_calls(run, cap):
    def late(call):  # in any order: the sleeps only make it likely that the last end first
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
    model = Held(4)
    run(two_rounds(20), model, max_concurrency=4)
    assert model.most == 4


@SYNC_AND_ASYNC
def test_calls_of_a_round_run_together(run):
    model = Held(50)
    run(two_rounds(50), model, max_concurrency=50)
    assert model.most == 50


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


def test_many_flows_share_their_rounds_and_fail_alone():
    def failing():
        yield [Call("bad")]
        raise ProviderDownError("all failed")

    model = ScriptedModel(echo)
    first, second, third = drive_many([two_rounds(2), failing(), two_rounds(3)], model)
    assert first[0] == "q0 q1"
    assert isinstance(second, ProviderDownError)
    assert third[0] == "q0 q1 q2"
    assert sorted(call.prompt for call in model.calls[:6]) == ["bad", "q0", "q0", "q1", "q1", "q2"]


@SYNC_AND_ASYNC
@pytest.mark.parametrize("cap", [1, 4])
def test_a_cancelled_run_returns_what_is_done_and_calls_nobody_any_more(run, cap):
    cancel, cancelled = Cancel(), threading.Event()

    def cancelling(call):
        if call.prompt == "q2":
            cancel.cancel()
            cancelled.set()
        elif call.prompt not in ("q0", "q1") and elsewhere():
            assert cancelled.wait(60)  # nobody overtakes it
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
    cancel, let_go, ended = Cancel(), threading.Event(), []

    class Slow(ScriptedModel):
        def complete(self, call):
            cancel.cancel()
            let_go.wait(60)
            ended.append(call)
            return super().complete(call)

        async def acomplete(self, call):
            cancel.cancel()
            await asyncio.sleep(60)
            ended.append(call)
            return await super().acomplete(call)

    _, failed, _ = run(two_rounds(count), Slow(echo), cancel=cancel)
    assert len(failed) == count
    assert ended == []
    let_go.set()


@pytest.fixture
def ctrl_c():
    """Press it. A shell that starts us in the background has SIGINT ignored; a person's comes to Python's handler."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("cap", [1, 4])
def test_ctrl_c_returns_what_is_done(cap, ctrl_c):
    let_go = threading.Event()

    def interrupted(call):
        if call.prompt == "q2":
            ctrl_c()
        elif elsewhere():
            let_go.wait(60)
        return call.prompt

    # By the time it is pressed the run waits for its calls, and not for its threads to start.
    _, failed, error = drive(two_rounds(100), ScriptedModel(interrupted, latency=0.05), max_concurrency=cap)
    assert failed
    assert set(failed) == {"CallCancelledError"}
    assert error == "CallCancelledError"
    let_go.set()


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

    asked = asyncio.Event()

    class Slow(ScriptedModel):
        async def acomplete(self, call):
            asked.set()
            return await super().acomplete(call)

    async def cancelled():
        task = asyncio.create_task(adrive(watched(), Slow(echo, latency=60)))
        await asyncio.wait_for(asked.wait(), 60)
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
