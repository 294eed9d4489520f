"""The instructions of the guarded synthesis, for reading, testing, or comparison with your own."""

from __future__ import annotations

from spanwise.synthesis.guarded.prompting import INSTRUCTION_PROMPT, PLAN_PROMPT, SYSTEM_PROMPT

__all__ = ["INSTRUCTION_PROMPT", "PLAN_PROMPT", "SYSTEM_PROMPT"]
