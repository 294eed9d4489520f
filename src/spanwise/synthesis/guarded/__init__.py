"""Guarded synthesis without its guard: input, selection, context block, prompt, citations in the reply, styles."""
