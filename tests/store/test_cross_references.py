"""Places that a text sends its reader to, in several languages, and the lines that they mean."""

import pytest

import spanwise
from spanwise.store.cross_references import goes_on_in, place_of, references


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The list is continued in Section 7.", ["Section 7"]),
        ("Leases (see Note 12) and loans (refer to Table 3).", ["Note 12", "Table 3"]),
        ("Fortsetzung auf Seite 4; siehe auch § 7.", ["Seite 4", "§ 7"]),
        ("Voir l'article 12.3, suite à la page 9.", ["article 12.3", "page 9"]),
        ("Véase el apartado 4.2.", ["apartado 4.2"]),
        ("Zie bijlage B. Vedi allegato C. Veja o anexo D.", ["bijlage B", "allegato C", "anexo D"]),
        ("Continued from page 3. Section 7 applies, as described in Section eight.", []),
        ("We see that section heads vary, and see note takers.", []),
    ],
)
def test_what_a_text_sends_its_reader_to(text, named):
    assert [str(one) for one in references(text)] == named


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Further exclusions are set out in Schedule 2.", "Schedule 2"),
        ("(continued in Section 7)", "Section 7"),
        ("See Section 7.", None),
    ],
)
def test_where_a_list_goes_on(text, place):
    found = goes_on_in(text)
    assert (str(found) if found else None) == place


BOOK = """# 1. Scope

Text of the scope.

# Notes to the accounts

## 1. Basis

Prepared at cost.

## 2. Leases

Leases run for five years.

# Schedule 2 - Fees

A fee is due.

Table 3: prices of all goods
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("see Section 1", 1),
        ("see Note 1", 7),
        ("see Note 2", 11),
        ("see Section 2", 11),
        ("see Schedule 2", 15),
        ("see Table 3", 19),
        ("see Note 9", None),
    ],
)
def test_a_reference_is_resolved_to_the_lines_it_means(text, line):
    with spanwise.Corpus.of([spanwise.read(BOOK.encode(), name="book.md")]) as corpus:
        place = place_of(next(references(text)), "book.md", corpus)
    assert (place[0] if place else None) == line
