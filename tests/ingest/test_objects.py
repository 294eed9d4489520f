"""Documents of object stores and of folders behind HTTP, each from a real server on loopback."""

import functools
import http.server
import threading
from contextlib import contextmanager
from typing import ClassVar

import pytest

from spanwise.errors import DocumentNotFoundError, InputError
from spanwise.ingest.corpus import Corpus
from spanwise.readers.port import Limits

pytestmark = [
    pytest.mark.enable_socket,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # botocore's own
]
LEASE = b"# Lease\n\nThe monthly fee is EUR 900.\n"


class Quiet(http.server.SimpleHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def log_message(self, *_):
        self.asked.append(f"{self.command} {self.path}")

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        if self.path.startswith("/secret") and self.headers.get("Authorization") != "Basic bWU6a2V5IDE=":
            self.send_error(401)
        elif self.path.endswith("/moved.md"):
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()
        elif self.command == "GET":
            super().do_GET()
        else:
            super().do_HEAD()


@contextmanager
def http_folder(folder):
    Quiet.asked.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


@pytest.fixture
def bucket(monkeypatch):
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
            "AWS_SECRET_ACCESS_KEY": "a-secret-key",
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():
            monkeypatch.setenv(name, value)
        client = boto3.client("s3")
        try:
            client.create_bucket(Bucket="papers")
            yield (
                lambda key, body: (
                    client.put_object(Bucket="papers", Key=key, Body=body)
                    if body is not None
                    else (client.delete_object(Bucket="papers", Key=key))
                )
            )
        finally:
            client.close()
    finally:
        server.stop()


def test_a_bucket_is_followed_by_its_etags(bucket):
    for key, body in {"a/lease.md": LEASE, "a/b/copy.md": LEASE, "a/bad.pdf": b"%PDF-1.7", "x.md": LEASE}.items():
        bucket(key, body)
    with Corpus.memory() as corpus:
        first = corpus.add("s3://papers/a")
        assert (first.added, [one.path for one in first.failed]) == (("b/copy.md",), ["s3://papers/a/bad.pdf"])
        assert [(one.path, one.reason) for one in first.skipped] == [
            ("s3://papers/a/lease.md", "the same bytes as b/copy.md")
        ]
        assert "/tmp" not in first.failed[0].message
        bucket("a/b/copy.md", LEASE.replace(b"900", b"950"))
        bucket("a/bad.pdf", None)
        again = corpus.add("s3://papers/a")
        assert (again.replaced, again.added, again.failed) == (("b/copy.md",), ("lease.md",), ())
        assert corpus.add("s3://papers/a").unchanged == ("b/copy.md", "lease.md")
        bucket("a/lease.md", None)
        assert corpus.add("s3://papers/a").removed == ("lease.md",)
        assert corpus.stored("b/copy.md").source.path == "s3://papers/a/b/copy.md"
        for wrong, words in {
            "s3://papers/none": "nothing at",
            "s3://nowhere/a": "nothing at|no document",
            "s3://me:a-secret-key@papers/a": "AWS_ACCESS_KEY_ID",
        }.items():
            with pytest.raises(InputError, match=words) as told:
                corpus.add(wrong)
            assert "a-secret" not in str(told.value)


def test_a_folder_behind_http_is_read_below_its_address_only(tmp_path):
    folder = tmp_path / "docs"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "lease one.md").write_bytes(LEASE)
    (folder / "large.txt").write_bytes(b"words and " * 5_000)
    (folder / "index.html").write_text(
        '<a href="in/">in</a> <a href="/docs/large.txt">l</a> <a href="../other.md">o</a> <a href="moved.md">m</a>'
        '<a href="https://example.org/x.md">x</a> <a href="?C=N;O=D">sort</a> <a href="http://[">b</a>'
    )
    (tmp_path / "other.md").write_bytes(LEASE)
    with http_folder(tmp_path) as server, Corpus.memory() as corpus:
        report = corpus.add(f"{server}/docs/", limits=Limits(file_bytes=10_000))
        assert report.added == ("in/lease one.md",)
        assert sorted((one.path.rpartition("/")[2], one.error) for one in report.failed) == [
            ("large.txt", "LimitError"),
            ("moved.md", "ServiceError"),
        ]
        assert not any("other" in one for one in Quiet.asked)
        Quiet.asked.clear()
        assert corpus.add(f"{server}/docs/", limits=Limits(file_bytes=10_000)).unchanged == ("in/lease one.md",)
        assert not any(one.startswith("GET /docs/in/lease") for one in Quiet.asked)


def test_credentials_are_used_and_never_shown(tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "lease.md").write_bytes(LEASE)
    with http_folder(tmp_path) as server, Corpus.memory() as corpus:
        with pytest.raises(InputError, match="refuses these credentials") as told:
            corpus.add(server.replace("//", "//me:wrong@") + "/secret/lease.md")
        assert "wrong" not in str(told.value)
        assert corpus.add(server.replace("//", "//me:key%201@") + "/secret/lease.md?sig=abc").added == ("lease.md",)
        assert corpus.stored("lease.md").source.path == f"{server}/secret/lease.md"
        with pytest.raises(DocumentNotFoundError):
            corpus.add(f"{server}/none.md")
    with Corpus.memory() as corpus, pytest.raises(DocumentNotFoundError, match="nobody answers"):
        corpus.add(f"{server}/docs/lease.md")
