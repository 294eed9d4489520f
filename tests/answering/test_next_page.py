"""A look at the next page takes a part of the document, and tells the same as the whole of it."""

import pytest
from trace_cases import reply, text

import spanwise
from spanwise import ScriptedModel
from spanwise.answering.next_page import around
from spanwise.guard.completeness.truncation import completeness

LONG = "\n\f".join(
    "\n".join(
        ["Annual Report", "", *(f"({chr(97 + (7 * page + n) % 26)}) item {n} of page {page};" for n in range(size))]
    )
    for page, size in enumerate([30, 0, 3, 60, 1, 1, 1, 1, 25, 0, 0, 0, 40, 2, 90], start=1)
)


@pytest.fixture(scope="module", params=["filing", "text"])
def document(request):
    if request.param == "text":
        return spanwise.read(LONG.encode(), name="long.txt")
    return spanwise.read(request.getfixturevalue("lease_pdf"))


@pytest.mark.parametrize("back", [0, 1, 4])
def test_a_part_tells_the_same_as_the_whole(document, back):
    with spanwise.Corpus.of([document]) as corpus:
        pages = corpus.pages(document.name)
        for last in range(1, len(pages) + 1):
            first, following = max(1, last - back), last + 1 if last < len(pages) else None
            part = around(document.name, first, last, pages, corpus)
            told = completeness(
                part.document,
                first_page=max(1, first - part.before),
                last_page=last - part.before,
                overlap_page=None if following is None else following - part.before,
            )
            assert told == completeness(document, first_page=first, last_page=last, overlap_page=following), last


def test_a_part_is_small_and_its_lines_keep_their_numbers():
    text = "\n\f".join("\n".join(f"Line {n} of page {page}." for n in range(40)) for page in range(1, 201))
    document = spanwise.read(text.encode(), name="long.txt")
    with spanwise.Corpus.of([document]) as corpus:
        part = around("long.txt", 100, 100, corpus.pages("long.txt"), corpus)
    assert len(part.document.lines) < len(document.lines) / 20
    assert part.of_page(101) == document.lines[100 * 40 : 101 * 40]


@pytest.mark.parametrize(("item", "strong"), [("(c) damage by snow.", False), ("Letters are sent by post.", True)])
def test_an_item_that_is_cited_by_its_first_line_reaches_to_its_last(item, strong):
    foot = ["(a) damage by frost;", "(b) damage by hail,", "of any size.", "A-4"]
    pages = ["The exclusions are:", "", *foot], ["", item]
    policy = spanwise.read("\n\f".join("\n".join(page) for page in pages).encode(), name="policy.txt")
    lines = [reply([text("damage by frost", 3), text("damage by hail,", 4)])]
    with spanwise.Corpus.of([policy]) as corpus:
        result = spanwise.Engine(corpus, model=ScriptedModel(lines * 3)).ask("What are the exclusions on page 1?")
    assert result.completeness.strong is strong


LEASE = "\n\n".join(
    [
        "# 1. Duties\n\nThe tenant keeps the rooms clean, see Note 2. (Continued in Section 3)",
        "# 2. Words\n\n"
        + "\n\n".join(f"## {at}\n\n" + f"What duties a tenant has, case {at}. " * 9 for at in range(60)),
        "# 3. Stairs\n\nWhoever lives there also sweeps the stairs.",
        "# Notes\n\n## 1. Basis\n\nPrepared with care.\n\n## 2. Rooms\n\nThe cellar is a room.",
    ]
)


def test_the_place_where_a_text_is_continued_is_fetched_and_others_are_told():
    lease = spanwise.read(LEASE.encode(), name="lease.md")
    stairs = next(line.number for line in lease.lines if "sweeps" in line.text)
    only = [text("keeps the rooms clean", 3)]
    both = [*only, text("sweeps the stairs.", stairs)]
    with spanwise.Corpus.of([lease]) as corpus:
        model = ScriptedModel([reply(only), reply(both)])
        result = spanwise.Engine(corpus, model=model).ask("What are the duties of the tenant?")
        assert result.metrics["llm_calls"] == 2
        assert result.completeness.strong is not False
        assert f"Note 2 (line {stairs + 8})" in result.completeness.why
        alone = spanwise.Engine(corpus, model=ScriptedModel([reply(only)] * 3)).ask(
            "What are the duties of the tenant?"
        )
    assert alone.completeness.strong is False
    assert alone.completeness.why == f"the text goes on in Section 3 (line {stairs - 2})"
    assert alone.decision.review == "check"
