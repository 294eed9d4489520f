"""Readers: from the bytes of one file to a Document, one module per format, chosen by the registry."""
