"""A few rows of every set, in the real schemas."""

import gzip
import json
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

FEES = "A late fee of 1.5% per month applies to any balance that is not paid within 30 days."
LAW = "The laws of the State of Delaware shall govern this Agreement in all respects."
REVENUE = "Total net revenue of the company was $1,577 million in the fiscal year 2019."
DIVIDENDS = "Cash dividends that the board declared were $389 million in the fiscal year 2019."
NORMANS = "The Normans built 84 castles in England before the year 1100."
CASTLES = "William built wooden castles after the conquest of England in 1066."


def write(path: Path, rows: list) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with (gzip.open if path.suffix == ".gz" else open)(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def make_pdf(path: Path, pages: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas = Canvas(str(path), pagesize=(612, 792))
    for text in pages:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 700, text)
        canvas.showPage()
    canvas.save()


def nist_rows() -> list:
    common = {"doc": "Terms", "pdf": "pdfs/Terms.pdf"}
    return [
        {
            **common,
            "id": "n1",
            "question": "What late fee applies per month to a balance not paid within 30 days?",
            "answer": "1.5% per month",
            "answer_type": "span",
            "evidence": [{"page": 2, "text": FEES}],
            "unanswerable": False,
        },
        {
            **common,
            "id": "n2",
            "question": "Which encryption algorithm protects telephones?",
            "answer": None,
            "answer_type": "unanswerable",
            "evidence": [],
            "unanswerable": True,
        },
    ]


def financebench_rows() -> list:
    common = {"company": "Acme", "doc_type": "10k", "doc_period": "2019", "justification": None, "doc_link": "x"}
    return [
        {
            **common,
            "id": "f1",
            "doc": "ACME_2019_10K",
            "question": "What was the total net revenue of the company in the fiscal year 2019 (in USD millions)?",
            "answer": "$1577.00",
            "evidence": [{"doc": "ACME_2019_10K", "page": 3, "text": REVENUE}],
            "type": "metrics-generated",
            "reasoning": "Information extraction",
            "pages_available": True,
            "pdf": None,
        },
        {
            **common,
            "id": "f2",
            "doc": "Terms",
            "question": "Does a late fee apply to a balance that is not paid within 30 days?",
            "answer": "Yes, a fee of 1.5%.",
            "evidence": [{"doc": "Terms", "page": 2, "text": FEES}],
            "type": "novel-generated",
            "reasoning": None,
            "pages_available": True,
            "pdf": "pdfs/Terms.pdf",
        },
    ]


def financebench_pages() -> list:
    texts = ["ACME", "", REVENUE, DIVIDENDS]
    return [
        {"doc": "ACME_2019_10K", "page": number, "n_pages": 4, "text": text} for number, text in enumerate(texts, 1)
    ]


def cuad_rows() -> list:
    return [
        {
            "id": "ACME__Governing Law",
            "doc_id": "ACME",
            "category": "Governing Law",
            "question": "Which laws of a State shall govern this Agreement in all respects?",
            "answer": "Delaware",
            "answers": [{"text": LAW, "start": 11, "n_matches": 1}],
            "unlocated": [],
            "unanswerable": False,
        },
        {
            "id": "ACME__Insurance",
            "doc_id": "ACME",
            "category": "Insurance",
            "question": "Is insurance coverage a duty of either signatory?",
            "answer": "No",
            "answers": [],
            "unlocated": [],
            "unanswerable": True,
        },
    ]


def cuad_pdf_rows() -> list:
    evidence = [{"page": 3, "pages": [3], "text": LAW, "ambiguous": False}]
    asked, unasked = cuad_rows()
    return [
        {"id": "p1", "doc": "Terms", **without(asked), "evidence": evidence},
        {"id": "p2", "doc": "Terms", **without(unasked), "evidence": []},
    ]


def without(row: dict) -> dict:
    return {key: row[key] for key in ("category", "question", "answer", "unanswerable")}


def squad_rows() -> list:
    return [
        {
            "id": "s1",
            "question": "How many castles did the Normans build in England?",
            "title": "Normans",
            "paragraph": 0,
            "context": NORMANS,
            "answers": [{"text": "84", "start": 18}],
            "unanswerable": False,
        },
        {
            "id": "s2",
            "question": "Who painted ceilings for bishops?",
            "title": "Normans",
            "paragraph": 1,
            "context": CASTLES,
            "answers": [],
            "unanswerable": True,
        },
    ]


def docqa_documents() -> list:
    common = {"kind": "encyclopedia article", "language": "en", "license_note": "ours"}
    return [
        {**common, "doc_id": "d1", "title": "Normans", "text": f"Normans\n\n{NORMANS}\n\n{FEES}\n"},
        {**common, "doc_id": "d2", "title": "Delaware", "text": f"Delaware\n\n{LAW}\n\n{DIVIDENDS}\n"},
    ]


def docqa_rows() -> list:
    texts = {row["doc_id"]: row["text"] for row in docqa_documents()}
    asked = [
        ("q1", "d1", "How many castles did the Normans build in England?", "84"),
        ("q2", "d1", "What late fee applies per month to a balance not paid within 30 days?", "1.5%"),
        ("q3", "d2", "Which laws of a State shall govern this Agreement in all respects?", "Delaware"),
        ("q4", "d2", "What were the cash dividends that the board declared in 2019?", "$389 million"),
    ]
    return [
        {
            "id": number,
            "doc_id": doc_id,
            "question": question,
            "answers": [answer],
            "evidence": [{"start": texts[doc_id].rindex(answer), "end": texts[doc_id].rindex(answer) + len(answer)}],
            "unanswerable": False,
            "qtype": "",
        }
        for number, doc_id, question, answer in asked
    ]


def everyday_rows() -> list:
    common = {"doc": "terms.pdf", "kind": "terms of service", "language": "en", "page_or_heading": "p2"}
    return [
        {
            **common,
            "id": "e1",
            "question": "what late fee applies per month to a balance not paid within 30 days",
            "gold": "1.5% per month",
            "match": [["1.5%", "1.5 percent"], ["per month", "a month"]],
            "evidence": "late fee of 1.5% per\nmonth applies",
            "qtype": "how_much",
        },
        {
            **common,
            "id": "e2",
            "question": "Which encryption algorithm protects telephones?",
            "gold": None,
            "match": None,
            "evidence": None,
            "qtype": "unanswerable",
        },
    ]


def tatqa_rows() -> list:
    common = {
        "context_id": "t",
        "table": [["(in thousands)", "2019", "2018"], ["Revenue", "$1,200", "$1,000"], ["Licence fees", "300", "240"]],
        "paragraphs": [{"order": 1, "text": "Licence fees are paid by distributors."}],
        "derivation": "",
        "req_comparison": False,
    }
    return [
        {
            **common,
            "id": "t1",
            "question": "What was the change in revenue from 2018 to 2019?",
            "answer": 200,
            "answer_type": "arithmetic",
            "scale": "thousand",
            "evidence": {"answer_from": "table"},
        },
        {
            **common,
            "id": "t2",
            "question": "What were the licence fees in 2018?",
            "answer": ["240"],
            "answer_type": "span",
            "scale": "thousand",
            "evidence": {"answer_from": "table"},
        },
    ]
