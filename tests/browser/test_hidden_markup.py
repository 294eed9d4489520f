"""Chromium says whether the pages of the reader tests show their words: a picture with them, and one without."""

import io
import sys

from browsing import HERE
from PIL import Image, ImageChops

sys.path.append(str(HERE.parent / "readers"))
from hidden_markup import WORDS, html_cases

AT_ONCE = 30
HEIGHT = 160
WIDTH = 1280
CONTRAST = 16
"""How much a channel of a pixel has to change before an eye could notice."""
LEGIBLE = 3
"""Pixels of height below which letters are dots."""
ADDRESS = "http://pages.test/"

SETTLE = """async () => {
  const running = [...document.querySelectorAll("iframe")].flatMap((frame) => frame.contentDocument.getAnimations());
  for (const one of running) {
    // What never ends is looked at in the middle of its first round, however busy the machine is.
    const { endTime, delay, duration } = one.effect.getComputedTiming();
    if (Number.isFinite(endTime)) one.finish();
    else { one.pause(); one.currentTime = delay + duration / 2; }
  }
}"""
"""Brings every animation to its end: a picture taken on a busy machine may come before its first frame."""

REPLACE = """async ([words, others]) => {
  const tall = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const found = [];
    const whole = frame.contentDocument;
    const roots = [whole, ...[...whole.querySelectorAll("*")].map((one) => one.shadowRoot).filter((root) => root)];
    for (const root of roots) {
      const walker = whole.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) if (walker.currentNode.data.includes(words)) found.push(walker.currentNode);
    }
    let height = 0;
    for (const node of found) {
      const range = frame.contentDocument.createRange();
      range.selectNodeContents(node);
      const box = node.parentElement.getBoundingClientRect();
      const boxes = [...range.getClientRects()].map((rect) => rect.height);
      // A list or a field of a form draws its text itself.
      const inside = node.parentElement.closest("select, textarea, svg");
      height = Math.max(height, ...boxes, inside ? box.height || 10 : 0);
      node.data = node.data.replace(words, others);
    }
    tall.push(height);
  }
  return tall;
}"""


def pictures(page, cases) -> list[bool]:
    """Whether each of a few cases shows its words."""
    page.goto(ADDRESS + "all/" + ",".join(str(at) for at in cases))
    page.evaluate(SETTLE)
    before = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    others = "".join("#" if char != " " else " " for char in WORDS)
    tall = page.evaluate(REPLACE, [WORDS, others])
    after = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    changed = ImageChops.difference(before, after)
    seen = []
    for row, height in enumerate(tall):
        strip = changed.crop((0, row * HEIGHT, WIDTH, (row + 1) * HEIGHT))
        most = max(high for _, high in strip.getextrema())
        seen.append(most > CONTRAST and height >= LEGIBLE)
    return seen


def test_chromium_shows_and_hides_as_the_cases_claim(browser) -> None:
    cases = html_cases()
    dark = io.BytesIO()
    Image.new("RGB", (8, 8)).save(dark, "PNG")
    context = browser.new_context(viewport={"width": WIDTH, "height": AT_ONCE * HEIGHT})

    def answer(route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path.startswith("all/"):
            size = f"border:0;display:block;width:{WIDTH}px;height:{HEIGHT}px"
            frames = "".join(
                f'<iframe src="{ADDRESS}{at}" style="{size}"></iframe>' for at in path.removeprefix("all/").split(",")
            )
            route.fulfill(body=f"<!doctype html><body style='margin:0'>{frames}", content_type="text/html")
        elif path.isdigit():
            route.fulfill(body=cases[int(path)].source, content_type="text/html; charset=utf-8")
        elif path == "a/0.png":
            route.fulfill(body=dark.getvalue(), content_type="image/png")
        else:
            route.abort()

    context.route("**/*", answer)
    page = context.new_page()
    wrong = []
    for start in range(0, len(cases), AT_ONCE):
        places = range(start, min(len(cases), start + AT_ONCE))
        for at, seen in zip(places, pictures(page, places), strict=True):
            if seen != cases[at].seen:
                wrong.append((seen, cases[at].name))
    context.close()
    assert not wrong, "\n".join(f"{seen} {name}" for seen, name in wrong)
