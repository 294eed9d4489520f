"""Makes the screenshots of docs/images: `python tests/browser/pictures.py` (needs what `.ci/browser` installs)."""

import io
import tempfile
from collections.abc import Callable
from pathlib import Path

from browsing import ARGUMENTS, CHROMIUM, ROOT, fill, serving
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from steps import ask, collection, drawn

IMAGES = ROOT / "docs" / "images"
COLOURS = 128
DOCUMENTS = ROOT / "examples" / "documents"
STANDARD = "station-standard.pdf"


def answer(page: Page) -> None:
    """An answer, its second claim chosen."""
    ask(page, "What are the essential properties of a station?")
    page.click(".claim >> nth=1")
    drawn(page)
    page.evaluate("document.activeElement.blur()")


def not_found(page: Page) -> None:
    """Nothing was found, and the nearest lines."""
    ask(page, "How many tonnes of carbon dioxide did the group emit?")
    page.click(".quote-place >> nth=0")
    drawn(page)


def left_out(page: Page) -> None:
    """A model wrote something that no line says."""
    collection(page, "written")
    ask(page, "What is exact time?")
    drawn(page)


def conflict(page: Page) -> None:
    """Two documents say different things."""
    ask(page, "What does Rent mean?")
    drawn(page)
    page.get_by_role("button", name="Show both documents").click()
    page.wait_for_selector(".is-second .sheet[data-drawn] .mark.is-active")
    page.evaluate("document.activeElement.blur()")


def collections(page: Page) -> None:
    """The collections, of which some have titles."""
    for name, title in (("written", "Standards"), ("typed", "Agreements"), ("default", "Slipway Yard")):
        page.request.patch(f"{page.url.partition('#')[0]}v1/corpora/{name}", data={"title": title})
    page.click("#collections")
    page.wait_for_selector("dialog .entry-name:has-text('Agreements')")


def beside(page: Page) -> None:
    """Search in one document, and the other cited one below it."""
    ask(page, "What does Rent mean?")
    drawn(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("b")
    page.keyboard.press("f")
    page.keyboard.type("rent")
    page.wait_for_selector(".side-row[aria-current=true]")
    page.wait_for_selector(".is-second .sheet[data-drawn] .mark.is-active")


def narrow(page: Page) -> None:
    """The source on a telephone."""
    ask(page, "What are the main risks?")
    page.click(".claim >> nth=0")
    drawn(page)


def conversation(page: Page) -> None:
    """A question, and one that follows it."""
    ask(page, "What was revenue in 2025?")
    ask(page, "and in 2024?")
    page.wait_for_selector(".asked-as")
    drawn(page)
    page.evaluate("document.activeElement.blur()")


def check(page: Page) -> None:
    """A report of somebody else, held against the documents."""
    page.keyboard.press("3")
    page.fill(
        "#to-check",
        "Revenue in 2025 was £73,650 thousand. The landlord is Brackwater Estates Limited. "
        "The rent is £9,000 a month. The board meets in Lisbon.",
    )
    page.get_by_role("button", name="Check it").click()
    page.wait_for_selector(".checked")
    page.click(".found .concern .quote-place >> nth=0")
    drawn(page)
    page.eval_on_selector("#answer", "(panel) => panel.scrollTo(0, 90)")


PICTURES: tuple[tuple[str, Callable[[Page], None], dict[str, object]], ...] = (
    ("page.png", answer, {}),
    ("page-not-found.png", not_found, {}),
    ("page-dark.png", left_out, {"color_scheme": "dark"}),
    ("page-conflict.png", conflict, {}),
    ("page-conversation.png", conversation, {}),
    ("page-check.png", check, {}),
    ("page-beside.png", beside, {}),
    ("page-collections.png", collections, {}),
    ("page-narrow.png", narrow, {"viewport": {"width": 390, "height": 720}}),
)


def main() -> None:
    """Serve the documents of the examples, and take each picture in a fresh page."""
    names = ("annual-report-2025.pdf", "lease.pdf", "lease-amendment.pdf", STANDARD)
    shipped = {name: (DOCUMENTS / name).read_bytes() for name in names}
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        fill(folder / "default.db", shipped)
        fill(folder / "written.db", {STANDARD: shipped[STANDARD]})
        fill(folder / "typed.db", shipped)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with serving(folder) as address:
            for file, scene, options in PICTURES:
                settings = {"viewport": {"width": 1400, "height": 800}, "reduced_motion": "reduce", **options}
                page = browser.new_context(**settings).new_page()
                page.goto(address)
                page.wait_for_selector("html[data-ready]")
                scene(page)
                page.wait_for_function("() => !document.querySelector('.sheet.is-coming:not([data-drawn])')")
                page.wait_for_timeout(500)
                taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                taken.quantize(COLOURS, dither=Image.Dither.NONE).save(IMAGES / file, optimize=True)
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
