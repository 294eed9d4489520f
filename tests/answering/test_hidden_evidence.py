"""A result says where there is hidden text that would have been evidence."""

import spanwise
from spanwise.domain.document import Box, Document, Hidden, Line, Page


def lease(*hidden):
    texts = ("The tenant pays the rent on the first day.", "The landlord repairs the roof within two weeks.")
    lines = tuple(Line(number, 1, number, text, block=number) for number, text in enumerate(texts, start=1))
    return Document(
        "ab" * 31 + f"{len(hidden):02}",
        "lease.pdf",
        "pdf",
        lines,
        (Page(1, "1", 612, 792, 1, 2),),
        hidden=hidden,
        paged=True,
    )


UNSEEN = Hidden(1, "The roof is repaired by the tenant within two weeks.", "covered", Box(1, 72, 90, 300, 102))


def test_hidden_text_that_speaks_of_what_was_asked_is_named_and_not_quoted():
    result = spanwise.ask("Within how many weeks is the roof repaired?", lease(UNSEEN))
    assert "two weeks" in result.text
    assert "hidden_evidence" in result.warnings
    told = next(detail for detail in result.warning_details if detail["code"] == "hidden_evidence")
    assert (told["document"], told["page"], told["reason"]) == ("lease.pdf", 1, "covered")
    assert "by the tenant" not in str(told)


def test_nothing_is_told_of_other_hidden_text_or_of_none():
    other = Hidden(1, "Printed in Utrecht by machine.", "no_contrast", None)
    assert (
        "hidden_evidence"
        not in spanwise.ask("Within how many weeks is the roof repaired?", lease(other, other)).warnings
    )
    assert "hidden_evidence" not in spanwise.ask("Within how many weeks is the roof repaired?", lease()).warnings


def test_a_trace_with_such_a_warning_is_replayed(tmp_path):
    result = spanwise.ask("Within how many weeks is the roof repaired?", lease(UNSEEN))
    result.save_trace(tmp_path / "trace.json")
    assert spanwise.replay(tmp_path / "trace.json").warnings == result.warnings
