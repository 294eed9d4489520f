"""What a user does, and what can be seen, in the words of the tests."""

import io
import time

from PIL import Image

YELLOW = (255, 224, 51)
"""The highlight on white paper."""


def ask(page, question: str) -> None:
    """Ask, and wait for the answer."""
    page.fill("#question", question)
    page.press("#question", "Enter")
    page.wait_for_selector(".card .figures")


def collection(page, name: str) -> None:
    """Change to another collection."""
    page.select_option("#corpus", name)
    page.wait_for_selector("#documents .entry")


def drawn(page) -> None:
    """Wait until a page with a highlight is drawn as large as it is shown now."""
    page.wait_for_function(
        """() => {
            const sheet = document.querySelector(".mark.is-active")?.closest(".sheet");
            const wanted = sheet && Number.parseFloat(sheet.style.width) * devicePixelRatio;
            return Boolean(sheet?.dataset.drawn) && Number(sheet.dataset.drawn) === wanted;
        }"""
    )


def until(page, so) -> None:
    """Wait until something is so in this process; the page goes on meanwhile."""
    end = time.monotonic() + 120
    while not so():
        assert time.monotonic() < end, "it does not come to be so"
        page.wait_for_timeout(20)  # between two looks


def settled(page) -> None:
    """Let the page do what follows from all that has come to it: ask the server once more, and draw twice."""
    page.evaluate(
        """async () => {
            await (await fetch("v1/health")).text();
            for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
        }"""
    )


def rested(page, selector: str) -> None:
    """Wait until what is scrolled, and loads what comes into view, has not moved for a while."""
    page.evaluate(
        """async (selector) => {
            const view = document.querySelector(selector);
            for (let still = 0, top = NaN; still < 30; still += 1) {
                if (view.scrollTop !== top) [still, top] = [0, view.scrollTop];
                await new Promise(requestAnimationFrame);
            }
        }""",
        selector,
    )


def seen(page, selector: str):
    """Watch for something that passes; what is returned waits until it has been there."""
    page.evaluate(
        """(selector) => {
            const look = () => document.querySelector(selector) && (document.documentElement.dataset.seen = selector);
            new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true });
        }""",
        selector,
    )
    return lambda: page.wait_for_function(
        "(selector) => document.documentElement.dataset.seen === selector", arg=selector
    )


def closed(page) -> None:
    """Close what is open by key, and wait until it is gone."""
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def refused(status: int, path: str) -> str:
    """What the console says when the server answers so, as a regular expression; so is `path`, below the server's."""
    return rf"error: Failed to load resource: the server responded with a status of {status} \([\w ]+\) \[{path}\]"


def result(page) -> dict:
    """The answer that is shown, as the API has it."""
    return page.evaluate(
        """async () => {
            const parts = new URLSearchParams(location.hash.slice(1));
            const corpus = parts.get("corpus") ?? "default";
            return (await fetch(`v1/corpora/${corpus}/results/${parts.get("answer")}`)).json();
        }"""
    )


def picture(page) -> Image.Image:
    """What can be seen, in device pixels."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def share(image: Image.Image, box: tuple[float, float, float, float], kind) -> float:
    """The share of the pixels in `box` (device pixels) that are of that kind."""
    flat = image.crop(tuple(round(value) for value in box)).tobytes()
    pixels = list(zip(flat[::3], flat[1::3], flat[2::3], strict=True))
    return sum(map(kind, pixels)) / len(pixels)


def is_yellow(pixel: tuple[int, int, int]) -> bool:
    """The colour of the highlight, letters and their soft edges aside."""
    return all(abs(value - expected) <= 12 for value, expected in zip(pixel, YELLOW, strict=True))


def is_under(pixel: tuple[int, int, int]) -> bool:
    """Under the highlight, paper or letter: it takes the blue out of everything."""
    return pixel[2] <= YELLOW[2] + 9


def is_marked(pixel: tuple[int, int, int]) -> bool:
    """Tinted by the highlight, be it paper or the edge of a letter."""
    red, green, blue = pixel
    return red - blue > 60 and green - blue > 40


def is_ink(pixel: tuple[int, int, int]) -> bool:
    """Dark, as letters are."""
    return max(pixel) < 110


def place_of(page, box: dict, size: dict) -> tuple[float, float, float, float]:
    """Where a box in PDF points stands on the screen, in device pixels, as computed from the API's numbers alone."""
    sheet = page.locator(f".sheet[data-page='{box['page']}']").bounding_box()
    ratio = page.evaluate("devicePixelRatio")
    across, down = sheet["width"] / size["width"], sheet["height"] / size["height"]
    return (
        (sheet["x"] + box["x0"] * across) * ratio,
        (sheet["y"] + box["y0"] * down) * ratio,
        (sheet["x"] + box["x1"] * across) * ratio,
        (sheet["y"] + box["y1"] * down) * ratio,
    )
