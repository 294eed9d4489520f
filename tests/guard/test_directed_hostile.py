"""Texts made to be slow to look through for what speaks to a model."""

import time

import pytest

from spanwise.text.injection.directed import directed

LONG = 20_000


@pytest.mark.parametrize("unit", ["...", "?", '{"role": ', "? a: ", "\n[1] ", "a? -> b. ", "\n\n[1] "])
def test_long_texts_take_little_time(unit: str) -> None:
    text = (unit * LONG)[:LONG]
    began = time.process_time()
    found = directed(text)
    assert time.process_time() - began < 1  # it took two to nine seconds
    assert all(0 <= one.start <= one.end <= LONG for one in found)
