"""Numbers that only name something are no quantities."""

import pytest
from every import every

from spanwise.text.quantities import quantities


@every(
    "text",
    [
        *(
            "Section 3.2",
            "Sections 3.2 and 4.1",
            "Items 1, 2 and 3",
            "Item 7A",
            "(iv)",
            "Note 5",
            "Exhibit 10.10",
            "No. 12",
        ),
        *(
            "Section 3.2(a)(1)",
            "pages 3 through 5",
            "Page 59 of 80",
            "Article 2.D",
            "Chapter Three",
            "\u00a7 4.2",
            "#5",
        ),
        *("SP 800-145", "10-K", "8-K", "ISO 27001", "FIPS 140-2", "FIPS 140", "Rule 10b-5", "[SP 800-53]", "ASC 606"),
        *(
            "17 CFR 240.10b-5",
            "Publication 800-145",
            "401(k)",
            "COVID-19",
            "3M Company",
            "SHP2",
            "PDP-11",
            "10-12G",
            "4.2.1",
        ),
        *("(213) 687-5600", "Telephone: 480-367-9090", "ISBN 978-3-16-148410-0", "San Jose, CA 95134", "007"),
        *("123 Main Street", "https://doi.org/10.6028/NIST.SP.800-97", "a.b1@c2.com", "www.x.com/5", "10.6028/NIST"),
        *(
            "1. First",
            "5. Termination.",
            "10.3 Indemnification by",
            "2.1 to keep secret",
            "(1) the first",
            "1) Open",
            "- 4 -",
        ),
        *(
            "the text.29",
            "privacy,15 and",
            "[12]",
            "Other benefits2",
            "Other receivables(1)",
            "10:30 a.m.",
            "5 p.m.",
            "24/7",
        ),
        *("one of the parties", "third parties", "no one", "may not", "the second party", "18 above", "20[__]"),
        *("end of it.   6.3 In the event", 'shall.  1.12 "Data" means', "Contents ........ 15", "e10 NaN Infinity"),
    ],
)
def test_labels_count_nothing(text):
    assert quantities(text) == []


@pytest.mark.parametrize(
    ("text", "original"),
    [
        *(
            ("Section 3.2 requires 30 days", "30 days"),
            ("In Note 5, $12 million", "$12 million"),
            ("SP 800-145 has 7 pages", "7 pages"),
        ),
        *(
            ("rose to 5. The rest", "5"),
            ("1. Pay $5", "$5"),
            ("Section 2, 30 days after", "30 days"),
            ("fee $5.00 Setup", "$5.00"),
        ),
    ],
)
def test_what_counts_beside_a_label_is_found(text, original):
    assert [quantity.original for quantity in quantities(text)] == [original]
