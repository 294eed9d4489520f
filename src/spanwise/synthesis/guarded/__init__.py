"""Guarded synthesis up to the model's reply: input, selection, context block, prompt, and how the reply is written out."""
