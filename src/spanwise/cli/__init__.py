"""The command line, `spanwise`; each command's work is in a module of its own, loaded when it is called."""

import gc
import sys

_ALLOCATIONS = 50_000
"""Allocated objects between two garbage collections: most objects stay, and collecting more often takes a twelfth."""


def main() -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(_ALLOCATIONS, 20, 20)
    try:
        from spanwise.cli.app import app
    except KeyboardInterrupt:
        sys.stderr.write("spanwise: interrupted\n")
        sys.exit(130)
    app()
