"""A boosted tree as data."""

from __future__ import annotations

import pytest

from spanwise.text.trees import Tree

TREE = Tree((0, -1, 1, -1, -1), (2.0, 0, 5.0, 0, 0), (1, 0, 3, 0, 0), (2, 0, 4, 0, 0), (0, 0.5, 0, 1.0, 2.0))


@pytest.mark.parametrize(("row", "log_odds"), [((2.0, 9.0), 0.5), ((2.1, 5.0), 1.0), ((2.1, 5.1), 2.0)])
def test_a_row_goes_left_where_its_feature_is_at_most_the_threshold(row: tuple[float, float], log_odds: float) -> None:
    assert TREE.log_odds(row) == log_odds
