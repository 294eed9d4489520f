"""One way to call a model: whatever it raises becomes the error of a reply."""

from __future__ import annotations

from spanwise.errors import ModelError, ModelTimeoutError, ScriptExhausted, UnreachableError
from spanwise.llm.port import Call, Model, Reply


def attempt(model: Model, call: Call) -> Reply:
    """The reply to a call, with an error in it where the model raised one."""
    try:
        return model.complete(call)
    except ScriptExhausted:
        raise
    except Exception as error:  # noqa: BLE001  # a model is foreign code: its failure is that call's, not the run's
        return Reply(error=as_model_error(error), model=model.profile.name)


async def aattempt(model: Model, call: Call) -> Reply:
    """The same for async code."""
    try:
        return await model.acomplete(call)
    except ScriptExhausted:
        raise
    except Exception as error:  # noqa: BLE001  # as above
        return Reply(error=as_model_error(error), model=model.profile.name)


def as_model_error(error: Exception) -> ModelError:
    """The error itself if it is typed, else the nearest typed one with its message."""
    if isinstance(error, ModelError):
        return error
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, TimeoutError):
        typed: ModelError = ModelTimeoutError(f"The model did not answer in time ({said}); allow more time.")
    elif isinstance(error, ConnectionError):
        typed = UnreachableError(f"The model cannot be reached ({said}); check the address and that it runs.")
    else:
        typed = ModelError(f"The call to the model failed with {said}.")
    typed.__cause__ = error
    return typed
