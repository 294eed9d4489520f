"""A fake provider for tests: it speaks the real protocols over HTTP on this machine, and fails on demand.

    with FakeProvider(["Paris.", Fault.rate_limited(2)]) as provider:
        model = model_from("openai:any-name", base_url=provider.url, api_key="test")
        print(model.complete(Call("What is the capital of France?")).text)
        print(provider.requests[0].body["messages"])

It answers Chat Completions, Responses and Anthropic Messages, streamed if requested, and Embeddings, for which a reply
is a JSON list of vectors. It is a test double, not a server: it listens on the loopback address only, trusts its
callers, and checks no key.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, Self, TypeAlias

from spanwise.errors import ScriptExhausted
from spanwise.testing.wire import Json, Wire, WrittenReply, has_schema, pieces_of, wanted_tool, wire_of


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure of one request; create it with one of the class methods.

    Attributes:
        kind: "status": an HTTP error; "slow": the reply is late; "cut": the connection ends early; "garbage": the body
        is
            not JSON; "refusal": the model refuses; "length": the limit on tokens cuts the reply.
        status: The HTTP status.
        message: The provider's error message.
        headers: Headers of the reply.
        seconds: Delay of the reply.
        text: The model's text before the failure, or instead of an answer.
    """

    kind: Literal["status", "slow", "cut", "garbage", "refusal", "length"]
    status: int = 200
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    text: str = ""

    @classmethod
    def rejected(cls, message: str = "bad request", status: int = 400) -> Self:
        """The request is rejected."""
        return cls("status", status, message)

    @classmethod
    def no_schema(cls) -> Self:
        """The request is rejected because it has a schema."""
        return cls("status", 400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported.")

    @classmethod
    def rate_limited(cls, seconds: float) -> Self:
        """Too many requests; the header Retry-After asks to wait."""
        return cls("status", 429, "Rate limit reached.", {"Retry-After": f"{seconds:g}"})

    @classmethod
    def down(cls, status: int = 500) -> Self:
        """The provider fails on its side."""
        return cls("status", status, "The server had an error.")

    @classmethod
    def slow(cls, seconds: float, text: str = "late") -> Self:
        """The reply comes after `seconds`."""
        return cls("slow", seconds=seconds, text=text)

    @classmethod
    def cut(cls, text: str = "The answer begins and") -> Self:
        """The connection ends in the middle of the reply; a stream has sent the text."""
        return cls("cut", text=text)

    @classmethod
    def garbage(cls) -> Self:
        """The body of the reply is not JSON."""
        return cls("garbage")

    @classmethod
    def refusal(cls, text: str = "I can't help with that.") -> Self:
        """The model refuses."""
        return cls("refusal", text=text)

    @classmethod
    def too_long(cls, text: str) -> Self:
        """The limit on output tokens cuts the reply after the text."""
        return cls("length", text=text)


@dataclass(frozen=True, slots=True)
class Request:
    """A client's request."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, object]

    @property
    def has_schema(self) -> bool:
        """True if it has a schema."""
        return has_schema(self.body)


Reaction: TypeAlias = str | Fault
Replies: TypeAlias = Sequence[Reaction] | Callable[[Request], Reaction]


class FakeProvider:
    """A context manager that serves while it is open.

    Attributes:
        requests: All requests so far, in the order of arrival.
    """

    def __init__(self, replies: Replies) -> None:
        """Take the replies: a list, in the order of the requests, or a function of the request."""
        self.requests: list[Request] = []
        self._replies = replies if callable(replies) else list(replies)
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.provider = self

    @property
    def root(self) -> str:
        """The address without a path, as Anthropic's clients expect it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The address of the API, as OpenAI's clients expect it."""
        return f"{self.root}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def react(self, request: Request) -> Reaction:
        """The reaction to a request; a rejection if the list has none left."""
        with self._lock:
            self.requests.append(request)
            index = len(self.requests) - 1
        if callable(self._replies):
            return self._replies(request)
        if index < len(self._replies):
            return self._replies[index]
        return Fault.rejected(str(ScriptExhausted(f"no reply is left for request {index + 1}")), status=418)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    provider: FakeProvider


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        wire = wire_of(self.path)
        with suppress(ConnectionError):  # a client that gave up
            if wire is None:
                self._send(404, json.dumps({"error": {"message": f"no such path: {self.path}"}}).encode())
            else:
                self._answer(wire, request, self.server.provider.react(request))

    def _answer(self, wire: Wire, request: Request, reaction: Reaction) -> None:
        fault = reaction if isinstance(reaction, Fault) else Fault("slow", text=reaction)
        model = str(request.body.get("model", "fake"))
        if fault.kind == "status":
            self._send(fault.status, json.dumps(wire.error(fault.status, fault.message)).encode(), fault.headers)
        elif fault.kind == "garbage":
            self._send(200, b"{ this is no JSON")
        else:
            time.sleep(fault.seconds)
            tool = None if fault.kind == "refusal" else wanted_tool(request.body)
            said = WrittenReply(fault.text, tool, refused=fault.kind == "refusal", cut=fault.kind == "length")
            if request.body.get("stream"):
                self._stream(wire, said, model, cut=fault.kind == "cut")
            else:
                self._whole(wire.whole(said, model), cut=fault.kind == "cut")

    def _whole(self, body: Json, *, cut: bool) -> None:
        encoded = json.dumps(body).encode()
        if cut:
            self._head(200, {"Content-Type": "application/json", "Content-Length": str(len(encoded))})
            self.wfile.write(encoded[: len(encoded) // 2])
            self.close_connection = True
        else:
            self._send(200, encoded)

    def _stream(self, wire: Wire, said: WrittenReply, model: str, *, cut: bool) -> None:
        self._head(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        self.close_connection = True
        shown = len(pieces_of(said.text))
        for name, data in wire.events(said, model):
            encoded = data if isinstance(data, str) else json.dumps(data)
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {encoded}\n\n".encode())
            self.wfile.flush()
            shown -= "delta" in encoded
            if cut and shown == 0:
                return

    def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self._head(status, {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})})
        self.wfile.write(body)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
