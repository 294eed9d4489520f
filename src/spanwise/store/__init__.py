"""Documents on disk: SQLite holds the truth, an index that can be rebuilt from it ranks its passages."""
