import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spanwise.serving.corpus_library import Library
from spanwise.serving.entries import Entry

CONTRACT = b"""\
SERVICE AGREEMENT

1. Payment Terms

Payment is due within 30 days of invoice receipt. Invoices are sent monthly by e-mail.

2. Late Payment Penalties

A late fee of 1.5% per month (18% annually) will apply to any outstanding balance.
"""


@pytest.fixture
def place(tmp_path) -> Path:
    """Where the corpus of a test lies."""
    return tmp_path / "corpus.db"


@pytest.fixture
def library(place) -> Iterator[Library]:
    """An empty corpus."""
    with Library.open(place) as opened:
        yield opened


@pytest.fixture
def put() -> Callable[..., Entry]:
    """Adds a document to a library: its name, and its bytes or a file to copy."""

    def put(library: Library, name: str, content: bytes | Path = CONTRACT, **options) -> Entry:
        path = library.partial()
        if isinstance(content, Path):
            shutil.copyfile(content, path)
        else:
            path.write_bytes(content)
        return library.add(name, path, **options)

    return put
