"""The main journeys once more, in Debian's Firefox: what they do is written where Chromium does it.

Two things its driver cannot do, so these stay with Chromium: choose a folder, and read what a request sends.
"""
# ruff: noqa: F401  # importing a test is what runs it here, with the browser of this module

import os
import shutil
import sys
from pathlib import Path

import pytest
from browsing import HERE
from playwright.sync_api import sync_playwright
from test_page_access import test_everything_can_be_done_by_keyboard
from test_page_asking import (
    test_a_document_is_uploaded_asked_and_shown_at_the_lines,
    test_confidence_trace_and_copies_are_one_click_away,
)
from test_page_conversation import (
    test_a_lawyer_compares_documents_in_a_table,
    test_an_analyst_asks_on_and_takes_the_conversation_along,
    test_an_auditor_checks_a_report,
)
from test_page_library import alone, lettings, test_an_auditor_looks_around_beside_the_evidence

pytestmark = pytest.mark.enable_socket


@pytest.fixture(scope="module")
def browser():
    """Firefox, closed after the module. The settings are what Playwright cannot set in this release."""
    if shutil.which("firefox-esr") is None:
        if os.environ.get("CI"):
            pytest.fail("there is no firefox-esr: run .ci/browser")
        pytest.skip("there is no firefox-esr: run .ci/browser")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    with sync_playwright() as playwright:
        browser = playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=HERE / "firefox",
            env=os.environ | {"PATH": path},
            firefox_user_prefs={"ui.prefersReducedMotion": 1},
        )
        yield browser
        browser.close()
