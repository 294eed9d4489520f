import pytest

import spanwise

TEXT = """\
1. Payment Terms

The fee is 5% of the price and is due in thirty days of the invoice.

2. Warranty

The fee is 9% of the price for every claim under this warranty.
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    path = tmp_path_factory.mktemp("places") / "a.txt"
    path.write_text(TEXT + "\f" + "3. Annex\n\nThe fee is 1% of the price in the annex.\n")
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        yield spanwise.Engine(corpus)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the fee in the warranty section?", "9%"),
        ("What is the fee of the price in the payment terms section?", "5%"),
        ("What is the fee of the price on page 2?", "1%"),
    ],
)
def test_only_the_named_place_answers(engine, question, answer):
    result = engine.ask(question)
    assert answer in result.citations[0].quote
    assert result.warnings == ()


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (
            "What percentage of the price is the fee in the insurance section?",
            "No section called 'insurance' was found",
        ),
        ("What is the fee of the price on page 77?", "There are no pages 77 to 77"),
    ],
)
def test_a_place_that_does_not_exist_is_named(engine, question, message):
    result = engine.ask(question)
    assert result.warnings == ("unknown_place",)
    assert message in str(result.warning_details[0]["message"])
    assert result.decision.kind == "ship"
