"""What is here runs with `make frameworks`, in the environments of environments.toml: no other has the frameworks."""

from pathlib import Path

import pytest
from environments import HERE, TESTED

from spanwise import Corpus

collect_ignore_glob = [one.name for one in HERE.glob("test_*.py") if one.stem.removeprefix("test_") not in TESTED]

QUESTION = "What is the Rent?"
PLACE = {"document": "lease.pdf", "line_start": 20, "line_end": 20, "page": 1}
"""Where the lease says it."""


@pytest.fixture(scope="session")
def lease_corpus(tmp_path_factory, lease_pdf) -> Path:
    """The path of a corpus with the lease."""
    path = tmp_path_factory.mktemp("corpus") / "lease.db"
    with Corpus.open(path) as corpus:
        corpus.add(lease_pdf)
    return path


@pytest.fixture
def rent():
    """Holds metadata against the place of the rent, boxes included."""

    def check(told) -> bool:
        [box] = told["boxes"]
        return {name: told[name] for name in PLACE} == PLACE and box["page"] == 1 and 0 < box["x0"] < box["x1"]

    return check


class Waiting:
    """A model that does not answer; `asked` tells that it was called."""

    def __init__(self) -> None:
        import asyncio

        from spanwise.llm.port import ModelProfile

        self.profile = ModelProfile("waiting")
        self.asked = asyncio.Event()

    async def acomplete(self, _call):
        import asyncio

        self.asked.set()
        await asyncio.sleep(600)


@pytest.fixture
def cancelled():
    """Starts a call of an adapter that waits for its model, cancels it, and says whether it ended so."""
    import asyncio
    from contextlib import suppress

    async def run(started) -> bool:
        model = Waiting()
        task = asyncio.ensure_future(started(model))
        try:
            await asyncio.wait_for(model.asked.wait(), 60)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.wait_for(task, 60)
            return task.cancelled()
        finally:
            task.cancel()

    return lambda started: asyncio.run(run(started))
