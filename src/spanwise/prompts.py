"""The instructions of the guarded synthesis, to read, to test against, or to compare your own with."""

from __future__ import annotations

from spanwise.synthesis.guarded.prompting import INSTRUCTION_PROMPT, PLAN_PROMPT, SYSTEM_PROMPT

__all__ = ["INSTRUCTION_PROMPT", "PLAN_PROMPT", "SYSTEM_PROMPT"]
