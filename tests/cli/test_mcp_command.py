import socket
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--http", "--host", "0.0.0.0"], "can be reached from other machines: give a token"),
        (["--http", "--token", "short"], "the token is too short"),
        (["--http", "--root", "."], "leave --root out"),
        (["--http", "--host", "256.1.1.1", "--token", "x" * 16], "cannot be listened to"),
        (["--root", "nothing"], "nothing is no folder"),
        (["--mode", "typed"], "needs a model"),
        (["--model", "nobody:nothing"], "nobody"),
        (["--corpus", "contract.txt"], "contract.txt"),
    ],
)
@pytest.mark.enable_socket
@pytest.mark.usefixtures("contract")
def test_what_cannot_be_served_is_told(spanwise, arguments, told):
    code, out, err = spanwise("mcp", *arguments)
    assert code == 2
    assert out == ""
    assert told in err
    assert "Traceback" not in err


@pytest.mark.enable_socket
@pytest.mark.usefixtures("contract")
def test_a_port_in_use_is_told(spanwise):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, _, err = spanwise("mcp", "--http", "--port", str(taken.getsockname()[1]))
    assert code == 2
    assert "choose another --port" in err


def test_the_whole_machine_is_no_root(spanwise, contract, monkeypatch):
    monkeypatch.setattr(Path, "cwd", lambda: Path("/"))
    code, _, err = spanwise("mcp", "--corpus", str(contract.parent / "corpus.db"))
    assert code == 2
    assert "--root DIR" in err
