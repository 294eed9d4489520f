"""A model with prepared replies: for tests, examples and dry runs, without a network."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from spanwise.errors import ScriptExhausted
from spanwise.llm.port import Call, ModelProfile, Reply, Usage, as_model_error
from spanwise.llm.structured import parse_reply
from spanwise.text.tokens import count_tokens

Scripted: TypeAlias = str | Exception
"""The text of a reply, or the error of the call."""

_WORDS = re.compile(r"\S+\s*|\s+")


class ScriptedModel:
    """Gives replies from a list, in the order of the calls, or from a function of the call.

    Attributes:
        calls: All calls so far, in order.
    """

    def __init__(
        self,
        replies: Sequence[Scripted] | Callable[[Call], Scripted],
        *,
        latency: float = 0.0,
        profile: ModelProfile | None = None,
    ) -> None:
        """Take the replies; each call takes `latency` seconds.

        An exception among the replies (in the list, or returned or raised by the function) makes that call fail. The
        default profile supports every schema and has no known window; texts are parsed as those of any model are.
        """
        self.calls: list[Call] = []
        self._replies = replies if callable(replies) else list(replies)
        self._latency = latency
        self._profile = profile or ModelProfile(name="scripted", native_schema=True, json_schema=True)
        self._lock = threading.Lock()

    @property
    def profile(self) -> ModelProfile:
        """The profile that was given, or the default one."""
        return self._profile

    def complete(self, call: Call) -> Reply:
        """The next reply.

        Raises:
            ScriptExhausted: The list has no more replies.
        """
        index = self._record(call)
        time.sleep(self._latency)
        return self._reply(call, index)

    async def acomplete(self, call: Call) -> Reply:
        """The next reply, without blocking the event loop."""
        index = self._record(call)
        await asyncio.sleep(self._latency)
        return self._reply(call, index)

    def stream(self, call: Call) -> Iterator[str | Reply]:
        """The next reply, word by word, then complete."""
        reply = self.complete(call)
        yield from _WORDS.findall(reply.text)
        yield reply

    async def astream(self, call: Call) -> AsyncGenerator[str | Reply, None]:
        """As `stream`, for async code."""
        reply = await self.acomplete(call)
        for word in _WORDS.findall(reply.text):
            yield word
        yield reply

    def _record(self, call: Call) -> int:
        with self._lock:
            self.calls.append(call)
            index = len(self.calls) - 1
        if not callable(self._replies) and index >= len(self._replies):
            raise ScriptExhausted(
                f"Call {index + 1} ({call.purpose}) has no reply: the script has {len(self._replies)}. "
                "Add replies, or look why there are more calls than you expected."
            )
        return index

    def _reply(self, call: Call, index: int) -> Reply:
        try:
            said = self._replies(call) if callable(self._replies) else self._replies[index]
        except ScriptExhausted:
            raise
        except Exception as error:  # noqa: BLE001  # a function may fail as a provider does
            said = error
        usage = Usage(count_tokens(call.system) + count_tokens(call.prompt), estimated=True, requests=1)
        if isinstance(said, Exception):
            return Reply(usage=usage, error=as_model_error(said), model=self._profile.name)
        usage += Usage(completion_tokens=count_tokens(said))
        usage = replace(usage, cost_usd=self._profile.cost_usd(usage.prompt_tokens, usage.completion_tokens))
        return parse_reply(call, Reply(said, usage=usage, model=self._profile.name))
