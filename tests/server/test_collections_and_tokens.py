import json
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from server_cases import CONTRACT, QUESTION, Client, put, running, stream
from typer.testing import CliRunner

from spanwise.cli.app import app as cli
from spanwise.server.app import create_app
from spanwise.server.server_settings import EVERYTHING, ServerSettings, digest_of
from spanwise.serving import server_registry
from spanwise.serving.corpus_library import Library
from spanwise.serving.server_registry import Ledger, Registry

OPERATOR = "token-of-the-operator"


@pytest.fixture
def server(tmp_path):
    """Two corpora, an operator's token from the configuration, an audit with content."""
    settings = ServerSettings(
        tokens={digest_of(OPERATOR): frozenset([EVERYTHING])},
        hosts=None,
        audit=tmp_path / "audit.jsonl",
        audit_content=True,
        rate=0,
    )
    with ExitStack() as opened:
        libraries = [opened.enter_context(Library.open(tmp_path / f"{name}.db", name=name)) for name in ("one", "two")]
        put(libraries[1], "secret.txt", b"The late fee is 5 dollars.")
        app = create_app(libraries, settings=settings)
        opened.callback(app.state.serving.libraries.close)
        yield app


def bearing(app, token: str) -> Client:
    return Client(app, {"authorization": f"Bearer {token}"})


@pytest.fixture
def operator(server) -> Client:
    return bearing(server, OPERATOR)


def made_token(operator: Client, *corpora: str, **quota: int) -> dict:
    response = operator.post("/v1/operator/tokens", json={"label": "reader", "corpora": [*corpora] or None, **quota})
    assert response.status_code == 201, response.text
    return response.json()


def test_a_collection_is_made_renamed_kept_and_removed(tmp_path):
    with Library.open(tmp_path / "corpus.db") as library:
        app = create_app([library])
        client = Client(app)
        made = client.post("/v1/corpora", json={"title": "Leases & Co."}).json()
        assert (made["name"], made["title"], made["removable"]) == ("leases-co", "Leases & Co.", True)
        folders = [one for one in tmp_path.rglob("*") if one.is_dir() and "index" not in str(one)]
        assert {"corpus.db.files", "corpus.db.server", "collections"} <= {one.name for one in folders}
        assert not [one for one in folders if one.stat().st_mode & 0o077], "others may look into them"
        assert client.upload("contract.txt", CONTRACT.encode(), corpus="leases-co")["state"] == "done"
        assert client.post("/v1/corpora", json={"title": "leases & co."}).status_code == 409
        assert client.post("/v1/corpora", json={"title": "Leases, Co"}).json()["name"] == "leases-co-2"
        assert client.request("PATCH", "/v1/corpora/leases-co", json={"title": "Rents"}).json()["name"] == "leases-co"
        assert client.request("PATCH", "/v1/corpora/default", json={"title": "Mine"}).status_code == 200
        assert client.delete("/v1/corpora/default").json()["code"] == "configured"
        app.state.serving.libraries.close()  # as a server does that ends

        again = Client(create_app([library]))
        told = {one["name"]: (one["title"], one["documents"]) for one in again.get("/v1/corpora").json()["corpora"]}
        assert told == {"default": ("Mine", 0), "leases-co": ("Rents", 1), "leases-co-2": ("Leases, Co", 0)}
        assert again.delete("/v1/corpora/leases-co").status_code == 204
        assert again.get("/v1/corpora/leases-co/documents").json()["code"] == "corpus_not_found"
        again.app.state.serving.libraries.close()
        folders = sorted(one.name[:-9] for one in (tmp_path / "corpus.db.server" / "collections").iterdir())
        assert folders == ["leases-co-2"]


def test_a_collection_that_is_removed_fails_no_request_that_is_going_through_them(library):
    libraries = create_app([library]).state.serving.libraries
    made = libraries.make("Leases")
    found = iter(libraries.values())
    assert next(found) is library
    libraries.remove("leases")
    assert list(found) == [made]
    libraries.close()


def test_a_name_of_a_corpus_that_is_served_no_more_is_not_taken_for_ever(tmp_path):
    first = tmp_path / "corpus.db"
    with Library.open(first) as library, Library.open(tmp_path / "old.db", name="old") as old:
        libraries = create_app([library, old]).state.serving.libraries
        libraries.rename("old", "Old papers")
        libraries.close()
    with Library.open(first) as library:
        libraries = create_app([library]).state.serving.libraries
        assert libraries.make("Old").name == "old-2"
        libraries.close()


def test_files_of_a_folder_keep_their_paths_in_their_names(client):
    for folder in ("a/x", "b/../..", "C:\\temp\\b"):
        job = client.upload("lease.txt", CONTRACT.encode(), folder=folder)
        assert job["state"] == "done"
    listed = client.get("/v1/corpora/default/documents").json()["documents"]
    assert [one["name"] for one in listed] == ["C:/temp/b/lease.txt", "a/x/lease.txt", "b/lease.txt"]
    assert {(one["language"], one["recognised"], one["hidden"]) for one in listed} == {("en", False, 0)}
    jobs = client.get("/v1/corpora/default/jobs").json()["jobs"]
    assert [job["name"] for job in jobs] == ["C:/temp/b/lease.txt", "b/lease.txt", "a/x/lease.txt"]


def test_words_are_found_in_a_document_whatever_their_case(client, paper, contract):
    found = client.get(f"/v1/corpora/default/documents/{contract.id}/find?words=LATE FEE").json()
    assert [(line["number"], line["at"]) for line in found["lines"]] == [(9, [[2, 10]])]
    assert client.get(f"/v1/corpora/default/documents/{contract.id}/find?words=-").json()["total"] == 0
    many = client.get(f"/v1/corpora/default/documents/{paper.id}/find?words=the").json()
    assert many["total"] >= len(many["lines"]) > 0
    assert all(line["box"] for line in many["lines"])


def test_a_token_opens_its_collection_until_it_is_revoked(server, operator):
    token = made_token(operator, "one")
    reader = bearing(server, token["token"])
    assert [one["name"] for one in reader.get("/v1/corpora").json()["corpora"]] == ["one"]
    for path in ("/v1/operator", "/v1/operator/tokens"):
        assert reader.get(path).json()["code"] == "operators_only"
    assert reader.post("/v1/corpora", json={"title": "Mine"}).status_code == 403
    assert reader.request("PATCH", "/v1/corpora/one", json={"title": "Mine"}).status_code == 403
    cookie = Client(server).post("/v1/session", json={"token": token["token"]}).headers["set-cookie"].partition(";")[0]
    page = Client(server, {"cookie": cookie})
    assert page.get("/v1/corpora").status_code == 200
    listed = operator.get("/v1/operator/tokens")
    assert token["token"] not in listed.text
    folder = server.state.serving.registry.folder
    assert all(token["token"].encode() not in one.read_bytes() for one in folder.iterdir() if one.is_file())
    assert operator.delete(f"/v1/operator/tokens/{token['id']}").status_code == 204
    assert reader.get("/v1/corpora").status_code == 401
    assert "revoked" in page.get("/v1/corpora").json()["detail"]


def test_no_route_tells_a_token_of_another_collection(server, operator):
    reader = bearing(server, made_token(operator, "one")["token"])
    values = {"id": "0" * 16, "document_id": "0" * 16, "trace_id": "0" * 16, "number": "1", "format": "json"}
    bodies = {
        "ask": {"question": QUESTION},
        "verify": {"text": "x"},
        "extract": {"fields": []},
        "title": {"title": "x"},
    }
    known = next(iter(server.state.serving.libraries["two"].documents())).id
    tried = 0
    for path, operations in server.openapi()["paths"].items():
        for method in operations:
            for given in (values, values | {"id": known}):
                filled = path
                for name, value in given.items():
                    filled = filled.replace(f"{{{name}}}", value)
                body = bodies.get(path.rpartition("/")[2], bodies["title"])
                if path == "/v1/chat/completions":
                    body = {"model": "spanwise/{corpus}", "messages": [{"role": "user", "content": QUESTION}]}
                filled = filled.replace("{model}", "spanwise/{corpus}")
                answers = []
                for corpus in ("two", "six"):
                    sent = json.loads(json.dumps(body).replace("{corpus}", corpus))
                    options = {} if method in ("get", "delete") else {"json": sent}
                    if path == "/v1/events":
                        continue
                    response = reader.request(method.upper(), filled.replace("{corpus}", corpus), **options)
                    answers.append((response.status_code, response.text.replace(corpus, "six")))
                assert len(set(answers)) <= 1, (method, path, answers)
                if "{corpus}" in path:
                    tried += 1
                    assert answers[0][0] in (403, 404, 415, 422), (method, path, answers)
    assert tried > 30


def test_a_quota_and_a_line_for_each_question(server, operator):
    token = made_token(operator, "two", questions=1)
    reader = bearing(server, token["token"])
    assert reader.post("/v1/corpora/two/ask", json={"question": QUESTION}).status_code == 200
    refused = reader.post("/v1/corpora/two/ask", json={"question": QUESTION})
    assert (refused.status_code, refused.json()["code"]) == (429, "quota")
    assert operator.get("/v1/operator/tokens").json()["tokens"][0]["asked_today"] == 2
    assert operator.post("/v1/corpora/two/ask", json={"question": QUESTION}).status_code == 200
    lines = [json.loads(line) for line in server.state.serving.ledger.path.read_text().splitlines()]
    assert [(one["corpus"], one["token"] == token["id"]) for one in lines] == [("two", True), ("two", False)]
    assert all(one["question"] == QUESTION and one["trace_id"] for one in lines)


def test_two_processes_that_begin_a_new_audit_log_lose_none_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(server_registry, "_LARGEST", 200)  # shorter than two lines
    path = tmp_path / "audit.jsonl"
    first, second = (Ledger(Registry(tmp_path / "corpus.db"), path) for _ in range(2))

    def asked(ledger: Ledger, corpus: str) -> None:
        with ledger.question(corpus, QUESTION):
            pass

    asked(first, "1")
    assert path.stat().st_mode & 0o077 == 0
    asked(first, "2")
    other = threading.Thread(target=asked, args=(second, "4"))
    replace = Path.replace

    def replaced(one: Path, target: Path) -> Path:
        if not other.ident:
            other.start()
            other.join(1)  # all that it can do while the first one is about to rename the log
        return replace(one, target)

    monkeypatch.setattr(Path, "replace", replaced)
    asked(first, "3")
    other.join()
    lines = [*(tmp_path / "audit.jsonl.1").read_text().splitlines(), *path.read_text().splitlines()]
    assert sorted(json.loads(line)["corpus"] for line in lines) == ["1", "2", "3", "4"]


def test_the_operator_sees_how_the_server_does(server, operator, tmp_path):
    told = operator.get("/v1/operator").json()
    assert told["asks_for_tokens"]
    assert {one["name"]: one["documents"] for one in told["corpora"]} == {"one": 0, "two": 1}
    assert all(one["bytes"]["corpus"] > 0 for one in told["corpora"])
    server.state.serving.ledger.path = tmp_path  # a folder: nothing can be written there
    assert operator.post("/v1/corpora/two/ask", json={"question": QUESTION}).status_code == 200
    assert "cannot be written" in operator.get("/v1/operator").json()["audit_problem"]


def test_the_command_makes_and_revokes_tokens_while_the_server_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Library.open(tmp_path / "spanwise.db") as library:
        client = Client(create_app([library]))

        def token(*words: str, code: int = 0) -> str:
            done = CliRunner().invoke(cli, ["token", *words])
            assert done.exit_code == code, done.output
            return done.stdout.strip()

        token("make", "reader", "--opens", "default", code=2)  # nobody could revoke it
        assert client.get("/v1/corpora").status_code == 200
        operator = token("make", "anna", "--operator")
        reader = token("make", "reader", "--opens", "default", "--questions", "3")
        assert client.get("/v1/corpora").status_code == 401
        assert bearing(client.app, operator).get("/v1/operator").status_code == 200
        assert bearing(client.app, reader).get("/v1/operator").status_code == 403
        told = json.loads(token("list", "--json"))
        assert {one["label"]: one["corpora"] for one in told} == {"anna": None, "reader": ["default"]}
        ids = {one["label"]: one["id"] for one in told}
        token("revoke", ids["anna"], code=2)
        token("revoke", ids["reader"])
        assert bearing(client.app, reader).get("/v1/corpora").status_code == 401
        assert not Registry(tmp_path / "other.db").tokens()
        client.app.state.serving.libraries.close()


@pytest.mark.enable_socket
def test_who_follows_is_told_what_changes(library):
    settings = ServerSettings(look_seconds=0.05)
    with running([library], settings) as address, stream("GET", f"{address}/v1/events") as told:
        lines = told.iter_lines()
        put(library, "contract.txt", CONTRACT.encode())
        for _ in range(1000):  # the first look may come after that
            if "data" in (line := next(lines)):
                break
            put(library, "contract.txt", CONTRACT.encode())
        assert json.loads(line.partition(": ")[2]) == {"corpus": "default", "what": "documents"}
