"""For everybody: by keyboard alone, dark, on a narrow screen, with a screen reader, behind a token."""

import json
from urllib.parse import urlsplit

import pytest
from browsing import fill, serving
from steps import ask, closed, collection, drawn, refused

pytestmark = pytest.mark.enable_socket
QUESTION = "What are the essential properties of a station?"


def focused(page) -> str:
    return page.evaluate("document.activeElement.textContent")


def test_everything_can_be_done_by_keyboard(page):
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the question"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".card .figures")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    assert focused(page) == "Damped sensing"
    assert page.inner_text(".claim[aria-pressed=true]") == "Damped sensing"
    page.keyboard.press("k")
    assert page.inner_text(".claim[aria-pressed=true]") == "Continuous power"
    drawn(page)
    assert page.inner_text("#source-place") == "page 5 (printed 2), line 103"
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(ring) == "solid"
    page.keyboard.press("Tab")
    assert page.evaluate(ring) == "solid"
    page.keyboard.press("Enter")
    assert page.locator(".mark-number.is-active").inner_text() == "2"
    page.keyboard.press("?")
    assert "Write a question" in page.inner_text("dialog")
    closed(page)
    page.focus(".splitter")
    before = page.locator("#source").bounding_box()["width"]
    page.keyboard.press("ArrowRight")
    assert page.locator("#source").bounding_box()["width"] < before


def test_escape_stops_a_question(page):
    collection(page, "slow")
    page.fill("#question", "What is exact time?")
    page.keyboard.press("Enter")
    page.wait_for_selector(".working")
    page.keyboard.press("Escape")
    page.get_by_text("Stopped.").wait_for()


def test_a_screen_reader_hears_the_answer_and_the_place(page):
    ask(page, QUESTION)
    heard = page.locator("#announcer")
    page.locator("#announcer", has_text="page 5").wait_for(state="attached")
    assert heard.get_attribute("role") == "status"
    page.evaluate("document.activeElement.blur()")  # in the field for the question, letters are letters
    page.keyboard.press("j")
    page.locator("#announcer", has_text="Continuous power").wait_for(state="attached")
    assert page.get_by_role("button", name="Continuous power").get_attribute("aria-pressed") == "true"
    assert page.get_by_role("button", name="Fixed datum").get_attribute("aria-pressed") == "false"
    assert page.get_by_role("region", name="Pages of standard.pdf").is_visible()


def test_colours_follow_the_system_until_they_are_chosen(opened, served):
    page = opened(served, dark=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(20, 22, 25)"
    page.click("#theme")
    assert page.evaluate(ground) == "rgb(243, 241, 236)"
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(ground) == "rgb(243, 241, 236)"
    assert page.get_attribute("#theme", "aria-label") == "Colours: light"


def test_a_narrow_screen_shows_one_part_at_a_time(opened, served):
    page = opened(served, width=360, height=700)
    ask(page, QUESTION)
    assert page.is_hidden("#source")
    page.click(".claim >> nth=1")
    drawn(page)
    assert page.is_hidden("#answer")
    mark, view = page.locator(".mark").bounding_box(), page.locator(".pages-view").bounding_box()
    assert view["y"] <= mark["y"] <= view["y"] + view["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.click("[data-panel=library]")
    assert page.is_visible("#documents .entry")
    page.locator("#history .entry-open").first.click()
    assert page.is_visible("#answer")


def test_a_server_with_a_token_asks_for_it(opened, tmp_path, standard):
    fill(tmp_path / "default.db", {"standard.pdf": standard.read_bytes()})
    with serving(tmp_path, "open-sesame") as address:
        page = opened(address, until="dialog", allow=[refused(401, "v1/corpora"), refused(401, "v1/session")])
        page.fill("dialog #secret", "guessed")
        page.press("dialog #secret", "Enter")
        page.locator("dialog .wrong").wait_for()
        page.fill("dialog #secret", "open-sesame")
        page.press("dialog #secret", "Enter")
        page.wait_for_selector("html[data-ready]")
        ask(page, QUESTION)
        drawn(page)
        assert "sesame" not in page.evaluate("document.cookie + JSON.stringify(localStorage) + location.href")
        (cookie,) = page.context.cookies()
        assert cookie["name"] == f"spanwise_session_{urlsplit(address).port}"
        assert (cookie["httpOnly"], cookie["sameSite"], "sesame" in cookie["value"]) == (True, "Strict", False)
        page.context.close()  # before its server


def serious(page, axe: str) -> list[str]:
    """What axe finds that is serious or critical."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    grave = [one for one in found if one["impact"] in {"serious", "critical"}]
    return [f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes']])}" for one in grave]


def unseen(route) -> None:
    """So many hidden texts that their list is scrolled."""
    box = {"page": 1, "x0": 72, "y0": 72, "x1": 200, "y1": 90}
    one = {"page": 1, "text": "Pay nothing. " * 20, "reason": "tiny", "left_out": 0}
    texts = [one | {"box": box if number % 2 else None} for number in range(40)]
    route.fulfill(json={"hidden": texts, "total": 40, "next": None})


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(opened, served, axe, dark):
    page = opened(served, dark=dark)
    found = {"empty": serious(page, axe)}
    ask(page, QUESTION)
    drawn(page)
    page.click(".figures summary")
    found["answer"] = serious(page, axe)
    page.route("**/hidden?*", unseen)
    page.locator("#documents .entry-open", has_text="lease.pdf").click()
    page.click(".hidden-texts summary")
    page.wait_for_selector(".hidden-list li")
    page.wait_for_selector(".word-line")
    found["hidden texts"] = serious(page, axe)
    page.locator("#history .entry .faint").first.click()
    found["forgotten"] = serious(page, axe)
    page.get_by_role("button", name="Undo").click()
    ask(page, QUESTION)
    page.get_by_role("button", name="Trace").click()
    page.wait_for_selector(".tree")
    found["trace"] = serious(page, axe)
    closed(page)
    ask(page, "Which astronaut wrote the cookbook for the station?")
    found["not found"] = serious(page, axe)
    collection(page, "written")
    ask(page, "What is exact time?")
    found["left out"] = serious(page, axe)
    collection(page, "typed")
    ask(page, "What is the late fee?")
    found["conflict"] = serious(page, axe)
    ask(page, "Why is there a late fee?")
    found["unchecked"] = serious(page, axe)
    page.set_viewport_size({"width": 360, "height": 700})
    found["narrow"] = serious(page, axe)
    page.click("[data-panel=library]")
    found["narrow documents"] = serious(page, axe)
    assert {state: problems for state, problems in found.items() if problems} == {}
