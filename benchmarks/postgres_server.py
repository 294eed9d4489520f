"""A PostgreSQL for tests and measurements: an unprivileged user's, in a temporary folder.

Debian's package, the newest that is installed, or the one whose programs are in the folder `SPANWISE_POSTGRES`.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from urllib.parse import quote, urlencode

WHERE = os.environ.get("SPANWISE_POSTGRES", "/usr/lib/postgresql/*/bin")
USER, PASSWORD = "keeper", "a secret of 17+1%"  # as odd as a password may be, so that URLs have to quote it
_SECONDS = 30.0
_OPTIONS = {
    "max_connections": "60",
    "shared_buffers": "64MB",
    "log_min_messages": "fatal",
    "listen_addresses": "",  # its socket only
}


def programs() -> Path | None:
    """The folder of the newest server that is installed, or None."""
    root = Path("/")
    found = [path for path in root.glob(WHERE.lstrip("/")) if (path / "initdb").exists()]
    return max(found, key=lambda path: [int(part) for part in path.parts if part.isdigit()], default=None)


@dataclass(slots=True)
class Server:
    """A running server; its databases are gone with it."""

    bin: Path
    folder: Path
    user: int | None
    settings: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    _made = count(1)

    def url(self, database: str = "postgres", **query: str) -> str:
        """The address of a database, over the socket in its folder."""
        options = urlencode({"host": str(self.folder), **query})
        return f"postgresql://{USER}:{quote(PASSWORD)}@/{database}?{options}"

    def corpus(self) -> str:
        """The address of a new corpus in a database that others are in too."""
        return self.url("corpora", schema=f"corpus{next(self._made)}")

    def fresh(self) -> str:
        """The address of a new, empty database, which takes longer."""
        name = f"empty{next(self._made)}"
        self.sql(f"CREATE DATABASE {name}")
        return self.url(name)

    def sql(self, *statements: str, database: str = "postgres") -> list[str]:
        """Say something to a database as its owner; the lines that it answers."""
        own = self.bin / "psql"  # builds for embedding have the server only
        call = [str(own) if own.exists() else "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder)]
        said = [part for one in statements for part in ("-c", one)]
        done = subprocess.run(
            [*call, "-U", USER, "-d", database, *said],
            capture_output=True,
            text=True,
            check=True,
            timeout=_SECONDS,
            env={**os.environ, "PGPASSWORD": PASSWORD},
        )
        return done.stdout.splitlines()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [part for name, value in (_OPTIONS | self.settings).items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(self.bin / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), *settings],
                user=self.user,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        until = time.monotonic() + _SECONDS
        while True:
            with suppress(subprocess.CalledProcessError):
                self.sql("SELECT 1")
                return
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"PostgreSQL did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def stop(self) -> None:
        """End it at once; whoever is connected is cut off."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGQUIT)  # without a checkpoint
            try:
                self.process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(_SECONDS)
            self.process = None


@contextmanager
def postgres(**settings: str) -> Iterator[Server]:
    """A running server of its own; what is written is not forced to the disk unless `fsync="on"` is given.

    Raises:
        RuntimeError: None is installed, or it does not start.
    """
    found = programs()
    if found is None:
        raise RuntimeError("no PostgreSQL server is installed: .ci/postgres installs Debian's")
    folder = Path(tempfile.mkdtemp(prefix="spanwise-pg-"))  # short: the path of a socket has at most 107 characters
    try:
        user = None
        if os.getuid() == 0:  # PostgreSQL does not run as root
            user = pwd.getpwnam("postgres").pw_uid
            os.chown(folder, user, -1)
        secret = folder / "secret"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        subprocess.run(
            [
                *(str(found / "initdb"), "-D", str(folder / "data"), "-U", USER, "--pwfile", str(secret)),
                *("-A", "scram-sha-256", "-E", "UTF8", "--locale", "C.UTF-8", "--no-sync"),
            ],
            user=user,
            check=True,
            capture_output=True,
            timeout=_SECONDS,
        )
        server = Server(found, folder, user, {"fsync": "off", **settings})
        try:
            server.start()
            server.sql("CREATE DATABASE corpora")
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
