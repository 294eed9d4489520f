"""One breaker a run: a server that is not there is waited for once, not once for every call."""

from __future__ import annotations

from spanwise.errors import ModelError, ModelTimeoutError, UnreachableError
from spanwise.llm.layer import Layer, Steps
from spanwise.llm.port import Call, Model, Reply

_IN_A_ROW = 5
"""Calls that find no server before it counts as gone, where it answered before in the same run."""


class Breaker(Layer):
    """Answers calls with the last error, without sending them, once the server does not answer.

    It has then failed all attempts of a call before it ever replied, or those of several calls in a row. Any reply, one
    that says what is wrong too, shows that it is there.
    """

    def __init__(self, inner: Model) -> None:
        super().__init__(inner)
        self._silent = _IN_A_ROW - 1  # one more is enough as long as nothing came
        self._error: ModelError | None = None

    def steps(self, call: Call) -> Steps:
        """Ask, as long as somebody answers."""
        if self._error is not None:
            return Reply(error=self._error, model=self.profile.name)
        reply: Reply = yield call
        if not isinstance(reply.error, UnreachableError | ModelTimeoutError):
            self._silent = 0
            return reply
        self._silent += 1
        if self._silent >= _IN_A_ROW:
            self._error = reply.error
        return reply
