from pathlib import Path

import pytest
from sets import docqa
from tiny_sets import (
    FEES,
    LAW,
    cuad_pdf_rows,
    cuad_rows,
    docqa_documents,
    docqa_rows,
    everyday_rows,
    financebench_pages,
    financebench_rows,
    make_pdf,
    nist_rows,
    squad_rows,
    tatqa_rows,
    write,
)


@pytest.fixture
def data(tmp_path) -> Path:
    """A data folder with a few rows of every set, in the real schemas."""
    folder = tmp_path / "data"
    make_pdf(folder / "pdfs" / "Terms.pdf", ["This page says nothing of interest to anybody.", FEES, LAW])
    write(folder / "nist" / "questions.jsonl.gz", nist_rows())
    write(folder / "financebench" / "questions.jsonl.gz", financebench_rows())
    write(folder / "financebench" / "pages.jsonl.gz", financebench_pages())
    write(
        folder / "cuad" / "contracts.jsonl.gz",
        [{"doc_id": "ACME", "text": f"AGREEMENT\n\n{LAW}\n\n{FEES}\n"}],
    )
    write(folder / "cuad" / "questions.jsonl.gz", cuad_rows())
    write(folder / "cuad" / "pdf_questions.jsonl.gz", cuad_pdf_rows())
    write(folder / "squad2" / "dev_public.jsonl.gz", squad_rows())
    write(folder / "tatqa" / "dev.jsonl.gz", tatqa_rows())
    for data_set in docqa.SETS:
        write(folder / data_set.name / "documents.jsonl.gz", docqa_documents())
        write(folder / data_set.name / "questions.jsonl.gz", docqa_rows())
    make_pdf(folder / "everyday" / "docs" / "terms.pdf", ["This page says nothing of interest to anybody.", FEES, LAW])
    write(folder / "everyday" / "questions.jsonl", everyday_rows())
    return folder
