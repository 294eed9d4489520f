import pytest
from every import every

from spanwise.text.expectations.defining import asked_subject, asked_term, defines, glossed, named_alone, states


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What is a Baseline Configuration?", "Baseline Configuration"),
        ("What does partial sanitization mean?", "partial sanitization"),
        ("What is the definition of \u201cEffective Date\u201d?", "Effective Date"),
        ("How is confidentiality defined?", "confidentiality"),
        ("Define Contract Year.", "Contract Year"),
        ("What is Software as a Service?", "Software as a Service"),
        ("What is the price of cloud storage?", None),
        ("What is the late fee?", None),
        ("What offers a conceptual definition of force?", None),
        ("What are the four phases?", None),
        ("Who defines a baseline?", None),
        ("What does it mean to decommission a pump?", "decommission a pump"),
        ("What is resource pooling in cloud computing?", None),
    ],
)
def test_what_is_asked_to_be_defined(question, subject):
    assert asked_subject(question) == subject


@every(
    ("subject", "sentence", "said"),
    [
        ("baseline configuration", "A Baseline Configuration is a state of the settings on which all agree.", True),
        ("configuration item", "A Configuration Item (CI) is a part that is changed by itself.", True),
        ("partial sanitization", "It supports partial sanitization, a technique where a subset is sanitized.", True),
        ("Day", "\u201cDay\u201d or \u201cDaily\u201d shall mean a period commencing at 9:00 a.m.", True),
        ("PaaS", "PaaS stands for Platform as a Service.", True),
        ("X-Pause-After", "**X-Pause-After** - Seconds until the pump starts again.", True),
        ("X-Pause-After", "X-Pause-After: 12", False),
        ("baseline configuration", "When a baseline configuration is approved, it is archived.", False),
        ("baseline configuration", "The baseline is a configuration of many.", False),
        ("Fitting Kit", 'The "Fitting Kit" for a pump in a sealed housing means all the parts that hold it.', True),
        ("Sealed Pump", '"Fitting Kit" for a Sealed Pump means all the parts that hold it.', False),
        ("Sealed Pump", 'A "Sealed Pump" is either a wet pump or a dry one.', True),
        ("Sealed Pump", "The price of the Sealed Pump is the sum that both agree on.", False),
        ("Sealed Pump", "The works rely on a sealed pump, a device that keeps water out.", True),
        ("prime", 'To "prime" a pump means to fill it with water.', True),
        ("sump", 'A pit under the floor that gathers water is called a "sump" where it has a pump.', True),
        ("", "Nothing is a thing.", False),
    ],
)
def test_what_a_sentence_says(subject, sentence, said):
    assert defines(subject, sentence) is said


@pytest.mark.parametrize(
    ("subject", "sentence", "alone"),
    [
        ("hybrid cloud", "Hybrid cloud.", True),
        ("Software as a Service", "Software as a Service (SaaS).", True),
        ("SaaS", "Software as a Service (SaaS).", True),
        ("community cloud", "Community cloud:", True),
        ("cloud", "Hybrid cloud.", False),
        ("hybrid cloud", "A hybrid cloud costs more.", False),
        ("degaussing", "Degaussing Described.", False),
        ("a hybrid cloud", "The hybrid clouds:", True),
        ("hybrid cloud", "", False),
        ("hybrid cloud", "(" * 119, False),
        ("hybrid cloud", "hybrid cloud" + " " * 500_000 + "x", False),
        ("-k", "-k, --keep=PLACE", True),
        ("--keep", "-k, --keep=PLACE", True),
        ("-e", "-k, --keep", False),
        ("keep", "-k, --keep", False),
    ],
    ids=range(15),
)
def test_a_name_that_stands_alone(subject, sentence, alone):
    assert named_alone(subject, sentence) is alone


@pytest.mark.parametrize(
    ("subject", "row", "said"),
    [
        ("degauss", "Degauss  To reduce the magnetic flux to", "To reduce the magnetic flux to"),
        ("CE", "Cryptographic Erase (CE)  A method of sanitization", "A method of sanitization"),
        ("revenue", "Revenue  $ 46,298  $ 51,761  $ 47,262", ""),
        ("segment", "Segment  Domestic stores  International stores  Total", ""),
        ("erase", "Cryptographic Erase  A method of sanitization", ""),
        ("degauss", "Degauss To reduce the magnetic flux to", ""),
        ("degauss", "Degauss  See below.", ""),
    ],
)
def test_what_a_row_of_a_glossary_says(subject, row, said):
    assert glossed(subject, row) == said


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is the surge residual?", "surge residual"),
        ("Who is the landlord?", "landlord"),
        ("How much is the deposit?", "deposit"),
        ("What is the price of coal?", None),
        ("Who is the owner in the lease?", None),
        ("What is a mooring?", None),
        ("What does the -k flag do?", "-k"),
        ("What do the operators do?", "operators"),
        ("What is the group audio for?", "audio"),
        ("What is the red button used for?", "red"),
        ("What does the tenant do in winter?", None),
    ],
)
def test_a_term_that_a_question_takes_as_known(question, term):
    assert asked_term(question) == term


@pytest.mark.parametrize(
    ("term", "sentence", "laid_down"),
    [
        ("rent", "Rent means 400 crowns a month.", True),
        ("rent", "2.2 Rent. The sum that the tenant pays.", True),
        ("landlord", "Orla Finch, of 3 Mill Lane (the Landlord); and", True),
        ("tenant", "Orla Finch, of 3 Mill Lane (the Landlord); and", False),
        ("rent", "The rent is due on Monday.", False),
        ("rent", "The deposit means three months of rent.", False),
    ],
)
def test_a_sentence_that_lays_a_term_down(term, sentence, laid_down):
    assert states(term, sentence) is laid_down
