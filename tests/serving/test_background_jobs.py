import threading
import time

import pytest

from spanwise.errors import BusyError, InputError, JobNotFoundError, WorkStoppedError
from spanwise.extraction.fields import fields_of_questions
from spanwise.serving.jobs import Jobs
from spanwise.serving.limits import Limits
from spanwise.serving.served import Library


@pytest.fixture
def jobs():
    made = Jobs(Limits(readers=1, waiting_jobs=3, waiting_bytes=100))
    yield made
    made.close()


def ended(jobs: Jobs, id: str):
    until = time.monotonic() + 20
    while not (job := jobs.get(id)).ended:
        assert time.monotonic() < until
        time.sleep(0.01)
    return job


def test_job_tells_its_progress_and_its_end(jobs):
    told = []
    go = threading.Event()

    def work(progress, _):
        go.wait(10)
        progress(1, 2, "half")
        return []

    job = jobs.start("extract", work)
    unwatch = jobs.watch(job.id, lambda now: told.append((now.state, now.done, now.message)))
    go.set()
    assert ended(jobs, job.id).rows == ()
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
        stop.wait(20)
        return []

    running = jobs.start("ingest", work)
    waiting = jobs.start("ingest", work, dropped=lambda: dropped.append(True))
    began.wait(10)
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
                jobs.start("ingest", lambda _, stop: stop.wait(20), weight=weight, dropped=lambda: dropped.append(1))
        else:
            jobs.start("ingest", lambda _, stop: stop.wait(20), weight=weight)
    assert dropped == [1]


def test_stopped_jobs_take_no_more(jobs):
    jobs.stop()
    with pytest.raises(WorkStoppedError):
        jobs.start("ingest", lambda *_: [])


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


def test_closing_ends_a_document_that_is_being_read(place):
    library = Library.open(place)
    path = library.partial()
    path.write_text("<html><body>" + "<p>A sentence that has to be read. </p>" * 200_000)
    job = library.add_later("long.html", path)
    time.sleep(0.2)
    began = time.monotonic()
    library.close()
    assert time.monotonic() - began < 10
    assert library.jobs.get(job.id).state == "cancelled"
    with Library.open(place) as library:
        assert library.documents() == ()
