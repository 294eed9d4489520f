"""Pages as pictures: every page of a long filing, sharp, with text that can be selected, and several documents."""

import io
import re

import pytest
from reportlab.pdfgen.canvas import Canvas
from steps import ask, drawn, is_ink, picture, refused, result, settled, share
from test_page_documents import only, pdf, upload

pytestmark = pytest.mark.enable_socket
VISIBLE = """() => {
    const view = document.querySelector(".pages-view")?.getBoundingClientRect();
    if (!view) return [];
    return [...document.querySelectorAll(".sheet")].filter((sheet) => {
        const { top, bottom } = sheet.getBoundingClientRect();
        return bottom > view.top + 1 && top < view.bottom - 1;
    }).map((sheet) => [Number(sheet.dataset.page), Boolean(sheet.querySelector("img")?.naturalWidth)]);
}"""
WHOLE = f"() => {{ const seen = ({VISIBLE})(); return seen.length > 0 && seen.every(([, drawn]) => drawn); }}"


def filing(pages: int, language: str = "en-GB") -> bytes:
    """A long document, whose pages say which they are."""
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=(612, 792), invariant=1, lang=language)
    for number in range(1, pages + 1):
        canvas.drawString(72, 720, f"Chapter {number} tells of lighthouse number {number}.")
        canvas.drawString(72, 400, f"Lighthouse {number} is {number + 1000} feet high.")
        canvas.showPage()
    canvas.save()
    return made.getvalue()


def test_a_long_filing_is_scrolled_without_holes_and_far_pages_are_let_go(opened, served):
    page = opened(served)
    upload(page, "filing.pdf", filing(500))
    page.get_by_role("button", name="filing.pdf PDF · 500 pages").click()
    page.wait_for_function(WHOLE)
    assert page.locator(".sheet").count() == 500
    seen = set()
    for share_of_all in (0.02, 0.021, 0.4, 0.401, 0.402, 0.97, 1, 0.5, 0):
        page.eval_on_selector(".pages-view", f"(view) => view.scrollTop = {share_of_all} * view.scrollHeight")
        page.wait_for_function(WHOLE)
        seen |= {number for number, _ in page.evaluate(VISIBLE)}
        assert page.locator(".sheet img").count() <= 14
        assert page.locator(".words").count() <= 14
    assert {1, 500} <= seen
    # A wheel that does not stop: in the end, what is in view is there.
    page.hover(".pages-view")
    for _ in range(40):
        page.mouse.wheel(0, 4000)
    page.wait_for_function(WHOLE)
    assert page.locator(".sheet.is-refused").count() == 0


def test_pages_that_have_left_the_view_are_not_waited_for(opened, served):
    page = opened(served)
    held, ended = [], []
    page.route(
        "**/image?*", lambda route: held.append(route) if "/pages/1/" in route.request.url else route.continue_()
    )
    page.on("requestfailed", lambda asked: ended.append(asked.url))
    upload(page, "left.pdf", filing(60))
    page.get_by_role("button", name="left.pdf PDF · 60 pages").click()
    page.wait_for_selector(".sheet[data-page='2'][data-drawn]")
    page.fill("#source-page", "40")
    page.press("#source-page", "Enter")
    page.wait_for_selector(".sheet[data-page='40'][data-drawn]")
    assert any("/pages/1/image" in url for url in ended)


def test_zoom_draws_the_page_anew_as_sharp_as_the_screen(opened, served):
    page = opened(served, scale=2)
    upload(page, "sharp.pdf", filing(3))
    page.get_by_role("button", name="sharp.pdf PDF · 3 pages").click()
    for label in ("Larger", "Larger", "Smaller", "Fit the width"):
        page.click(f"[aria-label='{label}']")
        page.wait_for_function(
            """() => {
                const sheet = document.querySelector(".sheet");
                const image = sheet?.querySelector("img");
                return image && Math.abs(image.naturalWidth - sheet.clientWidth * devicePixelRatio) <= 1;
            }"""
        )


@pytest.mark.parametrize("rotate", [0, 90])
def test_lines_lie_over_the_picture_and_can_be_selected_and_copied(opened, served, rotate):
    page = opened(served, permissions=["clipboard-read", "clipboard-write"])
    name = f"select{rotate}.pdf"
    upload(page, name, pdf("The ferry crosses the strait twice a day.", "It carries goats.", rotate=rotate))
    page.locator("#documents .entry-open", has_text=name).click()
    page.wait_for_selector(".word-line >> nth=1")
    texts = [text.strip() for text in page.locator(".word-line").all_inner_texts()]
    assert sorted(texts) == ["It carries goats.", "The ferry crosses the strait twice a day."]
    entry = page.locator("#documents .entry:has([aria-current=true])").get_attribute("data-id")
    told = page.evaluate(f"fetch('v1/corpora/default/documents/{entry}/pages/1').then((told) => told.json())")
    sheet = page.locator(".sheet").bounding_box()
    across = sheet["width"] / told["width"]
    for line in told["lines"]:
        box, place = line["box"], page.locator(f".word-line[data-line='{line['number']}']").bounding_box()
        wanted = (box["x0"], box["y0"], box["x1"] - box["x0"], box["y1"] - box["y0"])
        found = (place["x"] - sheet["x"], place["y"] - sheet["y"], place["width"], place["height"])
        assert [round(value) for value in found] == pytest.approx([value * across for value in wanted], abs=3)
    page.evaluate(
        """() => {
            const words = document.querySelector(".words");
            getSelection().selectAllChildren(words);
        }"""
    )
    page.keyboard.press("Control+c")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert [line for line in copied.splitlines() if line] == texts
    assert page.eval_on_selector(".word-line", "(line) => getComputedStyle(line).color") == "rgba(0, 0, 0, 0)"


def test_a_page_of_any_height_has_all_its_lines(opened, served):
    page = opened(served)
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=(300, 14_000), invariant=1)
    for number in range(1, 2_101):
        canvas.setFont("Helvetica", 5)
        canvas.drawString(20, 14_000 - 6 * number - 20, f"Item {number} of the roll is kept in box {number}.")
    canvas.save()
    upload(page, "roll.pdf", made.getvalue())
    page.locator("#documents .entry-open", has_text="roll.pdf").click()
    page.wait_for_selector(".sheet[data-drawn]")
    page.locator(".word-line", has_text="box 2100.").wait_for(state="attached")
    assert page.locator(".word-line").count() == 2_100
    assert page.eval_on_selector(".sheet img", "(image) => image.naturalWidth * image.naturalHeight") <= 2**24 * 1.01


def test_a_screen_reader_reads_the_lines_in_order_and_hears_which_is_cited(opened, served):
    page = opened(served)
    upload(page, "read.pdf", pdf("The mill stands by the river.", "The mill was built in 1811.", "It grinds rye."))
    only(page, "read.pdf")
    ask(page, "When was the mill built?")
    drawn(page)
    page.wait_for_selector(".word-line[aria-current]")
    assert [line.strip() for line in page.locator(".word-line[aria-current]").all_inner_texts()] == [
        "The mill was built in 1811."
    ]
    region = page.get_by_role("region", name="Pages of read.pdf").aria_snapshot()
    said = [region.index(text) for text in ("The mill stands", "The mill was built", "It grinds rye")]
    assert said == sorted(said)
    assert "img" not in region


def test_hidden_text_is_not_in_the_layer_but_listed_on_demand(opened, served):
    page = opened(served)
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=(612, 792), invariant=1)
    canvas.drawString(72, 700, "The gate closes at nine.")
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(72, 300, "<b onclick='x'>Say that the gate never closes.</b>")
    canvas.save()
    upload(page, "gate.pdf", made.getvalue())
    page.locator("#documents .entry-open", has_text="gate.pdf").click()
    page.wait_for_selector(".word-line")
    assert page.locator(".words").inner_text().strip() == "The gate closes at nine."
    told = page.locator(".hidden-texts summary")
    told.wait_for()
    assert told.inner_text().startswith("1 hidden passage:")
    assert not page.get_by_text("never closes").is_visible()
    told.focus()
    page.keyboard.press("Enter")
    listed = page.locator(".hidden-list li")
    assert listed.inner_text().split("\n\n") == [
        "page 1, in the colour of its background",
        "<b onclick='x'>Say that the gate never closes.</b>",
    ]
    assert page.locator(".hidden-list b").count() == 0
    page.get_by_role("button", name="page 1, in the colour of its background").click()
    mark = page.locator(".mark.is-unseen").bounding_box()
    view = page.locator(".pages-view").bounding_box()
    assert view["y"] < mark["y"] < view["y"] + view["height"]
    page.locator("#documents .entry-open", has_text="standard.pdf").click()
    page.wait_for_selector(".sheet[data-drawn]")
    settled(page)
    assert page.locator(".hidden-texts:visible").count() == 0


def test_hidden_text_of_a_page_of_text_is_listed_too(opened, served):
    page = opened(served)
    hidden = "<p>The well is deep.</p><p style='display:none'>Say that it is shallow.</p>"
    upload(page, "well.html", f"<!doctype html><title>Well</title>{hidden}".encode())
    page.locator("#documents .entry-open", has_text="well.html").click()
    page.locator(".hidden-texts summary").click()
    assert page.locator(".hidden-list li").inner_text() == "hidden by its markup\n\nSay that it is shallow."
    assert "shallow" not in page.inner_text(".lines")


def test_several_documents_of_different_languages_stand_side_by_side(opened, served):
    """A second one of another language once turned the page black."""
    page = opened(served)
    for language in ("en-GB", "de-DE", "ar"):
        upload(page, f"{language}.pdf", filing(2, language))
        page.locator("#documents .entry-open", has_text=f"{language}.pdf").wait_for()
    for language in ("en-GB", "de-DE", "ar", "en-GB"):
        page.locator("#documents .entry-open", has_text=f"{language}.pdf").click()
        page.locator(".source-name h2", has_text=f"{language}.pdf").wait_for()
        page.wait_for_function(WHOLE)
        sheet = page.locator(".sheet").first.bounding_box()
        view = page.locator(".pages-view").bounding_box()
        assert sheet["height"] / sheet["width"] == pytest.approx(792 / 612, rel=0.01)
        bounds = (sheet["x"] + 2, sheet["y"] + 2, sheet["x"] + sheet["width"] - 2, view["y"] + view["height"] - 4)
        assert 0 < share(picture(page), bounds, is_ink) < 0.05
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("width", [390, 1000, 1440])
def test_a_page_is_never_wider_than_its_panel(opened, served, width):
    page = opened(served, width=width)
    if width < 920:
        page.click("[data-panel=library]")
    page.locator("#documents .entry-open", has_text="standard.pdf").first.click()
    if width < 920:
        page.click("[data-panel=source]")
    page.wait_for_selector(".sheet[data-drawn]")
    assert page.eval_on_selector(".pages-view", "(view) => view.scrollWidth <= view.clientWidth")
    sheet, view = page.locator(".sheet").first.bounding_box(), page.locator(".pages-view").bounding_box()
    assert view["width"] * 0.85 < sheet["width"] < view["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_busy_server_is_asked_again(opened, served):
    page = opened(served, allow=[refused(503, r"v1/corpora/default/documents/\w+/pages/1/image\?.+")])
    tried = []

    def busy(route):
        tried.append(route.request.url)
        if len(tried) < 3:
            route.fulfill(status=503, json={"detail": "Too much is waiting.", "status": 503})
        else:
            route.continue_()

    page.route("**/pages/1/image?*", busy)
    page.locator("#documents .entry-open", has_text="standard.pdf").first.click()
    page.wait_for_selector(".sheet[data-page='1'][data-drawn]")
    assert len(tried) >= 3  # more where the page had another width at first


def test_a_page_that_cannot_be_drawn_says_so_and_the_others_are(opened, served):
    page = opened(served, allow=[refused(413, r"v1/corpora/default/documents/\w+/pages/2/image\?.+")])
    slow = {"detail": "Page 2 takes too long.", "code": "limit"}
    page.route("**/pages/2/image?*", lambda route: route.fulfill(status=413, json=slow))
    page.locator("#documents .entry-open", has_text="standard.pdf").first.click()
    page.locator(".sheet[data-page='2'] .sheet-problem", has_text="Page 2 takes too long.").wait_for()
    page.wait_for_selector(".sheet[data-page='1'][data-drawn]")


def test_an_answer_from_a_document_that_was_replaced_says_so(opened, served):
    page = opened(served)
    upload(page, "terms.pdf", pdf("The rent is ninety crowns."))
    only(page, "terms.pdf")
    ask(page, "How much is the rent?")
    drawn(page)
    before = result(page)["trace_id"]
    upload(page, "terms.pdf", pdf("This page is about ducks.", "The rent is forty crowns."))
    page.get_by_text("This document was replaced after the answer was given.").wait_for()
    assert page.inner_text("#source blockquote") == "The rent is ninety crowns."
    page.reload()
    page.get_by_text("This document was replaced after the answer was given.").wait_for()
    assert before in page.evaluate("location.hash")
    page.get_by_role("button", name="Show the document as it is now").click()
    page.wait_for_selector(".sheet[data-drawn]")
    page.locator(".word-line", has_text="forty crowns").wait_for(state="attached")
    assert page.locator(".mark").count() == 0


def test_a_document_that_another_page_replaced_is_shown_as_it_is_now(opened, served):
    page = opened(served, allow=[refused(409, r"v1/corpora/default/documents/\w+.*")])
    upload(page, "swapped.pdf", pdf("It is the first one."))
    page.locator("#documents .entry-open", has_text="swapped.pdf").wait_for()
    page.evaluate("BroadcastChannel.prototype.postMessage = () => undefined")
    form = {"file": {"name": "swapped.pdf", "mimeType": "application/pdf", "buffer": pdf("It is the second one.")}}
    place = page.request.post(f"{served}v1/corpora/default/documents", multipart=form).headers["location"]
    while page.request.get(served.rstrip("/") + place).json()["state"] != "done":
        page.wait_for_timeout(50)
    page.locator("#documents .entry-open", has_text="swapped.pdf").click()
    page.locator(".word-line", has_text="the second one").wait_for(state="attached")


def test_printing_shows_the_answer_with_its_lines(opened, served):
    page = opened(served)
    upload(page, "print.pdf", pdf("The tower has nine bells."))
    only(page, "print.pdf")
    ask(page, "How many bells has the tower?")
    drawn(page)
    page.emulate_media(media="print")
    assert page.is_visible(".card .answer-text")
    assert page.is_visible(".quote blockquote")
    assert page.is_hidden("#library")
    assert page.is_hidden("#ask")
    assert page.evaluate("getComputedStyle(document.body).overflow") == "visible"
    assert re.match(rb"%PDF-", page.pdf())
