import resource
import sys

import pytest

from spanwise.server.connections import connections_within

CODE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from spanwise.cli import main
sys.argv = ["spanwise", *{words}]
main()
"""


class System:
    """Limits of a system that does not exist."""

    RLIM_INFINITY, RLIMIT_NOFILE = -1, 7

    def __init__(self, soft: int, hard: int, most: int = 10**9) -> None:
        self.limits, self.most = (soft, hard), most

    def getrlimit(self, _: int) -> tuple[int, int]:
        return self.limits

    def setrlimit(self, _: int, limits: tuple[int, int]) -> None:
        if limits[0] > self.most:
            raise ValueError("not allowed to raise maximum limit")
        self.limits = limits


@pytest.mark.parametrize(
    ("system", "connections", "soft"),
    [
        (System(4_096, 4_096), 500, 4_096),
        (System(256, 4_096), 500, 1_096),
        (System(256, -1), 500, 1_096),
        (System(-1, -1), 500, -1),
        (System(256, 596), 250, 596),
        (System(256, 256), 80, 256),
        (System(256, 4_096, most=256), 80, 256),
        (System(64, 64), 1, 64),
        (None, 500, None),
    ],
)
def test_connections_have_room_in_the_limit_of_open_files(monkeypatch, system, connections, soft):
    monkeypatch.setattr("spanwise.server.connections.resource", system)
    assert connections_within(500, 1) == connections
    assert system is None or system.limits[0] == soft


@pytest.mark.enable_socket
@pytest.mark.parametrize("words", [["serve", "--port", "0"], ["mcp", "--http", "--port", "0"]], ids=["serve", "mcp"])
def test_a_low_limit_is_told_at_the_start(tmp_path, started, words):
    server = started(sys.executable, "-c", CODE.format(soft=256, hard=256, words=words), cwd=tmp_path)
    told = server.stderr.readline()
    assert "at most 80 of 500 connections" in told
    assert "ulimit -n" in told


def test_the_limit_of_this_process_is_left_or_raised():
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        assert 1 <= connections_within(100, 1) <= 100
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= before[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
