"""Two servers on one database, as on two machines: tokens, quotas, collections and answers of one are those of both."""

from contextlib import ExitStack, closing

import pytest
from server_cases import CONTRACT, QUESTION, Client

from spanwise.server.app import create_app
from spanwise.server.server_settings import EVERYTHING, ServerSettings, digest_of
from spanwise.serving.corpus_library import Library
from spanwise.serving.server_registry import Registry
from spanwise.store.address import address_of, in_schema, schemas_beside
from spanwise.store.postgres import made_beside

OPERATOR = "token-of-the-operator"


@pytest.fixture
def servers(database, tmp_path, monkeypatch):
    """Two servers that share a database and a folder of uploads, and have nothing else in common."""
    settings = ServerSettings(tokens={digest_of(OPERATOR): frozenset([EVERYTHING])}, hosts=None, rate=0)
    apps = []
    with ExitStack() as opened:
        for machine in ("here", "there"):
            monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / machine / "data"))
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / machine / "cache"))
            library = opened.enter_context(Library.open(database, uploads=tmp_path / "uploads" / "default.files"))
            app = create_app([library], settings=settings)
            opened.callback(app.state.serving.libraries.close)
            apps.append(app)
        yield apps


def bearing(app, token: str) -> Client:
    return Client(app, {"authorization": f"Bearer {token}"})


def made_token(operator: Client, *corpora: str, **quota: int) -> dict:
    made = operator.post("/v1/operator/tokens", json={"label": "reader", "corpora": [*corpora], **quota})
    assert made.status_code == 201, made.text
    return made.json()


def test_an_answer_of_one_server_is_found_by_the_other(servers):
    one, two = (bearing(app, OPERATOR) for app in servers)
    assert one.upload("contract.txt", CONTRACT.encode())["state"] == "done"
    told = one.post("/v1/corpora/default/ask", json={"question": QUESTION}).json()
    path = f"/v1/corpora/default/results/{told['trace_id']}"
    assert two.get(path).json()["answer"] == told["answer"]
    assert two.get(f"{path}/trace").json() == one.get(f"{path}/trace").json()
    listed = two.get("/v1/corpora/default/results?words=LATE").json()["results"]
    assert [entry["id"] for entry in listed] == [told["trace_id"]]
    assert not two.get("/v1/corpora/default/results?words=rent").json()["results"]
    two.post("/v1/corpora/default/ask", json={"question": "When is payment due?"})
    one.post("/v1/corpora/default/ask", json={"question": QUESTION})
    listed = two.get("/v1/corpora/default/results").json()["results"]
    assert [entry["question"] for entry in listed] == [QUESTION, "When is payment due?"]  # asked again is the newest
    assert two.request("DELETE", path).status_code == 204
    assert one.get(path).status_code == 404


def test_a_token_opens_both_servers_and_its_quota_is_of_both(servers):
    one, two = (bearing(app, OPERATOR) for app in servers)
    one.upload("contract.txt", CONTRACT.encode())
    made = made_token(one, "default", questions=2)
    readers = [bearing(app, made["token"]) for app in servers]
    asked = [reader.post("/v1/corpora/default/ask", json={"question": QUESTION}) for reader in (*readers, *readers)]
    assert [answer.status_code for answer in asked] == [200, 200, 429, 429]
    assert two.request("DELETE", f"/v1/operator/tokens/{made['id']}").status_code == 204
    assert [reader.get("/v1/corpora").status_code for reader in readers] == [401, 401]


def test_a_collection_of_one_server_is_served_by_the_other_and_by_no_token_of_another(servers, database):
    one, two = (bearing(app, OPERATOR) for app in servers)
    one.upload("contract.txt", CONTRACT.encode())
    name = one.post("/v1/corpora", json={"title": "Board minutes"}).json()["name"]
    assert two.upload("minutes.txt", b"The board met on 3 May 2024 in Lindau.", corpus=name)["state"] == "done"
    told = one.post(f"/v1/corpora/{name}/ask", json={"question": "When did the board meet?"}).json()
    assert "3 May 2024" in told["text"]
    assert two.get(f"/v1/corpora/{name}/results/{told['trace_id']}").status_code == 200
    [document] = one.get(f"/v1/corpora/{name}/documents").json()["documents"]
    assert one.get(f"/v1/corpora/{name}/documents/{document['id']}/file").text.startswith("The board")
    other = made_token(one, "default")["token"]
    for reader in (bearing(app, other) for app in servers):
        assert [corpus["name"] for corpus in reader.get("/v1/corpora").json()["corpora"]] == ["default"]
        unknown = reader.get("/v1/corpora/nowhere/documents")
        hidden = reader.get(f"/v1/corpora/{name}/documents")
        assert (hidden.status_code, hidden.json()["code"]) == (unknown.status_code, unknown.json()["code"])
        assert "minutes" not in reader.post("/v1/corpora/default/ask", json={"question": "When did it meet?"}).text
    assert two.request("PATCH", f"/v1/corpora/{name}", json={"title": "Minutes"}).status_code == 200
    assert {corpus["title"] for corpus in one.get("/v1/corpora").json()["corpora"]} == {"default", "Minutes"}
    assert [folder.rpartition("-")[0] for folder, _ in made_beside(database)] == ["board-minutes"]
    assert one.request("DELETE", f"/v1/corpora/{name}").status_code == 204
    assert two.get(f"/v1/corpora/{name}/documents").status_code == 404


def test_what_was_removed_while_no_server_runs_leaves_nothing(database, tmp_path):
    with Library.open(database, uploads=tmp_path / "default.files") as library:
        app = create_app([library])
        name, kept = (
            Client(app).post("/v1/corpora", json={"title": title}).json()["name"] for title in ("Old leases", "Rents")
        )
        app.state.serving.libraries.close()
        with closing(Registry(database)) as registry:
            registry.drop_collection(name)
        app = create_app([library])
        app.state.serving.libraries.close()
    assert [folder.rpartition("-")[0] for folder, _ in made_beside(database)] == [kept]


def test_what_is_made_while_a_server_starts_stays(database, monkeypatch):
    with Library.open(database) as library, closing(Registry(database)) as registry:
        registry.add_collection("rents", "Rents", "rents-0123abcd")
        late = ("leases-0123abcd", "postgresql://nobody@nowhere/none")

        def listed(_):
            registry.add_collection("leases", "Leases", late[0])
            yield late

        monkeypatch.setattr("spanwise.store.postgres.made_beside", listed)
        monkeypatch.setattr("spanwise.store.postgres.erase", lambda place: pytest.fail(f"{place} is gone"))
        app = create_app([library])
        app.state.serving.libraries.close()


@pytest.mark.parametrize(
    ("url", "schema"),
    [
        ("postgresql://", "spanwise:leases-0123abcd"),
        ("postgresql://anna:secret@db:5433/team?schema=law&sslmode=require", "law:leases-0123abcd"),
        (f"postgresql://db/team?schema={'x' * 60}", None),
    ],
)
def test_a_collection_has_a_schema_of_its_own_in_the_same_database(url, schema):
    first, made = address_of(url), address_of(in_schema(url, "leases-0123abcd"))
    assert (made.host, made.port, made.password, made.database, made.sslmode) == (
        *(first.host, first.port, first.password, first.database, first.sslmode),
    )
    assert made.schema == schema or (schema is None and len(made.schema) < 63)
    assert made.schema.startswith(schemas_beside(first))
