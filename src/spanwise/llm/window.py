"""The window that a prompt has to be packed into again, once a server has said that it was too long."""

from __future__ import annotations

from spanwise.errors import ModelError, WindowExceededError
from spanwise.llm.port import Call
from spanwise.text.tokens import count_tokens

_SPARE = 0.95  # of the share: the next prompt has other words, and other tokens
_BLIND = 0.5  # of the window that was assumed, where the server tells nothing of use


def smaller_window(error: ModelError | None, call: Call, assumed: int) -> int | None:
    """The window for another try, in tokens as `count_tokens` estimates them; None where the window was not the error.

    Servers count tokens in their own way. Where one tells how long the prompt was for it, its window is measured in
    our tokens by that; where it tells no window, or none below the one that was assumed, half of that is tried.

    Args:
        error: What became of the call.
        call: What was asked.
        assumed: The window that its prompt was packed into.
    """
    if not isinstance(error, WindowExceededError):
        return None
    window, ours = error.window, count_tokens(call.system) + count_tokens(call.prompt)
    if window is not None and error.prompt_tokens is not None:
        reply = min(call.max_output_tokens or 0, window // 2)
        share = min(1.0, _SPARE * ours / error.prompt_tokens)
        window = int((window - reply) * share) + reply
    if window is None or window >= assumed:
        window = int(assumed * _BLIND)
    return window
