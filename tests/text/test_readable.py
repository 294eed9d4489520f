"""Readable words of a cited stretch, by what a format or a printer puts between them and a reader."""

import time

from every import every

from spanwise.contract.validation.cited import Cited, Stretch
from spanwise.domain.document import Line
from spanwise.text.readable import readable

CASES = {
    "words broken over lines": [
        ("The infor-\nmation is kept for seven years.", "The information is kept for seven years."),
        ("A user-\nspecific setting and self-\nservice.", "A user-specific setting and self-service."),
        ("Due in the short-\nterm; short-term debt.", "Due in the short-term; short-term debt."),
        ("Der Miet-\nvertrag endet. Der Mietvertrag gilt.", "Der Mietvertrag endet. Der Mietvertrag gilt."),
        ("the Anglo-\nSaxon chronicle", "the Anglo-Saxon chronicle"),
        ("fees from 2019-\n2021", "fees from 2019- 2021"),
        ("in\u00adsur\u00ad\nance", "insurance"),
    ],
    "characters that nobody types": [
        ("e\ufb03cient of\ufb01ce\u200b \ufb02oor", "efficient office floor"),
        ("5\u00a0%  of\tall\u2009fees", "5 % of all fees"),
    ],
    "Markdown": [
        ('See the [price list](https://x.org/a_(b) "Prices") now.', "See the price list now."),
        ("![Plan of the flat](plan.png) shows it.", "Plan of the flat shows it."),
        ("See [terms][1] and <https://x.org/a>.", "See terms and https://x.org/a."),
        ("**Purge** makes it _infeasible_, *always*.", "Purge makes it infeasible, always."),
        ("**Both _marks_** end", "Both marks end"),
        ("Run `rm -rf *_old*` first.", "Run rm -rf *_old* first."),
        ("## 4. Late fees ##", "Late fees"),
        ("> **Note:** pay in time.", "Note: pay in time."),
        ("A claim.[^1]", "A claim."),
        (r"Snake\_case costs 5\$.", "Snake_case costs 5$."),
        ("```\nspanwise ask\n```", "spanwise ask"),
        ("Terms\n=====", "Terms"),
    ],
    "a stretch that was cut inside of marks": [
        ("Purge** makes it", "Purge makes it"),
        ("the [price list](https://x.or", "the price list"),
        ("a`value` and `other", "avalue and other"),
    ],
    "HTML": [
        ("Fish &amp; chips &lt; 5&nbsp;&euro;", "Fish & chips < 5 \u20ac"),
        ("one<br>two <b>three</b>", "one two three"),
        ("10<sup>2</sup> m", "10^2 m"),
    ],
    "marks of items and headings": [
        ("\u2022 damage by flood", "damage by flood"),
        ("- (a) damage by war;", "damage by war;"),
        ("1. The landlord repairs the roof.", "The landlord repairs the roof."),
        ("3.2 The tenant pays.", "The tenant pays."),
        ("iv) Notices", "Notices"),
        ("The cover:\n- fire\n- hail.", "The cover: fire; hail."),
    ],
    "rows of a piped table": [
        ("| | 2022 | 2021 |\n|---|--:|---|\n| Net sales | 4,200 | 4,000 |", "Net sales; 2022: 4,200; 2021: 4,000"),
        ("| Tier | Price |\n|---|---|\n| **Basic** | $5 |", "Tier: Basic; Price: $5"),
        ("| Net sales | 4,200 | 4,000 |", "Net sales: 4,200; 4,000"),
        ("| Basic | for one user |", "Basic; for one user"),
    ],
    "what stays": [
        ("The late fee is 7% per month.", "The late fee is 7% per month."),
        ("3.5 Million people live here.", "3.5 Million people live here."),
        ("2.4 GHz is the band.", "2.4 GHz is the band."),
        ("3. May 2024 is the day.", "3. May 2024 is the day."),
        ("12. Mai 2024 ist der Tag.", "12. Mai 2024 ist der Tag."),
        ("- 5 % of sales", "- 5 % of sales"),
        ("> 5 years of service", "> 5 years of service"),
        ("A. Smith signed it.", "A. Smith signed it."),
        ("i. e. the tenant", "i. e. the tenant"),
        ("as section\n3. The tenant", "as section 3. The tenant"),
        ("2 ** 8 and a*b*c and x_y_z and 2**8", "2 ** 8 and a*b*c and x_y_z and 2**8"),
        ("call __init__ first", "call __init__ first"),
        ("held in [12][13]", "held in [12][13]"),
        ("if a < b and b > c", "if a < b and b > c"),
        ("due in <del>30</del> 45 days", "due in <del>30</del> 45 days"),
        ("due in ~~30~~ 45 days", "due in ~~30~~ 45 days"),
        ("a\\b and C:\\_temp", "a\\b and C:\\_temp"),
        ("7.", "7."),
        ("***", "***"),
        ("", ""),
    ],
}


@every(("text", "shown"), [case for cases in CASES.values() for case in cases])
def test_readable(text, shown):
    assert readable(text) == shown


def test_what_was_cut_to_one_line_is_read_with_its_lines():
    assert readable("the infor-mation", "of the infor-\nmation") == "the information"
    assert readable("the user-specific", "of the user-\nspecific") == "the user-specific"
    rows = "| | 2022 | 2021 |\n| Net sales | 4,200 | 4,000 |"
    assert readable("| Net sales | 4,200 | 4,000 |", rows) == "Net sales; 2022: 4,200; 2021: 4,000"


def cited(text):
    lines = [Line(number, 1, number, one) for number, one in enumerate(text.split("\n"), start=1)]
    return Cited([Stretch(lines)])


@every("text", [text for cases in CASES.values() for text, _ in cases if text])
def test_what_is_shown_stands_in_the_lines_that_it_is_of(text):
    assert cited(text).holds(readable(text))


def test_a_row_stands_in_lines_of_which_its_head_is_cited_behind_it():
    head, row = Line(3, 1, 3, "| | 2022 | 2021 |"), Line(9, 1, 9, "| Net sales | 4,200 | 4,000 |")
    lines = Cited([Stretch([row]), Stretch([head])])
    assert lines.holds("Net sales; 2022: 4,200; 2021: 4,000")
    assert not lines.holds("Net sales; 2022: 4,000; 2021: 4,200")


def test_other_words_do_not_stand_there():
    lines = cited("- **Purge** never applies to [media](https://x.org).")
    assert lines.holds("Purge never applies to media.")
    assert not lines.holds("Purge applies to media.")
    assert not lines.holds("Purge always applies to media.")


@every(
    "part", ["[", "![](", "*", "_a", "`", "<", "&", "| ", "- ", "a-\n", "\\", "**a", "[^", "(a) ", " ", "|--", "| -"]
)
def test_hostile_text_takes_linear_time(part):
    began = time.process_time()
    readable(part * 20_000)
    assert time.process_time() - began < 20  # a runaway takes minutes
