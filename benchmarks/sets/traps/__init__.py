"""Claims that a passage does not support, made from real sentences, and true ones: does the guard tell them apart?"""
