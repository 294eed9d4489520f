"""Typed values read from evidence, with no model: one filler for each type."""
