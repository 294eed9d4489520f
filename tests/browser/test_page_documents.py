"""Other documents than a plain PDF: long texts, turned and cropped pages, encrypted and broken files, hostile ones."""

import io

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas
from steps import ask, closed, drawn, is_ink, picture, place_of, refused, result, settled, share, until

pytestmark = pytest.mark.enable_socket
SCRIPT = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


def pdf(*lines: str, rotate: int = 0, crop: tuple[int, int, int, int] | None = None) -> bytes:
    """One page with lines of text, turned and cropped."""
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=(612, 792), invariant=1)
    canvas.setFont("Helvetica", 14)
    for position, line in enumerate(lines):
        canvas.drawString(140, 600 - 40 * position, line)
    canvas.save()
    with pikepdf.open(made) as turned:
        if rotate:
            turned.pages[0].Rotate = rotate
        if crop:
            turned.pages[0].CropBox = list(crop)
        out = io.BytesIO()
        turned.save(out, deterministic_id=True)  # the same file again replaces nothing
        return out.getvalue()


def upload(page, name: str, content: bytes) -> None:
    page.set_input_files("#files", {"name": name, "mimeType": "application/octet-stream", "buffer": content})


def only(page, name: str) -> None:
    """Ask this document alone."""
    page.wait_for_selector(f'input[aria-label="Ask {name}"]')
    page.uncheck("#all")
    page.check(f'input[aria-label="Ask {name}"]')


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_on_a_turned_and_cropped_page_all_ink_is_inside_the_highlight(opened, served, rotate):
    page = opened(served)
    name = f"turned{rotate}.pdf"
    upload(page, name, pdf("The warranty lasts eleven years.", rotate=rotate, crop=(100, 300, 500, 700)))
    only(page, name)
    ask(page, "How long does the warranty last?")
    drawn(page)
    (citation,) = result(page)["citations"]
    (box,) = citation["boxes"]
    entry = page.locator("#documents .entry:has([aria-current=true])").get_attribute("data-id")
    detail = page.evaluate(f"fetch('v1/corpora/default/documents/{entry}').then((told) => told.json())")
    left, top, right, bottom = place_of(page, box, detail["page_list"][0])
    view = page.locator(".pages-view").bounding_box()
    sheet = page.locator(".sheet").bounding_box()
    bounds = (
        max(sheet["x"], view["x"]) + 2,
        max(sheet["y"], view["y"]) + 2,
        sheet["x"] + sheet["width"] - 2,
        min(sheet["y"] + sheet["height"], view["y"] + view["height"]) - 2,
    )
    image = picture(page)
    inside = share(image, (left, top, right, bottom), is_ink)
    area = (round(right) - round(left)) * (round(bottom) - round(top))
    whole = (round(bounds[2]) - round(bounds[0])) * (round(bounds[3]) - round(bounds[1]))
    assert inside > 0.03
    assert share(image, bounds, is_ink) * whole <= inside * area * 1.02


def test_a_long_text_opens_at_the_line_and_goes_on_in_both_directions(opened, served):
    page = opened(served)
    lines = [f"Entry {number} is of no interest." for number in range(1, 3001)]
    lines[2499] = "The lighthouse keeper was called Ambrose Quill."
    upload(page, "long.txt", "\n".join(lines).encode())
    only(page, "long.txt")
    ask(page, "Who was the lighthouse keeper?")
    page.wait_for_selector(".line.is-active[data-line='2500']")
    assert page.locator(".line").count() < 1000
    assert page.locator(".line.is-active").bounding_box()["y"] > 0
    page.eval_on_selector(".text-view", "(view) => view.scrollTop = 0")
    page.wait_for_selector(".line[data-line='2300']", state="attached")
    page.eval_on_selector(".text-view", "(view) => view.scrollTop = view.scrollHeight")
    page.wait_for_selector(".line[data-line='3000']", state="attached")
    numbers = page.eval_on_selector_all(".line", "(lines) => lines.map((line) => Number(line.dataset.line))")
    assert numbers == list(range(numbers[0], 3001))
    assert page.locator(".line.is-active").count() == 1


def test_an_encrypted_file_asks_for_its_password(opened, served):
    page = opened(served, allow=[refused(422, r"v1/corpora/default/documents/\w+/pages/1/image\?.+")])
    locked = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf("The code word is marmalade."))) as plain:
        plain.save(locked, encryption=pikepdf.Encryption(owner="o", user="sesame", R=6))
    upload(page, "locked.pdf", locked.getvalue())
    page.fill("dialog #secret", "wrong")
    page.press("dialog #secret", "Enter")
    page.get_by_text("That was not its password.").wait_for()
    page.fill("dialog #secret", "sesame")
    page.press("dialog #secret", "Enter")
    only(page, "locked.pdf")
    ask(page, "What is the code word?")
    drawn(page)  # with the password that was given
    page.reload()
    page.fill("dialog #secret", "guessed")
    page.press("dialog #secret", "Enter")
    page.get_by_text("That was not its password.").wait_for()
    page.fill("dialog #secret", "sesame")
    page.press("dialog #secret", "Enter")
    drawn(page)


def test_without_its_password_an_encrypted_file_is_shown_as_its_lines(opened, served):
    page = opened(served, allow=[refused(422, r"v1/corpora/default/documents/\w+/pages/1/image\?.+")])
    locked = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf("The safe is behind the stove."))) as plain:
        plain.save(locked, encryption=pikepdf.Encryption(owner="o", user="sesame", R=6))
    upload(page, "safe.pdf", locked.getvalue())
    page.fill("dialog #secret", "sesame")
    page.press("dialog #secret", "Enter")
    page.locator("#documents .entry-open", has_text="safe.pdf").wait_for()
    page.reload()
    page.locator("#documents .entry-open", has_text="safe.pdf").click()
    page.wait_for_selector("dialog")
    closed(page)
    page.locator(".line", has_text="The safe is behind the stove.").wait_for()
    assert "no password was given" in page.inner_text(".notice")
    assert page.locator(".sheet img").count() == 0


def test_a_file_that_cannot_be_read_says_so(opened, served):
    page = opened(served)
    upload(page, "broken.pdf", b"%PDF-1.7\nnothing of a PDF follows")
    failed = page.locator(".upload.is-failed")
    failed.wait_for()
    assert "broken.pdf" in failed.inner_text()
    assert failed.locator("p").inner_text().strip()
    page.get_by_role("button", name="Dismiss").click()
    assert page.locator(".upload").count() == 0


def test_files_can_be_dropped(opened, served):
    page = opened(served)
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["The kettle holds two litres."], "dropped.txt"));
            document.dispatchEvent(new DragEvent("dragenter", { dataTransfer: data, bubbles: true }));
            document.querySelector("#answer").dispatchEvent(
                new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    page.wait_for_selector("input[aria-label='Ask dropped.txt']")
    assert page.locator(".drop").is_hidden()


def test_nothing_in_a_document_its_name_or_a_question_is_run(opened, served):
    page = opened(served)
    name = "<img src=x onerror='window.hacked = 1'>.txt"
    upload(page, name, f"Title {SCRIPT}\n\nThe password of the vault is {SCRIPT} swordfish.\n".encode())
    page.locator("#documents .entry", has_text="onerror").wait_for()
    page.uncheck("#all")
    page.locator("#documents .entry", has_text="onerror").locator("input").check()
    ask(page, f"What is the password of the vault {SCRIPT}?")
    assert SCRIPT in page.inner_text(".asked")
    page.click(".claim, .quote-place")
    page.wait_for_selector(".line")
    assert SCRIPT in page.inner_text(".lines")
    page.get_by_role("button", name="Trace").click()
    page.wait_for_selector(".tree summary")
    for summary in page.locator(".tree > details > summary").all():
        summary.click()
    closed(page)
    settled(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("#result img, #result script, #source-body img, #documents img").count() == 0


def test_a_faulty_pdf_is_no_warning_and_a_script_in_one_is_not_run(opened, served):
    """What goes wrong in the page is looked for in the console (see `opened`): small faults of files are not that."""
    page = opened(served)
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=(612, 792), invariant=1)
    canvas.drawString(140, 600, "The ferry crosses the strait twice a day.")
    canvas._code.append("1 2 unheard-of")
    canvas.save()
    upload(page, "faulty.pdf", made.getvalue())
    only(page, "faulty.pdf")
    ask(page, "How often does the ferry cross the strait?")
    drawn(page)
    hostile = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf("The bridge is ninety metres long."))) as plain:
        plain.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)"))
        plain.save(hostile)
    upload(page, "hostile.pdf", hostile.getvalue())
    only(page, "hostile.pdf")
    ask(page, "How long is the bridge?")
    drawn(page)


def test_uploads_wait_for_one_another_and_can_be_cancelled(opened, served):
    page = opened(served)
    held = []
    page.route(
        "**/documents", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    for name in ("first.txt", "second.txt"):
        upload(page, name, f"The {name} file.".encode())
    page.wait_for_selector(".upload >> nth=1")
    until(page, lambda: held)
    page.get_by_role("button", name="Cancel second.txt").click()
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_selector("input[aria-label='Ask first.txt']")
    page.wait_for_selector(".upload", state="detached")
    assert len(held) == 1


def test_long_names_are_told_apart_by_their_ends(opened, served):
    page = opened(served)
    name = "A contract between two parties with a very long name, number {}, signed.txt"
    for number in (1, 2):
        upload(page, name.format(number), f"The fee of contract {number} is EUR {number}00.".encode())
    page.get_by_role("button", name=f"{name.format(2)} Text").wait_for()
    shown = page.locator("#documents .entry-name", has_text="A contract between").all_inner_texts()
    assert len(set(shown)) == len(shown) == 2
    assert all("…" in one for one in shown)


def test_what_went_wrong_is_told_once_and_until_something_new_is_begun(opened, served):
    page = opened(served, allow=[refused(503, "v1/corpora/default/results/[0-9a-f]{16}")])
    ask(page, "Who are the parties?")
    page.route("**/results/*", lambda route: route.fulfill(status=503, json={"detail": "Come again."}))
    for _ in range(2):
        page.locator("#history .entry-open").first.click()
        page.locator(".notice", has_text="Come again.").wait_for()
    assert page.locator(".notice").count() == 1
    page.unroute("**/results/*")
    ask(page, "Who are the parties?")
    assert page.locator(".notice").count() == 0
