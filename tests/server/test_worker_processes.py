"""Several processes of one server, and several servers on one database: here two apps that know things together."""

import math
from contextlib import closing
from functools import partial

import pytest
from server_cases import CONTRACT, Client

from spanwise.cli.serve_plan import Asked, planned
from spanwise.errors import InputError, StorageError
from spanwise.extraction.fields import Field
from spanwise.extraction.value_rows import nothing
from spanwise.server.app import create_app
from spanwise.server.routes.jobs import record
from spanwise.server.server_settings import EVERYTHING, ServerSettings, digest_of
from spanwise.server.shared import LOST, Shared
from spanwise.serving.corpus_library import Library
from spanwise.serving.job_queue import Job

TOKEN = "0123456789abcdef"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(params=["file", "database"])
def workers(request, tmp_path):
    settings = ServerSettings(tokens={digest_of(TOKEN): frozenset(["default"])})
    if request.param == "file":
        place, known = tmp_path / "corpus.db", tmp_path / "shared.db"
    else:
        place = known = request.getfixturevalue("database")
    shared = [Shared(known, worker, server="one") for worker in (1, 2)]
    libraries = [Library.open(place, uploads=tmp_path / "uploads") for _ in shared]
    try:
        yield [
            (Client(create_app([library], settings=settings, shared=one)), library, one)
            for library, one in zip(libraries, shared, strict=True)
        ]
    finally:
        for library in libraries:
            library.close()
        for one in shared:
            one.close()


def test_every_process_knows_jobs_documents_and_sessions(workers, waits):
    (one, _, _), (two, _, _) = workers
    files = {"file": ("contract.txt", CONTRACT.encode())}
    job = one.post("/v1/corpora/default/documents", files=files, headers=HEADERS).json()
    path = f"/v1/corpora/default/jobs/{job['id']}"
    waits(lambda: two.get(path, headers=HEADERS).json()["state"] == "done")
    assert two.get(path, headers=HEADERS).json() == one.get(path, headers=HEADERS).json()
    assert '"state":"done"' in two.get(f"{path}/events", headers=HEADERS).text.replace(" ", "")
    [listed] = two.get("/v1/corpora/default/jobs", headers=HEADERS).json()["jobs"]
    assert (listed["id"], listed["state"]) == (job["id"], "done")
    [document] = two.get("/v1/corpora/default/documents", headers=HEADERS).json()["documents"]
    assert document["name"] == "contract.txt"
    file = two.get(f"/v1/corpora/default/documents/{document['id']}/file", headers=HEADERS)
    assert file.text == CONTRACT
    cookie = one.post("/v1/session", json={"token": TOKEN}).headers["set-cookie"].partition(";")[0]
    assert two.get("/v1/corpora", headers={"Cookie": cookie}).status_code == 200
    two.delete("/v1/session", headers={"Cookie": cookie})
    waits(lambda: one.get("/v1/corpora", headers={"Cookie": cookie}).status_code == 401)


def test_the_list_of_jobs_reads_no_rows_of_extractions(workers):
    (_, _, shared), (two, _, other) = workers
    name = ',"rows":[ of a field'
    row = nothing(Field(name, "What is the fee?"), "a.txt", "1", decision="not_found", reason=name)
    job = Job("0" * 16, "extract", "done", name=name, rows=(row,) * 1_000)
    shared.tell("default", job, partial(record, "default"))
    assert sum(map(len, other.jobs("default"))) < 1_000
    [listed] = two.get("/v1/corpora/default/jobs", headers=HEADERS).json()["jobs"]
    assert (listed["name"], listed["rows"]) == (name, None)
    assert len(two.get(f"/v1/corpora/default/jobs/{job.id}", headers=HEADERS).json()["rows"]) == 1_000


def test_a_job_is_stopped_from_any_process_and_ends_with_its_own(workers, waits):
    (_, library, shared), (two, _, _) = workers

    def work(_, stop):
        waits(lambda: stop.asked)
        return []

    begun = library.jobs.start("extract", work)
    path = f"/v1/corpora/default/jobs/{begun.id}"
    assert two.delete(path, headers=HEADERS).json()["id"] == begun.id
    waits(lambda: library.jobs.get(begun.id).ended)
    waits(lambda: two.get(path, headers=HEADERS).json()["state"] in {"done", "cancelled"})
    shared.rows("UPDATE server_jobs SET ended = 0 WHERE id = ?", (begun.id,))
    shared.lost(int(shared.worker.partition(":")[2]))
    told = two.get(path, headers=HEADERS).json()
    assert (told["state"], told["message"]) == ("failed", LOST)
    assert two.get("/v1/corpora/default/jobs/0123456789abcdef", headers=HEADERS).status_code == 404


def test_what_a_server_knew_survives_it(database, waits, monkeypatch):
    monkeypatch.setattr(Shared, "patience", 0.5)
    settings = ServerSettings(tokens={digest_of(TOKEN): frozenset(["default"])})
    with Library.open(database) as library, closing(Shared(database)) as shared:
        client = Client(create_app([library], settings=settings, shared=shared))
        cookie = client.post("/v1/session", json={"token": TOKEN}).headers["set-cookie"].partition(";")[0]
        done = library.jobs.start("extract", lambda *_: [])
        waits(lambda: shared.job("default", done.id) and '"done"' in shared.job("default", done.id))
        waits(lambda: shared.rows("SELECT beat FROM server_figures"))
        shared.tell("default", Job("0" * 16, "ingest", "running"), partial(record, "default"))
    with Library.open(database) as library, closing(Shared(database)) as shared:
        client = Client(create_app([library], settings=settings, shared=shared))
        signed_in = {"Cookie": cookie}
        path = "/v1/corpora/default/jobs"
        assert client.get(f"{path}/{done.id}", headers=signed_in).json()["state"] == "done"
        waits(lambda: client.get(f"{path}/{'0' * 16}", headers=signed_in).json()["message"] == LOST)
        assert {one["id"] for one in client.get(path, headers=signed_in).json()["jobs"]} == {done.id, "0" * 16}
        waits(lambda: len(shared.rows("SELECT worker FROM server_figures")) == 1)


def test_a_database_that_is_gone_is_told_and_a_job_goes_on(database, waits):
    with Library.open(database) as library, closing(Shared(database)) as shared:
        library.jobs.told = partial(shared.tell, "default", record=partial(record, "default"))
        shared._tables._down_until = math.inf
        with pytest.raises(StorageError, match="does not answer"):
            shared.sessions.find("nobody")
        job = library.jobs.start("extract", lambda *_: [])
        waits(lambda: library.jobs.get(job.id).ended)
        shared._tables._down_until = 0.0
        shared.watch({"default": library}, lambda: "{}")
        waits(lambda: '"done"' in (shared.job("default", job.id) or ""))


def test_figures_are_of_all_processes_and_name_no_corpus(workers, waits):
    (one, _, _), (two, _, _) = workers
    assert one.get("/metrics").status_code == 401
    for client in (one, one, two):
        client.get("/v1/corpora/default/documents", headers=HEADERS)
    counted = 'spanwise_requests_total{method="GET",route="/v1/corpora/{corpus}/documents",status="200"} 3'
    for client in (one, two):
        waits(lambda client=client: counted in client.get("/metrics", headers=HEADERS).text.splitlines())
    told = two.get("/metrics", headers=HEADERS)
    assert (told.status_code, "default" in told.text) == (200, False)
    assert 'spanwise_request_seconds_count{route="/v1/corpora/{corpus}/documents"} 3' in told.text
    assert "spanwise_questions_going 0" in told.text


@pytest.mark.parametrize("workers", [0, -1, 1_000])
def test_a_number_of_processes_that_cannot_be_is_told(workers):
    with pytest.raises(InputError, match="processes"):
        planned(Asked(workers=workers), {})


def test_a_collection_that_one_process_makes_or_removes_is_so_in_the_other(tmp_path):
    settings = ServerSettings(tokens={digest_of(TOKEN): frozenset([EVERYTHING])})
    libraries = [Library.open(tmp_path / "corpus.db") for _ in range(2)]
    apps = [create_app([library], settings=settings) for library in libraries]
    one, two = map(Client, apps)
    try:
        made = one.post("/v1/corpora", json={"title": "Leases"}, headers=HEADERS).json()["name"]
        assert two.get(f"/v1/corpora/{made}/documents", headers=HEADERS).json()["documents"] == []
        one.request("PATCH", f"/v1/corpora/{made}", json={"title": "Rents"}, headers=HEADERS)
        assert "Rents" in two.get("/v1/corpora", headers=HEADERS).text
        two.request("DELETE", f"/v1/corpora/{made}", headers=HEADERS)
        assert one.get(f"/v1/corpora/{made}/documents", headers=HEADERS).status_code == 404
    finally:
        for app in apps:
            app.state.serving.libraries.close()
        for library in libraries:
            library.close()
