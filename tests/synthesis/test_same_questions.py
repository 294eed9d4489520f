"""Pages of frequent questions: what follows a question that asks the same is the answer, whole and sure."""

import pytest

import spanwise

SKIP = "Yes, as often as you like. You only pay for boxes that are delivered."
CANCEL = "A short mail to bye@box.example is enough. There is no notice period."
FRUIT = "Apples and pears from our own orchard."
ASKED = {"Can I skip a week?": SKIP, "How do I cancel?": CANCEL, "Where is the fruit from?": FRUIT}
PAGES = {
    "headings": "# Box\n\n" + "\n\n".join(f"## {question}\n\n{said}" for question, said in ASKED.items()),
    "bold": "# Box\n\n" + "\n\n".join(f"**{question}** {said}" for question, said in ASKED.items()),
    "lines": "BOX\n\n" + "\n\n".join(f"{question}\n{said}" for question, said in ASKED.items()),
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize(("question", "said"), ASKED.items())
def test_what_follows_the_same_question_answers_it(page, question, said):
    result = spanwise.ask(question.lower().rstrip("?"), spanwise.read(page.encode(), name="box.md"))
    assert (result.text, result.review) == (said, False)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("question", ["Can I skip a payment?", "How do I not cancel?", "When is the fruit from?"])
def test_another_question_is_not_the_same(page, question):
    result = spanwise.ask(question, spanwise.read(page.encode(), name="box.md"))
    assert result.review or result.decision.kind == "not_found"


def test_a_number_in_words_is_no_amount():
    minutes = spanwise.read(b"Two members have not paid their rent. The gate is painted.", name="minutes.txt")
    result = spanwise.ask("How much is the rent?", minutes)
    assert result.review or result.decision.kind == "not_found"
