"""One corpus being served: its documents and their files, its answers, and the work that is under way."""
