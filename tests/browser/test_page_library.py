"""Journeys through collections: a folder that is imported, ten thousand documents, what lies beside one, tokens."""

import io
import shutil

import openpyxl
import pytest
from browsing import ROOT, fill, serving
from steps import ask, drawn, refused, until
from test_page_access import serious
from test_page_documents import pdf, upload

pytestmark = pytest.mark.enable_socket


@pytest.fixture
def folder(tmp_path):
    """A folder of leases, two of which have one name."""
    for place, rent in (("leases/north", 900), ("leases/south", 700)):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "lease.txt").write_text(f"The rent is {rent} pounds a month.\n")
    (tmp_path / "leases" / ".hidden").write_text("nothing")
    return tmp_path / "leases"


@pytest.fixture(scope="session")
def lettings(tmp_path_factory, lease_pdf):
    """A folder with a corpus of a lease, its amendment and prices, to be copied."""
    prices = openpyxl.Workbook()
    for row in (("Code", "Gauge", "Price"), ("TG-1", "Float gauge", 2380), ("TG-2", "Radar gauge", 6420)):
        prices.active.append(row)
    sheet = io.BytesIO()
    prices.save(sheet)
    place = tmp_path_factory.mktemp("lettings")
    amendment = ROOT / "examples" / "documents" / "lease-amendment.pdf"
    files = {
        "lease.pdf": lease_pdf.read_bytes(),
        "amendment.pdf": amendment.read_bytes(),
    }
    fill(place / "default.db", {**files, "prices.xlsx": sheet.getvalue()})
    return place


@pytest.fixture
def alone(tmp_path, lettings):
    """A server of its own, whose collections may be changed; gives its address."""
    with serving(shutil.copytree(lettings, tmp_path / "alone")) as address:
        yield address


def make(page, title: str) -> None:
    page.click("#collections")
    page.fill("#collection-title", title)
    page.press("#collection-title", "Enter")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_function(
        "(title) => document.querySelector('#corpus')?.selectedOptions[0]?.text === title", arg=title
    )


def test_a_lawyer_makes_a_collection_of_a_folder(alone, opened, folder, axe):
    page, other = opened(alone), opened(alone)
    make(page, "Leases & rents")
    page.set_input_files("#folder", folder)
    for name in ("leases/north/lease.txt", "leases/south/lease.txt"):
        page.wait_for_selector(f'input[aria-label="Ask {name}"]')
    ask(page, "What is the rent?")
    other.goto(page.url.replace("#", "?#"))  # the address names the collection and the answer
    other.wait_for_selector(".card .figures")
    assert other.locator("#documents .entry").count() == 2
    upload(page, "minutes.txt", b"The meeting was short.")
    other.locator("#documents .entry", has_text="minutes.txt").wait_for()  # told by the server
    page.click("#collections")
    page.get_by_role("button", name="Rename Leases & rents").click()
    page.get_by_role("textbox", name="New name of Leases & rents").fill("Rents")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove Rents").wait_for()
    assert serious(page, axe) == []
    page.get_by_role("button", name="Remove Rents").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    page.locator("#documents .entry", has_text="prices.xlsx").wait_for()
    other.get_by_text("is not there any more").wait_for()
    other.locator("#documents .entry", has_text="prices.xlsx").wait_for()


def test_an_import_that_breaks_off_goes_on(alone, opened, folder, axe):
    again = [refused(404, r"v1/corpora/default/jobs/\w+/events"), refused(507, "v1/corpora/default/documents")]
    page = opened(alone, allow=again)
    held, full = [], []

    def no_room(route):
        if route.request.method == "GET" or full:
            return route.continue_()
        full.append(route)
        return route.fulfill(status=507, json={"status": 507, "code": "storage", "detail": "It cannot be kept."})

    page.route("**/documents", no_room)
    page.route("**/jobs/*/events", lambda route: route.continue_() if held else held.append(route))
    page.set_input_files("#folder", folder)
    paused = page.locator(".upload", has_text="The import is paused")
    paused.wait_for()
    assert serious(page, axe) == []
    assert page.locator(".upload").count() == 2  # none of it has failed, and it goes on by itself
    until(page, lambda: held)
    lost = {"status": 404, "json": {"code": "job_not_found", "status": 404, "detail": "There is no job."}}
    held[0].fulfill(**lost)  # as a server says that was restarted: the file is sent again
    page.wait_for_selector("input[aria-label='Ask leases/north/lease.txt']")
    page.wait_for_selector("input[aria-label='Ask leases/south/lease.txt']")
    page.reload()  # nothing of that is left to do
    page.wait_for_selector("html[data-ready]")
    page.evaluate(
        """localStorage.setItem("spanwise.import.default", JSON.stringify(
            { now: 0, names: ["leases/north/lease.txt", "leases/east/lease.txt"] }))"""
    )
    page.reload()
    told = page.locator("#interrupted")
    told.get_by_text("An import was interrupted: 1 file is missing.").wait_for()
    assert "leases/east/lease.txt" in told.inner_text()
    (folder / "east").mkdir()
    shutil.copy(folder / "north" / "lease.txt", folder / "east")
    page.set_input_files("#folder", folder)
    page.wait_for_selector("input[aria-label='Ask leases/east/lease.txt']")
    page.locator("#announcer", has_text="1 document added, 2 were here already").wait_for(state="attached")
    assert told.inner_text() == ""


def test_ten_thousand_documents_are_a_short_list_of_rows(opened, served, axe):
    def many(route):
        one = route.fetch().json()["documents"][0]
        made = [one | {"id": f"{n:016x}", "name": f"filing {n:05}.pdf", "language": "de"} for n in range(10_000)]
        route.fulfill(json={"documents": made})

    page = opened(served, until="html")
    page.route("**/v1/corpora/default/documents", many)
    page.reload()
    page.locator(".entry", has_text="filing 00000.pdf").wait_for()
    assert "German" in page.locator(".entry", has_text="filing 00000.pdf").inner_text()
    assert page.locator("#documents .entry").count() < 100
    page.eval_on_selector(".is-long", "(list) => list.scrollTop = list.scrollHeight")
    last = page.locator(".entry", has_text="filing 09999.pdf")
    last.wait_for()
    assert (last.get_attribute("aria-posinset"), last.get_attribute("aria-setsize")) == ("10000", "10000")
    assert page.locator("#documents .entry").count() < 100
    order = page.eval_on_selector_all("#documents .entry", "(rows) => rows.map((row) => Number(row.ariaPosInSet))")
    assert order == sorted(order)
    page.fill("#seek", "filing 0777")
    page.locator(".choose-all", has_text="10 shown").wait_for()
    page.uncheck("#all")
    assert page.locator(".choose-all").inner_text() == "9990 of 10000 are asked · 10 shown"
    assert serious(page, axe) == []


def test_an_auditor_looks_around_beside_the_evidence(alone, opened, axe):
    page = opened(alone)
    ask(page, "What does Rent mean?")
    drawn(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("t")
    page.locator(".thumb.is-cited img").wait_for()
    page.keyboard.press("b")
    second = page.locator(".is-second")
    second.locator(".mark.is-active").wait_for()
    shown = page.inner_text(".source-name h2")
    assert second.locator("strong").inner_text() not in shown
    page.keyboard.press("e")
    page.wait_for_function(
        "(before) => ![before, undefined].includes(document.querySelector('.source-name h2')?.textContent)", arg=shown
    )
    assert page.locator(".claim[aria-pressed=true]").count() == 1
    page.keyboard.press("b")
    page.keyboard.press("f")
    page.keyboard.type("RENT")
    page.locator(".side-row[aria-current=true]").wait_for()
    page.locator(".mark.is-hit").first.wait_for()
    page.click("[aria-label='Show as text']")
    page.click("[data-kind=outline]")
    page.locator(".side-row").last.click()
    page.wait_for_selector(".line")
    assert serious(page, axe) == []
    ask(page, "What is the price of the radar gauge?")
    page.locator("tr.is-cited td.is-cell", has_text="6420").wait_for()
    letter = page.inner_text("#source-place").partition("!")[2][0]
    cell, head = page.locator("tr.is-active td.is-cell"), page.locator(f".sheet-rows thead th:text-is('{letter}')")
    assert cell.bounding_box()["x"] == head.bounding_box()["x"]
    page.set_viewport_size({"width": 390, "height": 800})
    for panel in ("library", "answer", "source"):
        page.click(f"[data-panel={panel}]")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), panel
    assert serious(page, axe) == []


def test_an_operator_gives_and_takes_tokens(alone, opened, axe):
    page = opened(alone, allow=[refused(401, "v1/.*")])
    make(page, "Leases")
    page.click("#operate")
    page.fill("#token-label", "Anna")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/v1/session", hold)
    with page.expect_response(lambda told: told.status == 401):  # refused before the page is signed in
        page.click(".token-form .primary")
    until(page, lambda: held)
    held[0].continue_()
    page.wait_for_selector(".token-told")
    assert page.locator("#secret").count() == 0, "who made the token is not asked for it"
    page.fill("#token-label", "Reader")
    page.select_option("#token-opens", "leases")
    page.click(".token-form .primary")
    page.get_by_text("The token of Reader, shown only now:").wait_for()
    token = page.inner_text(".token-made")
    assert serious(page, axe) == []
    other = opened(alone, until="dialog #secret", allow=[refused(401, "v1/.*")])
    other.fill("#secret", token)
    other.press("#secret", "Enter")
    other.wait_for_selector("html[data-ready]")
    assert other.locator("#corpus option").all_inner_texts() == ["Leases"]
    assert other.locator("#operate").is_hidden()
    page.get_by_role("button", name="Revoke Reader").click()
    page.get_by_role("button", name="Revoke", exact=True).click()
    page.get_by_role("button", name="Revoke Reader").wait_for(state="detached")
    other.fill("#question", "What is the rent?")
    upload(other, "late.txt", b"Too late.")
    other.get_by_text("This server asks for a token").wait_for()  # as whatever looks at the server next asks again


def test_a_page_outlives_its_server(opened, tmp_path):
    place = tmp_path / "short"
    place.mkdir()
    fill(place / "default.db", {"bell.pdf": pdf("The bell weighs forty tons."), "mill.pdf": pdf("It grinds rye.")})
    with serving(place) as address:
        page = opened(address, allow=["error: Failed to load resource: net::ERR_.*"])
        ask(page, "How heavy is the bell?")
        drawn(page)
        page.context.set_offline(True)
        page.locator("#away").wait_for()
        page.locator("#documents .entry-open", has_text="mill.pdf").click()
        page.get_by_role("button", name="Try again").wait_for()
        page.context.set_offline(False)  # a laptop that wakes up: what could not be shown comes by itself
        page.locator(".word-line", has_text="It grinds rye.").wait_for(state="attached")
        page.locator("#away").wait_for(state="hidden")
    page.locator("#away").wait_for()
    assert page.locator(".claim").count() == 1
    upload(page, "late.txt", b"The gong weighs two tons.")
    page.locator(".upload", has_text="Trying again").wait_for()
