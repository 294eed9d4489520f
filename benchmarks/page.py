"""How quick the page is: ready, the first highlight in a long filing, the next ones, a long list; and what it weighs.

Usage: python benchmarks/page.py [PDF] [RUNS]     (needs Chromium, see .ci/browser; the PDF is by default a filing of
       python benchmarks/page.py many [DOCUMENTS]  the evaluation data, see SPANWISE_DATA)

A highlight counts from the choice of a citation until the cited page is drawn with its boxes over it. `many` scrolls
through a list of so many documents (10,000), a screen a frame, and tells how long the frames took.
"""

import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from postgres import documents

import spanwise
from spanwise.server.app import page_files
from spanwise.serving.corpus_library import Library

ROOT = Path(__file__).parent.parent
FILING = Path(os.environ.get("SPANWISE_DATA", "data")) / "pdfs" / "BOEING_2022_10K.pdf"
QUESTIONS = (
    "What was the total backlog?",
    "Who is the auditor?",
    "What are the reportable segments?",
    "How many employees are there?",
)
SERVE = """
import sys, uvicorn
from pathlib import Path
from spanwise.server.app import create_app
from spanwise.serving.corpus_library import Library
uvicorn.run(create_app([Library.open(Path(sys.argv[1]))]), host="127.0.0.1", port=int(sys.argv[2]), log_level="error")
"""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
UNTIL_SHOWN = """
(choose) => new Promise((resolve) => {
  const began = performance.now();
  choose();
  const look = () => {
    const mark = document.querySelector(".sheet[data-drawn] .mark.is-active");
    const view = document.querySelector(".pages-view")?.getBoundingClientRect();
    const at = mark?.getBoundingClientRect();
    if (at && at.bottom > view.top && at.top < view.bottom) resolve(performance.now() - began);
    else if (performance.now() - began > 4000) resolve(null);  // an answer without a citation
    else requestAnimationFrame(look);
  };
  look();
})
"""


SCROLLED = """
() => new Promise((resolve) => {
  const view = document.querySelector("#documents .entries"), frames = [];
  let before = performance.now();
  const step = () => {
    const now = performance.now();
    frames.push(now - before);
    before = now;
    const at = view.scrollTop;
    view.scrollTop += view.clientHeight;
    if (view.scrollTop > at) requestAnimationFrame(step);
    else resolve([frames.slice(1), document.querySelectorAll("*").length, view.innerText.slice(-200)]);
  };
  requestAnimationFrame(step);
})
"""


def main() -> None:
    """Serve one filing, and measure with a fresh page each time; or many documents."""
    if sys.argv[1:2] == ["many"]:
        many(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
        return
    filing = Path(sys.argv[1]) if len(sys.argv) > 1 else FILING
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.db"
        pages = prepare(corpus, filing)
        with served(corpus) as (browser, address):
            ready, first, later = measured(browser, address, runs)
    print(f"{filing.name}, {pages} pages, {runs} fresh pages each")
    for name, times in (("page ready", ready), ("first highlight", first), ("next highlights", later)):
        print(f"{name:<18}median {statistics.median(times):>6.0f} ms   worst {max(times):>6.0f} ms")
    print(f"{'weight':<18}{weight() / 1000:.0f} kB")


def many(count: int) -> None:
    """Scroll through the list of so many documents."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.db"
        with spanwise.Corpus.open(corpus) as opened, opened.writing() as writing:  # reading
            for record in documents(count, random.Random(19), paragraphs=1):  # files is not what is measured
                writing.put(record)
        with served(corpus) as (browser, address):
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            page.goto(address)
            page.wait_for_selector("html[data-ready]")
            ready = page.evaluate("performance.getEntriesByName('spanwise-ready')[0].startTime")
            page.wait_for_function("document.querySelector('#documents')?.innerText.includes('firm-')", timeout=60_000)
            listed = page.evaluate("performance.now()")
            page.wait_for_timeout(2000)
            frames, nodes, last = page.evaluate(SCROLLED)
    print(f"{count:,} documents: ready {ready:.0f} ms, listed {listed:.0f} ms, {nodes:,} nodes")
    print(
        f"a screen a frame, {len(frames)} frames: median {statistics.median(frames):.0f} ms, worst {max(frames):.0f} ms"
    )
    print(f"at the end: {last.split()[-3:]}")


@contextmanager
def served(corpus: Path) -> Iterator[tuple[Browser, str]]:
    """A browser, and the address of a server of a corpus."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = subprocess.Popen([sys.executable, "-c", SERVE, str(corpus), str(port)])
        try:
            wait_for(f"http://127.0.0.1:{port}/v1/health")
            yield browser, f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait()


def prepare(corpus: Path, filing: Path) -> int:
    """Put the filing in, ask the questions; the number of its pages."""
    library = Library.open(corpus)
    copy = corpus.with_suffix(".pdf")
    shutil.copyfile(filing, copy)
    entry = library.add(filing.name, copy)
    for question in QUESTIONS:
        library.ask(question)
    library.close()
    return entry.pages or 0


def wait_for(address: str) -> None:
    """Until the server answers."""
    for _ in range(600):
        try:
            urllib.request.urlopen(address, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the server does not start")


def measured(browser: Browser, address: str, runs: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds until the page is ready, until the first highlight of a closed document, and until the next ones."""
    ready, first, later = [], [], []
    for _ in range(runs):
        page = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce").new_page()
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        ready.append(page.evaluate("performance.getEntriesByName('spanwise-ready')[0].startTime"))
        page.wait_for_selector("#history .entry-open")
        page.wait_for_timeout(500)
        taken = [at for one in choices(page) if (at := shown(page, one)) is not None]
        first.append(taken[0])
        later += taken[1:]
        page.context.close()
    return ready, first, later


def choices(page: Page) -> list[str]:
    """Scripts that choose an answer from the history, whose first citation is then shown."""
    count = page.locator("#history .entry-open").count()
    return [f"document.querySelectorAll('#history .entry-open')[{position}].click()" for position in range(count)]


def shown(page: Page, choose: str) -> float | None:
    """Milliseconds from the choice until its highlight can be seen; None where it never is."""
    page.evaluate("document.querySelectorAll('.mark').forEach((mark) => mark.remove())")
    taken: float | None = page.evaluate(f"({UNTIL_SHOWN})(() => {{ {choose} }})")
    return taken


def weight() -> int:
    """Bytes of everything that the page is, as it is sent, before compression."""
    return sum(len(sent.content) for sent in page_files().values())


if __name__ == "__main__":
    main()
