import time
from pathlib import Path

import pytest
from every import every

from spanwise.text.expectations.polarity import asks_yes_or_no, polarity, scope_words


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("Is the fee refundable?", "The fee is not refundable.", False),
        ("Is the fee refundable?", "The fee is refundable.", True),
        ("May the tenant sublet the premises?", "The tenant may not sublet the premises.", False),
        ("May the tenant sublet the premises?", "The tenant may sublet the premises.", True),
        ("Can the user turn off the encryption of a drive?", "The user cannot turn off the encryption at all.", False),
        ("Must the buyer pay the invoice?", "The buyer shall pay the invoice no later than May 5.", True),
        ("Shall it grant the user rights?", "Nothing herein shall be construed to grant the user any rights.", False),
        ("Shall it grant the user rights?", "It shall not grant, nor be read to grant, the user rights.", False),
        ("Was anybody injured?", "Nobody was hurt, and all went home.", False),
        ("Did anything break?", "It rained, but nothing was broken.", False),
        ("Can I vote by proxy?", "Votes by proxy are not allowed.", False),
        ("Are barbecues allowed?", "Barbecues are no longer allowed after dark.", False),
        ("Does the user control the server?", "The user owns no disk, but the user controls the server.", True),
    ],
)
def test_a_sentence_that_says_it(question, sentence, said):
    assert polarity(question, sentence) is said


@every(
    ("question", "sentence"),
    [
        ("Is the fee refundable?", "The fee is due on delivery."),
        ("Were barbecues allowed?", "Barbecues are no longer allowed."),
        ("Was anybody injured?", "Nobody was hurt badly."),
        ("Was anybody injured?", "It is not true that nobody was hurt."),
        ("Did anybody complain?", "Nobody complained about the food."),
        ("Must the tenant sublet the premises?", "The tenant may sublet the premises."),
        ("Is the fee refundable?", "The fee is refundable if the order is cancelled."),
        ("Is the fee refundable?", "The fee may be refundable."),
        ("Does the seller own the land?", "The buyer owns the land."),
        ("Is the fee refundable or not?", "The fee is refundable."),
        ("Isn't the fee refundable?", "The fee is not refundable."),
        ("Is only the fee refundable?", "The fee is refundable."),
        ("Are all fees refundable?", "The fees are refundable."),
        ("May the drive be used?", "The drive may not be used without a key."),
        ("What is refundable?", "The fee is refundable."),
        ("Is it?", "It is."),
    ],
)
def test_a_sentence_that_leaves_it_open(question, sentence):
    assert polarity(question, sentence) is None


def test_the_scope_is_what_the_text_around_may_say():
    assert scope_words("Does the consumer control the network under IaaS?") == ("iaa",)
    assert scope_words("Is the fee refundable?") == ()


@pytest.mark.parametrize(("question", "yes"), [("Does it rain?", True), ("Is it red or blue?", False), ("Why?", False)])
def test_questions_for_yes_or_no(question, yes):
    assert asks_yes_or_no(question) is yes


def test_hostile_text_takes_no_time():
    began = time.process_time()
    polarity("Is " + "of under by " * 6000 + "it so?", "but if " * 250)
    polarity("Is the fee refundable?", "the fee " * 100_000)
    assert time.process_time() - began < 20  # a runaway takes minutes


FRAMES = [
    line.split("|")
    for line in (Path(__file__).parent / "data/polarity_frames.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@every(("kind", "question", "sentence"), FRAMES)
def test_what_a_sentence_frames_it_does_not_state(kind, question, sentence):
    said = polarity(question, sentence)
    expected = {"framed": said is not True, "denied": said is False, "factive": said is True}
    assert expected[kind]
