"""A corpus served to many users: its documents and files, its answers, and background jobs; without HTTP."""
