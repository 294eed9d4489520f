"""A check that takes minutes is stopped when it may go on no longer, and its thread takes what comes next."""

import threading

import pytest
from server_cases import CONTRACT, QUESTION, SECONDS, connected, head_of, post, put, running

from spanwise.errors import WorkStoppedError
from spanwise.server.server_settings import ServerSettings
from spanwise.serving.corpus_library import Library

BASE = "/v1/corpora/default"
SLOW = b'{"text": "%s", "passages": ["%s"]}' % (
    b"The cat sat on the mat. " * 8_000,
    b"The cat sat on the mat. " * 30_000,
)

pytestmark = pytest.mark.enable_socket


class Checks:
    """How far the check of a library is."""

    def __init__(self, monkeypatch) -> None:
        self.begun, self.stopped = threading.Event(), threading.Event()
        verify = Library.verify

        def noted(*given, **options):
            self.begun.set()
            try:
                return verify(*given, **options)
            except WorkStoppedError:
                self.stopped.set()
                raise

        monkeypatch.setattr(Library, "verify", noted)


@pytest.fixture
def checks(monkeypatch):
    return Checks(monkeypatch)


def test_a_check_that_takes_too_long_is_given_up(library, checks):
    with running([library], ServerSettings(threads=1, question_seconds=1.0)) as address:
        response = post(f"{address}{BASE}/verify", content=SLOW, headers={"content-type": "application/json"})
        assert (response.status_code, response.json()["code"]) == (504, "too_slow")
        assert checks.stopped.wait(SECONDS)


def test_a_check_is_given_up_when_its_client_goes_away(library, checks):
    put(library, "contract.txt", CONTRACT.encode())
    with running([library], ServerSettings(threads=1)) as address:
        with connected(address) as connection:
            connection.sendall(head_of(f"{BASE}/verify", f"Content-Length: {len(SLOW)}") + SLOW)
            assert checks.begun.wait(SECONDS)
        assert checks.stopped.wait(SECONDS)
        assert post(f"{address}{BASE}/ask", json={"question": QUESTION}).status_code == 200
