import html.parser
import json
import re
from dataclasses import replace

import pytest
from every import every
from markdown_it import MarkdownIt

from spanwise.contract.answers import TextAnswer
from spanwise.contract.items import TextItem
from spanwise.contract.record import Missing
from spanwise.contract.result import POSSIBLE, Decision, Result
from spanwise.domain.claim import Citation, Claim
from spanwise.domain.document import Box
from spanwise.errors import InputError
from spanwise.export.formats import FORMATS, formatted
from spanwise.export.plain import cell, pieces, place

HOSTILE = "</blockquote><script>alert(1)</script> [x](javascript:alert(1)) *bold* `code`"


def citation(name, document, at, quote, page=None, boxes=()):
    return Citation(name, 0, document, 3, 4, page, None, boxes, quote, at)


def result(text="- 1.5 % a month\n- capped at 10 %", quotes=("1.5 % a month", HOSTILE), **changes):
    first, second = text.index("1.5"), text.index("capped")
    citations = (
        citation(
            "c1",
            "fees & dues.pdf",
            (first, first + 13),
            quotes[0],
            6,
            (Box(6, 72, 100.5, 300, 112), Box(7, 1, 2, 3, 4)),
        ),
        citation("c2", "fees & dues.pdf", (first, first + 13), "header", 2),
        citation("c3", "annex.txt", (second, len(text)), quotes[1]),
    )
    answer = TextAnswer(
        items=[TextItem(text="x")],
        extraction_method="verbatim",
        confidence=0.9,
        caveats=["Only <b>late</b> invoices."],
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=0.9,
        context_structured=True,
        conflicting_evidence=False,
    )
    claims = (
        Claim(
            first,
            first + 13,
            "1.5 % a month",
            "supported",
            "keep",
            "the cited lines hold these words",
            1.0,
            ("c1", "c2"),
        ),
        Claim(second, len(text), "capped at 10 %", "contradicted", "flag", "the source says 12 %", 0.1, ("c3",)),
        Claim(0, 1, "-", "unsupported", "flag", "no source says it", 0.0),
        Claim(0, 1, "-", "unchecked", "flag", "too long", 0.0),
    )
    given = {"citations": citations, "claims": claims, **changes}
    return Result(
        "abc123", "What is the <fee>?", Decision("ship", "held"), text, answer, 0.9, formatter=formatted, **given
    )


def silent():
    nearest = (citation("n1", "annex.txt", (0, 0), HOSTILE),)
    return result(citations=(), claims=(), missing=Missing("not covered", nearest, "a fee schedule"))


@every("name", FORMATS)
@every("given", [result(), silent()])
def test_every_format_is_text_or_json(name, given):
    value = given.to(name)
    assert isinstance(value, str) or json.loads(json.dumps(value)) == value
    assert given.to(name) == value


def test_an_unknown_format_is_told():
    with pytest.raises(InputError, match="anthropic"):
        result().to("docx")


def test_pieces_join_to_the_text():
    given = result()
    assert "".join(piece.text for piece in pieces(given)) == given.text
    assert [len(piece.citations) for piece in pieces(given)] == [0, 2, 0, 1]


@pytest.mark.parametrize("name", ["anthropic", "anthropic-blocks"])
def test_anthropic_blocks_are_the_ones_of_their_own_library(name):
    from anthropic.types import TextBlock

    given = result()
    blocks = [TextBlock.model_validate(block, strict=True) for block in given.to(name)]
    assert "".join(block.text for block in blocks) == given.text
    cited = blocks[1].citations
    assert [one.cited_text for one in cited] == ["1.5 % a month", "header"]
    if name == "anthropic":
        assert (cited[0].type, cited[0].start_page_number, cited[0].end_page_number) == ("page_location", 6, 8)
        assert blocks[3].citations[0].type == "content_block_location"
    else:
        assert (cited[0].start_block_index, cited[0].end_block_index) == (2, 4)
    assert [one.document_index for block in blocks for one in block.citations or ()] == [0, 0, 1]


def test_an_openai_message_is_the_one_of_their_own_library():
    from openai.types.responses import ResponseOutputMessage

    given = result()
    message = ResponseOutputMessage.model_validate(given.to("openai"), strict=True)
    (content,) = message.content
    assert content.text == given.text
    assert [one.type for one in content.annotations] == ["file_citation"] * 3
    assert content.annotations[0].index == given.citations[0].at[1]


def test_an_openai_chat_message_links_to_the_page():
    from openai.types.chat import ChatCompletionMessage

    message = ChatCompletionMessage.model_validate(result().to("openai-chat"), strict=True)
    cited = [one.url_citation for one in message.annotations]
    assert cited[0].url == "fees%20%26%20dues.pdf#page=6"
    assert cited[2].url == "annex.txt"
    assert message.content[cited[0].start_index : cited[0].end_index] == "1.5 % a month"


def test_cohere_citations_are_ranges_of_the_answer():
    message = result().to("cohere")
    text = message["content"][0]["text"]
    for one in message["citations"]:
        assert set(one) == {"start", "end", "text", "content_index", "type", "sources"}
        assert text[one["start"] : one["end"]] == one["text"]
        for source in one["sources"]:
            assert source["type"] == "document"
            assert all(isinstance(value, str) for value in source["document"].values())
    assert [len(one["sources"]) for one in message["citations"]] == [2, 1]


def test_w3c_annotations_have_selectors_of_the_model():
    page = result().to("w3c")
    assert page["@context"] == "http://www.w3.org/ns/anno.jsonld"
    selectors = [one["target"]["selector"] for one in page["items"]]
    assert [[one["type"] for one in group] for group in selectors] == [
        ["TextQuoteSelector", "FragmentSelector", "FragmentSelector"],
        ["TextQuoteSelector", "FragmentSelector"],
        ["TextQuoteSelector"],
    ]
    assert selectors[0][1]["value"] == "page=6&viewrect=72,100.5,228,11.5"
    assert selectors[1][1]["value"] == "page=2"


def test_sarif_has_a_result_a_claim():
    (run,) = result().to("sarif")["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    kinds = {"pass", "open", "informational", "notApplicable", "review", "fail"}
    for one in run["results"]:
        assert one["ruleId"] in rules
        assert one["kind"] in kinds
        assert one["level"] == "none" or one["kind"] == "fail"  # SARIF 3.27.10
    first = run["results"][0]["locations"][0]["physicalLocation"]
    assert first["artifactLocation"]["uri"] == "fees%20%26%20dues.pdf"
    assert (first["region"]["startLine"], first["region"]["endLine"]) == (3, 4)
    assert [one["level"] for one in run["results"]] == ["none", "error", "warning", "none"]


def test_braces_in_a_claim_are_no_placeholders_of_sarif():
    given = result()
    braced = replace(given, claims=tuple(replace(one, text="{0} is {name}") for one in given.claims))
    (run,) = braced.to("sarif")["runs"]
    assert run["results"][0]["message"]["text"].startswith("{{0}} is {{name}}: ")


@every("text", ["=1+1", "@x", "+x", "-x", "\t=1", "\r=1", "\n=1", "\uff1d1+1", "\uff20x", "\uff0bx", "\uff0dx"])
def test_a_cell_is_never_run_as_a_formula(text):
    assert cell(text) == f"'{text}"
    assert cell("-5.2") == "-5.2"


@pytest.mark.parametrize("given", [result(), silent()], ids=["answered", "silent"])
def test_markdown_shows_documents_as_text_only(given):
    text = given.to("markdown")
    tokens = MarkdownIt("commonmark", {"html": True}).parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inline} <= {"text", "softbreak", "hardbreak", "text_special"}
    assert not [token for token in tokens if token.type == "html_block"]
    assert "Only" in text


@every(
    "text",
    [
        "1. One\n2) two\n10. ten 1.5 % a month capped",
        "1.5 % a month\n.5 capped",
        "- 1.5 % a month\n\n      capped at 10 %",
        "1.5 % a month\r\n- x\rcapped\n===\n---",
    ],
)
def test_markdown_shows_the_words_as_they_are(text):
    tokens = MarkdownIt("commonmark", {"html": True}).parse(result(text).to("markdown").split("\n\n>")[0])
    assert {token.type for token in tokens} == {"paragraph_open", "inline", "paragraph_close"}
    shown = " ".join(child.content for token in tokens for child in token.children or ())
    assert re.sub(r"\s|\[\^c\d\]", "", shown) == re.sub(r"\s", "", text)


@every(
    "changes",
    [{"page": 2, "page_label": "i\n\n[x](https://evil.example)"}, {"cells": "A\r\r[x](https://evil.example)"}],
)
def test_the_place_of_a_citation_stays_on_its_line(changes):
    given = result()
    named = replace(given, citations=tuple(replace(one, **changes) for one in given.citations))
    for kind in ("commonmark", "gfm-like"):
        shown = MarkdownIt(kind, {"html": True, "linkify": False}).render(named.to("markdown"))
        assert not re.search(r"<a href=.https", shown)
    assert "\n" not in place(named.citations[0])


def test_markdown_has_a_footnote_for_each_mark():
    text = result().to("markdown")
    assert re.findall(r"\[\^(\w+)\](?!:)", text) == ["c1", "c2", "c3"]
    assert re.findall(r"^\[\^(\w+)\]:", text, re.MULTILINE) == ["c1", "c2", "c3"]


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.links = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name == "href"]

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.parametrize("given", [result(), silent()], ids=["answered", "silent"])
def test_html_shows_documents_as_text_only(given):
    reader = Tags()
    reader.feed(given.to("html"))
    assert "script" not in reader.tags
    assert any("<script>" in text for text in reader.texts)
    assert not [link for link in reader.links if link.startswith("javascript")]


WORDS = "No line answers this for certain. Possible answers, most likely first:"


def possible():
    decision = Decision("ship", "not certain", action=POSSIBLE, message=f"{WORDS}\nA caveat.", review="review")
    return replace(result("1. 1.5 % a month\n2. capped at 10 %"), decision=decision)


def test_possible_answers_are_told_as_such_and_citations_still_point_at_their_words():
    given = possible()
    assert given.to("markdown").startswith(WORDS)
    assert WORDS in given.to("html")
    blocks = given.to("anthropic")
    assert (blocks[0]["text"].strip(), blocks[0]["citations"]) == (WORDS, None)
    assert "".join(block["text"] for block in blocks[1:]) == given.text
    message = given.to("openai-chat")
    assert message["content"] == f"{WORDS}\n\n{given.text}"
    ranges = [one["url_citation"] for one in message["annotations"]]
    said = [message["content"][one["start_index"] : one["end_index"]] for one in ranges]
    assert said == ["1.5 % a month", "1.5 % a month", "capped at 10 %"]
    cohere = given.to("cohere")
    words = cohere["content"][0]["text"]
    assert all(words[one["start"] : one["end"]] == one["text"] for one in cohere["citations"])
    response = given.to("openai")["content"][0]
    assert response["text"][: response["annotations"][0]["index"]].endswith("1.5 % a month")
    (run,) = given.to("sarif")["runs"]
    assert (run["results"][0]["kind"], run["results"][0]["level"]) == ("review", "none")
    assert (given.to("json")["possible"], given.to("json")["review"]) == (True, True)


def test_computed_figures_show_their_way_and_doubtful_answers_say_so():
    steps = ["sales 2018: 32765 million USD", "32765.25 - 31657 = 1108.25 million USD"]
    given = replace(result(), meta={"computations": [None, {"steps": steps}]}, confidence=0.5)
    for text in (given.to("markdown"), given.to("html")):
        assert "32,765.25 - 31,657 = 1,108.25 million USD" in text.replace("\\", "")
        assert "Read the cited lines before you rely on this" in text
    sure = replace(given, confidence=0.9, claims=given.claims[:1])
    assert "Read the cited lines" not in sure.to("html")
