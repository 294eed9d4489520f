"""Guarded synthesis up to the guard: input, choice of chunks, context block, prompt, and styles of the answer."""
