"""Boosted trees as data."""

from __future__ import annotations

import pytest

from spanwise.text.trees import read_trees

DATA = {
    "features": ["length", "age"],
    "base": -1.0,
    "trees": [[[0, -1, 1, -1, -1], [2.0, 0, 5.0, 0, 0], [1, 0, 3, 0, 0], [2, 0, 4, 0, 0], [0, 0.5, 0, 1.0, 2.0]]],
}


@pytest.mark.parametrize(("row", "log_odds"), [((2.0, 9.0), -0.5), ((2.1, 5.0), 0.0), ((2.1, 5.1), 1.0)])
def test_a_row_goes_left_where_its_feature_is_at_most_the_threshold(row: tuple[float, float], log_odds: float) -> None:
    assert read_trees(DATA, ["length", "age"]).log_odds(row) == log_odds


def test_trees_of_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="fitted for other features"):
        read_trees(DATA, ["age", "length"])
