"""How often the engine notices that a list it answers with goes on over the page, all the way from the question.

    python benchmarks/truncated_lists.py [MOST]

Takes real lists of the PDFs under $SPANWISE_DATA/pdfs (default: ../shared/data), cuts the page between two items or
behind the last one where a heading follows, and asks for the list in the words that introduce it, without a model.
Counted are answers that cite the last item above the cut. Such an answer is whole when it goes on over the page, and
honest when the strong signal says that it does not. Then the same is asked of a model that cites exactly the items
above the cut: here all depends on the signal.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from completeness import BEFORE, as_read, lists

import spanwise
from spanwise.domain.document import Document
from spanwise.text.terms import terms

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data")) / "pdfs"
KINDS = ("truncated", "bounded")
FARTHEST_HEADING = 10
"""Lines behind the last item within which a heading ends the list."""


def cuts(document: Document) -> Iterator[tuple[int, int, int, bool]]:
    """The first item, the last one above the cut, the cut, and whether it truncates; places in `lines`."""
    heads = {section.first_line - 1 for section in document.sections}
    for _, items in lists(document):
        places = list(pairwise(items))
        for above, below in places[1:4]:
            yield items[0], above, below, True
        end = next((place for place in range(items[-1] + 1, items[-1] + FARTHEST_HEADING) if place in heads), None)
        if end is not None and document.lines[end].role == "heading":
            yield items[0], items[-1], end, False


def question(document: Document, first: int) -> str | None:
    """A question for the list in the words before it; None where nothing introduces it."""
    intro = " ".join(line.text for line in document.lines[max(0, first - 2) : first])
    words = intro.split()[-25:]
    return f"List the following: {' '.join(words)}" if len(terms(" ".join(words))) >= 3 else None


def reader_of(document: Document, first: int, last: int) -> spanwise.ScriptedModel:
    """A model that gives the lines `first..last` as the items of a complete list."""
    items = [
        {"text": line.text, "spans": [{"line_start": line.number, "line_end": line.number, "quote": line.text}]}
        for line in document.lines[first - 1 : last]
        if line.text.strip()
    ]
    flags = {"answer_found": True, "complete_answer_found": True, "context_structured": True}
    rest = {"extraction_method": "verbatim", "confidence": 0.9, "context_completeness_weak": 0.9, "caveats": []}
    more = {"llm_discovered_keywords": [], "keywords_found": [], "conflicting_evidence": False}
    answer = {"items": items, **flags, **rest, **more, "suggested_clarification": None}
    return spanwise.ScriptedModel(lambda _: json.dumps(answer))


def by_model(document: Document, asked: str, first: int, last: int) -> bool | None:
    """The strong signal about a list that a model read to the cut."""
    with spanwise.Corpus.of([document]) as corpus:
        model = reader_of(document, first, last)
        result = spanwise.Engine(corpus, model=model, on_invalid="flag").ask(asked, type="text", shape="listing")
    return result.completeness.strong


def main() -> None:
    """Print both rates."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    seen: Counter[str] = Counter()
    for file in sorted(DATA.glob("*.pdf")):
        document = spanwise.read(file)
        for number, (first, last, cut, truncated) in enumerate(cuts(document)):
            asked = question(document, first)
            kind = "truncated" if truncated else "bounded"
            if asked is None or first < cut - BEFORE or number > 40 or seen[kind] >= most:
                continue
            page = as_read(document, cut)
            signal = by_model(page, asked, first - max(0, cut - BEFORE) + 1, min(BEFORE, cut))
            seen[f"{kind}: model {signal}"] += 1
            with spanwise.Corpus.of([page]) as corpus:
                result = spanwise.Engine(corpus).ask(f"{asked} on page 1", shape="listing")
            item = last - max(0, cut - BEFORE) + 1
            seen[f"{kind}: asked"] += 1
            if any(one.line_start <= item <= one.line_end for one in result.citations):
                seen[kind] += 1
                beyond = any(one.line_end > min(BEFORE, cut) for one in result.citations)
                seen[f"{kind}: {'read on' if beyond else result.completeness.strong}"] += 1
    lost, whole = seen["truncated"], seen["bounded"]
    print(f"{seen['truncated: asked']} lists cut and {seen['bounded: asked']} whole ones asked for")
    on, noticed = seen["truncated: read on"], seen["truncated: False"]
    print(f"read to the cut {lost}: {on} read on over the page, {noticed} of the other {lost - on} noticed; ", end="")
    print(f"in all {(on + noticed) / max(1, lost):.1%} not cut in silence")
    by_hand = {kind: [seen[f"{kind}: model {signal}"] for signal in (False, True, None)] for kind in KINDS}
    print(f"read to the end {whole}: false alarms {seen['bounded: False'] / max(1, whole):.1%}")
    for kind, (cut_off, is_whole, unknown) in by_hand.items():
        print(f"{kind}, read to the cut by a model: {cut_off} called truncated, {is_whole} bounded, {unknown} unknown")


if __name__ == "__main__":
    main()
