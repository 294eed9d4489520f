"""`spanwise replay`: an answer proved again from its trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.cli.output import print_json, printable, stderr, stdout
from spanwise.cli.render import show
from spanwise.replaying.replay import replay

if TYPE_CHECKING:
    from spanwise.contract.result import Result


def run_replay(trace: str, as_json: bool) -> int:
    """Check a trace and return the exit code of its result."""
    result = replay(trace)
    if as_json:
        print_json(result.to_dict())
    else:
        show(result, stdout())
        for line in _proved(result):
            stderr().print(line, markup=False)
    return 0 if result.decision.kind == "ship" else 1


def _proved(result: Result) -> list[str]:
    """What was checked, and what has changed since."""
    count = len(result.citations)
    cited = f"every citation holds ({count})" if count else "it cites nothing"
    changes = [
        f"changed since: {printable(str(detail['message']))}"
        for detail in result.warning_details
        if detail["code"] == "document_changed"
    ]
    return [
        f"the answer of the trace {result.trace.id} was made again without a model: {cited}",
        *(changes or ["no document has changed since"]),
    ]
