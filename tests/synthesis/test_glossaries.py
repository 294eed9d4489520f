import spanwise
from spanwise.domain.document import Document, Line, Page
from spanwise.domain.passage import Passage
from spanwise.questions.parse import parse_question
from spanwise.synthesis.extractive.candidates import definition_candidates
from spanwise.text.passage_reading import read_passage

ROWS = [
    ("table_row", "Degauss  To take the magnetism out of a tape or disk by turning a strong"),
    ("text", "magnet over it. Degaussing a disk of today makes it useless."),
    ("table_row", "Pulverization  A way to get rid of media for good; the act of"),
    ("text", "milling them to a powder or"),
    ("text", "dust."),
    ("table_row", "Purge  A way to clear media by heat, by magnets or by commands"),
]


def document(rows) -> Document:
    lines = tuple(Line(n, 1, n, text, role=role, block=n) for n, (role, text) in enumerate(rows, 1))
    return Document("0" * 64, "glossary", "pdf", lines, (Page(1, "1", 0.0, 0.0, 1, len(lines)),))


def candidates(question: str, last_line: int):
    """The definitions found where one passage of the glossary ends at a line."""
    text = "\n".join(text for _, text in ROWS[:last_line])
    blocks = tuple((1, role) for role, _ in ROWS[:last_line])
    passage = Passage(f"glossary:1-{last_line}", "glossary", 1, last_line, 1, text, blocks=blocks)
    with spanwise.Corpus.of([document(ROWS)]) as corpus:
        return definition_candidates(parse_question(question), [read_passage(passage)], corpus)


def test_the_first_sentence_of_a_row_is_the_definition():
    (found, *_) = candidates("What is degaussing?", 6)
    assert found.elements[0].text == ("To take the magnetism out of a tape or disk by turning a strong magnet over it.")
    assert (found.elements[0].line_start, found.elements[0].line_end) == (1, 2)


def test_a_row_goes_on_behind_the_end_of_its_passage():
    (found,) = candidates("What is pulverization?", 3)
    assert found.elements[0].text.endswith("the act of milling them to a powder or dust.")
    assert (found.elements[0].line_start, found.elements[0].line_end) == (3, 5)


def test_a_row_ends_before_the_next_one():
    (found,) = candidates("What is purging?", 6)
    assert found.elements[0].text == "A way to clear media by heat, by magnets or by commands"


def test_a_row_of_a_glossary_is_found_among_many_mentions():
    rows = [("text", f"Degaussing number {n} is done by a degausser in room {n} of the site.") for n in range(400)]
    rows += [("heading", "Appendix B: Glossary"), *ROWS]
    assert spanwise.ask("What is degaussing?", document(rows)).text.startswith("To take the magnetism out")
