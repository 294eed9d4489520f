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


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("as set forth in Sections 2.6 and 13, or in Clause 4.", ["Section 2.6", "Section 13", "Clause 4"]),
        ("Refer to Note 6, Leases; Note 7, Debt; and Note 13, Taxes.", ["Note 6", "Note 7", "Note 13"]),
        ("see Item 1A. Risk Factors, and Table 3-1", ["Item 1A"]),
        ("SEE NOTES TO THE ACCOUNTS", []),
    ],
)
def test_several_places_named_in_one_breath(text, named):
    assert [str(one) for one in references(text)] == named


@pytest.mark.parametrize(
    ("text", "continued"),
    [
        ("The list is continued in Section 7.", True),
        ("This agreement shall continue in effect until it ends as provided in Section 7.", False),
        ("The member continues to be credited with interest as specified in Article 5.", False),
    ],
)
def test_a_duty_that_continues_is_no_text_that_goes_on(text, continued):
    assert next(references(text)).continued is continued


FILING = """# ANNUAL REPORT

| Section 1. Scope | 3 |
| --- | --- |
| Section 2. Leases | 5 |
| Section 3. Debt | 6 |

# Section 1. Scope

See Section 2 for leases, Section 3 of the Plan, and Section 3 of the Securities Exchange Act.

Section 2. Leases

Leases run for five years, as set forth in Schedule 2.

Section 3. Debt

Debt is due in May. What remains stands in
Section 2 of the notes.

{terms}

# Award Terms of the Plan

1. Definitions. Words mean what they say.

2. Vesting. Awards vest as described in Section 3 below.

3. Legend. Shares may bear one. See Section 2(a).

   2) For titles.

4. Release. A release is due.      5. Law. The law of the place. See Section 5.1.

SCHEDULE 2
FEES
5.1 on all sales a fee is due
""".replace("{terms}", "\n\n".join(["The terms of the debt are long."] * 15))
"""Two documents in one, a table of contents, places that begin within a line."""


@pytest.mark.parametrize(
    ("text", "around", "place"),
    [
        ("see Section 2", "See Section 2 for", "Section 2. Leases"),
        ("see Section 2B", "See Section 2 for", "Section 2. Leases"),
        ("see Section 3 below", "2. Vesting", "3. Legend"),
        ("see Section 2(a)", "3. Legend", "2. Vesting"),
        ("see Section 3, Legend", "See Section 2 for", "3. Legend"),
        ("see Section 3 of the Securities Exchange Act", "See Section 2 for", None),
        ("see Section 5", "2. Vesting", "4. Release"),
        ("see Schedule 2", "Leases run", "SCHEDULE 2"),
        ("see Schedule II", "Leases run", "SCHEDULE 2"),
        ("see Schedule 1", "Leases run", None),
        ("see Section 5.1", "4. Release", "5.1 on all"),
    ],
)
def test_the_place_that_the_text_around_a_reference_means(text, around, place):
    lines = FILING.splitlines()
    line = next(at for at, one in enumerate(lines, start=1) if one.startswith(around))
    with spanwise.Corpus.of([spanwise.read(FILING.encode(), name="filing.md")]) as corpus:
        found = place_of(next(references(text)), "filing.md", corpus, line)
    assert (found is None) == (place is None)
    assert found is None or lines[found[0] - 1].startswith((place, f"# {place}"))
    assert found is None or not lines[found[0] - 1].startswith("|")
