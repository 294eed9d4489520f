"""Prompt templates, and the budget of a prompt: what the window leaves for evidence after them, draft and reply.

Templates are files in `prompts/`, or strings of the user's, filled in one pass so that no text fills another.
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
"""What each template has to have; the names are those that LlamaIndex's templates use."""

_KNOWN = re.compile(r"\{(context_str|query_str|existing_answer|context_msg)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt as literal parts and the names of the variables between them, in turn, a literal part first."""

    name: str
    parts: tuple[str, ...]

    @property
    def tokens(self) -> int:
        """What it costs without its variables."""
        return sum(token_bound(part) for part in self.parts[::2])

    def uses(self, name: str) -> int:
        """How often a variable stands in it."""
        return self.parts[1::2].count(name)

    def render(self, values: dict[str, str]) -> str:
        """The prompt with its variables filled in."""
        return "".join(values[part] if place % 2 else part for place, part in enumerate(self.parts))


def template(name: str, text: str | None = None) -> Template:
    """The template of that name (`text_qa`, `refine` or `summary`): the user's text, or what is shipped.

    A text in which every brace belongs to a variable, or is doubled, is read as `str.format` reads it; in any other
    text only the known variables count, so that examples in JSON may stand in it as they are.

    Raises:
        TemplateError: One of its variables is missing.
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
    """The text of one of the shipped prompts."""
    return (files("spanwise.synthesis") / "prompts" / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def _format_parts(text: str) -> list[str] | None:
    """Literal parts and variables in turn, or None when the text is no format string of known variables only."""
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

    def room(self, instructions: int, least: int = SMALLEST_ROOM, enlarged_by: str = "context_window") -> int:
        """What is left for evidence and a draft beside instructions (the question among them) of that many tokens.

        Args:
            instructions: Tokens of everything else in the prompt.
            least: Tokens of evidence with which a prompt makes sense.
            enlarged_by: Name of the option that sets the window.

        Raises:
            WindowError: It is less than `least`.
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
        """What of a room is reserved for an answer so far, or for each of several answers that are brought together."""
        return min(self.output, int(room * _LARGEST_DRAFT))
