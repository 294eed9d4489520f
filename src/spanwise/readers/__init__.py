"""Readers: from the bytes of one file to a Document, one module a format, chosen by the registry."""
