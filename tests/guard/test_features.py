"""Features of a claim: what each of them counts, whatever weight the fit gives it."""

from spanwise.guard.examining import examine
from spanwise.guard.features import FEATURES, features_of

WHEEL = (
    "The {} wheel holds oak, iron, copper, brass, leather, stone, glass, rope, wool, paper, silver, rubber, clay, "
    "straw, cement, marble and linen."
)
MILL = f"The mill burned. {WHEEL.format('old')} The bridge is closed. Lamps hang there. A shop opens on Sundays."


def features(claim: str) -> dict[str, float]:
    examined = examine(claim, [MILL])
    [held] = examined.held
    return dict(zip(FEATURES, features_of(held, examined.context), strict=True))


def test_a_run_is_the_share_of_the_words_that_stand_in_a_row() -> None:
    assert features("The bridge is closed.")["run"] == 1.0
    assert features("The bridge on Sundays is closed.")["run"] < 1.0


def test_the_lines_right_beside_the_evidence_may_say_what_it_lacks() -> None:
    lacking = {word: features(WHEEL.format(word))["lacking"] for word in ("old", "burned", "closed", "Sundays")}
    assert lacking == {"old": 0, "burned": 0, "closed": 0, "Sundays": 1}
