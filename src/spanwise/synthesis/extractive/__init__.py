"""Answers without a model: the sentence, or the elements of the list, that the best passages hold."""
