"""A result in the shapes that other systems and people read."""
