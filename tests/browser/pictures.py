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


def answer(page: Page) -> None:
    """An answer, its second claim chosen."""
    ask(page, "What are the essential characteristics of cloud computing?")
    page.click(".claim >> nth=1")
    drawn(page)
    page.evaluate("document.activeElement.blur()")


def not_found(page: Page) -> None:
    """Nothing was found, and the nearest lines."""
    ask(page, "What is the dress code for visitors of the data center?")
    page.click(".quote-place >> nth=0")
    drawn(page)


def left_out(page: Page) -> None:
    """A model wrote something that no line says."""
    collection(page, "written")
    ask(page, "What is cloud computing?")
    drawn(page)


def conflict(page: Page) -> None:
    """Two documents say different things."""
    collection(page, "typed")
    ask(page, "What is the late fee?")
    page.wait_for_selector(".line.is-active")


def narrow(page: Page) -> None:
    """The source on a telephone."""
    ask(page, "When can either party terminate the agreement?")
    page.click(".claim")
    drawn(page)


PICTURES: tuple[tuple[str, Callable[[Page], None], dict[str, object]], ...] = (
    ("page.png", answer, {}),
    ("page-not-found.png", not_found, {}),
    ("page-dark.png", left_out, {"color_scheme": "dark"}),
    ("page-conflict.png", conflict, {}),
    ("page-narrow.png", narrow, {"viewport": {"width": 390, "height": 720}}),
)


def main() -> None:
    """Serve the documents of the examples, and take each picture in a fresh page."""
    nist, agreement = ((DOCUMENTS / name).read_bytes() for name in ("nist-sp-800-145.pdf", "maintenance-agreement.pdf"))
    texts = {
        "agreement.txt": b"Master agreement.\nThe late fee is 1.5% per month.\nInvoices are due in 30 days.\n",
        "amendment.txt": b"Amendment No. 1.\nThe late fee is 2% per month.\nAll else stays.\n",
    }
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        fill(folder / "default.db", {"maintenance-agreement.pdf": agreement, "nist-sp-800-145.pdf": nist})
        fill(folder / "written.db", {"nist-sp-800-145.pdf": nist})
        fill(folder / "typed.db", texts)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with serving(folder) as address:
            for file, scene, options in PICTURES:
                settings = {"viewport": {"width": 1400, "height": 800}, "reduced_motion": "reduce", **options}
                page = browser.new_context(**settings).new_page()
                page.goto(address)
                page.wait_for_selector("html[data-ready]")
                scene(page)
                page.wait_for_timeout(500)
                taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                taken.quantize(COLOURS, dither=Image.Dither.NONE).save(IMAGES / file, optimize=True)
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
