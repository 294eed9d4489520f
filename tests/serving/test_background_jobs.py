import threading
import time

import pytest

from spanwise.errors import BusyError, InputError, JobNotFoundError, WorkStoppedError
from spanwise.extraction.fields import fields_of_questions
from spanwise.readers import process
from spanwise.readers.port import Limits as ReadingLimits
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library
from spanwise.serving.corpus_limits import Limits
from spanwise.serving.job_queue import Jobs

SECONDS = 120.0
"""How long a test waits for what has to come; only one that fails takes so long."""


@pytest.fixture
def jobs():
    made = Jobs(Limits(readers=1, waiting_jobs=3, waiting_bytes=100))
    yield made
    made.close()


def ended(jobs: Jobs, id: str):
    until = time.monotonic() + SECONDS
    while not (job := jobs.get(id)).ended:
        assert time.monotonic() < until
        time.sleep(0.01)
    return job


def test_job_tells_its_progress_and_its_end(jobs):
    told = []
    go = threading.Event()

    def work(progress, _):
        assert go.wait(SECONDS)
        progress(1, 2, "half")
        return []

    job = jobs.start("extract", work)
    unwatch = jobs.watch(job.id, lambda now: told.append((now.state, now.done, now.message)))
    go.set()
    assert ended(jobs, job.id).rows == ()
    jobs.close()  # watchers are told of the end a moment after it can be seen
    assert told[-2:] == [("running", 1, "half"), ("done", 2, "done")]
    unwatch()
    unwatch()


@pytest.mark.parametrize("error", [InputError("no"), ZeroDivisionError()])
def test_failure_of_a_job_is_kept(jobs, error):
    def work(*_):
        raise error

    job = ended(jobs, jobs.start("ingest", work).id)
    assert (job.state, job.error) == ("failed", error)


def test_waiting_job_is_cancelled_before_it_begins_and_a_running_one_between_steps(jobs):
    began = threading.Event()
    dropped = []

    def work(_, stop):
        began.set()
        stop.wait(SECONDS)
        return []

    running = jobs.start("ingest", work)
    waiting = jobs.start("ingest", work, dropped=lambda: dropped.append(True))
    assert began.wait(SECONDS)
    assert jobs.cancel(waiting.id).state == "cancelled"
    assert dropped == [True]
    jobs.cancel(running.id)
    assert ended(jobs, running.id).state == "cancelled"
    assert jobs.cancel(running.id).state == "cancelled"


@pytest.mark.parametrize(("weights", "refused"), [((0, 0, 0, 0), 3), ((60, 60), 1)])
def test_too_much_waiting_is_refused(jobs, weights, refused):
    dropped = []
    for number, weight in enumerate(weights):
        if number == refused:
            with pytest.raises(BusyError):
                jobs.start(
                    "ingest", lambda _, stop: stop.wait(SECONDS), weight=weight, dropped=lambda: dropped.append(1)
                )
        else:
            jobs.start("ingest", lambda _, stop: stop.wait(SECONDS), weight=weight)
    assert dropped == [1]


def test_a_job_that_is_stopped_as_it_is_taken_up_leaves_nothing(jobs, monkeypatch):
    dropped, run = [], Jobs._run

    def late(self, running, *more):
        running.stop.ask()
        run(self, running, *more)

    monkeypatch.setattr(Jobs, "_run", late)
    job = jobs.start("ingest", lambda *_: [], dropped=lambda: dropped.append(True))
    assert (ended(jobs, job.id).state, dropped) == ("cancelled", [True])


def test_stopped_jobs_take_no_more(jobs):
    jobs.stop()
    with pytest.raises(WorkStoppedError):
        jobs.start("ingest", lambda *_: [])


def test_job_that_comes_while_all_are_stopped_is_stopped_too(jobs, monkeypatch):
    pool, late = jobs._pools["ingest"], []
    shutdown = pool.shutdown

    def shut(**options):
        late.append(jobs.start("ingest", lambda _, stop: stop.wait(SECONDS)))
        shutdown(**options)

    with monkeypatch.context() as patched:
        patched.setattr(pool, "shutdown", shut)
        jobs.stop()
    assert ended(jobs, late[0].id).state == "cancelled"


def test_unknown_job(jobs):
    with pytest.raises(JobNotFoundError):
        jobs.get("nothing")
    with pytest.raises(JobNotFoundError):
        jobs.cancel("nothing")


def test_upload_and_extraction_as_jobs(library):
    path = library.partial()
    path.write_text("The late fee is 5 dollars.")
    job = ended(library.jobs, library.add_later("a.txt", path).id)
    assert job.document == library.documents()[0]
    fields = fields_of_questions(["What is the late fee?"])
    rows = ended(library.jobs, library.extract_later(fields).id).rows
    assert rows[0].value == "5 dollars"


@pytest.fixture
def endless(monkeypatch, tmp_path):
    """Reading takes hours; what is given is there when it has begun."""
    begun = tmp_path / "begun"
    program = f"import pathlib, time; pathlib.Path({str(begun)!r}).touch(); time.sleep(10_000)"
    monkeypatch.setattr(process, "_COMMAND", program)
    return begun


def closed_in_time(library) -> bool:
    closing = threading.Thread(target=library.close)
    closing.start()
    closing.join(SECONDS)
    return not closing.is_alive()


def test_closing_ends_a_document_that_is_being_read(place, endless):
    library = Library.open(place)
    path = library.partial()
    path.write_text("The late fee is 5 dollars.")
    job = library.add_later("long.txt", path)
    until = time.monotonic() + SECONDS
    while not endless.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    assert closed_in_time(library)
    assert library.jobs.get(job.id).state == "cancelled"
    with Library.open(place) as library:
        assert library.documents() == ()


@pytest.mark.usefixtures("endless")
def test_a_document_that_is_stopped_as_its_process_starts_is_not_read(place, monkeypatch):
    worker = process.ReadingProcess._living
    stop, started = Stop(), []

    def late(*given):
        stop.ask()
        started.append(worker(*given))
        return started[-1]

    monkeypatch.setattr(process.ReadingProcess, "_living", late)
    with Library.open(place, limits=Limits(reading=ReadingLimits(seconds=1.0))) as library:
        path = library.partial()
        path.write_text("The late fee is 5 dollars.")
        with pytest.raises(WorkStoppedError):
            library.add("long.txt", path, stop=stop)
    assert started == []
