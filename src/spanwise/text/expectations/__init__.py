"""What a question expects of its answer, and whether a sentence says it."""
