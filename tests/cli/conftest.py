import os
import sys
from pathlib import Path

import pytest

from spanwise.cli import main

CONTRACT = """\
SERVICE AGREEMENT

1. Payment Terms

Payment is due within 30 days of invoice receipt. Invoices are
sent monthly by e-mail.

2. Late Payment Penalties

A late fee of 1.5% per month (18% annually) will apply to any
outstanding balance not paid within 30 days of invoice receipt.

3. Exclusions

The following are excluded:

(a) damage by flood;
(b) damage by war; and
(c) loss of profit.
"""


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory, monkeypatch) -> Path:
    """A user without settings and answers of before; its folder."""
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.setenv(name, str(home))
    for name in [name for name in os.environ if name.startswith("SPANWISE_") and name != "SPANWISE_DATA"]:
        monkeypatch.delenv(name)
    return home


@pytest.fixture
def contract(tmp_path, monkeypatch) -> Path:
    """A text document in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "contract.txt"
    path.write_text(CONTRACT)
    return path


@pytest.fixture
def spanwise(capfd, monkeypatch):
    """Run the command line in this process: exit code, stdout, stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["spanwise", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capfd.readouterr()
        return int(left.value.code or 0), out, err

    return run
