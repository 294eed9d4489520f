"""Which answers the judge lets through."""

import asyncio
import time

import pytest
from every import every

from spanwise import messages
from spanwise.guard.judge import CitedText, JudgeVerdict, LLMJudge, cited_texts
from spanwise.synthesis.generator import ResponseGenerator

MOST_CLAIMS = 500

SECTIONS: list[dict[str, object]] = [
    {
        "title": "Late Payment (Penalties)",
        "content": "A balance not paid within 30 days of the invoice bears a late fee of 1.5% monthly (18% annually).",
        "page_num": 5,
    },
    {
        "title": "Payment Terms",
        "content": "Payment is due within 30 days of invoice receipt. Invoices go out on the first business day of "
        "each month. The total fee shall not exceed $50,000.",
        "page_num": 4,
    },
    {
        "title": "Indemnification",
        "content": "The Vendor shall indemnify the Client against third-party claims arising from its negligence. "
        "The Client may terminate this agreement with 60 days' written notice. In no event shall the Vendor be liable "
        "for indirect damages. This agreement takes effect on March 1, 2024 and is governed by the laws of Delaware. "
        "The Client owns all work product.",
        "page_num": 9,
    },
]


def judge(response: str, sections: list[dict[str, object]] | None = SECTIONS) -> JudgeVerdict:
    return asyncio.run(LLMJudge().evaluate(response, sections))


def test_r048_extractive_answers_pass() -> None:
    verdict = judge(ResponseGenerator().generate(SECTIONS))
    assert verdict["should_return"] is True
    assert verdict["confidence_score"] == 1.0
    assert verdict["summary"] == {"total_claims": 3, "supported": 3, "unsupported": 0, "contradicted": 0}


def test_r048_x10_page_numbers_of_citations_are_no_claims() -> None:
    assert [claim["text"] for claim in judge("Payment is due. (See Payment Terms, page 4)")["claims"]] == [
        "Payment is due."
    ]


def test_rc06_a_changed_percentage() -> None:
    answer = str(SECTIONS[0]["content"]).replace("1.5%", "2%")
    verdict = judge(f"{answer} (See Late Payment (Penalties), page 5)")
    assert verdict["should_return"] is False
    assert verdict["is_hallucinated"] is True
    assert verdict["confidence_score"] == 0.2
    assert verdict["summary"]["contradicted"] == 1
    assert verdict["claims"][0]["source_quote"] == SECTIONS[0]["content"]
    assert "1.5" in verdict["reasoning"]


def test_rc06_a_changed_percentage_in_other_words() -> None:
    verdict = judge("A late fee of 2% per month applies. (See Late Payment (Penalties), page 5)")
    assert verdict["should_return"] is False
    assert verdict["is_hallucinated"] is True
    assert "2%" in verdict["reasoning"]


def test_rc06_shape_of_the_verdict() -> None:
    verdict = judge("Payment is due within 30 days of invoice receipt.")
    assert set(verdict) == {
        *("should_return", "claims", "confidence_score", "is_hallucinated", "summary", "reasoning"),
    }
    assert verdict["claims"] == [
        {
            "text": "Payment is due within 30 days of invoice receipt.",
            "type": "temporal",
            "found_in_source": True,
            "source_quote": "Payment is due within 30 days of invoice receipt.",
            "status": "supported",
        }
    ]


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        *(
            ("The fee is 2%.", "quantitative"),
            ("It costs $5.", "quantitative"),
            ("Two copies are due.", "quantitative"),
        ),
        *(("It ends on March 1, 2024.", "temporal"), ("It lasts 3 years.", "temporal")),
        *(("The Vendor shall deliver.", "obligation"), ("Either party may leave.", "obligation")),
        ("The Client owns the work.", "general"),
    ],
)
def test_rc06_claim_types(claim: str, kind: str) -> None:
    assert judge(claim)["claims"][0]["type"] == kind


@every(
    "answer",
    [
        "The late fee is 1.5% per month.",
        "Late balances are charged 1.5% monthly, or 18% a year.",
        "Payment is due within thirty (30) days of invoice receipt.",
        "Payment is due 30 days after the invoice is received.",
        "The client can terminate the agreement by giving 60 days' written notice.",
        "The Vendor must indemnify the Client for third-party claims caused by its negligence.",
        "The Client is indemnified by the Vendor against third-party claims.",
        "The Vendor is not liable for indirect damages.",
        "The agreement took effect on 1 March 2024.",
        "The total fee does not exceed USD 50,000.",
        "The agreement is governed by Delaware law.",
        "All work product is owned by the Client.",
        "Invoices go out on the first business day of every month.",
        "A late fee of 1.5% per month applies and payment is due within 30 days of invoice receipt.",
    ],
)
def test_paraphrases_with_the_same_facts_pass(answer: str) -> None:
    assert judge(answer)["should_return"], judge(answer)["reasoning"]


@every(
    "answer",
    [
        "A late fee of 2% per month applies to the balance.",
        "The late fee is 1.5% per year.",
        "The late fee is 18% per month and 1.5% annually.",
        "A late fee of $1.5 applies per month.",
        "Payment is due within 45 days of invoice receipt.",
        "Payment is due within 30 business days of invoice receipt.",
        "Payment is not due within 30 days of invoice receipt.",
        "A balance paid within 30 days of the invoice bears a late fee of 1.5% per month.",
        "No late fee will apply to any balance.",
        "The Client shall indemnify the Vendor against third-party claims arising from its negligence.",
        "The Vendor is indemnified by the Client against third-party claims.",
        "The Vendor may terminate this agreement with 60 days' written notice.",
        "The Client must terminate this agreement with 60 days' written notice.",
        "The Vendor shall be liable for indirect damages.",
        "The Vendor be liable for indirect damages.",
        "This agreement takes effect on March 1, 2025.",
        "This agreement takes effect on April 1, 2024.",
        "This agreement is governed by the laws of Nevada.",
        "The total fee shall not exceed $60,000.",
        "The total fee shall not exceed \u20ac50,000.",
        "The total fee shall be at least $50,000.",
        "The Vendor owns all work product.",
        "The Client does not own the work product.",
        "Invoices go out annually.",
        "5% per month (18% annually)",
        "The Vendor shall insure the premises against fire.",
    ],
)
def test_changed_facts_do_not_pass(answer: str) -> None:
    verdict = judge(answer)
    assert not verdict["should_return"]
    assert verdict["claims"][0]["status"] in {"contradicted", "unsupported"}


def test_one_bad_claim_spoils_the_answer() -> None:
    answer = f"{ResponseGenerator().generate(SECTIONS)} The Vendor shall insure the premises against fire."
    assert judge(answer)["confidence_score"] == 0.4
    assert judge(answer)["summary"]["supported"] == 3


@pytest.mark.parametrize(
    "citation", ["(See Insurance, page 4)", "(See Payment Terms, page 7)", "(See Indemnification, page 9)"]
)
def test_a_citation_that_does_not_hold_is_no_support(citation: str) -> None:
    assert not judge(f"Payment is due within 30 days of invoice receipt. {citation}")["should_return"]


@pytest.mark.parametrize("answer", ["", "  ", "...", "(See Payment Terms, page 4)", "INSUFFICIENT_CONTEXT"])
def test_an_answer_without_claims_is_not_returned(answer: str) -> None:
    verdict = judge(answer)
    assert not verdict["should_return"]
    assert verdict["claims"] == []


@pytest.mark.parametrize(
    "answer", [messages.NO_RELEVANT_INFORMATION, messages.NO_INFORMATION, messages.DONT_KNOW, messages.NOT_FOUND]
)
def test_saying_that_nothing_was_found_may_be_returned(answer: str) -> None:
    assert judge(answer, [])["should_return"]


@pytest.mark.parametrize("sections", [[], None, [{}], [{"title": None, "content": None, "page_num": None}]])
def test_without_sources_nothing_is_supported(sections: list[dict[str, object]] | None) -> None:
    verdict = judge("The fee is 2%.", sections)
    assert not verdict["should_return"]
    assert verdict["claims"][0]["source_quote"] is None


@pytest.mark.parametrize(
    "content",
    [
        "a" * 500,
        "Acme Inc. shall pay. It shall.",
        'He said "stop." Then left.',
        "Is this covered? Yes, it is.",
        "Fees (See Schedule B, page 9) are due monthly. More.",
        "First line\nof two lines. Then\n\nanother paragraph.",
        "It is not true that nothing is owed! Right.",
        "\u4ed8\u6b3e\u671f\u9650\u4e3a30\u5929\u3002",
        "No. 5 applies. Sec. 4 too.",
    ],
)
def test_what_was_extracted_always_passes(content: str) -> None:
    sections: list[dict[str, object]] = [{"title": "T (x), page 2", "content": content, "page_num": 1}]
    verdict = judge(ResponseGenerator().generate(sections), sections)
    assert verdict["should_return"], verdict["reasoning"]


def test_quotes_are_letters_of_the_source() -> None:
    contents = [str(section["content"]) for section in SECTIONS]
    for answer in ("the LATE  fee of 1.5% per month", "Invoices are paid within 30 days of receipt."):
        quote = judge(answer)["claims"][0]["source_quote"]
        assert quote
        assert any(quote in content for content in contents)


def test_same_in_same_out() -> None:
    assert judge("The fee is 2% or $5.") == judge("The fee is 2% or $5.")


def test_a_claim_that_cannot_be_checked_is_unsupported() -> None:
    verdict = judge("\u041f\u043b\u0430\u0442\u0435\u0436 \u043f\u043e\u0437\u0436\u0435.")
    assert verdict["summary"]["unsupported"] == 1
    assert "another language" in verdict["reasoning"]


def test_claims_keep_the_order_of_the_answer() -> None:
    answer = (
        "Invoices go out on the first business day of each month. The Client owns all work product. "
        "(See Indemnification, page 9) Payment is due within 30 days of invoice receipt. (See Payment Terms, page 4) "
        "The total fee shall not exceed $50,000."
    )
    verdict = judge(answer)
    assert [claim["text"].split()[0] for claim in verdict["claims"]] == ["Invoices", "The", "Payment", "The"]
    assert verdict["should_return"]


def test_two_citations_of_one_statement_are_read_together() -> None:
    answer = "The Client owns all work product. (See Payment Terms, page 4) (See Indemnification, page 9)"
    assert judge(answer)["should_return"]
    assert not judge("The Client owns all work product. (See Payment Terms, page 4)")["should_return"]
    assert not judge(answer.replace("page 9", "page 99"))["should_return"]


def test_the_passages_are_read_once_for_all_claims_that_cite_the_same() -> None:
    sections = [
        {"title": f"Part {number}", "content": f"Room {number} has {number + 2} windows. " * 40, "page_num": number}
        for number in range(20)
    ]
    told = (f"Room {number} has {number + 2} windows. (See Part {number}, page {number})" for number in range(20))
    began = time.process_time()
    assert judge(" ".join(told), sections)["summary"]["supported"] == 20
    assert time.process_time() - began < 5


def test_a_section_without_content_says_nothing() -> None:
    found = judge("None.", [{"title": "Terms", "content": None, "page_num": 1}])
    assert not found["should_return"]
    assert "no passage has any of its words" in found["reasoning"]


TERMS = {"title": "Fees (Annex A, page 2)", "content": "Fees (See Annex B, page 9) are due.", "page_num": 4}


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("No citation.", [("No citation.", None, None)]),
        ("Due. (See Fees (Annex A, page 2), page 4)", [("Due. ", "Fees (Annex A, page 2)", "4"), ("", None, None)]),
        ("Due. (See Other (x), page A-3) More.", [("Due. ", "Other (x)", "A-3"), (" More.", None, None)]),
        ("Due. (See Unknown, page ?)", [("Due. ", "Unknown", "?"), ("", None, None)]),
        ("Fees (See Annex B, page 9) are due.", [("Fees (See Annex B, page 9) are due.", None, None)]),
        ("(See nothing", [("(See nothing", None, None)]),
    ],
)
def test_answers_are_cut_at_their_citations(response: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert cited_texts(response, [TERMS]) == [CitedText(*part) for part in expected]


def test_many_openings_take_no_long_time() -> None:
    assert len(cited_texts("(See " * 20_000, [TERMS])) == 1
