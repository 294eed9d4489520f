import subprocess
import sys

import pytest
from every import every

import spanwise


def test_the_surface_is_sorted_and_complete():
    assert spanwise.__all__ == sorted(spanwise.__all__)
    assert set(spanwise.__all__) == set(spanwise._HOMES)


@every("name", spanwise.__all__)
def test_every_public_name_is_importable(name):
    assert getattr(spanwise, name) is not None
    assert name in dir(spanwise)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = spanwise.nothing


# `ask` starts the process that reads the file first of all: what it loads before that delays the reading.
@every("name", ["spanwise", "spanwise.engine", "spanwise.readers.process"])
def test_importing_loads_no_reader_no_index_no_model_and_no_terminal(name):
    code = f"import {name}, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "pydantic",
        "pypdfium2",
        "pikepdf",
        "docx",
        "selectolax",
        "markdown_it",
        "tantivy",
        "nupunkt",
        "rich",
        "typer",
    }
    assert heavy.isdisjoint(loaded)
    assert {"openai", "langchain", "groq", "socket"}.isdisjoint(loaded)
