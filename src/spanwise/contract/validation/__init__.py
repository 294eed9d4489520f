"""Checks of an answer, each on its own; `spanwise.contract.validate` runs them all."""
