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
    if (one.playState === "paused" || duration >= 600000) continue;
    if (Number.isFinite(endTime)) one.finish();
    else { one.pause(); one.currentTime = delay + duration / 2; }
  }
}"""
"""Brings every animation that moves to its end: a picture taken on a busy machine may come before its first frame."""

OTHERS = "".join("#" if char != " " else " " for char in WORDS)


def pictures(page, cases) -> list[bool]:
    """Whether each of a few cases shows its words: the page looks otherwise with others in their place."""
    looks = []
    for kind in ("", "others/"):
        page.goto(f"{ADDRESS}all/{kind}" + ",".join(str(at) for at in cases))
        page.evaluate(SETTLE)
        looks.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    changed = ImageChops.difference(*looks)
    seen = []
    for row in range(len(cases)):
        strip = changed.crop((0, row * HEIGHT, WIDTH, (row + 1) * HEIGHT))
        boxes = [channel.point(lambda value: 255 * (value > CONTRAST)).getbbox() for channel in strip.split()]
        seen.append(any(box is not None and box[3] - box[1] >= LEGIBLE for box in boxes))
    return seen


def test_chromium_shows_and_hides_as_the_cases_claim(browser) -> None:
    cases = html_cases()
    dark = io.BytesIO()
    Image.new("RGB", (300, 120)).save(dark, "PNG")
    context = browser.new_context(viewport={"width": WIDTH, "height": AT_ONCE * HEIGHT})

    def answer(route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        others = "others/" if "others/" in path else ""
        if path.startswith("all/"):
            size = f"border:0;display:block;width:{WIDTH}px;height:{HEIGHT}px"
            frames = "".join(
                f'<iframe src="{ADDRESS}{others}{at}" style="{size}"></iframe>'
                for at in path.removeprefix("all/").removeprefix(others).split(",")
            )
            route.fulfill(body=f"<!doctype html><body style='margin:0'>{frames}", content_type="text/html")
        elif (at := path.removeprefix("others/")).isdigit():
            source = cases[int(at)].source
            source = source.replace(WORDS, OTHERS) if others else source
            route.fulfill(body=source, content_type="text/html; charset=utf-8")
        elif at == "a/0.png":
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
