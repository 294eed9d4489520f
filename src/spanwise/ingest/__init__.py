"""Files, folders and globs into a corpus."""
