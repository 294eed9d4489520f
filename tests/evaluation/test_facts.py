import pytest
from sets.facts import parties_f1, same_date, same_law, same_name


@pytest.mark.parametrize(
    ("found", "gold", "same"),
    [
        ("1998-02-24", "2/24/98", True),
        ("2020-02-24", "2/24/2020", True),
        ("2020-02-25", "2/24/20", False),
        ("2018-03", "03/[]/2018", True),
        ("2018-04-01", "03/[]/2018", False),
        ("", "2/24/98", False),
        ("2018-03-01", "perpetual", None),
    ],
)
def test_dates(found: str, gold: str, same: bool | None) -> None:
    assert same_date(found, gold) is same


@pytest.mark.parametrize(
    ("found", "gold", "same"),
    [
        ("SERVICES AGREEMENT", "Services Agreement", True),
        ("FORM OF SERVICES AGREEMENT", "Services Agreement", True),
        ("AGREEMENT", "Master Services and Maintenance Agreement", False),
        ("", "Services Agreement", False),
    ],
)
def test_names(found: str, gold: str, same: bool) -> None:
    assert same_name(found, gold) is same


@pytest.mark.parametrize(
    ("found", "gold", "same"),
    [
        ("New York", "New York", True),
        ("England and Wales", "England; Wales", True),
        ("Ontario", "Ontario, Canada", True),
        ("Texas", "New York", False),
        ("Everything in here follows the laws of the State of New York and so on", "New York", False),
        ("", "New York", False),
    ],
)
def test_laws(found: str, gold: str, same: bool) -> None:
    assert same_law(found, gold) is same


@pytest.mark.parametrize(
    ("found", "gold", "f1"),
    [
        (["Acme, Inc.", "Globex"], 'Acme Inc ("Acme"); Globex Ltd ("Globex"); (collectively the "Parties")', 1.0),
        (["Acme"], 'Acme Inc ("Acme"); Globex Ltd ("Globex")', 2 / 3),
        ([], "Acme; Globex", 0.0),
        (["Acme"], '("Parties")', None),
    ],
)
def test_parties(found: list[str], gold: str, f1: float | None) -> None:
    assert parties_f1(found, gold) == pytest.approx(f1)
