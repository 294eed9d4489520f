"""English is not taken for another language by words that it shares with it."""

import pytest

from spanwise import verify
from spanwise.guard.sentence.languages import language_of

PRICES = (
    "Item alpha costs 11 dollars per unit. Item beta costs 12 dollars per unit. Item gamma costs 9 dollars per unit."
)


@pytest.mark.parametrize(
    "text",
    [
        PRICES,
        "Rate per annum, plus tax per unit per month",
        "Vincent van Gogh, Ludwig van Beethoven, Los Angeles, Las Vegas, El Paso, Des Moines, Oscar de la Renta",
        "Oscar de la Renta and Simon de la Cruz met Juan de la Vega",
    ],
)
def test_names_and_shared_words_make_no_other_language(text: str) -> None:
    assert language_of(text) != "other"


@pytest.mark.parametrize(
    "text",
    [
        "Die Kaution wird nach dem Ende des Vertrags zur\u00fcckgezahlt.",
        "Le locataire paie le loyer au d\u00e9but du mois.",
        "El inquilino paga la renta el primer d\u00eda del mes.",
        "Il conduttore paga il canone entro il primo giorno del mese.",
        "De huur van het huis wordt op de eerste dag betaald.",
    ],
)
def test_other_languages_are_told(text: str) -> None:
    assert language_of(text) == "other"


def test_a_list_of_prices_is_checked() -> None:
    found = verify("Item beta costs 12 dollars per unit. Payment is due within 30 days.", [PRICES])
    assert [claim.support for claim in found.claims] == ["supported", "unsupported"]
