"""Second opinions for `verify`: a language model behind the port, or an entailment model in a file."""
