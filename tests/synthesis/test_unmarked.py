"""When an answer is shown without a mark."""

import spanwise


def ask(question, text, name="notice.txt"):
    return spanwise.ask(question, spanwise.read(text.encode(), name=name))


def test_a_line_that_only_names_a_thing_says_neither_yes_nor_no():
    text = "Your plan\n\nServices\n\n- Dental treatment abroad\n- Weight loss programmes\n- Hearing aids\n"
    result = ask("Is dental treatment covered?", text)
    assert result.review or result.decision.kind == "not_found"
