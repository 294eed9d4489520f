import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import postgres_server
import pytest
from hypothesis import HealthCheck, settings

# Before `ask` loads them in a thread: pytest rewrites what it loads, which Python 3.11 cannot in two threads at a time.
import spanwise.answering.ask
import spanwise.answering.extractive  # noqa: F401

# In CI the examples are the same each time, so that a change is judged and not luck; elsewhere they are new each time.
# How fast the machine is does not matter: the first example of a process loads libraries, and others are at work too.
settings.register_profile("spanwise", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("spanwise"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "spanwise")

# How wide and colourful the terminal is and how the network is reached is for whoever runs the tests, not for them.
for name in ("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "COLUMNS", "FORCE_COLOR", "SPANWISE_SETTINGS", "SPANWISE_TOKEN"):
    os.environ.pop(name, None)
    os.environ.pop(name.lower(), None)

# Whether a machine has tesseract is of no account, but for the tests that are about it.
os.environ["SPANWISE_OCR"] = "never"
os.environ.pop("SPANWISE_OCR_LANGUAGE", None)

DOCUMENTS = Path(__file__).parent.parent / "examples" / "documents"


@pytest.fixture(scope="session")
def standard() -> Path:
    """A standard of eight pages: printed numbers that differ from positions, lists, footnotes, a glossary."""
    return DOCUMENTS / "station-standard.pdf"


@pytest.fixture(scope="session")
def lease_pdf() -> Path:
    """A lease of three pages with numbered clauses."""
    return DOCUMENTS / "lease.pdf"


@pytest.fixture(scope="session")
def report_pdf() -> Path:
    """An annual report of ten pages with statements, notes and tables."""
    return DOCUMENTS / "annual-report-2025.pdf"


@pytest.fixture(scope="session")
def calls() -> Callable[[Callable[[], object]], int]:
    """How many Python functions and steps of generators some work enters: the same on every machine, unlike time."""

    def counted(work: Callable[[], object]) -> int:
        entered = 0

        def note(_frame: object, event: str, _argument: object) -> None:
            nonlocal entered
            entered += event == "call"

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(before)
        return entered

    return counted


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts processes; at the end, also of a test that failed, they are killed and their pipes are closed."""
    with ExitStack() as stack:

        def start(*command: str, **options) -> subprocess.Popen[str]:
            process = stack.enter_context(
                subprocess.Popen(command, **{"stderr": subprocess.PIPE, "text": True} | options)
            )
            stack.callback(process.kill)
            return process

        yield start


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Server]:
    """A running PostgreSQL; where none is installed, CI fails and others are told."""
    if postgres_server.programs() is None:
        reason = "no PostgreSQL server is installed: .ci/postgres installs Debian's"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with postgres_server.postgres() as server:
        yield server


@pytest.fixture
def database(postgres: postgres_server.Server, tmp_path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a corpus that is not there yet; its index lies below the test's own folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return postgres.corpus()


@pytest.fixture
def empty_database(postgres: postgres_server.Server, database: str) -> str:  # noqa: ARG001  # for its folders
    """The same in a database of its own."""
    return postgres.fresh()
