"""Pieces of public documents, drawn by script, with the quantities that a person found in them.

The grammar was written looking at the `development` half only. The figures to quote are those of its first run on the
rest, each sample labelled before that run: every quantity of a piece right, and none besides, in 91 of 102 `unseen`
pieces, then in 59 of 66 `unseen, rich` ones (drawn for words and signs of quantities), then in 56 of 60 of `unseen,
last`; of their 271 quantities 269 were read right. What went wrong was nearly always a label taken for a number (the 51
of "Local 51"). The pieces of filings and of an encyclopedia among them are not kept here. After each run the rules were
corrected by what had failed, so the score below says that nothing got worse, no more.
"""

import json
from pathlib import Path

import pytest

from spanwise.text.quantities import Quantity, quantities

CASES = json.loads((Path(__file__).parent / "data" / "quantities.json").read_text("utf-8"))["cases"]
KNOWN_FAILURES = (
    "information which is related to the business of Health Card",
    "SecCM procedures",
    "Merhof Attn",
    "element 5 WILL",
)


def shown(quantity: Quantity) -> str:
    value = quantity.iso or (quantity.value if quantity.value is not None else f"{quantity.low}..{quantity.high}")
    return "|".join(str(part) for part in (quantity.kind, value, quantity.unit) if part != "")


@pytest.mark.parametrize("sample", ["development", "unseen", "unseen, rich", "unseen, last"])
def test_held_out(sample):
    cases = [case for case in CASES if case["sample"] == sample]
    wrong = [
        case["text"] for case in cases if [shown(found) for found in quantities(case["text"])] != case["quantities"]
    ]
    assert [text for text in wrong if not any(known in text for known in KNOWN_FAILURES)] == []
