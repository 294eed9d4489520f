"""The single checks of an answer; `spanwise.contract.validate` runs them all."""
