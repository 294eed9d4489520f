"""Prompt templates, and the token budget of a prompt: how much room the window leaves for evidence.

Templates are files in `prompts/`, or the user's strings; they are filled in one pass, so that no filled-in text is
itself filled in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter

from spanwise.errors import TemplateError, WindowError
from spanwise.text.tokens import token_bound

VARIABLES = {
    "text_qa": ("context_str", "query_str"),
    "refine": ("query_str", "existing_answer", "context_msg"),
    "summary": ("context_str", "query_str"),
}
"""The variables that each template must have; the names are those of LlamaIndex's templates."""

_KNOWN = re.compile(r"\{(context_str|query_str|existing_answer|context_msg)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt as alternating literal parts and variable names, beginning with a literal part."""

    name: str
    parts: tuple[str, ...]

    @property
    def tokens(self) -> int:
        """Tokens of the literal parts."""
        return sum(token_bound(part) for part in self.parts[::2])

    def uses(self, name: str) -> int:
        """How often a variable occurs."""
        return self.parts[1::2].count(name)

    def render(self, values: dict[str, str]) -> str:
        """The prompt with its variables filled in."""
        return "".join(values[part] if place % 2 else part for place, part in enumerate(self.parts))


def template(name: str, text: str | None = None) -> Template:
    """The template of that name (`text_qa`, `refine` or `summary`): the user's text, or the shipped one.

    A text in which every brace belongs to a variable, or is doubled, is read as by `str.format`; in any other text only
    the known variables count, so that it may contain JSON examples as they are.

    Raises:
        TemplateError: A variable is missing, unknown, or used twice.
    """
    written = prompt_text(name) if text is None else text
    if not isinstance(written, str):
        raise TemplateError(f"the {name} template has to be a string, not {type(written).__name__}")
    parts = _format_parts(written) or _KNOWN.split(written)
    missing = [f"{{{variable}}}" for variable in VARIABLES[name] if variable not in parts[1::2]]
    if missing:
        raise TemplateError(f"the {name} template lacks {' and '.join(missing)}: put it where that text belongs")
    strange = [part for part in parts[1::2] if part not in VARIABLES[name]]
    if strange:
        raise TemplateError(f"the {name} template cannot use {{{strange[0]}}}: it has {_listed(VARIABLES[name])}")
    twice = [part for part in VARIABLES[name] if part != "query_str" and parts[1::2].count(part) > 1]
    if twice:
        raise TemplateError(f"the {name} template has {{{twice[0]}}} twice: text is sent once, keep one of them")
    return Template(name, tuple(parts))


@cache
def prompt_text(name: str) -> str:
    """The text of a shipped prompt."""
    return (files("spanwise.synthesis") / "prompts" / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def _format_parts(text: str) -> list[str] | None:
    """Alternating literal parts and variables; None if the text is not a format string of known variables only."""
    parts = [""]
    try:
        for literal, field, form, conversion in Formatter().parse(text):
            parts[-1] += literal
            if field is None:
                continue
            if form or conversion or not _KNOWN.fullmatch(f"{{{field}}}"):
                return None
            parts += [field, ""]
    except ValueError:
        return None
    return parts


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


SMALLEST_ROOM = 16
"""Least tokens of evidence that a prompt must have room for."""
_MARGIN = 0.02
_SMALLEST_MARGIN = 8
_LARGEST_DRAFT = 0.5  # largest share of the room that a draft may take from the evidence in a plan


@dataclass(frozen=True, slots=True)
class Budget:
    """How the tokens of a context window are divided, in tokens as `count_tokens` estimates them."""

    window: int
    """Tokens of prompt and reply together."""
    output: int
    """Tokens reserved for the reply."""

    def __post_init__(self) -> None:
        """Check the sizes.

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
        """Tokens kept free because all counts are estimates."""
        return max(_SMALLEST_MARGIN, int(self.window * _MARGIN))

    def room(self, instructions: int, least: int = SMALLEST_ROOM, enlarged_by: str = "context_window") -> int:
        """Tokens left for evidence and a draft beside the instructions, which include the question.

        Args:
            instructions: Tokens of everything else in the prompt.
            least: Tokens of evidence without which a prompt makes no sense.
            enlarged_by: Name of the option that sets the window, for the error message.

        Raises:
            WindowError: Less than `least` is left.
        """
        room = self.window - self.output - self.margin - instructions
        if room < least:
            raise WindowError(
                f"a window of {self.window} tokens has no room for passages: instructions and question take "
                f"{instructions}, the reply {self.output}; raise {enlarged_by} to {self.window + least - room} or "
                "more, lower max_output_tokens, or shorten the question or the template"
            )
        return room

    def draft(self, room: int) -> int:
        """Tokens of a room reserved for the answer so far, or for each of several answers that are combined."""
        return min(self.output, int(room * _LARGEST_DRAFT))
