"""Debian's Chromium, a server in a process of its own, and pages in which nothing may go wrong."""

import os
import re
import shutil

import pytest
from browsing import ARGUMENTS, AXE, CHROMIUM, fill, serving
from playwright.sync_api import sync_playwright

WAIT = int(os.environ.get("SPANWISE_PAGE_WAIT", "120000"))
"""Milliseconds that something may take before a test fails: on a slow machine much takes long, and only then."""


@pytest.fixture(scope="module")
def browser():
    """Chromium, closed after each module: while Playwright runs, other tests can start no loop of their own."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("there is no chromium: run .ci/browser")
        pytest.skip("there is no chromium: run .ci/browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=WAIT)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, to be run in a page."""
    if not AXE.exists():
        if os.environ.get("CI"):
            pytest.fail("there is no axe-core: run .ci/browser")
        pytest.skip("there is no axe-core: run .ci/browser")
    return AXE.read_text()


@pytest.fixture(scope="session")
def filled(tmp_path_factory, standard, lease_pdf, report_pdf):
    """A folder of corpora with documents, to be copied; see `serve.py`."""
    folder = tmp_path_factory.mktemp("filled")
    shipped = {"standard.pdf": standard, "lease.pdf": lease_pdf, "report.pdf": report_pdf}
    fill(folder / "default.db", {name: path.read_bytes() for name, path in shipped.items()})
    for name in ("written.db", "slow.db"):
        fill(folder / name, {"standard.pdf": standard.read_bytes()})
    fill(
        folder / "typed.db",
        {
            "agreement.txt": b"Master agreement.\nThe late fee is 1.5% per month.\nInvoices are due in 30 days.\n",
            "amendment.txt": b"Amendment No. 1.\nThe late fee is 2% per month.\nAll else stays.\n",
        },
    )
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory, filled):
    """The address of a server of the corpora, for the tests of one file: what they add, those of others do not meet."""
    with serving(shutil.copytree(filled, tmp_path_factory.mktemp("served") / "corpora")) as address:
        yield address


@pytest.fixture
def opened(browser):
    """Open a page: `opened(address, dark=True, width=390)`. After the test nothing may have gone wrong in it.

    `allow` are the messages of the console that the test provokes, whole (see `steps.refused`); `until` is what has to
    be there first.
    """
    contexts, wrong = [], []

    def open_page(
        address, *, until="html[data-ready]", allow=(), width=1360, height=860, dark=False, scale=1, **options
    ):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            device_scale_factor=scale,
            **{"reduced_motion": "reduce"} | options,
        )
        contexts.append(context)

        def note(problem):
            if not any(re.fullmatch(expected, problem) for expected in allow):
                wrong.append(problem)

        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: note(f"error: {error}"))
        page.on("console", lambda told: told.type in {"error", "warning"} and note(said(told, address)))
        page.on("dialog", lambda dialog: (note(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda asked: outside(asked.url, address) and note(f"left the origin: {asked.url}"))
        page.goto(address)
        page.wait_for_selector(until)
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")  # what is still asked for needs no answer
        context.close()
    assert wrong == []


def said(told, address: str) -> str:
    """A message of the console, and of which address below the server's it speaks."""
    return f"{told.type}: {told.text} [{told.location['url'].removeprefix(address)}]"


def outside(url: str, address: str) -> bool:
    return not url.startswith((address, f"blob:{address}", "data:"))


@pytest.fixture
def page(opened, served):
    """The page, on documents that are there already."""
    return opened(served)
