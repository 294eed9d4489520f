"""The main job on the documents of this folder, offline: questions in, cited answers and highlighted PDFs out.

Run it with `make demo`. The documents are written by examples/writing; nobody in them exists.
"""

import shutil
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

import spanwise

HERE = Path(__file__).parent
OUT = HERE.parent / "demo-output"

QUESTIONS = (
    ("A list that goes on over a page break", ["station-standard.pdf"], "What are the three classes of station?"),
    ("A term of a glossary", ["station-standard.pdf"], "What does seiche mean?"),
    ("Yes or no", ["lease.pdf"], "Is a notice by email valid?"),
    ("Word documents", ["staff-handbook.docx"], "Who cannot work from home?"),
    (
        "A figure computed from a table",
        ["annual-report-2025.pdf"],
        "What was the change in inventories between 2024 and 2025?",
    ),
    ("Two documents that disagree", ["lease.pdf", "lease-amendment.pdf"], "What does Rent mean?"),
    ("Possible answers", ["annual-report-2025.pdf"], "Who is the chief financial officer?"),
    ("What nobody wrote", ["annual-report-2025.pdf"], "How many tonnes of carbon dioxide did the group emit?"),
)
SCANS = (("A scan", ["minutes-scan.pdf"], "When is the next meeting?"),)
"""Asked where tesseract is installed, which recognises text in pictures."""
COLOURS = {"proved answer": "green", "possible answer": "yellow", "sources disagree": "magenta", "not found": "red"}


def main() -> None:
    """Ask each question and show the answer with its proof."""
    console = Console(highlight=False, width=100)
    asked = QUESTIONS + (SCANS if shutil.which("tesseract") else ())
    for number, (shown, names, question) in enumerate(asked, start=1):
        result = spanwise.ask(question, [HERE / "documents" / name for name in names])
        console.rule(Text(shown, style="dim"), align="left", style="dim")
        console.print(Text(question, style="bold"), Text(f"  {', '.join(names)}", style="dim"), sep="")
        show(result, console)
        if result.decision.kind == "ship" and not result.possible and names[0].endswith(".pdf"):
            [path] = result.highlight(OUT / f"{number}-{names[0]}")
            console.print(Text(f"highlighted copy: {path.relative_to(HERE.parent)}", style="dim"))
        console.print()
    tell_next(console)


def tell_next(console: Console) -> None:
    """What to try on a file of one's own, by a path that works without setting anything up."""
    program = Path(sys.executable).with_name("spanwise")
    if program.is_relative_to(HERE.parent):
        program = program.relative_to(HERE.parent)
    console.rule("Next, with a file of yours", align="left", style="dim")
    for command, does in (
        ('ask YOUR.pdf "What is ...?"', "an answer with its lines, or not found"),
        ("open c1", "the page of that answer, its lines marked"),
        ("index YOUR-FOLDER --corpus corpus.db", "many documents, read once"),
        ('ask --corpus corpus.db "What is ...?"', "and asked"),
        ("verify ANSWER.txt YOUR.pdf", "what somebody else wrote, claim by claim"),
    ):
        console.print(Text.assemble((f"  {program} {command}", "bold"), (f"  {does}", "dim")), soft_wrap=True)
    console.print(
        Text(
            "In Python and in --json each result has a decision: ship, there is an answer to show, proved by its lines "
            "or possible and marked for review; clarify, it has to be said which of several is meant; not_found, the "
            "documents do not say it."
        )
    )


def show(result: spanwise.Result, console: Console) -> None:
    """The tier of an answer, its words, and the lines that say them."""
    tier = tier_of(result)
    confidence = f", confidence {result.confidence:.2f}" if tier in {"proved answer", "possible answer"} else ""
    console.print(Text(f"{tier}{confidence}", style=COLOURS[tier]))
    console.print(Text(result.text))
    for citation in result.citations:
        page = f"page {citation.page} (printed {citation.page_label}), " if citation.page else ""
        place = f"  {citation.document}, {page}line {citation.line_start}: "
        quote = " ".join(citation.quote.split())
        console.print(Text.assemble((place, "cyan"), quote))
    if result.decision.kind == "not_found" and result.missing is not None:
        console.print(Text(f"{result.missing.reason}; {result.missing.what}", style="dim"))


def tier_of(result: spanwise.Result) -> str:
    """What a result is, in words."""
    if result.decision.reason == "conflicting_evidence":
        return "sources disagree"
    if result.decision.kind != "ship":
        return "not found"
    return "possible answer" if result.review else "proved answer"


if __name__ == "__main__":  # the guard matters: reading may start processes
    main()
