"""The blocks `python NAME` of the documentation, where the framework of that name is installed."""

import pytest
from environments import TESTED
from test_documentation import blocks, clone, execute

__all__ = ["clone"]


@pytest.mark.parametrize("block", [block for name in TESTED for block in blocks("python", mark=name)])
@pytest.mark.usefixtures("clone")
def test_python_blocks(block):
    execute(block)
