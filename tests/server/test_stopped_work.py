import httpx
import pytest
from server_cases import CONTRACT, QUESTION, put, running

from spanwise.server.settings import ServerSettings

BASE = "/v1/corpora/default"
SLOW = {"text": "The cat sat on the mat. " * 8_000, "passages": ["The cat sat on the mat. " * 30_000]}
"""A check that takes minutes."""

pytestmark = pytest.mark.enable_socket


@pytest.fixture
def single(library):
    """The address of a server that works on one thing at a time, and gives up what takes long."""
    put(library, "contract.txt", CONTRACT.encode())
    with running([library], ServerSettings(threads=1, question_seconds=5)) as address:
        yield address


def answered(address: str) -> bool:
    """Whether there is a free thread, soon enough."""
    response = httpx.post(f"{address}{BASE}/ask", json={"question": QUESTION}, timeout=30)
    return response.status_code == 200


def test_a_check_that_takes_too_long_is_given_up_and_its_thread_is_free(single):
    response = httpx.post(f"{single}{BASE}/verify", json=SLOW, timeout=30)
    assert (response.status_code, response.json()["code"]) == (504, "too_slow")
    assert answered(single)


def test_a_check_is_given_up_when_its_client_goes_away(single):
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{single}{BASE}/verify", json=SLOW, timeout=httpx.Timeout(30, read=0.5))
    assert answered(single)
