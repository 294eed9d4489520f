"""The text of a reply while it is written: pieces of text, and always one `Reply` as the last piece."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from spanwise.errors import CutReplyError, ScriptExhausted
from spanwise.llm.failing import aattempt, as_model_error, attempt
from spanwise.llm.port import Call, Model, Reply, StreamingModel


def pieces(model: Model, call: Call) -> Iterator[str | Reply]:
    """The stream of a model, with what it raises as the error of its reply.

    Of a model that cannot stream, and of a call with a schema (half an object is of no use), only the reply.
    """
    if not isinstance(model, StreamingModel) or call.schema is not None:
        yield attempt(model, call)
        return
    shown: list[str] = []
    try:
        for piece in model.stream(call):
            yield piece
            if isinstance(piece, Reply):
                return
            shown.append(piece)
    except ScriptExhausted:
        raise
    except Exception as error:  # noqa: BLE001  # as in `attempt`: a model is foreign code
        yield Reply("".join(shown), error=as_model_error(error))
        return
    yield _unfinished("".join(shown))


async def apieces(model: Model, call: Call) -> AsyncGenerator[str | Reply, None]:
    """The same for async code."""
    if not isinstance(model, StreamingModel) or call.schema is not None:
        yield await aattempt(model, call)
        return
    shown: list[str] = []
    try:
        async with aclosing(model.astream(call)) as stream:
            async for piece in stream:
                yield piece
                if isinstance(piece, Reply):
                    return
                shown.append(piece)
    except ScriptExhausted:
        raise
    except Exception as error:  # noqa: BLE001  # as in `attempt`
        yield Reply("".join(shown), error=as_model_error(error))
        return
    yield _unfinished("".join(shown))


def _unfinished(shown: str) -> Reply:
    return Reply(shown, error=CutReplyError("The stream of the model ended before its reply was whole; ask again."))
