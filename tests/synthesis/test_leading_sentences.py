"""Answers that a plain sentence only leads to: lists in it or after it, and definitions."""

import pytest
from reportlab.pdfgen.canvas import Canvas

import spanwise
from spanwise.synthesis.extractive.calibration import calibrated
from spanwise.synthesis.extractive.lists import Element, enumeration

GUIDE = """\
# Phases

Figure 1 - The phases of the management of configurations

The management of configurations goes through four major phases: Planning; Writing and Installing \
Configurations; Approving of Changes; and Monitoring.

# Priorities

When they determine the priorities for secure settings, organizations consider the following criteria:

- Impact level
- Risk assessments
- Degree of penetration

# Terms

When a baseline configuration is approved, the baseline configuration is archived for later.

A baseline configuration is a state of the settings on which all have agreed.

Cryptographic Erase (CE) sanitizes the encryption key of the data on the media.

Typically, CE takes less than a second on the media.
"""


@pytest.fixture(scope="module")
def guide(tmp_path_factory):
    path = tmp_path_factory.mktemp("guide") / "guide.md"
    path.write_text(GUIDE, encoding="utf-8")
    return path


def test_a_sentence_with_as_many_elements_as_asked_for_goes_before_a_caption(guide):
    result = spanwise.ask("What are the four phases of the management of configurations?", guide)
    assert [item.text for item in result.answer.items] == [
        "Planning",
        "Writing and Installing Configurations",
        "Approving of Changes",
        "Monitoring",
    ]


def test_a_sentence_that_introduces_a_list_gives_way_to_it(guide):
    result = spanwise.ask("Which criteria do organizations consider when they determine the priorities?", guide)
    assert [item.text for item in result.answer.items] == ["Impact level", "Risk assessments", "Degree of penetration"]


def test_a_definition_goes_before_a_mention(guide):
    result = spanwise.ask("What is a baseline configuration?", guide)
    assert "state of the settings" in result.text
    assert 0.5 < result.confidence < 1


def test_an_abbreviation_of_the_document_counts_as_the_words_of_the_question(guide):
    result = spanwise.ask("How long does cryptographic erase typically take?", guide)
    [retrieval] = [step for step in result.trace.steps if step.name == "retrieval"]
    assert retrieval.record["hits"][0]["factors"]["pairs"] > 0.3


@pytest.mark.parametrize(
    ("text", "count", "elements"),
    [
        ("It has two parts: A and B; C, D and E.", 2, ["A and B", "C, D and E"]),
        ("It has parts: one; two; and three.", None, ["one", "two", "three"]),
        ("It has parts: one; two.", 3, []),
        ("One; two; three without a colon.", 3, []),
    ],
)
def test_semicolons_part_elements(text, count, elements):
    assert [element.text for element in enumeration(Element(text, 1, 1), count)] == elements


@pytest.mark.parametrize("kind", ["list", "cells", "record", "yes_or_no", "definition"])
def test_chances_rise_with_the_measure_and_are_never_certain(kind):
    chances = [calibrated(kind, measure / 4) for measure in range(5)]
    assert chances == sorted(set(chances))
    assert 0 < chances[0] < chances[-1] < 1


def test_plurals_in_brackets_are_no_list(tmp_path):
    path = tmp_path / "types.md"
    path.write_text(
        "Choose the type(s) of sanitization. The selected type(s) of erasing are assessed.\n", encoding="utf-8"
    )
    assert all(len(item.text) > 30 for item in spanwise.ask("What are the types of sanitization?", path).answer.items)


def test_a_row_that_only_repeats_the_question_is_no_answer(tmp_path):
    path = tmp_path / "models.md"
    path.write_text(
        "The cloud has five traits, three service models, and four deployment models.\n\n"
        "# Service models\n\n- Software\n- Platform\n- Infrastructure\n",
        encoding="utf-8",
    )
    result = spanwise.ask("What are the three service models?", path)
    assert [item.text for item in result.answer.items] == ["Software", "Platform", "Infrastructure"]


def test_a_sentence_that_only_announces_a_table_is_no_answer(tmp_path):
    path = tmp_path / "stores.md"
    path.write_text(
        "The number of stores at the end of fiscal 2023 was as follows:\n\n"
        "| Country | Area |\n|---|---|\n| Canada | 1,234 |\n\n"
        "We had 1,138 stores at the end of fiscal 2023 in two segments.\n",
        encoding="utf-8",
    )
    result = spanwise.ask("How many stores were there at the end of fiscal 2023?", path)
    assert "1,138" in result.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is a reference station?", "The station serves the study of sea level over decades"),
        ("What is damped sensing?", "change no reading by more than 5 mm"),
        ("What is exact time?", "never differs from coordinated universal time by more than two seconds"),
    ],
)
def test_what_follows_a_name_in_its_paragraph_says_what_it_is(standard, question, said):
    assert said in spanwise.ask(question, standard).text


def test_a_row_of_a_glossary_with_the_rest_of_its_sentence(tmp_path):
    path = tmp_path / "glossary.pdf"
    canvas = Canvas(str(path), pagesize=(612, 792))
    canvas.setFont("Helvetica", 11)
    rows = [
        ("Cut", ("To part the media with a blade, so that the", "surface is broken.")),
        ("Degauss", ("To take the magnetism out of a tape or disk by", "turning a magnet over it. It destroys disks.")),
        ("Destroy", ("To treat the media so that nobody can read", "them again.")),
    ]
    top = 700
    for name, lines in rows:
        canvas.drawString(72, top, name)
        for line in lines:
            canvas.drawString(200, top, line)
            top -= 14
        top -= 10
    canvas.save()
    result = spanwise.ask("What does degauss mean?", path)
    assert result.text == "To take the magnetism out of a tape or disk by turning a magnet over it."
    assert (result.citations[0].line_start, result.citations[0].line_end) == (3, 4)


@pytest.mark.parametrize("question", ["What is this document about?", "Summarize this text.", "Worum geht es?"])
def test_what_a_document_is_about_is_told_by_its_title_and_its_first_sentences(tmp_path, question):
    guide = tmp_path / "guide.md"
    guide.write_text(GUIDE, encoding="utf-8")
    result = spanwise.ask(question, guide)
    told = [item.text.split()[0] for item in result.answer.items]
    assert (result.possible, told) == (True, ["Phases", "The"])


def test_what_several_documents_are_about_is_not_told_by_one_of_them(tmp_path):
    for name in ("one.md", "two.md"):
        (tmp_path / name).write_text(GUIDE, encoding="utf-8")
    assert spanwise.ask("What is this document about?", tmp_path).decision.kind == "not_found"
