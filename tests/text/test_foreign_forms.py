"""Times and numbers in words of other languages, as answers have them."""

import pytest

from spanwise.text.expectations.forms import expectation


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("Wann wird der Zähler abgelesen?", "Der Zähler wird im November abgelesen.", False),
        ("Wann werden die Tonnen geleert?", "Die Tonnen werden montags geleert.", False),
        ("Wann öffnet das Bad?", "Das Bad ist schön.", True),
        ("Wie viele Personen fasst der Aufzug?", "Der Aufzug fasst sechs Personen.", False),
        ("Wie viele Personen fasst der Aufzug?", "Der Aufzug fasst Personen.", True),
        ("Quand les ordures sont-elles ramassées ?", "Les ordures sont ramassées le mardi.", False),
        ("Combien de personnes le gîte peut-il accueillir ?", "Le gîte peut accueillir six personnes.", False),
        ("¿Cuánto cuesta el gas?", "El 3 de marzo de 2024 se cortará el gas, de 9:00 a 14:30.", True),
        ("Combien coûte la laverie ?", "La laverie est ouverte de 7 h à 21 h.", True),
        ("Combien coûte la laverie ?", "Un lavage coûte 3,50 €.", False),
        ("Wie viel kostet das Bad?", "Seit dem 1. Mai 2024 kostet es sechs Euro.", False),
        ("¿Cuándo se lee el contador?", "El contador se lee en noviembre.", False),
        ("Quando si fanno le pulizie delle scale?", "Le pulizie si fanno ogni mercoledì.", False),
        ("Wanneer wordt het water afgesloten?", "Het water wordt in oktober afgesloten.", False),
    ],
)
def test_a_sentence_has_what_is_asked_for(question, sentence, lacks):
    assert expectation(question).lacks(sentence) == lacks
