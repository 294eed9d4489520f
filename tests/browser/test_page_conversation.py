"""Journeys beside the single answer: a conversation, a comparison, a report that is checked, conflicts, settings."""

import csv
import io
import json
import zipfile

import openpyxl
import pytest
from steps import ask, collection, drawn
from test_page_access import serious

pytestmark = pytest.mark.enable_socket
EVIL = "<img src=x onerror=alert(1)>.txt"


def door(page, name: str) -> None:
    """Open one of the things that the middle of the page does."""
    page.get_by_role("navigation", name="What to do").get_by_role("button", name=name, exact=True).click()


def test_an_analyst_asks_on_and_takes_the_conversation_along(opened, served, axe):
    page = opened(served, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".suggested button").first.wait_for()
    asked = page.locator(".suggested button", has_text="What was revenue in 2025?")
    asked.click()
    page.wait_for_selector(".card .figures")
    assert page.locator(".grid td.is-cited").all_inner_texts() == ["73,650"]
    ask(page, "and in 2024?")
    page.locator("h2.asked", has_text="What was revenue in 2024?").wait_for()
    assert "You wrote “and in 2024?”" in page.inner_text(".asked-as")
    assert page.locator(".grid td.is-cited").all_inner_texts() == ["65,690"]
    ask(page, "How much did revenue grow from 2024 to 2025?")
    page.locator(".operand", has_text="Revenue, 2024: 65,690").click()
    drawn(page)
    page.click(".statements summary")
    assert page.inner_text(".statements .tag") == "Supported"
    page.reload()
    page.wait_for_selector(".card .figures")
    assert page.locator(".turn-asked").all_inner_texts() == ["What was revenue in 2024?", "What was revenue in 2025?"]
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Take it along").click()
    with zipfile.ZipFile(io.BytesIO(downloading.value.path().read_bytes())) as archive:
        assert sum(name.startswith("traces/") for name in archive.namelist()) == 3
        assert any(name.startswith("highlighted/report") for name in archive.namelist())
        assert "2024?" in archive.read("conversation.md").decode()
    page.fill("#history-search", "GROW revenue")
    page.wait_for_function("() => document.querySelectorAll('#history .entry').length === 1")
    page.get_by_role("button", name="Copy without footnotes").click()
    page.wait_for_selector(".actions .done")
    assert "[^" not in page.evaluate("navigator.clipboard.readText()")
    assert serious(page, axe) == []
    page.get_by_role("button", name="Start anew").click()
    page.wait_for_selector(".welcome")
    assert page.locator(".turns").count() == 0


def test_a_lawyer_compares_documents_in_a_table(opened, served, axe):
    page = opened(served)
    collection(page, "typed")
    door(page, "Compare")
    page.fill("#columns", "Fee = What is the late fee?\n\nWhen are invoices due?")
    page.get_by_role("button", name="Fill the table").click()
    page.wait_for_selector(".grid td")
    heads, rows = page.locator(".grid thead th").all_inner_texts(), page.locator(".grid tbody th").all_inner_texts()
    assert heads == ["Document", "Fee", "When are invoices due?"]
    assert rows == ["agreement.txt", "amendment.txt"]
    assert page.locator(".grid tbody tr >> nth=1 >> td").all_inner_texts()[1].startswith("Not found")
    page.click(".grid tbody tr >> nth=1 >> .cell-value")
    page.wait_for_selector(".line.is-active")
    assert "2% per month" in page.inner_text(".line.is-active")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download as XLSX").click()
    book = openpyxl.load_workbook(io.BytesIO(downloading.value.path().read_bytes()))
    assert book.active["A3"].value == "amendment.txt"
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download as CSV").click()
    written = list(csv.reader(io.StringIO(downloading.value.path().read_text("utf-8-sig"), newline="")))
    assert [row[0] for row in written] == ["Document", *rows]
    assert (written[0][2], written[2][2]) == ("Fee: where", "line 2")
    assert serious(page, axe) == []
    page.keyboard.press("4")
    page.wait_for_selector(".disagreement")
    assert page.locator(".disagreement .quote-document").all_inner_texts() == ["agreement.txt", "amendment.txt"]
    assert serious(page, axe) == []
    page.click(".disagreement .quote-place >> nth=1")
    page.wait_for_selector(".line.is-active")
    page.keyboard.press("2")
    page.wait_for_selector(".grid tbody th")
    assert page.locator(".grid tbody th").all_inner_texts() == rows  # it is still there


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_an_auditor_checks_a_report(opened, served, axe, dark):
    page = opened(served, dark=dark, width=390 if dark else 1360)
    door(page, "Check a text")
    page.get_by_role("button", name="Check it").click()
    assert "Paste a text" in page.inner_text("#door .wrong")
    text = "Revenue in 2025 was £73,650 thousand. Revenue in 2024 was £99,999 thousand. <b>Mars</b> is owned by us."
    content = text.encode()
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Open a text file").click()
    choosing.value.set_files({"name": "report.md", "mimeType": "text/markdown", "buffer": content})
    page.get_by_role("button", name="Check it").click()
    page.wait_for_selector(".checked")
    assert page.inner_text(".found .tally") == "1 of 3 statements is supported by the documents"
    assert page.locator(".checked .is-sound").all_inner_texts() == ["Revenue in 2025 was £73,650 thousand."]
    assert "<b>Mars</b>" in page.inner_text(".checked")
    assert page.locator(".found .concern").count() == 2
    assert "£99,999" in page.inner_text(".found .concern >> nth=0")
    assert serious(page, axe) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.locator(".checked .claim").first.focus()
    page.keyboard.press("Enter")
    drawn(page)


def test_what_goes_wrong_is_said_and_nothing_is_lost(opened, served):
    page = opened(served, allow=[".*Failed to load resource.*"])
    door(page, "Check a text")
    page.fill("#to-check", "\n".join(f"The keeper writes {number} records a day." for number in range(150)))
    page.get_by_role("button", name="Check it").click()
    page.wait_for_selector(".checked")
    assert page.locator(".found .concern").count() == 100
    page.get_by_role("button", name="Show all").click()
    assert page.locator(".found .concern").count() > 100
    page.route("**/verify", lambda route: route.abort())
    page.route(
        "**/extract", lambda route: route.fulfill(status=404, json={"detail": "There is no document: list them."})
    )
    page.fill("#to-check", "Revenue is 3.")
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("The server does not answer. Is it still running?").wait_for()
    door(page, "Compare")
    page.fill("#columns", "What is the rent?")
    page.get_by_role("button", name="Fill the table").click()
    page.get_by_text("There is no document: list them.").wait_for()
    door(page, "Check a text")
    assert page.input_value("#to-check") == "Revenue is 3."
    door(page, "Compare")
    assert page.input_value("#columns") == "What is the rent?"
    page.uncheck("#all")
    page.get_by_role("button", name="Fill the table").click()
    page.get_by_text("Tick at least one document.").wait_for()


def test_who_answers_is_chosen_and_hostile_words_stay_words(opened, served, axe):
    page = opened(served)
    collection(page, "written")

    def hostile(route):
        given = json.loads(route.request.post_data)
        sent.append({name: given.get(name) for name in ("model", "policy", "after")})
        route.continue_()

    page.fill("#question", "What is exact time?")
    cost = page.wait_for_function(
        "() => document.querySelector('#cost')?.textContent.match(/At most .*USD (\\S+)/)?.[1]"
    )
    most = float(cost.json_value())
    ask(page, "What is exact time?")
    assert 0 < float(page.inner_text(".figures summary").partition("USD ")[2]) <= most
    page.get_by_role("button", name="Start anew").click()
    sent = []
    page.route("**/ask", hostile)
    page.get_by_role("button", name="How questions are answered").click()
    page.select_option("#choose-policy", "strict")
    page.select_option("#choose-language", label="German")
    page.select_option("#choose-language", "")
    page.select_option("#choose-model", "none")
    assert page.is_disabled("#choose-policy")
    assert serious(page, axe) == []
    page.keyboard.press("Escape")
    assert "own words" in page.inner_text("#scope")
    assert page.is_hidden("#cost")
    ask(page, "What is exact time?")
    page.click(".figures summary")
    page.locator(".figures dl", has_text="no model").wait_for()
    ask(page, f"What about {EVIL}?")
    page.locator("h2.asked", has_text=EVIL).wait_for()
    assert sent == [
        {"model": "none", "policy": "strict", "after": None},
        {"model": "none", "policy": "strict", "after": "What is exact time?"},
    ]
    assert page.locator("img[src=x]").count() == 0
