"""Clauses of a sentence: who does what to whom, by rules and a list of verbs."""

import pytest

from spanwise.guard.syntax.clauses import LONGEST, clauses_of, described
from spanwise.guard.syntax.lexicon import verb_forms


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "Kayaks are lent free of charge, but paddles cost two euros.",
            ["lend passive: kayaks > free of charge > ", "cost: paddles > 2 euros > "],
        ),
        (
            "The keeper of the tower, who lives next door, opens it on Sundays.",
            [
                "live: the keeper of the tower | the tower > next door > ",
                "open: the keeper of the tower > it > on sundays",
            ],
        ),
        (
            "When the bell rings the pupils leave, and the warden locks the gates.",
            ["when ring: the bell >  > ", "leave: the pupils >  > ", "lock: the warden > the gates > "],
        ),
        (
            "A leak that flooded the cellar in May was sealed by the plumber.",
            ["flood: a leak > the cellar > in may", "seal passive: a leak >  > by the plumber"],
        ),
        (
            "She waters the ferns in the morning and the palms at night.",
            ["water: she > the ferns > in the morning", "water: she > the palms > at night"],
        ),
        (
            "The board's clerk votes for the owners, the steward for the tenants.",
            ["vote: the board clerk >  > for the owners", "vote: the steward >  > for the tenants"],
        ),
        (
            "The club voted to spend 900 euros on nets and to give the rest to the school.",
            [
                "vote: the club >  > ",
                "spend: the club > 900 euros > on nets",
                "give: the club | 900 euros > the rest > to the school",
            ],
        ),
        ("Visitors must not feed the goats.", ["not feed: visitors > the goats > "]),
        ("The sexton, Bram Klaas, pays for the oil.", ["pay: the sexton | bram klaas >  > for the oil"]),
        (
            "Boxes kept in the lower shed arrive on Friday.",
            ["keep passive: boxes >  > in the lower shed", "arrive: boxes >  > on friday"],
        ),
        (
            "Pupils who ride a pony go home by the lane.",
            ["ride: pupils > a pony > ", "go: pupils > home > by the lane"],
        ),
        (
            "The rule does not extend to damage caused by frost.",
            ["not extend: the rule >  > to damage", "cause passive: damage >  > by frost"],
        ),
        (
            "Lamps may be lit in the yard but not in the barn.",
            ["light passive: lamps >  > in the yard", "not light passive: lamps >  > in the barn"],
        ),
        ("Owners of the goats park behind the inn.", ["park: owners of the goats >  > behind the inn"]),
        (
            "The salve is used with gloves, the powder on dry skin.",
            ["use passive: the salve >  > with gloves", "use passive: the powder >  > on dry skin"],
        ),
        (
            "A gable is a wall that carries the ridge.",
            ["be: a gable > a wall > ", "carry: a wall | a gable > the ridge > "],
        ),
        ("She refills the jugs because of the heat.", ["refill: she > the jugs > because the heat"]),
        ("They'll be taken to the pound.", ["take passive: they'll >  > to the pound"]),
    ],
)
def test_a_sentence_is_cut_into_clauses(sentence: str, clauses: list[str]) -> None:
    assert described(sentence) == clauses


def test_what_a_subordinate_clause_depends_on() -> None:
    rinse, fill = clauses_of("The cook rinses the jars before she fills them.")
    assert (rinse.parent, fill.connective, fill.parent) == (None, "before", rinse)


def test_a_sentence_that_is_too_long_is_not_cut() -> None:
    assert clauses_of("The cook rinses the jars " + "and the pans " * LONGEST) == ()


@pytest.mark.parametrize("words", ["", "Fees", "to to to", "and , and ; by", "of of the", "who that which", "'ll"])
def test_any_words_are_read(words: str) -> None:
    assert isinstance(clauses_of(words), tuple)


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("planned", "plan"),
        ("carries", "carry"),
        ("tied", "tie"),
        ("tying", "tie"),
        ("agreeing", "agree"),
        ("travelled", "travel"),
        ("traveled", "travel"),
        ("fixes", "fix"),
        ("written", "write"),
        ("outsourced", "outsource"),
        ("equipped", "equip"),
    ],
)
def test_forms_of_verbs(word: str, lemma: str) -> None:
    assert lemma in {base for base, _ in verb_forms(word)}
