"""Which intent of which profile a question means."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.questions.profiles import Intent, Profile
from spanwise.questions.wording import wording

ALIKE = 0.5
"""Share of stems that a question and an example of the intent have in common, at least, to mean the same."""
CUE_SHARE = 0.2
"""Share of a question's stems that a cue has to be: two words in a long question are chance."""


def match_intent(question: str, profiles: Sequence[Profile]) -> tuple[Profile, Intent] | None:
    """The intent that the question means most clearly, or None."""
    asked = wording(question)
    best: tuple[float, Profile, Intent] | None = None
    for profile in profiles:
        for intent in profile.intents:
            strength = _strength(asked, intent)
            if strength > 0 and (best is None or strength > best[0]):
                best = (strength, profile, intent)
    return None if best is None else best[1:]


def _strength(asked: frozenset[str], intent: Intent) -> float:
    """How clearly a question means an intent, 0 when it does not; examples count more than cues, long ones more."""
    if not asked:
        return 0.0
    alike = max((len(asked & ask) / len(asked | ask) for ask in intent.asks), default=0.0)
    if alike >= ALIKE:
        return 1.0 + alike
    found = (len(cue) for cue in intent.cues if cue and cue <= asked and len(cue) / len(asked) >= CUE_SHARE)
    longest = max(found, default=0)
    return longest / (longest + 1.0) * (0.5 + 0.5 * longest / len(asked)) if longest else 0.0
