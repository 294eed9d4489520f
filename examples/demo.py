"""The main job on real documents, offline: questions in, cited answers and highlighted PDFs out.

Run it with `make demo`. The documents are in examples/documents, with their licences.
"""

from pathlib import Path

import spanwise

HERE = Path(__file__).parent
OUT = HERE.parent / "demo-output"

QUESTIONS = (
    ("nist-sp-800-145.pdf", "What are the five essential characteristics of cloud computing?"),
    ("maintenance-agreement.pdf", "How much does the Company pay the Provider per month for the Services?"),
    ("maintenance-agreement.pdf", "Which arbitration court decides on patent royalties?"),
)


def main() -> None:
    """Ask each question and show the answer with its proof."""
    for number, (name, question) in enumerate(QUESTIONS, start=1):
        result = spanwise.ask(question, HERE / "documents" / name)
        print(f"\n{name}: {question}")
        print(f"  -> {result.decision.kind}, confidence {result.confidence:.2f}")
        print("\n".join(f"  {line}" for line in result.text.splitlines()))
        for citation in result.citations:
            print(f"  [{citation.id}] page {citation.page} (printed {citation.page_label}), ", end="")
            print(f"from line {citation.line_start}: {' '.join(citation.quote.split())!r}")
        if result.missing is not None:
            print(f"  {result.missing.reason}; {result.missing.what}")
        else:
            [path] = result.highlight(OUT / f"{number}-{name}")
            print(f"  highlighted copy: {path.relative_to(HERE.parent)}")


if __name__ == "__main__":  # the guard matters: reading may start processes
    main()
