"""The three states in words, and what the lists of documents, questions and uploads keep."""

import pytest
from steps import ask, collection, drawn, rested, result, until
from test_page_documents import only, pdf, upload

pytestmark = pytest.mark.enable_socket


def badges(page) -> tuple[str, str, str, str]:
    """What the badge, the line below the answer, the title of the quotes and the history say."""
    tally = page.locator(".tally")
    return (
        page.inner_text(".badge"),
        tally.inner_text() if tally.count() else "",
        page.locator(".evidence h3").first.text_content(),
        page.inner_text("#history .entry:has([aria-current=true]) .hint").partition(" ·")[0],
    )


def told_as(page, **how) -> None:
    """Ask, and let the server tell the answer so, in the answer and in the history."""
    upload(page, "bell.pdf", pdf("The bell weighs forty tons."))
    only(page, "bell.pdf")
    ask(page, "How heavy is the bell?")

    def changed(route):
        told = route.fetch().json()
        for one in told.get("results", [told]):
            one.update(how if "claims" in one or "when" in one else {})
        route.fulfill(json=told)

    page.route("**/results?*", changed)
    page.route("**/results/*", changed)
    page.reload()
    page.wait_for_selector(".card .figures")
    drawn(page)


def test_what_is_proved_says_so_everywhere(opened, served):
    page = opened(served)
    told_as(page, review=False, possible=False, confidence=0.9)
    assert badges(page) == ("Proved answer", "The claim is proved by the lines it cites", "Proof", "Proved answer")
    assert page.inner_text(".source-name .state") == "Proved answer"
    page.locator("#announcer", has_text="Proved answer: bell.pdf").wait_for(state="attached")


@pytest.mark.parametrize("possible", [True, False])
def test_what_is_only_quoted_is_not_called_proved(opened, served, possible):
    page = opened(served)
    told_as(page, review=True, possible=possible, confidence=0.5)
    badge, tally, quotes, history = badges(page)
    assert badge == ("Possible answer" if possible else "Possible answer: check it")
    assert tally == "The lines say this; that it answers the question is not proved"
    assert (quotes, history) == ("Quoted lines", "Possible answer")
    assert page.inner_text(".source-name .state") == "Possible answer"
    whole = " ".join(page.locator("#result, #source-head, #history").all_inner_texts())
    assert [word for word in ("is proved", "PROOF", "Proved answer") if word in whole] == []


def test_what_is_quoted_nearby_says_so(page):
    ask(page, "Which astronaut wrote the cookbook for the station?")
    page.click(".quote-place >> nth=0")
    drawn(page)
    assert badges(page) == ("Not found", "", "Quoted nearby", "Not found")
    assert page.inner_text(".source-name .state") == "Quoted nearby"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_list_shown_as_text_opens_at_the_cited_line(opened, served, motion):
    page = opened(served, reduced_motion=motion)
    ask(page, "What are the essential properties of a station?")
    for claim in (2, 0, 4):
        page.click(f".claim >> nth={claim}")
        drawn(page)
        cited = result(page)["citations"][claim]
        page.click("[aria-label='Show as text']")
        page.wait_for_selector(f".line.is-active[data-line='{cited['line_start']}']")
        rested(page, ".text-view")
        line, view = page.locator(".line.is-active").bounding_box(), page.locator(".text-view").bounding_box()
        assert view["y"] <= line["y"] <= view["y"] + view["height"] - line["height"]
        page.click("[aria-label='Show the pages']")


def test_the_end_of_a_name_stays_together(opened, served):
    page = opened(served, width=1000)
    names = ("ACTIVISIONSUPPLIES_2019_10K.pdf", "Trademark-License-Agreement_EX-2.7.pdf")
    for name in names:
        upload(page, name, pdf("The mast is nine metres high."))
        page.locator("#documents .entry-open", has_text=name[-9:]).first.wait_for()
    tops = page.evaluate(
        """() => [...document.querySelectorAll("#documents .entry-name")].map((name) => {
            const walk = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
            let last = null;
            while (walk.nextNode()) last = walk.currentNode;
            const range = document.createRange();
            range.selectNodeContents(last);
            return [last.data, range.getClientRects().length, name.scrollHeight <= name.clientHeight + 1];
        })"""
    )
    ends = {text: (rows, whole) for text, rows, whole in tops}
    assert ends["10K.pdf"] == (1, True)
    assert ends["2.7.pdf"] == (1, True)


def test_a_reload_keeps_which_documents_are_asked(page):
    page.uncheck("input[aria-label='Ask standard.pdf']")
    before = page.inner_text(".choose-all")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.is_checked("input[aria-label='Ask lease.pdf']")
    assert not page.is_checked("input[aria-label='Ask standard.pdf']")
    assert page.inner_text(".choose-all") == before
    collection(page, "typed")
    assert page.inner_text(".choose-all") == "All are asked"
    collection(page, "default")
    assert not page.is_checked("input[aria-label='Ask standard.pdf']")
    page.check("#all")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.is_checked("input[aria-label='Ask standard.pdf']")


def kept(page) -> list[str]:
    return [
        one["id"] for one in page.evaluate("fetch('v1/corpora/default/results').then((told) => told.json())")["results"]
    ]


def test_a_forgotten_question_can_be_brought_back(page):
    ask(page, "Who are the parties?")
    ask(page, "What is the governing law of the agreement?")
    first, second = result(page)["trace_id"], kept(page)[1]
    page.wait_for_selector(f"#history .entry[data-answer='{first}']")
    shown = page.locator("#history .entry").count()
    for trace in (first, second):
        page.locator(f"#history .entry[data-answer='{trace}'] .faint").click()
    assert page.locator("#history .entry").count() == shown - 2
    assert page.inner_text(".notice-offer p") == "2 questions forgotten"
    assert {first, second} <= set(kept(page))
    page.get_by_role("button", name="Undo").click()
    page.locator(f"#history .entry[data-answer='{first}']").wait_for()
    page.locator(f"#history .entry[data-answer='{second}']").wait_for()
    assert page.locator(".notice").count() == 0
    page.locator(f"#history .entry[data-answer='{first}'] .faint").click()
    page.reload()  # who leaves the page has made up their mind
    page.wait_for_selector("html[data-ready]")
    until(page, lambda: first not in kept(page))
    assert second in kept(page)


def test_two_pages_of_one_browser_show_the_same_lists(opened, served):
    page = opened(served)
    other = page.context.new_page()
    other.goto(served)
    other.wait_for_selector("html[data-ready]")
    upload(page, "shared.txt", b"The barn is red.")
    other.locator("#documents .entry", has_text="shared.txt").wait_for()
    ask(other, "What colour is the barn?")
    trace = result(other)["trace_id"]
    page.locator(f"#history .entry[data-answer='{trace}']").wait_for()
    page.get_by_role("button", name="Remove shared.txt").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    other.locator("#documents .entry", has_text="shared.txt").wait_for(state="detached")
    other.get_by_text("This document is no longer in the collection.").wait_for()


def test_what_others_changed_is_seen_at_the_next_look(opened, served):
    page = opened(served)
    file = {"name": "elsewhere.txt", "mimeType": "text/plain", "buffer": b"The shed is green."}
    place = page.request.post(f"{served}v1/corpora/default/documents", multipart={"file": file}).headers["location"]
    while page.request.get(served.rstrip("/") + place).json()["state"] != "done":
        page.wait_for_timeout(50)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("#documents .entry", has_text="elsewhere.txt").wait_for()


def test_the_bar_of_an_upload_moves_while_nobody_knows_how_long_reading_takes(opened, served):
    page = opened(served)
    held = []
    page.route("**/jobs/*/events", lambda route: held.extend([route]))
    upload(page, "slow.txt", b"The slow file.")
    bar = page.locator(".upload progress")
    page.locator(".upload", has_text="Reading").wait_for()
    assert bar.evaluate("(bar) => bar.position") == -1
    until(page, lambda: held)
    held[0].continue_()
    page.locator("#documents .entry", has_text="slow.txt").wait_for()
    page.wait_for_selector(".upload", state="detached")
