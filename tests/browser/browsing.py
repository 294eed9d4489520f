"""What tests and screenshots of the page share: where Chromium is, corpora with documents, a server of their own."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from spanwise.serving.corpus_library import Library

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CHROMIUM = shutil.which("chromium")
AXE = ROOT / ".cache" / "axe-core-4.14.1" / "axe.min.js"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def fill(path: Path, files: dict[str, bytes]) -> None:
    """Put documents into a corpus before it is served."""
    library = Library.open(path)
    try:
        for name, content in files.items():
            upload = path.parent / "upload"
            upload.write_bytes(content)
            library.add(name, upload)
    finally:
        library.close()


class serving:  # noqa: N801  # read as a verb: `with serving(folder) as address`
    """A server in a process of its own, until the block ends."""

    def __init__(self, folder: Path, *tokens: str):
        self.folder = folder
        self.tokens = tokens

    def __enter__(self) -> str:
        self.log = (self.folder / "log").open("w+")
        with socket.create_server(("127.0.0.1", 0)) as listener:  # it listens from here on: nobody else gets the port
            number, port = listener.fileno(), listener.getsockname()[1]
            command = [sys.executable, str(HERE / "serve.py"), str(number), str(self.folder), *self.tokens]
            self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, pass_fds=[number])
        address = f"http://127.0.0.1:{port}/"
        try:
            deadline = time.monotonic() + 120
            while not self._up(address):
                assert self.process.poll() is None, self._said()
                assert time.monotonic() < deadline, self._said()
                time.sleep(0.1)
        except BaseException:
            self.__exit__()
            raise
        return address

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=10)  # it has nothing to lose if it is slower
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    @staticmethod
    def _up(address: str) -> bool:
        try:
            with urllib.request.urlopen(f"{address}v1/health", timeout=30):
                return True
        except OSError:  # it is not up yet
            return False

    def _said(self) -> str:
        return (self.folder / "log").read_text()
