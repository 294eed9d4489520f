"""The data types of the domain: frozen dataclasses that need only the standard library."""
