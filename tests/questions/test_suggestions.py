"""Questions that documents suggest: each in one language."""

import pytest

import spanwise
from spanwise.questions.suggestions import suggestions


def suggested(text):
    return suggestions([spanwise.read(text.encode(), name="a.md").lines])


@pytest.mark.parametrize(
    "text",
    [
        "# Format des fichiers\n\n- Les fichiers sont en texte simple\n- Les images sont jointes au dossier\n",
        "# Documents\n\n- Une copie de la facture\n- Le contrat avec les annexes\n",
        "# Unterlagen des Mieters\n\n- Eine Kopie des Vertrags\n- Die Rechnungen der letzten Jahre\n",
    ],
)
def test_words_of_another_language_stand_in_no_english_question(text):
    assert suggested(text) == []


def test_a_row_of_another_language_stands_in_no_english_question():
    table = b"Somme,2022,2023\nVentes des magasins,5,7\nVentes en ligne et par la poste,2,3\n"
    assert suggestions([spanwise.read(table, name="a.csv").lines]) == []


def test_english_words_are_asked_about():
    listed = "# Required documents\n\n- A copy of the invoice\n- The contract with its annexes\n"
    assert suggested(listed) == ["What are the required documents?"]
    table = b"Item,2022,2023\nSales in stores,5,7\n"
    assert suggestions([spanwise.read(table, name="a.csv").lines]) == ["What were sales in stores in 2023?"]


def test_each_part_of_a_document_in_two_languages_is_for_itself():
    french = "# Documents\n\n- Une copie de la facture\n- Le contrat avec les annexes\n"
    between = "\nThis is the English part of the paper, for those who read it.\n" * 12
    english = "\n# Deadlines\n\n- The offer is due in the spring\n- The work is done by the end of the year\n"
    assert suggested(french + between + english) == ["What are the deadlines?"]
