import socket

import httpx
import pytest
from every import every
from server_cases import Client

from spanwise.cli.http_server import connected, listening
from spanwise.cli.serve_plan import Asked, planned
from spanwise.cli.serving import _app, _libraries, _settings
from spanwise.engine import Search, Written
from spanwise.errors import InputError
from spanwise.server.server_settings import EVERYTHING, digest_of

TOKEN = "a-token-long-enough"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def of(text: str | None = None, environment: dict[str, str] | None = None, /, **asked):
    """The plan of a configuration, an environment and some options."""
    if text is not None:
        with open("serve.toml", "w") as file:
            file.write(text)
        asked["config"] = "serve.toml"
    return planned(Asked(**asked), environment or {})


def files(plan) -> dict[str, str]:
    return {corpus.name: corpus.file for corpus in plan.corpora}


def test_defaults():
    plan = of()
    assert (files(plan), plan.host, plan.port, plan.token) == ({"default": "spanwise.db"}, "127.0.0.1", 8000, None)
    assert _settings(plan).tokens == {}
    assert _settings(plan).hosts >= {"127.0.0.1", "localhost", "[::1]"}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (("my.db",), {"default": "my.db"}),
        (("a/one.db", "two two.db"), {"one": "a/one.db", "two-two": "two two.db"}),
        (("x=one.db",), {"x": "one.db"}),
        (("x=a=b.db", "y=c.db"), {"x": "a=b.db", "y": "c.db"}),
        (("../odd name=x.db",), {"default": "../odd name=x.db"}),
    ],
)
def test_names_of_corpora(given, found):
    assert files(of(corpora=given)) == found


def test_option_wins_over_environment_and_that_over_the_file():
    config = "port = 1\ntoken = 'token-of-the-file'\nmodel = 'a:b'\n[corpora.x]\nfile = 'x.db'\nmodel = 'c:d'\n"
    assert of(config).port == 1
    assert of(config, port=2).port == 2
    assert of(config).token == "token-of-the-file"
    assert of(config, {"SPANWISE_TOKEN": TOKEN}).token == TOKEN
    assert of(config, {"SPANWISE_TOKEN": TOKEN}, token="token-of-the-line").token == "token-of-the-line"
    assert of(config).corpora[0].written.model == "c:d"
    assert of(config, corpora=("y=y.db",)).corpora[1].written.model == "a:b"
    assert of(config, written=Written("e:f")).corpora[0].written.model == "e:f"


def test_embedders_stand_at_the_top_or_with_a_corpus():
    config = "embedder = 'a'\nembedder_url = 'http://x/v1'\n[corpora.x]\nfile = 'x.db'\nreranker = 'r.onnx'\n"
    assert of(config).corpora[0].search == Search("a", "http://x/v1", "r.onnx")
    assert of(config, corpora=("y=y.db",)).corpora[1].search == Search("a", "http://x/v1")
    assert of(config, search=Search("b")).corpora[0].search.embedder == "b"


def test_tokens_open_what_they_are_of():
    config = (
        "[corpora.x-1]\nfile = 'x.db'\ntokens = ['first-token-of-x', 'a-shared-token-of-two']\n"
        "[corpora.y]\nfile = 'y.db'\n"
    )
    settings = _settings(of(config, {"SPANWISE_TOKEN_Y": "a-shared-token-of-two", "SPANWISE_TOKEN": TOKEN}))
    assert settings.tokens == {
        digest_of("first-token-of-x"): {"x-1"},
        digest_of("a-shared-token-of-two"): {"x-1", "y"},
        digest_of(TOKEN): {EVERYTHING},
    }
    own = _settings(
        of(config, {"SPANWISE_TOKEN_X_1": "another-token-of-x", "SPANWISE_TOKEN_Y": "a-shared-token-of-two"})
    )
    assert set(own.tokens) == {digest_of("another-token-of-x"), digest_of("a-shared-token-of-two")}


@pytest.mark.parametrize(
    ("host", "loopback"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("127.9.9.9", True)]
)
def test_loopback_needs_no_token(host, loopback):
    assert of(host=host).loopback is loopback


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])
def test_other_hosts_need_a_token(host):
    if not host:
        assert of(host=host).host == "127.0.0.1"
        return
    with pytest.raises(InputError, match="give a token"):
        of(host=host)
    assert _settings(of(host=host, token=TOKEN)).hosts is None
    assert _settings(of("hosts = ['answers.example.org']", host=host, token=TOKEN)).hosts >= {"answers.example.org"}


def test_tokens_are_in_no_text_of_a_plan():
    plan = of(None, {"SPANWISE_TOKEN_DEFAULT": "token-of-one-corpus"}, token=TOKEN)
    shown = repr((plan, _settings(plan), Asked(token=TOKEN)))
    assert TOKEN not in shown
    assert "token-of-one-corpus" not in shown
    assert digest_of(TOKEN) not in shown


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"host": "0.0.0.0", "token": "short"}, "too short: give at least 16"),
        ({"token": "fifteen-letters"}, "too short: give at least 16"),
        ({"port": 99_999}, "no port"),
        ({"port": -1}, "no port"),
        ({"corpora": ("a=1.db", "a=2.db")}, "two corpora are called a"),
        ({"corpora": ("x/a.db", "y/a.db")}, "two corpora are called a"),
        ({"config": "missing.toml"}, "cannot read missing.toml"),
        ({"config": "."}, "cannot read"),
    ],
)
def test_what_cannot_be_served(asked, words):
    with pytest.raises(InputError, match=words):
        of(**asked)


@every(
    ("text", "words"),
    [
        ("hots = '127.0.0.1'", "no setting 'hots'"),
        ("[limits.reading]\nfile_bytes = 'x'", "file_bytes is a whole number"),
        ("[limits.reading]\nfile_bytes = 1.5", "file_bytes is a whole number"),
        ("[limits.reading]\npages = -1", "0 or more"),
        ("[limits.reading]\nseconds = 'x'", "seconds is a number"),
        ("[server]\nthreds = 1", "no setting 'threds'"),
        ("[server]\ntokens = 1", "no setting 'tokens'"),
        ("limits = 1", "limits is a table"),
        ("[corpora]\na = 'a.db'", "a is a table"),
        ("[corpora.a]\ntoken = 'long-enough-token'", "file is missing"),
        ("[corpora.a]\nfile = ''", "file is a text"),
        ("[corpora.a]\nfile = 'a.db'\ntokens = 'abc'", "tokens is a list"),
        ("[corpora.a]\nfile = 'a.db'\ntoken = 'long-enough-token'\n[corpora.b]\nfile = 'b.db'", "SPANWISE_TOKEN_B"),
        ("port = true", "port is a whole number"),
        ("token = 5", "token is a text"),
        ("[corpora.a]\nfile = 'a.db'\ntokens = ['fifteen-letters']", "too short"),
        ("proxies = ['*']", "'\\*' in proxies is no address"),
        ("proxies = ['10.0.0.1/8']", "no address"),
        ("proxies = '10.0.0.1'", "proxies is a list"),
        ("x = ", "is not TOML"),
        ("x = " + "[" * 100_000, "is not TOML"),
        ("[server]\nthreads = 0", "threads is a whole number, above 0"),
        ("[limits]\nreaders = 0", "readers is a whole number, above 0"),
        ("[server]\nlook_seconds = 0", "look_seconds is a number, above 0"),
        ("[server]\nrate = nan", "rate is a number, 0 or more"),
        ("[server]\ngrace_seconds = inf", "grace_seconds is a number, 0 or more"),
    ],
)
def test_what_is_wrong_in_the_file(text, words):
    with pytest.raises(InputError, match=words):
        of(text)


def test_bounds_of_the_file_are_used():
    plan = of(
        "[limits]\nanswers = 3\n[limits.reading]\nfile_bytes = 1000\nseconds = 5\n[server]\nthreads = 9\nrate = 1.5\n"
    )
    assert (plan.limits.answers, plan.limits.reading.file_bytes, plan.limits.reading.seconds) == (3, 1000, 5.0)
    assert (_settings(plan).threads, _settings(plan).rate) == (9, 1.5)


def test_idle_connections_are_kept_longer_than_clients_keep_them(library):
    plan = of("")
    assert connected(_app(plan, [library]), _settings(plan)).timeout_keep_alive > httpx.Limits().keepalive_expiry


@pytest.mark.parametrize(
    ("config", "statuses"),
    [("", [200, 429, 429]), ("proxies = ['10.0.0.0/8']\n", [200, 429, 429]), ("proxies = ['127.0.0.1']\n", [200] * 3)],
    ids=["no proxy", "another proxy", "this proxy"],
)
def test_only_proxies_that_are_named_tell_whose_a_request_is(library, config, statuses):
    plan = of(f"{config}[server]\nburst = 1\nrate = 0.01\n")
    config = connected(_app(plan, [library]), _settings(plan), plan.proxies)
    config.load()
    calls = [
        Client(config.loaded_app, {"X-Forwarded-For": f"192.0.2.{number}"}).get("/v1/corpora") for number in range(3)
    ]
    assert [response.status_code for response in calls] == statuses


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"written": Written(mode="refine")}, "needs a model"),
        ({"written": Written("nobody:nothing")}, "nobody"),
        ({"profile": "nothing"}, "nothing"),
        ({"corpora": ("nowhere/x.db",)}, "does not exist"),
        ({"corpora": (".",)}, "is a folder"),
        ({"corpora": ("one.db", "nowhere/two.db")}, "does not exist"),
    ],
)
def test_corpora_that_cannot_be_opened(asked, words):
    with pytest.raises(InputError, match=words):
        _libraries(of(**asked))


@pytest.mark.enable_socket
def test_answers_do_not_wait_for_acknowledgements():
    with listening("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
