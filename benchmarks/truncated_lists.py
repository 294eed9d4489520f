"""How often the engine notices that a list it answers with goes on over the page, all the way from the question.

    python benchmarks/truncated_lists.py [MOST]

Takes real lists of the PDFs under $SPANWISE_DATA/pdfs (default: ../shared/data), cuts the page between two items or
behind the last one where a heading follows, and asks for the list in the words that introduce it, without a model.
Counted are answers that cite the last item above the cut. Such an answer is whole when it goes on over the page, and
honest when the strong signal says that it does not.
"""

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
            with spanwise.Corpus.of([as_read(document, cut)]) as corpus:
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
    print(f"read to the end {whole}: false alarms {seen['bounded: False'] / max(1, whole):.1%}")


if __name__ == "__main__":
    main()
