"""`MockDocumentStore`: a small services contract, held in memory, to try the components on."""

from __future__ import annotations

from typing import TypedDict

from spanwise.text.words import FUNCTION_WORDS, folded_words, singular, words


class ContractSection(TypedDict):
    """One section of the sample contract."""

    title: str
    content: str
    page_num: int


_SECTIONS: tuple[tuple[str, int, str], ...] = (
    (
        "Scope of Services",
        2,
        (
            "The Vendor shall provide the design, development and maintenance of the order management platform "
            "named in Schedule 1. The Vendor shall assign at least two senior engineers to this work. Services "
            "beyond Schedule 1 are performed only under a change order that both parties have signed."
        ),
    ),
    (
        "Deliverables",
        3,
        (
            "Each deliverable must conform to the acceptance criteria listed in Schedule 2. The Client has 10 "
            "business days after delivery to test it and to report defects in writing. A deliverable counts as "
            "accepted when that period ends without a report."
        ),
    ),
    (
        "Payment Terms",
        4,
        (
            "The Client shall pay each undisputed invoice within 45 days of the invoice date. The Vendor issues "
            "one invoice per month, in US dollars, for the work of the month before. Payment is made by bank "
            "transfer. The total price under this agreement is capped at $240,000 per calendar year."
        ),
    ),
    (
        "Late Payment Penalties",
        5,
        (
            "An invoice that is overdue bears a late payment penalty of 1.25% per month, which is 15% per year, "
            "until it is paid in full. The Vendor may suspend the services when an amount stays unpaid for 60 "
            "days after a written reminder. No penalty is charged on an amount that the Client disputes in good "
            "faith."
        ),
    ),
    (
        "Confidentiality",
        6,
        (
            "Each party shall keep the confidential information of the other party secret and use it only to "
            "perform this agreement. This duty lasts for 3 years after the agreement ends. It does not cover "
            "information that is public or that the recipient already held lawfully."
        ),
    ),
    (
        "Warranties",
        7,
        (
            "The Vendor warrants that every deliverable will work as specified for 90 days after acceptance. "
            "During that time the Vendor shall correct defects free of charge."
        ),
    ),
    (
        "Termination for Convenience",
        8,
        (
            "The Client may terminate this agreement at any time by giving the Vendor 30 days' written notice. On"
            " termination the Client shall pay for all work performed up to the end date. The Vendor shall hand "
            "over work in progress within 14 days."
        ),
    ),
    (
        "Indemnification",
        9,
        (
            "The Vendor shall indemnify the Client against third-party claims that a deliverable infringes a "
            "patent, a copyright or a trade secret. The Client shall tell the Vendor of such a claim within 20 "
            "days and leave the defence to the Vendor."
        ),
    ),
    (
        "Limitation of Liability",
        10,
        (
            "The total liability of either party is limited to the fees paid in the 12 months before the claim "
            "arose. Neither party is liable for lost profit or other indirect damage. The limit does not apply to"
            " gross negligence or to a breach of confidentiality."
        ),
    ),
    (
        "Intellectual Property Rights",
        12,
        (
            "The Client owns all intellectual property rights in the deliverables from the moment they are paid "
            "for, and retains its rights in all material that it supplied. The Vendor keeps its tools and "
            "libraries that existed before this agreement and grants the Client a perpetual licence to use them "
            "within the deliverables. The Vendor may not reuse the Client's data for other customers."
        ),
    ),
    (
        "Governing Law",
        13,
        (
            "The laws of the State of Vermont govern this agreement. The parties shall try to settle a "
            "dispute by mediation before either of them goes to court."
        ),
    ),
)


class MockDocumentStore:
    """The sample contract as a document store; what it hands out are copies."""

    async def full_text_search(self, query: str) -> list[ContractSection]:
        """The sections with a word of the query in their title or content, those with the most words first."""
        wanted = {singular(word) for word in words(query) if word not in FUNCTION_WORDS}
        found = [(len(wanted.intersection(_words_of(section))), section) for section in _sections()]
        return [section for count, section in sorted(found, key=lambda pair: -pair[0]) if count]

    async def all_sections(self) -> list[ContractSection]:
        """Every section, in the order of the contract."""
        return _sections()


def _sections() -> list[ContractSection]:
    return [{"title": title, "content": content, "page_num": page} for title, page, content in _SECTIONS]


def _words_of(section: ContractSection) -> list[str]:
    return folded_words(f"{section['title']} {section['content']}")
