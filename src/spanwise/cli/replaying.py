"""`spanwise replay`: an answer proved again from its trace."""

from __future__ import annotations

from spanwise.cli.output import print_json, stderr, stdout
from spanwise.cli.showing import show
from spanwise.pipeline.replay import replay


def run_replay(trace: str, as_json: bool) -> int:
    """Check a trace and return the exit code of its result."""
    result = replay(trace)
    if as_json:
        print_json(result.to_dict())
    else:
        show(result, stdout())
        stderr().print("every citation holds", markup=False)
    return 0 if result.decision.kind == "ship" else 1
