"""Features of a claim: what each of them counts, whatever weight the fit gives it."""

from spanwise.guard.support.examine import examine
from spanwise.guard.support.features import FEATURES, features_of

GARDEN = "The garden closes at eight. Visitors may bring a dog."
WHEEL = (
    "The {} wheel holds oak, iron, copper, brass, leather, stone, glass, rope, wool, paper, silver, rubber, clay, "
    "straw, cement, marble and linen."
)
MILL = f"The mill burned. {WHEEL.format('old')} The bridge is closed. Lamps hang there. A shop opens on Sundays."


def features(claim: str, passage: str = MILL) -> dict[str, float]:
    examined = examine(claim, [passage])
    [held] = examined.held
    return dict(zip(FEATURES, features_of(held, examined.context), strict=True))


def test_a_run_is_the_share_of_the_words_that_stand_in_a_row() -> None:
    assert features("The bridge is closed.")["run"] == 1.0
    assert features("The bridge on Sundays is closed.")["run"] < 1.0


def test_the_lines_right_beside_the_evidence_may_say_what_it_lacks() -> None:
    lacking = {word: features(WHEEL.format(word))["lacking"] for word in ("old", "burned", "closed", "Sundays")}
    assert lacking == {"old": 0, "burned": 0, "closed": 0, "Sundays": 1}


def test_a_general_word_that_the_passage_lacks_is_less_of_a_surprise_than_a_thing() -> None:
    general = features("Overall, visitors may bring a dog.", GARDEN)
    absurd = features("Visitors may bring a tiger.", GARDEN)
    assert (general["lacking"], absurd["lacking"]) == (1, 1)
    assert general["surprise"] < absurd["surprise"] == absurd["surprise_most"] == absurd["surprise_last"]


def test_denials_are_counted_in_the_five_nearest_sentences() -> None:
    denied = [f"The bridge is not closed in {month}." for month in "March April May June July August October".split()]
    assert features("The bridge is closed.", " ".join(denied))["negated_nearby"] == 5
    assert features("The bridge is closed.", " ".join(denied[:3]))["negated_nearby"] == 3


def test_a_deed_that_the_passage_lacks_is_counted_behind_its_modal_verb() -> None:
    assert features("Visitors may paint a dog.", GARDEN)["surprise_deed"] > 0
    assert features("Visitors may bring a dog.", GARDEN)["surprise_deed"] == 0


def test_words_that_end_a_copy_in_place_of_others_are_its_tail() -> None:
    found = features("Visitors may bring a dog and elephants.", GARDEN)
    assert (found["tail"], found["before_tail"]) == (found["unexplained"], 5)
    assert features("Visitors may bring a dog.", GARDEN)["tail"] == 0


def test_a_compound_that_the_passage_lacks_is_read_in_its_parts() -> None:
    source = "A third party may use the machine."
    assert features("The third-party may use the machine.", source)["missing"] == 0
