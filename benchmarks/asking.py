"""How long a first question to a PDF takes, against the time its text alone needs to be extracted.

Cold: a fresh process that reads the file and answers, its own start not counted. Limit: bare pypdfium2, each page
loaded and its text taken, in the same run. Data: SPANWISE_DATA, by default ../shared/data.

What a first question costs beside reading: processor time of whole processes over a shipped lease, which a busy machine
changes less than the clock.

Usage: python benchmarks/asking.py [RUNS]
"""

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
QUESTIONS = {
    "PFIZER_2021_10K.pdf": "What was the effective tax rate in 2021?",
    "BOEING_2022_10K.pdf": "How many employees does Boeing have?",
    "ACTIVISIONBLIZZARD_2019_10K.pdf": "What are the principal risks of the business?",
}
LEASE = Path("examples/documents/lease.pdf"), "How much is the interest?"
BARE = """
import sys, time, pypdfium2
began = time.perf_counter()
document = pypdfium2.PdfDocument(sys.argv[1])
for page in document:
    text = page.get_textpage()
    text.get_text_range()
    text.close()
    page.close()
print(time.perf_counter() - began, len(document))
"""
COLD = """
import sys, time
import spanwise
began = time.perf_counter()
result = spanwise.ask(sys.argv[2], sys.argv[1])
print(time.perf_counter() - began, result.decision.kind)
"""


def run(code: str, *arguments: str) -> tuple[float, str]:
    """Seconds that a fresh process measured, and what else it printed."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True)
    seconds, rest = done.stdout.split(maxsplit=1)
    return float(seconds), rest.strip()


def processor(code: str, *arguments: str) -> float:
    """Seconds of processor time of a fresh process and of those that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(code, *arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure both in turn and print medians and ratios."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"medians of {runs} runs, interleaved")
    path, question = str(LEASE[0]), LEASE[1]
    taken = [(processor(BARE, path), processor(COLD, path, question)) for _ in range(runs)]
    extracted, answered = (statistics.median(times) for times in zip(*taken, strict=True))
    print(f"{LEASE[0].name}, processor: extract {extracted:.2f} s, cold ask {answered:.2f} s")
    print(f"{'document':<34}{'pages':>6}{'extract s':>11}{'cold ask s':>12}{'ratio':>7}")
    for name, question in QUESTIONS.items():
        path = str(DATA / "pdfs" / name)
        bare, cold = [], []
        for _ in range(runs):
            seconds, pages = run(BARE, path)
            bare.append(seconds)
            seconds, _ = run(COLD, path, question)
            cold.append(seconds)
        limit, asked = statistics.median(bare), statistics.median(cold)
        print(f"{name:<34}{pages:>6}{limit:>11.2f}{asked:>12.2f}{asked / limit:>7.2f}")


if __name__ == "__main__":
    main()
