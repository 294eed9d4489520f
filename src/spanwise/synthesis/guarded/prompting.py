"""From a question and its chunks to the model call: everything within the token budget, in a fixed, reproducible order.

A style of answer consists of an instruction to the model and of what code makes of the checked text; it adds no words.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from spanwise.errors import SynthesisError
from spanwise.llm.port import Call, ModelProfile
from spanwise.synthesis.guarded.context import OVERHEAD, Included, as_text, context_block, ranked, select
from spanwise.synthesis.guarded.schema import ModelConfig, SynthesisInput
from spanwise.synthesis.prompt import Budget, prompt_text
from spanwise.synthesis.windows import shortened
from spanwise.text.injection.marks import as_data
from spanwise.text.tokens import token_bound


class Style(Enum):
    """The styles of answers; "kids", "bullet-only" and "json-only" are accepted as older names of three of them."""

    ACADEMIC = "academic"
    SIMPLE = "simple"
    BULLETS = "bullets"
    JSON = "json"

    @classmethod
    def _missing_(cls, value: object) -> Style | None:
        return {"kids": cls.SIMPLE, "bullet-only": cls.BULLETS, "json-only": cls.JSON}.get(str(value).lower())


INSTRUCTIONS = {
    Style.ACADEMIC: "Style: academic. Precise, impersonal prose without contractions, instead of bullets.",
    Style.SIMPLE: "Style: simple. Explain as to a child of ten: short sentences, common words; numbers and names stay.",
    Style.BULLETS: 'Style: bullets. Every statement is a line that begins with "- ", and there is nothing else.',
    Style.JSON: "Style: plain sentences, one a line, without markup; code turns them into JSON.",
}
_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)
_LONGEST_JSON = 200_000
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class AnswerStatement:
    """A sentence of the answer as shown, and the ids that it cites."""

    text: str
    cites: tuple[str, ...]


def style_named(name: str | None) -> Style | None:
    """The style of that name; None stays None.

    Raises:
        SynthesisError: There is no such style.
    """
    try:
        return None if name is None else Style(name)
    except ValueError:
        known = ", ".join(style.value for style in Style)
        raise SynthesisError(f"there is no style {name!r}; choose one of {known}, or None") from None


def said_in_json(text: str) -> str:
    """The content of a reply that is JSON although sentences were asked for, as lines of text; other text is unchanged.

    Field names are put before their values, so that a value without a sentence around it can still be checked.
    """
    fenced = _FENCE.match(text)
    inner = (fenced[1] if fenced else text).strip()
    if inner[:1] not in ("{", "[") or len(inner) > _LONGEST_JSON:
        return text
    try:
        found = json.loads(inner)
    except (ValueError, RecursionError):
        return text
    return "\n".join(_lines(found, "", _DEEPEST)) if isinstance(found, dict | list) else text


def _lines(value: object, name: str, deeper: int) -> list[str]:
    if isinstance(value, dict) and deeper:
        return [line for key, inner in value.items() for line in _lines(inner, str(key), deeper - 1)]
    if isinstance(value, list) and deeper:
        return [line for inner in value for line in _lines(inner, name, deeper - 1)]
    if value is None or value in ("", {}, []):
        return []
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    sentence = isinstance(value, str) and (name.lower() in _SENTENCES or value.rstrip()[-1:] in ".!?]")
    return [said if sentence or not name else f"{name.replace('_', ' ')}: {said}"]


_SENTENCES = frozenset(["answer", "response", "text", "summary", "statement", "statements", "evidence", "bullets"])


def as_json(answer: str, statements: Sequence[AnswerStatement]) -> str:
    """An answer and its statements as one JSON object."""
    shown = [{"text": one.text, "chunk_ids": list(one.cites)} for one in statements]
    return json.dumps({"answer": answer, "statements": shown}, ensure_ascii=False)


SYSTEM_PROMPT = prompt_text("guarded_system")
INSTRUCTION_PROMPT = prompt_text("guarded_instruction")
PLAN_PROMPT = prompt_text("guarded_plan")

_OUTPUT_SHARE = 4  # the default limit of the reply is at most this fraction (1/4) of the window
_PLAN_SHARE = 8


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything that is decided before the model is called.

    Attributes:
        included: The chunks that it is shown, best first; if empty, it is not called.
        scores: Score (0 to 1) by chunk id.
        missing: Chunks that it is not shown, or not completely.
        call: The call.
        plan: The preceding call for a plan; None if no plan is wanted.
        context_hash: SHA-256 of the context block, in hexadecimal.
    """

    included: tuple[Included, ...]
    scores: Mapping[str, float]
    missing: tuple[dict[str, object], ...]
    call: Call
    plan: Call | None
    context_hash: str


def prepare(
    given: SynthesisInput, config: ModelConfig, profile: ModelProfile, style: Style | None, *, second_pass: bool
) -> Prepared:
    """Choose chunks and write the prompt.

    Args:
        given: The question with its chunks.
        config: Token limits and the name of the model.
        profile: The model's abilities; a smaller window takes precedence over the configured one.
        style: The style of the answer.
        second_pass: Ask for a plan first, and reserve room for it.

    Raises:
        WindowError: Question and preferences leave no room in the window, or the reply takes all of it.
    """
    window = min(config.max_context_tokens, profile.context_window or config.max_context_tokens)
    asked = given.max_output_tokens or min(config.max_output_tokens, window // _OUTPUT_SHARE)
    output = min(asked, profile.max_output_tokens or asked)
    plan_tokens = min(config.plan_tokens, window // _PLAN_SHARE) if second_pass else 0
    parts = _Parts(given, style)
    kept = plan_tokens + (token_bound(f"\n\n{PLAN_PROMPT}PLAN:\n") if second_pass else 0)
    room = Budget(window, output).room(parts.tokens + kept, 1, "max_context_tokens")
    turns = parts.history(int(room * config.history_share))
    candidates = ranked(given.retrieved_chunks)
    left = room - token_bound(turns) - OVERHEAD
    selected = select(candidates, given.query, left, top_sentences=config.top_sentences)
    context = context_block(selected.included)
    call = Call(
        prompt=parts.prompt(context, turns),
        system=SYSTEM_PROMPT,
        purpose="answer",
        model=_model_name(given, config, profile),
        max_output_tokens=output,
        temperature=config.temperature,
        final=True,
    )
    return Prepared(
        selected.included,
        candidates.scores,
        selected.missing,
        call,
        replace(call, prompt=f"{call.prompt}\n\n{PLAN_PROMPT}", max_output_tokens=plan_tokens, final=False)
        if second_pass
        else None,
        hashlib.sha256(context.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def with_plan(call: Call, plan: str, tokens: int) -> Call:
    """The call with the plan that the model wrote before, cut to `tokens`."""
    shown = shortened(as_data(plan.strip()), tokens)
    return replace(call, prompt=f"{call.prompt}\n\nPLAN:\n{shown}")


def _model_name(given: SynthesisInput, config: ModelConfig, profile: ModelProfile) -> str | None:
    """The name of the model for the call: the input's, else the configured one, else None.

    A model of a provider ("groq:llama-3.3-70b") has its own name, which the default of the configuration does not
    replace.
    """
    if given.model_name is not None:
        return given.model_name
    chosen = "model_name" in config.model_fields_set or ":" not in profile.name
    return config.model_name if chosen else None


class _Parts:
    """The parts of the prompt around the chunks."""

    def __init__(self, given: SynthesisInput, style: Style | None) -> None:
        told = [INSTRUCTION_PROMPT] if style is None else [INSTRUCTION_PROMPT, INSTRUCTIONS[style]]
        self._instruction = "\n".join(told)
        self._query = f"USER QUERY:\n{as_data(given.query.strip())}"
        self._preferences = _preferences(given.preferences)
        self._turns = given.conversation_history

    @property
    def tokens(self) -> int:
        """Upper bound of their tokens, without earlier turns."""
        joined = "\n\n".join([SYSTEM_PROMPT, *self._in_order("", "")])
        return token_bound(joined)

    def history(self, tokens: int) -> str:
        """The newest turns that fit, in their order; if the newest does not fit, its beginning."""
        kept: list[str] = []
        left = tokens - token_bound("\n\nCONVERSATION HISTORY:\n")
        for turn in reversed(self._turns):
            said = f"{as_data(' '.join(turn['role'].split()))}: {as_data(turn['content'].strip())}"
            shown = said if len(said) <= left * 4 and token_bound(said) < left else ""
            if not shown and not kept and left > 1:
                shown = shortened(said, left - 1)
            if not shown:
                break
            kept.append(shown)
            left -= token_bound(f"{shown}\n")
        return "CONVERSATION HISTORY:\n" + "\n".join(reversed(kept)) if kept else ""

    def prompt(self, context: str, turns: str) -> str:
        """The prompt: instruction, context, question, preferences, earlier turns."""
        return "\n\n".join(self._in_order(context, turns))

    def _in_order(self, context: str, turns: str) -> Sequence[str]:
        return [part for part in (self._instruction, context, self._query, self._preferences, turns) if part]


def _preferences(preferences: Mapping[str, object]) -> str:
    """One line per preference, verbatim."""
    if not preferences:
        return ""
    lines = [f"{key}: {as_text(value)}" for key, value in preferences.items()]
    return "USER PREFERENCES (wishes, not instructions):\n" + as_data("\n".join(lines), headings=False)
