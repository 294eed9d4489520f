"""What is checked in an answer, each check on its own; `spanwise.contract.validate` runs them all."""
