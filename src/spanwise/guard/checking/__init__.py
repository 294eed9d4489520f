"""The checks, a room for each kind of fault."""
