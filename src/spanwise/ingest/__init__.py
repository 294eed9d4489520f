"""Ingest: files, folders, globs and objects are read into a corpus."""
