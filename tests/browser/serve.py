"""The server that the page is tested against: `python serve.py SOCKET FOLDER [TOKEN]`, which listens already.

It serves four corpora of the folder: `default` answers in the documents' words; in `written` a scripted model writes
prose and in `typed` it fills the contract, both from what the question has in its words; in `slow` it takes longer
than any test.
"""

import json
import socket
import sys
from pathlib import Path

import uvicorn

from spanwise import ScriptedModel
from spanwise.llm.port import Call, ModelProfile
from spanwise.server.app import create_app
from spanwise.server.server_settings import EVERYTHING, ServerSettings, digest_of
from spanwise.serving.corpus_library import Library

PROSE = (
    "The clock of the station never differs from coordinated universal time by more than two seconds [1]. "
    "The readings are published free of charge within one hour [1]. It was invented in 1999 [1]."
)
PRICED = ModelProfile("scripted", max_output_tokens=500, input_price=3.0, output_price=15.0)


def main() -> None:
    listening, folder, *tokens = sys.argv[1:]
    path = Path(folder)
    libraries = [
        Library.open(path / "default.db"),
        Library.open(
            path / "written.db", name="written", model=ScriptedModel(lambda _: PROSE, profile=PRICED), mode="compact"
        ),
        Library.open(path / "typed.db", name="typed", model=ScriptedModel(typed)),
        Library.open(path / "slow.db", name="slow", model=ScriptedModel(lambda _: PROSE, latency=600), mode="compact"),
    ]
    opened = {digest_of(token): frozenset([EVERYTHING]) for token in tokens}
    app = create_app(libraries, settings=ServerSettings(tokens=opened, grace_seconds=1))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(listening))])


def typed(call: Call) -> str:
    """A fee as the lines say it; or, where the question has "why", something that no line says."""
    if "why" in call.prompt.casefold().rsplit("question", 1)[-1]:
        return reply("A late fee makes sure that invoices are paid in time.", extraction_method="inferred")
    fee = "2%" if "2% per month" in call.prompt else "1.5%"
    return reply(f"The late fee is {fee} per month.", extraction_method="verbatim")


def reply(text: str, **fields: object) -> str:
    """The contract, filled with one text from line 2."""
    answer = {
        "items": [{"text": text, "spans": [{"line_start": 2, "line_end": 2}]}],
        "confidence": 0.9,
        "answer_found": True,
        "complete_answer_found": True,
        "context_completeness_weak": 0.9,
        "context_structured": True,
        "conflicting_evidence": False,
    }
    return json.dumps(answer | fields)


if __name__ == "__main__":
    main()
