"""The budget of a prompt: what the window leaves for evidence after the instructions, the draft and the reply."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.errors import WindowError

SMALLEST_ROOM = 16
"""Tokens of evidence that a prompt has to have room for."""
_MARGIN = 0.02
_SMALLEST_MARGIN = 8
_LARGEST_DRAFT = 0.5  # of the room: a draft never takes more from the evidence when a prompt is planned


@dataclass(frozen=True, slots=True)
class Budget:
    """How the tokens of a context window are shared. All sizes are in tokens as `count_tokens` estimates them."""

    window: int
    """Of prompt and reply together."""
    output: int
    """Reserved for the reply."""

    def __post_init__(self) -> None:
        """Check that a prompt can exist at all.

        Raises:
            WindowError: A size is not positive, or the reply takes the whole window.
        """
        for name, size in (("context_window", self.window), ("max_output_tokens", self.output)):
            if isinstance(size, bool) or not isinstance(size, int) or size < 1:
                raise WindowError(f"{name} is {size!r}; it has to be a whole number of tokens, 1 or more")
        if self.output >= self.window:
            raise WindowError(
                f"a reply of {self.output} tokens leaves nothing of a window of {self.window}: "
                "lower max_output_tokens or raise context_window"
            )

    @property
    def margin(self) -> int:
        """Kept free because tokens are estimated."""
        return max(_SMALLEST_MARGIN, int(self.window * _MARGIN))

    def room(self, instructions: int) -> int:
        """What is left for evidence and a draft beside instructions (the question among them) of that many tokens.

        Raises:
            WindowError: It is less than a prompt makes sense with.
        """
        room = self.window - self.output - self.margin - instructions
        if room < SMALLEST_ROOM:
            least = self.window + SMALLEST_ROOM - room
            raise WindowError(
                f"a window of {self.window} tokens is too small: instructions and question take {instructions}, "
                f"the reply {self.output}; set context_window to {least} or more, lower max_output_tokens, "
                "or shorten the question or the template"
            )
        return room

    def draft(self, room: int) -> int:
        """What of a room is reserved for an answer so far, or for each of several answers that are brought together."""
        return min(self.output, int(room * _LARGEST_DRAFT))
