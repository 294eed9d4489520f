import io
import time
from collections.abc import Callable, Iterator

import pikepdf
import pytest
from server_cases import CONTRACT, SECONDS, Client, put, running

from spanwise.server.app import create_app
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library
from spanwise.serving.entries import Entry


@pytest.fixture
def library(tmp_path) -> Iterator[Library]:
    """An empty corpus."""
    with Library.open(tmp_path / "corpus.db") as opened:
        yield opened


@pytest.fixture
def client(library) -> Client:
    """A client of the corpus, without tokens."""
    return Client(create_app([library]))


@pytest.fixture
def contract(library) -> Entry:
    """A contract in the corpus."""
    return put(library, "contract.txt", CONTRACT.encode())


@pytest.fixture
def paper(library, standard) -> Entry:
    """A PDF in the corpus."""
    return put(library, "standard.pdf", standard)


@pytest.fixture
def address(library) -> Iterator[str]:
    """The address of a real server."""
    with running([library]) as found:
        yield found


@pytest.fixture
def waits() -> Callable[[Callable[[], bool]], None]:
    """Waits until something is so."""

    def until(so: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not so():
            assert time.monotonic() < end, "it does not come to be so"
            time.sleep(0.02)

    return until


@pytest.fixture
def stops(monkeypatch) -> list[Stop]:
    """What asks the questions of all libraries to stop, in the order in which they were begun."""
    found: list[Stop] = []
    stream = Library.stream

    def noted(library, question, *, stop=None, **options):
        found.append(stop)
        return stream(library, question, stop=stop, **options)

    monkeypatch.setattr(Library, "stream", noted)
    return found


@pytest.fixture(scope="session")
def encrypted(standard) -> bytes:
    """A PDF that "open sesame" opens."""
    out = io.BytesIO()
    with pikepdf.open(standard) as pdf:
        pdf.save(out, encryption=pikepdf.Encryption(owner="owner", user="open sesame"))
    return out.getvalue()
