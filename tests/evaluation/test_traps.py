"""Traps and controls made from sentences, the answers they stand in, and what is counted over them."""

import json

import pytest
from sets.traps.cases import SETTINGS, TRUE, cases
from sets.traps.controls import CONTROLS
from sets.traps.measuring import count
from sets.traps.place import Place, framed, head
from sets.traps.sources import Source, sources_of
from sets.traps.traps import TRAPS
from sets.traps.wordings import HALVES, wordings
from tiny_sets import write

from spanwise.cli.evaluating import run_eval

TOWNS = "Aston Birley Corfe Dunster Elmley Fowey Gosport Hexham Ilkley Jarrow Kendal Ludlow".split()
TEXT = " ".join(
    f"The mayor of {town} shall send the report to the council within {days} days of the vote. "
    f"In 2015 the harbour of {town} had {days} boats and the market had {days + 30} stalls. "
    f"Some visitors come to the castle of {town} because the garden is open in summer. "
    f"The council may sell the old bridge, and most farmers of {town} were glad about it. "
    f"The tower is higher than the church, although the church was built {days} years before the tower. "
    f"The brewery can deliver the beer only to inns that pay in coins. "
    for days, town in enumerate(TOWNS, 40)
)
BRIDGE = "The council may sell the old bridge to the brewery."


def place(sentence: str, half: str = HALVES[0], text: str = TEXT) -> Place:
    others = ["The garden is open in summer.", "The market has sixty stalls."]
    return Place(sentence, Source("towns", "towns", text), sentence, others, [], wordings(half))


@pytest.mark.parametrize(
    ("family", "sentence", "claim"),
    [
        (
            "years turned round",
            "The mill burned down in 1912, and the council built a new one in 1920.",
            "The mill burned down in 1920, and the council built a new one in 1912.",
        ),
        (
            "attachment of figures",
            "The harbour has 40 boats and the market has 70 stalls.",
            "The harbour has 70 boats and the market has 40 stalls.",
        ),
        (
            "roles",
            "The landlord shall pay the costs of the roof to the tenant.",
            "The tenant shall pay the costs of the roof to the landlord.",
        ),
        ("roles", "The miller told the baker about it at dawn.", "The baker told the miller about it at dawn."),
        ("direction", "The price of bread rose in the spring.", "The price of bread fell in the spring."),
        ("quantifier", "Some farmers went to the market.", "All farmers went to the market."),
        ("bounds", "The boat needs at least 12 sailors.", "The boat needs at most 12 sailors."),
        ("exclusivity", "The club has an exclusive licence.", "The club has a non-exclusive licence."),
        ("exclusivity", BRIDGE, "Only the council may sell the old bridge to the brewery."),
        ("modality", BRIDGE, "The council must sell the old bridge to the brewery."),
    ],
)
def test_a_trap_says_something_else(family, sentence, claim):
    assert TRAPS[family](place(sentence)).claim == claim


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        ("years turned round", "The mill stood there from 1912 to 1920."),
        ("years turned round", "The mill burned down in 1912 and 1920."),
        ("attachment of figures", "The harbour has between 40 and 70 boats."),
        ("attachment of figures", "Section 40 names the harbour and section 70 the market."),
        ("roles", "The miller married the baker in the spring."),
        ("roles", "The landlord and the tenant shall meet with the tenant once a year."),
        ("direction", "The mill is no longer open to visitors."),
        ("quantifier", "The farmers waited for some time."),
        ("modality", "The council may not sell the bridge."),
        ("modality", "The bridge, which the council may sell, is old."),
        ("modality", "The council met in May 1912 in the old mill."),
        ("added cause", "The bridge was sold because it was old."),
        ("bounds", "The nurse looked after the child."),
    ],
)
def test_a_sentence_without_the_form_makes_no_trap(family, sentence):
    assert TRAPS[family](place(sentence)) is None


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("family", ["frames", "absurd", "added cause", "added place, time or reach"])
def test_what_is_put_in_is_of_the_half(family, half):
    made = TRAPS[family](place(BRIDGE, half))
    own, other = (json.dumps(wordings(one).lists) for one in (half, HALVES[half == HALVES[0]]))
    if family == "frames":
        assert made.claim == BRIDGE
        assert BRIDGE[1:-1].partition(" may")[2] in made.stands
        assert made.stands != BRIDGE
    elif family == "absurd":
        assert made.claim.startswith("The council ")
        ending = made.claim.removesuffix(".").split()[-2:]
        assert " ".join(ending) in own
        assert " ".join(ending) not in other
    else:
        assert made.claim.startswith(BRIDGE[:-1])
        assert made.claim != BRIDGE


def test_the_halves_share_no_wording():
    first, second = (wordings(half) for half in HALVES)
    assert len(first.frames) >= 40
    assert len(second.frames) >= 40
    assert not {frame for _, frame in first.frames} & {frame for _, frame in second.frames}
    assert not set(first.factive) & set(second.factive)
    for name in ("deeds", "objects", "states", "places", "times", "reaches", "because", "due"):
        assert not set(first.lists[name]) & set(second.lists[name])


def test_a_sentence_of_another_document_is_about_the_parties_of_this_one():
    ours = Source("deeds", "ours", "Brightwater shall mow the lawn. Brightwater will paint the fence.")
    theirs = Source("deeds", "theirs", "Kestrel shall guard the silver. Kestrel will polish the candlesticks.")
    sentence = "Kestrel will polish the candlesticks before breakfast."
    here = Place(ours.text, ours, ours.text, [], [(theirs, sentence)], wordings(HALVES[0]))
    assert TRAPS["another document"](here).claim == "Brightwater will polish the candlesticks before breakfast."
    near = Place(ours.text, ours, sentence.replace("Kestrel", "She"), [], [(theirs, sentence)], wordings(HALVES[0]))
    assert TRAPS["another document"](near) is None


@pytest.mark.parametrize(
    ("family", "sentence", "claim"),
    [
        (
            "voice",
            "The council shall maintain the old bridge in summer.",
            "The old bridge shall be maintained by the council in summer.",
        ),
        ("voice", "The old bridge was painted by the council.", "The council painted the old bridge."),
        ("conjunction reordered", "The inn is full of farmers and sailors.", "The inn is full of sailors and farmers."),
        (
            "unit converted",
            "The fair costs the town $1.5 million a year.",
            "The fair costs the town $1,500,000 a year.",
        ),
        ("unit converted", "The lease ends after twelve (12) months.", "The lease ends after one year."),
        ("number in another form", "The town has five mills.", "The town has 5 mills."),
        ("opening dropped", "However, the mill is still open.", "The mill is still open."),
        (
            "abbreviated name",
            "The Royal Boat Society (RBS) owns the pier.",
            "The RBS owns the pier.",
        ),
        ("synonym", "The town purchased the pier.", "The town bought the pier."),
        ("untouched", BRIDGE, BRIDGE),
    ],
)
def test_a_control_says_the_same(family, sentence, claim):
    assert CONTROLS[family](place(sentence)).claim == claim


def test_a_date_is_written_in_another_form():
    made = CONTROLS["date in another form"](place("The mill burned down on March 5, 1999."))
    assert "1999" in made.claim
    assert made.claim != "The mill burned down on March 5, 1999."


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        ("date in another form", "The mill closed on March 5, 1999 and 2001."),
        ("conjunction reordered", "The dog ran back and forth."),
        ("unit converted", "The fair costs 5 to 7 million a year."),
        ("abbreviated name", "The Royal Boat Society (Society) owns the pier."),
        ("opening dropped", "Once a year, the mill is open."),
    ],
)
def test_a_sentence_without_the_form_makes_no_control(family, sentence):
    assert CONTROLS[family](place(sentence)) is None


def test_a_frame_parts_a_sentence_with_a_plain_subject():
    frame = "{subject}, it is alleged, {rest}."
    assert framed(place(BRIDGE), frame) == "The council, it is alleged, may sell the old bridge to the brewery."
    assert framed(place("In summer there are boats in the harbour."), frame) is None
    assert head("Whoever comes may sell the bridge to the brewery today.") is not None
    assert head("If the council may sell the bridge, it does.") is None


def test_names_stay_as_they_are_inside_a_frame():
    here = place("Kendal has a mill.", text="The road to Kendal is long. The mill is old.")
    assert framed(here, "It is false that {s}.") == "It is false that Kendal has a mill."
    assert framed(place("The mill is old."), "It is false that {s}.") == "It is false that the mill is old."


@pytest.fixture
def data(tmp_path):
    shires = [{"doc_id": name, "text": TEXT.replace("harbour", name)} for name in "quay dock pier lake moat".split()]
    write(tmp_path / "covidqa" / "documents.jsonl.gz", shires)
    write(tmp_path / "cuad" / "contracts.jsonl.gz", [{"doc_id": "a", "text": "Too short."}])
    given = {"source_id": "s", "passages": [TEXT], "task": "summary"}
    write(tmp_path / "bump" / "bump.jsonl.gz", [given, given])
    return tmp_path


def test_every_case_stands_in_its_answer(data):
    made = list(cases(data))
    assert {case.setting for case in made} == set(SETTINGS)
    assert {case.family for case in made} >= {"frames", "absurd", "bounds", "untouched", "factive frame", TRUE}
    for case in made:
        assert case.text[slice(*case.at)] == case.claim
        assert case.label == (case.family in CONTROLS or case.family == TRUE)
        if case.family in ("untouched", TRUE):
            assert any(case.claim in passage for passage in case.passages)
        if case.family not in (*CONTROLS, TRUE, "frames"):
            assert not any(case.claim in passage for passage in case.passages)
    assert list(cases(data)) == made
    assert {case.document for case in cases(data, 1)} < {case.document for case in made}


def test_a_text_that_is_there_twice_is_read_once(data):
    assert [len(sources) for sources in sources_of(data, 0)] == [0, 5, 1]


def test_counts_and_the_command(data, capfdbinary):
    measured = count(cases(data))
    text = measured.as_text()
    for half in {case.half for case in cases(data)}:
        counts = measured.as_values()[half]
        noticed, _, of = counts["traps"]["absurd"]["alone"]
        assert noticed == of > 0
        kept, of = counts["controls"]["untouched"]
        assert kept == of > 0
    assert "between" in text
    assert run_eval("traps", str(data), None, None, 2, as_json=True) == 0
    assert set(json.loads(capfdbinary.readouterr().out)) == {*HALVES, "examples"}
