"""The command line: `spanwise ask`, `index`, `eval`, `doctor`, `schema`."""

import gc
import sys

_ALLOCATIONS = 50_000
"""Objects between two looks for cycles: modules and pages make many and leave few, and looking takes a twelfth."""


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    gc.set_threshold(_ALLOCATIONS, 20, 20)
    try:
        from spanwise.cli.app import app
    except KeyboardInterrupt:
        sys.stderr.write("spanwise: interrupted\n")
        sys.exit(130)
    app()
