"""`spanwise.ground`: anybody's extraction placed on the lines of a document, or told apart from what it says."""

import dataclasses
import datetime as dt
import json
from types import SimpleNamespace

import pydantic
import pytest

from spanwise import Document, ground, read
from spanwise.errors import HighlightError, InputError

LEASE = "examples/documents/lease.pdf"
TEXT = """LEASE AGREEMENT
This lease is dated 15 March 2024 between Acme Property Ltd. and Jane Doe.
The monthly rent is $1,200, due on the first day of each month.
Late payments bear a penalty of 5 percent.
Governing law: Delaware
The term is thirty days.
The deposit is $2,400.00."""
PASSAGE = {"text": TEXT, "document": "lease.pdf", "page": 3, "line_start": 42}


def states(values, document=PASSAGE):
    return {item.name: item.state for item in ground(values, document).items}


@pytest.mark.parametrize(
    ("name", "value", "line", "said"),
    [
        ("lease_date", dt.date(2024, 3, 15), 43, "15 March 2024"),
        ("leaseDate", "2024-03-15", 43, "15 March 2024"),
        ("landlord", "Acme Property Ltd.", 43, "Acme Property Ltd."),
        ("tenant", "JANE \u2028 doe", 43, "Jane Doe"),
        ("monthlyRent", 1200.0, 44, "$1,200"),
        ("deposit", "2400", 48, "$2,400.00"),
        ("penalty", "5%", 45, "5 percent"),
        ("penalty_rate", 0.05, 45, "5 percent"),
        ("term_days", 30, 47, "thirty days"),
    ],
)
def test_a_value_is_found_in_whatever_form_it_is_written(name, value, line, said):
    [item] = ground({name: value}, PASSAGE).items
    assert (item.state, item.found, item.citation.line_start, item.citation.page) == ("found", said, line, 3)
    assert said in item.citation.quote


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("governing_law", "New York", "Delaware"),
        ("term", "60 days", "thirty days"),
        ("monthly_rent", 1300, "$1,200"),
        ("deposit", "$1,200", "$2,400.00"),  # said of the rent
        ("landlord", "Acme Properties Ltd.", "Acme Property Ltd."),
    ],
)
def test_what_differs_is_told_with_what_the_document_says(name, value, said):
    [item] = ground({name: value}, PASSAGE).items
    assert item.state == "differs"
    assert item.found.startswith(said)
    assert item.found in item.citation.quote


def test_what_nobody_says_is_not_found():
    values = {"rooms": 7, "area": 98_431, "furnished": True, "broker": "Zeta Partners", "note": None, "empty": " "}
    found = ground(values, PASSAGE)
    assert [(item.name, item.state) for item in found.items] == [
        (name, "not_found") for name in ("rooms", "area", "furnished", "broker")
    ]
    assert not found.holds


def test_a_bare_number_of_few_digits_needs_its_name():
    assert states({"penalty": 5}) == {"penalty": "found"}
    assert states({"bedrooms": 5}) == {"bedrooms": "not_found"}


def test_models_dataclasses_lists_and_langextract():
    class Lease(pydantic.BaseModel):
        tenant: str
        parties: list[str]

    @dataclasses.dataclass
    class Rent:
        monthly_rent: int

    model = Lease(tenant="Jane Doe", parties=["Jane Doe", "Acme Property Ltd."])
    assert states(model) == {"tenant": "found", "parties[0]": "found", "parties[1]": "found"}
    assert states([Rent(1200)]) == {"[0].monthly_rent": "found"}
    extraction = {"extraction_class": "tenant", "extraction_text": "Jane Doe", "attributes": {"mood": "calm"}}
    assert states({"extractions": [extraction]}) == {"tenant": "found"}
    assert states(SimpleNamespace(extractions=[SimpleNamespace(**extraction)])) == {"tenant": "found"}


def test_files_of_values(tmp_path):
    (tmp_path / "v.json").write_text(json.dumps({"tenant": "Jane Doe"}))
    (tmp_path / "v.jsonl").write_text('{"tenant": "Jane Doe", "note": "a\u2028b"}\n\n{"deposit": 2400}\n', "utf-8")
    assert states(tmp_path / "v.json") == {"tenant": "found"}
    assert states(str(tmp_path / "v.jsonl")) == {
        "[0].tenant": "found",
        "[0].note": "not_found",
        "[1].deposit": "found",
    }
    (tmp_path / "bad.json").write_text("{")
    for bad in ("bad.json", "none.json"):
        with pytest.raises(InputError, match=bad):
            ground(tmp_path / bad, PASSAGE)


def test_a_pdf_is_cited_with_boxes_and_highlighted(tmp_path):
    found = ground({"monthly_rent": 8400, "deposit": "£25,200", "commencement": "2023-04-01"}, LEASE)
    assert found.holds
    assert all(item.citation.boxes and item.citation.page == 1 for item in found.items)
    assert found.items[0].citation.quote == "Rent means £8,400 a month."
    [copy] = found.highlight(tmp_path / "out.pdf")
    assert copy.read_bytes().startswith(b"%PDF")
    assert json.loads(json.dumps(found.to_dict()))["found"] == 3


def test_documents_and_their_order():
    document = read(LEASE)
    assert isinstance(document, Document)
    assert states({"rent": 8400}, document) == states({"rent": 8400}, [document]) == {"rent": "found"}
    with pytest.raises(HighlightError):
        ground({"tenant": "Jane Doe"}, PASSAGE).highlight("out.pdf")


def test_bounds():
    deep: object = "x"
    for _ in range(60):
        deep = {"a": deep}
    for bad in ({}, {"a": None}, deep, {"a": "x" * 30_000}, {"a": ["x"] * 10_001}):
        with pytest.raises(InputError):
            ground(bad, PASSAGE)
    assert states({"a": float("nan"), "b": float("inf")}) == {"a": "not_found", "b": "not_found"}


def test_the_same_values_give_the_same_bytes():
    values = {"deposit": 2400, "law": "Delaware", "set": {"Jane Doe", "Delaware"}}
    assert json.dumps(ground(values, PASSAGE).to_dict()) == json.dumps(ground(values, PASSAGE).to_dict())
