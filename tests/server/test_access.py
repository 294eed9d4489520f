import asyncio

import pytest
from server_cases import Client, put

from spanwise.server.access import Buckets, Sessions, granted_to
from spanwise.server.app import create_app
from spanwise.server.server_settings import EVERYTHING, ServerSettings, digest_of
from spanwise.serving.corpus_library import Library

ONE, OTHER, ALL = "token-of-one-corpus", "token-of-another", "token-of-everything"


@pytest.fixture
def app(tmp_path):
    tokens = {
        digest_of(ONE): frozenset(["one"]),
        digest_of(OTHER): frozenset(["other"]),
        digest_of(ALL): frozenset([EVERYTHING]),
    }
    with Library.open(tmp_path / "1.db", name="one") as one, Library.open(tmp_path / "2.db", name="other") as other:
        put(one, "secret.txt", b"The late fee is 5 dollars.")
        yield create_app([one, other], settings=ServerSettings(tokens=tokens, hosts=None))


def bearing(app, token):
    return Client(app, {"authorization": f"Bearer {token}"})


def corpora(client) -> list[str]:
    return [one["name"] for one in client.get("/v1/corpora").json()["corpora"]]


def test_token_opens_its_corpora_and_no_others(app):
    assert corpora(bearing(app, ONE)) == ["one"]
    assert corpora(bearing(app, OTHER)) == ["other"]
    assert corpora(bearing(app, ALL)) == ["one", "other"]
    assert bearing(app, ONE).get("/v1/corpora/one/documents").status_code == 200
    foreign = bearing(app, OTHER).get("/v1/corpora/one/documents")
    unknown = bearing(app, OTHER).get("/v1/corpora/two/documents")
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.json()["detail"].replace("'one'", "'two'") == unknown.json()["detail"]


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"authorization": "Bearer"},
        {"authorization": "Bearer "},
        {"authorization": f"Basic {ONE}"},
        {"authorization": f"Bearer {ONE}x"},
        {"authorization": "Bearer " + "x" * 5_000},
        {"authorization": "Bearer \xff\xfe".encode("latin-1")},
        {"cookie": "spanwise_session=forged"},
        {"cookie": f"spanwise_session={ONE}"},
        {"cookie": "spanwise_session"},
        {"cookie": '"; a=b; =;;'},
    ],
)
def test_without_the_token_nothing_is_told(app, header):
    for method, path in (("GET", "/v1/corpora"), ("POST", "/v1/corpora/one/ask"), ("GET", "/v1/nothing")):
        response = Client(app).request(method, path, headers=header)
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith("Bearer")
        assert response.headers["content-type"] == "application/problem+json"
        assert ONE not in response.text


def test_what_needs_no_token(app):
    client = Client(app)
    for path in ("/v1/health", "/", "/v1/openapi.json"):
        assert client.get(path).status_code in (200, 404)
    assert client.get("/v1/ready").status_code == 503


def test_token_is_checked_before_the_body(app):
    read = 0

    async def endless():
        nonlocal read
        while True:
            read += 1
            yield b"x" * 2**20

    response = Client(app).post("/v1/corpora/one/documents", content=endless())
    assert response.status_code == 401
    # A little is thrown away, so that the client gets to know why; then the connection is closed.
    assert 1 < read < 10
    assert response.headers["connection"] == "close"


def test_session_of_the_page(app):
    client = Client(app)
    assert client.post("/v1/session", json={"token": "forged-token"}).status_code == 401
    response = client.post("/v1/session", json={"token": ONE})
    assert response.status_code == 204
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    assert ONE not in cookie
    page = Client(app, {"cookie": f'odd=["; {cookie.partition(";")[0]}; other=1'})
    assert corpora(page) == ["one"]
    assert 'spanwise_session=""' in page.delete("/v1/session").headers["set-cookie"]
    assert page.get("/v1/corpora").status_code == 401


def test_cookie_is_of_one_port_and_of_one_scheme(app):
    cookies = [
        Client(app).post("/v1/session", json={"token": ONE}, at=at).headers["set-cookie"]
        for at in ("http://localhost:8000", "http://localhost:9000", "https://localhost:8000")
    ]
    assert [cookie.partition("=")[0] for cookie in cookies] == [
        f"spanwise_session_{port}" for port in (8000, 9000, 8000)
    ]
    assert ["Secure" in cookie for cookie in cookies] == [False, False, True]
    assert len({cookie.partition(";")[0].partition("=")[2] for cookie in cookies}) == 3


def test_no_session_where_no_token_is_asked_for(client):
    response = client.post("/v1/session", json={"token": ONE})
    assert (response.status_code, "set-cookie" in response.headers) == (204, False)


def test_sessions_end_with_the_server(app):
    sessions = app.state.access.sessions

    async def live() -> None:
        async with app.router.lifespan_context(app):
            sessions.begin(ONE, frozenset(["one"]))
            assert len(sessions) == 1

    asyncio.run(live())
    assert len(sessions) == 0


def test_sessions_are_bounded_in_number_and_time():
    times = iter((0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0))
    now = 3.0
    sessions = Sessions(most=3, seconds=10, clock=lambda: next(times, now))
    ids = [sessions.begin(ONE, frozenset(["one"])) for _ in range(4)]
    assert [sessions.find(one) is not None for one in ids] == [False, True, True, True]
    now = 11.0
    assert [sessions.find(one) is not None for one in ids] == [False, False, True, True]
    sessions.begin(ONE, frozenset(["one"]))
    assert len(sessions) == 3
    sessions.end(ids[2])
    assert sessions.find(ids[2]) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://localhost:1234"},
    ],
)
def test_pages_of_other_sites_change_nothing(client, headers):
    response = client.post("/v1/corpora/default/documents", files={"file": ("a.txt", b"x")}, headers=headers)
    assert response.status_code == 403
    assert response.json()["code"] == "foreign_origin"


def test_our_own_page_may(client):
    headers = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    files = {"file": ("a.txt", b"Some words.")}
    assert client.post("/v1/corpora/default/documents", files=files, headers=headers).status_code == 202


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("http://localhost:8000", True),
        ("http://127.0.0.1", True),
        ("http://[::1]:8000", True),
        ("http://LOCALHOST", True),
        ("http://evil.example", False),
        ("http://127.0.0.1.evil.example:8000", False),
        ("http://localhost.:80", False),
    ],
)
def test_name_of_the_server_is_ours(client, host, known):
    response = client.get("/v1/corpora", at=host)
    assert response.status_code == (200 if known else 421)


def test_one_client_is_slowed_down(library):
    client = Client(create_app([library], settings=ServerSettings(rate=0.01, burst=3)))
    assert [client.get("/v1/corpora").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert int(client.get("/v1/corpora").headers["retry-after"]) > 10


def test_guessing_tokens_is_slowed_down(library):
    settings = ServerSettings(tokens={digest_of(ALL): frozenset([EVERYTHING])}, forged_rate=0.01, forged_burst=3)
    app = create_app([library], settings=settings)
    guesses = [bearing(app, f"guess-{number}").get("/v1/corpora").status_code for number in range(4)]
    assert guesses == [401, 401, 401, 429]
    assert bearing(app, ALL).get("/v1/corpora").status_code == 200
    assert Client(app).post("/v1/session", json={"token": ALL}).status_code == 204
    assert Client(app).post("/v1/session", json={"token": "another-guess"}).status_code == 429


def test_buckets_fill_again():
    now = 0.0
    buckets = Buckets(2.0, 2, clock=lambda: now)
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 1]
    assert buckets.take("b") == 0
    now = 0.5
    assert [buckets.take("a") for _ in range(2)] == [0, 1]
    now = 100.0
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 1]
    assert Buckets(0, 0).take("a") == 0


def test_buckets_do_not_grow_without_end(monkeypatch):
    from spanwise.server import access as module

    monkeypatch.setattr(module, "_MOST_CLIENTS", 5)
    buckets = Buckets(1.0, 1)
    for number in range(50):
        buckets.take(str(number))
    assert len(buckets._levels) == 5


def test_granted_compares_whole_tokens():
    tokens = {digest_of("abc"): frozenset(["x"])}
    assert granted_to(tokens, digest_of("abc")) == frozenset(["x"])
    assert all(granted_to(tokens, digest_of(other)) is None for other in ("ab", "abcd", "", "\ud800"))
