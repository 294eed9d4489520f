"""What docs/openai.md shows is run against a real server."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "openai.md"


@pytest.mark.enable_socket
@pytest.mark.usefixtures("paper")
def test_the_blocks_of_the_page_run(address, capsys):
    blocks = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    code = "\n".join(blocks).replace("http://127.0.0.1:8000", address) + "\nclient.close()\n"
    exec(compile(code, str(PAGE), "exec"), {})
    shown = capsys.readouterr().out
    assert "Exact time" in shown
    assert "-> standard.pdf#page=5 " in shown
