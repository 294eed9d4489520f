import pytest

from spanwise import parse_question
from spanwise.domain.question import SentenceModel
from spanwise.questions.profiles import SHIPPED, ProfileError, load_profile
from spanwise.text.passage_reading import sentence_features
from spanwise.text.terms import terms

LEASES = """
name = "leases"
[[intent]]
name = "rent"
cues = ["monthly rent"]
sections = ["Rent"]
terms = ["payable in advance"]
type = "amount"
[synonyms]
"tenant" = ["lessee"]
"""


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_profiles_load_and_every_cue_can_match(name):
    profile = load_profile(name)
    assert profile.name == name
    assert all(cue for intent in profile.intents for cue in intent.cues)
    assert len({intent.name for intent in profile.intents}) == len(profile.intents)


def test_every_fitted_intent_of_contracts_has_its_model():
    fitted = [intent for intent in load_profile("contracts").intents if intent.asks]
    assert len(fitted) == 41
    assert all(intent.model is not None for intent in fitted)


@pytest.mark.parametrize(
    ("intent", "answers", "does_not"),
    [
        (
            "governing_law",
            "The laws of the State of Ohio govern this Agreement and how it is construed.",
            "The laws of motion were found by Newton.",
        ),
        (
            "anti_assignment",
            "Neither party may assign this Agreement unless the other has given its prior written consent.",
            "The assigned reading is chapter four.",
        ),
        (
            "insurance",
            "Vendor shall maintain commercial general liability insurance of at least $1,000,000 per occurrence.",
            "Vendor shall maintain the equipment in good working order.",
        ),
    ],
)
def test_models_know_how_answers_speak(intent, answers, does_not):
    [model] = [one.model for one in load_profile("contracts").intents if one.name == intent]
    assert model is not None
    yes, no = (model.logit(sentence_features(terms(text), (), 100)) for text in (answers, does_not))
    assert yes > 0 > no
    assert model.logit(()) == model.bias


def test_a_user_adds_a_profile_as_a_file(tmp_path):
    path = tmp_path / "leases.toml"
    path.write_text(LEASES)
    question = parse_question("What is the monthly rent of the tenant?", profile=str(path))
    assert (question.intent, question.profile, question.answer_type) == ("rent", "leases", "amount")
    assert question.retrieval_brief.sections == ("Rent",)
    assert set(question.retrieval_brief.expansions) == {"lessee", "payable in advance"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("name = ", "is not a profile"),
        ("title = 'no name'", "is not a profile"),
        ("name = 'x'\n[[intent]]\nname = 'y'\ncues = 'not a list'", "'cues' has to be a list of texts"),
        ("name = 'x'\n[[intent]]\nname = 'y'\nshape = 'round'", "choose single, listing or table"),
        ("name = 'x'\n[synonyms]\ntenant = 'lessee'", "'tenant' has to be a list of texts"),
        ("name = 'x'\nsynonyms = ['lessee']", "is not a profile"),
        ("name = 'x'\ndetect = ['lease']", "is not a profile"),
    ],
)
def test_a_file_that_is_no_profile_is_refused(tmp_path, content, sentence):
    path = tmp_path / "bad.toml"
    path.write_text(content)
    with pytest.raises(ProfileError, match=sentence):
        load_profile(str(path))


@pytest.mark.parametrize("name", ["nothing", "missing.toml"])
def test_an_unknown_profile_is_refused(name):
    with pytest.raises(ProfileError, match=r"there is no profile|cannot be read"):
        load_profile(name)


def test_what_a_sentence_model_says_does_not_depend_on_the_order_of_features() -> None:
    """Features are sets, and their order differs between processes."""
    model = SentenceModel(0.0, {"a": 1e16, "b": 1.0, "c": -1e16})
    orders = [model.logit(order) for order in (("a", "b", "c"), ("b", "a", "c"), ("a", "c", "b"))]
    assert orders == [orders[0]] * 3
    assert orders[0] > 0
