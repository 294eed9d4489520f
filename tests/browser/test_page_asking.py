"""From a document to an answer and its proof: the way through the page that everybody takes."""

import re

import pytest
from steps import (
    ask,
    closed,
    collection,
    drawn,
    is_marked,
    is_under,
    is_yellow,
    picture,
    place_of,
    refused,
    result,
    seen,
    settled,
    share,
    until,
)

pytestmark = pytest.mark.enable_socket
QUESTION = "What are the essential properties of a station?"


def test_a_document_is_uploaded_asked_and_shown_at_the_lines(opened, served, standard):
    page = opened(served)
    page.set_input_files(
        "#files", {"name": "uploaded.pdf", "mimeType": "application/pdf", "buffer": standard.read_bytes()}
    )
    page.get_by_role("button", name="uploaded.pdf PDF · 8 pages").wait_for()
    page.uncheck("#all")
    page.check("input[aria-label='Ask uploaded.pdf']")
    assert "Asks 1 of " in page.inner_text("#scope")
    ask(page, QUESTION)
    page.click(".claim >> nth=2")
    drawn(page)
    cited = result(page)["citations"][2]
    assert cited["document"] == "uploaded.pdf"
    assert page.inner_text(".claim[aria-pressed=true]") == "Damped sensing"
    assert page.inner_text("#source-place") == "page 5 (printed 2), line 105"
    assert page.input_value("#source-page") == "5"
    assert page.locator(".quote.is-active").inner_text().startswith("3")
    page.get_by_role("button", name="Remove uploaded.pdf").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    page.locator("#documents .entry", has_text="uploaded.pdf").wait_for(state="detached")
    page.reload()
    page.get_by_text("This document is no longer in the collection.").wait_for()
    assert page.inner_text("#source blockquote") == cited["quote"]


@pytest.mark.parametrize(("scale", "zoom"), [(1, 0), (2, 0), (1.5, 2)], ids=["plain", "sharp screen", "zoomed in"])
def test_the_highlight_covers_exactly_the_cited_boxes(opened, served, scale, zoom):
    page = opened(served, scale=scale)
    ask(page, "What is exact time?")
    drawn(page)
    for _ in range(zoom):
        page.click("[aria-label=Larger]")
    page.click(".claim")
    drawn(page)
    cited = result(page)["citations"][0]
    entry = page.locator("#documents .entry:has([aria-current=true])").get_attribute("data-id")
    sizes = page.evaluate(f"fetch('v1/corpora/default/documents/{entry}').then((told) => told.json())")["page_list"]
    size = sizes[cited["page"] - 1]
    image = picture(page)
    boxes = [place_of(page, box, size) for box in cited["boxes"]]
    right = page.locator(".pages-view").bounding_box()
    edge = (right["x"] + right["width"] - 20) * scale
    for left, top, end, bottom in boxes:
        inside = (left + scale, top + scale, min(end, edge) - scale, bottom - scale)
        assert share(image, inside, is_under) > 0.98
        assert share(image, inside, is_yellow) > 0.2
    first, last = boxes[0], boxes[-1]
    above = (first[0], first[1] - 8 * scale, min(first[2], edge), first[1] - 2 * scale)
    below = (last[0], last[3] + 2 * scale, min(last[2], edge), last[3] + 8 * scale)
    start = min(box[0] for box in boxes)
    before = (start - 12 * scale, first[1], start - 2 * scale, last[3])
    assert [share(image, around, is_marked) for around in (above, below, before)] == [0, 0, 0]


def test_only_pages_near_the_view_are_drawn(opened, served):
    page = opened(served, height=600)
    page.get_by_role("button", name="report.pdf").first.click()
    page.wait_for_selector(".sheet[data-page='1'][data-drawn]")
    page.fill("#source-page", "10")
    page.press("#source-page", "Enter")
    page.wait_for_selector(".sheet[data-page='10'][data-drawn]")
    assert page.locator(".sheet").count() == 10
    assert page.locator(".sheet[data-page='5'][data-drawn]").count() == 0
    assert "auditor" in page.inner_text(".sheet[data-page='10'] .words")


def test_what_is_not_found_says_why_and_an_unclear_question_is_asked_back(page):
    ask(page, "Which astronaut wrote the cookbook for the station?")
    assert page.inner_text(".badge") == "Not found"
    assert page.locator(".why dd").count() == 2
    assert page.locator(".claim").count() == 0
    page.click(".quote-place >> nth=0")
    drawn(page)
    page.click("text=Ask it another way")
    assert page.evaluate("document.activeElement.id") == "question"
    ask(page, "What's the limit?")
    assert page.inner_text(".badge") == "What do you mean?"
    assert "Which limit do you mean?" in page.inner_text(".answer-text")


def test_statements_without_proof_are_named(page):
    collection(page, "written")
    ask(page, "What is exact time?")
    assert page.locator(".claim").count() == 2
    assert page.inner_text(".concern del").startswith("It was invented in 1999")
    assert "Left out" in page.inner_text(".concern .tag")
    assert "1999" in page.inner_text(".concern p")


def test_an_unchecked_statement_looks_different_and_sources_that_disagree_stand_side_by_side(page):
    collection(page, "typed")
    ask(page, "Why is there a late fee?")
    assert page.inner_text(".claim-group .tag") == "Not checked"
    assert page.eval_on_selector(".claim", "(claim) => getComputedStyle(claim).textDecorationStyle") == "dashed"
    assert "compare them with the cited lines" in page.inner_text(".concern")
    page.click(".steps [aria-label='Next evidence']")
    assert page.inner_text(".source-name h2") == "agreement.txt"
    assert page.get_attribute(".line.is-active", "data-line") == "2"
    ask(page, "What is the late fee?")
    assert page.inner_text(".badge") == "The sources disagree"
    one, other = (side.bounding_box() for side in page.locator(".side").all())
    assert one["y"] == other["y"]
    assert one["x"] + one["width"] <= other["x"]
    page.click(".side >> nth=1 >> .claim")
    assert page.inner_text(".line.is-active") == "2\n" + page.inner_text(".side >> nth=1 >> .claim")
    page.get_by_role("button", name="Show both documents").click()
    shown = [page.inner_text(name) for name in (".source-name h2", ".second-head strong")]
    assert sorted(shown) == ["agreement.txt", "amendment.txt"]
    page.locator(".is-second .line.is-active", has_text="per month").wait_for()
    assert page.locator("#history .entry .hint").first.inner_text().startswith("For you to decide")
    # Who types on asks the next question.
    page.focus("#question")
    ask(page, "What is the late fee?")
    page.keyboard.type("Who pays?")
    assert page.input_value("#question") == "Who pays?"


def test_a_question_can_be_stopped(page):
    collection(page, "slow")
    page.fill("#question", "What is exact time?")
    page.click("#send")
    page.wait_for_selector(".working")
    assert page.inner_text("#send") == "Stop"
    page.click("#send")
    page.get_by_text("Stopped. Nothing was kept.").wait_for()
    assert page.inner_text("#send") == "Ask"
    page.locator("#history", has_text="None yet.").wait_for()


def test_a_reload_keeps_answer_claim_and_history(page):
    ask(page, "Who are the parties?")
    ask(page, QUESTION)
    page.click(".claim >> nth=3")
    page.reload()
    drawn(page)
    assert page.inner_text(".claim[aria-pressed=true]") == "Exact time"
    assert page.input_value("#question") == QUESTION
    page.locator("#history .entry-open", has_text="Who are the parties?").first.click()
    page.locator(".asked", has_text="Who are the parties?").wait_for()
    page.go_back()
    page.locator(".asked", has_text=QUESTION).wait_for()
    count = page.locator("#history .entry").count()
    page.locator("#history .entry:has([aria-current=true]) .faint").click()
    page.get_by_text("Ask a question").wait_for()
    assert page.locator("#history .entry").count() == count - 1


def test_confidence_trace_and_copies_are_one_click_away(opened, served):
    page = opened(served, permissions=["clipboard-read", "clipboard-write"])
    ask(page, QUESTION)
    page.click(".figures summary")
    page.locator(".figures dl", has_text="no model").wait_for()
    done = seen(page, ".actions .done")
    page.get_by_role("button", name="Copy as Markdown").click()
    done()
    assert "[^c1]" in page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Highlighted PDF").click()
    assert downloading.value.suggested_filename.startswith("standard")
    assert downloading.value.path().read_bytes().startswith(b"%PDF-")
    page.get_by_role("button", name="Trace").click()
    page.click(".tree summary:has-text('question')")
    page.locator(".tree", has_text=QUESTION).wait_for()  # a branch is filled in after it was opened
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download").click()
    assert re.fullmatch(r"trace-[0-9a-f]{16}\.json", downloading.value.suggested_filename)
    closed(page)


def test_every_kind_of_doubt_has_a_word_and_a_line_of_its_own(page):
    ask(page, QUESTION)
    kinds = [("supported", "flag"), ("contradicted", "flag"), ("unsupported", "flag"), ("unchecked", "keep")]

    def doubted(route):
        answer = route.fetch().json()
        for claim, (support, verdict) in zip(answer["claims"], kinds, strict=False):
            claim |= {"support": support, "verdict": verdict, "reason": f"as {support} as can be"}
        answer["warning_details"] = [
            {"code": "contradictory_sources", "message": "they differ", "quotes": ["it is so", "it is not so"]}
        ]
        route.fulfill(json=answer)

    page.route("**/results/*", doubted)
    page.reload()
    page.wait_for_selector(".card .figures")
    assert page.locator(".claim-group .tag").all_inner_texts() == [
        "Check this",
        "Contradicted",
        "Not supported",
        "Not checked",
    ]
    styles = page.eval_on_selector_all(
        ".claim", "(claims) => claims.map((claim) => getComputedStyle(claim).textDecorationStyle)"
    )
    assert styles == ["wavy", "wavy", "wavy", "dashed", "solid"]
    assert page.inner_text(".tally") == "1 of 5 claims is proved by the lines they cite"
    assert page.locator(".concern").all_inner_texts()[1].endswith("As contradicted as can be.")
    assert page.locator(".side").all_inner_texts() == ["it is so", "it is not so"]


def test_places_in_the_text_count_characters_as_the_api_does(page):
    ask(page, "Who are the parties?")

    def beyond_the_basic_plane(route):
        answer = route.fetch().json()
        first = answer["claims"][0]
        answer |= {
            "text": "\U0001f600\U0001f4c4 Both: alpha\nand beta.",
            "claims": [first | {"at": [9, 23], "text": ""}],
        }
        answer["claims"][0]["text"] = answer["text"][9:23]
        route.fulfill(json=answer)

    page.route("**/results/*", beyond_the_basic_plane)
    page.reload()
    assert page.inner_text(".claim") == "alpha\nand beta"
    assert page.inner_text(".answer-text").startswith("\U0001f600\U0001f4c4 Both: alpha")


def address(page) -> str:
    return page.evaluate("location.href")


def held_back(page, pattern: str, count: int):
    """Hold back the answers to so many requests; what is returned lets them come, the last one first."""
    held = []
    page.route(pattern, lambda route: held.append(route) if len(held) < count else route.continue_())

    def release() -> None:
        until(page, lambda: len(held) == count)
        for route in reversed(held):
            with page.expect_response(route.request.url):
                route.continue_()

    return release


def test_of_two_answers_the_one_that_was_chosen_last_is_shown(page):
    ask(page, "Who are the parties?")
    ask(page, QUESTION)
    release = held_back(page, "**/results/*", 2)
    for question in (QUESTION, "Who are the parties?"):
        page.locator("#history .entry-open", has_text=question).first.click()
    release()
    page.locator(".asked", has_text="Who are the parties?").wait_for()
    settled(page)
    assert page.inner_text(".asked") == "Who are the parties?"
    assert page.input_value("#question") == "Who are the parties?"


def test_an_answer_that_loads_does_not_replace_one_that_is_asked_meanwhile(page):
    ask(page, "Who are the parties?")
    release = held_back(page, "**/results/*", 1)
    page.locator("#history .entry-open", has_text="Who are the parties?").first.click()
    ask(page, QUESTION)
    release()
    settled(page)
    assert page.inner_text(".asked") == QUESTION


def test_documents_that_come_late_are_not_shown_in_another_collection(page):
    release = held_back(page, "**/corpora/typed/documents", 1)
    page.select_option("#corpus", "typed")
    assert "Loading" in page.inner_text("#documents")
    page.select_option("#corpus", "written")
    page.locator("#documents .entry", has_text="standard.pdf").wait_for()
    release()
    settled(page)
    assert page.locator("#documents .entry").count() == 1


def test_the_address_names_the_collection(page):
    collection(page, "typed")
    page.reload()
    page.locator("#documents .entry", has_text="amendment.txt").wait_for()
    assert page.input_value("#corpus") == "typed"
    ask(page, "What is the late fee?")
    assert "corpus=typed" in address(page)
    page.go_back()
    page.get_by_text("Ask a question").wait_for()
    assert page.input_value("#corpus") == "typed"
    page.go_back()
    page.locator("#documents .entry", has_text="lease.pdf").wait_for()
    assert page.input_value("#corpus") == "default"


def test_an_address_of_an_answer_that_is_gone_is_left(opened, served):
    page = opened(served, allow=[refused(404, "v1/corpora/default/results/0123456789abcdef(/documents)?")])
    ask(page, "Who are the parties?")
    page.goto(f"{served}#answer=0123456789abcdef")
    page.locator(".notice", has_text="There is no answer").wait_for()
    page.get_by_text("Ask a question").wait_for()
    assert "answer=" not in address(page)
    page.go_back()
    page.locator(".asked", has_text="Who are the parties?").wait_for()


def test_the_link_to_the_question_leaves_the_answer_where_it_is(page):
    ask(page, "Who are the parties?")
    before = address(page)
    page.focus(".skip")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "question"
    settled(page)
    assert page.inner_text(".asked") == "Who are the parties?"
    assert address(page) == before


def test_an_address_with_another_claim_shows_it(page):
    ask(page, QUESTION)
    page.evaluate("location.hash = location.hash.replace(/&claim=.*/, '') + '&claim=3'")
    page.wait_for_selector(".claim[data-claim='2'][aria-pressed=true]")
