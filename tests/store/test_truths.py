"""The truths and locks that are shipped do what every truth and every lock has to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from spanwise.store.address import address_of
from spanwise.store.changes import WriteLock
from spanwise.store.port import Lock, Truth
from spanwise.store.postgres import open_postgres
from spanwise.store.sqlite import memory_truth, open_truth
from spanwise.testing import LockConformance, TruthConformance


class TestFile(TruthConformance, LockConformance):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "c.db"

    @contextmanager
    def opened(self) -> Iterator[Truth]:
        with closing(open_truth(self.path, create=True)) as truth:
            yield truth

    @contextmanager
    def locks(self) -> Iterator[tuple[Lock, Lock]]:
        yield WriteLock(self.path), WriteLock(self.path)


class TestMemory(TruthConformance):
    @contextmanager
    def opened(self) -> Iterator[Truth]:
        with closing(memory_truth()) as truth:
            yield truth


class TestPostgres(TruthConformance, LockConformance):
    @pytest.fixture(autouse=True)
    def _place(self, database: str) -> None:
        self.address = address_of(database)

    @contextmanager
    def opened(self) -> Iterator[Truth]:
        with closing(open_postgres(self.address, create=True)) as truth:
            yield truth

    @contextmanager
    def locks(self) -> Iterator[tuple[Lock, Lock]]:
        with ExitStack() as opened:
            mine, other = (opened.enter_context(closing(open_postgres(self.address, create=True))) for _ in range(2))
            yield mine, other
