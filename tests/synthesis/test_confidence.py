import pytest

import spanwise
from spanwise.questions.parse import parse_question, parse_with
from spanwise.synthesis.extractive.closer import LOOK, whole
from spanwise.synthesis.extractive.closer import look as close_look
from spanwise.synthesis.extractive.confidence import fitted, may_have_rival, probability
from spanwise.synthesis.extractive.evidence import MOST, NAMES, Asked, measure, shortlist
from spanwise.text.reading import read_passage, stem_weights


@pytest.fixture(scope="module")
def look(tmp_path_factory):
    """Features of the first sentence of a text for a question, by name, and how likely it is right."""
    folder = tmp_path_factory.mktemp("texts")

    def look(question, text):
        path = folder / "a.txt"
        path.write_text(text)
        document = spanwise.read(path)
        with spanwise.Corpus.of([document]) as corpus:
            readings = [read_passage(one) for one in corpus.passages("a.txt", 1, len(document.lines))]
        parsed = parse_question(question)
        asked = Asked.of(parsed, stem_weights(parsed.stems, readings), readings)
        row = measure(asked, readings[0], 0, rank=0, score=1.0, choice=1)
        models = fitted()
        [closer] = close_look(asked, readings, [(0, 0)], [row], [models.ranking.logit(row)])
        right = models.being_right.logit((*closer, *whole(question, [models.choosing.logit(closer)])))
        return dict(zip(LOOK, closer, strict=True)) | {"confidence": probability(right)}

    return look


def test_a_sentence_that_speaks_of_all_is_likelier_than_one_of_something_else(look):
    question = "Who opened the harbour museum in 1932?"
    whole = look(question, "The harbour museum was opened in 1932 by Anna Keller.\n")
    part = look(question, "The old museum shop sells tea and small models.\n")
    assert whole["own"] > part["own"]
    assert whole["confidence"] > part["confidence"] + 0.2


def test_a_number_of_the_question_that_the_text_lacks_speaks_against_it(look):
    text = "The harbour museum was opened in 1932 by Anna Keller.\n"
    assert look("Who opened the harbour museum in 1951?", text)["numbers"] == 1
    wrong, right = look("Who opened the harbour museum in 1951?", text), look("Who opened it in 1932?", text)
    assert wrong["confidence"] < right["confidence"]


def test_initials_stand_for_a_name(look):
    features = look("How long does Cryptographic Erase take?", "Usually CE may take less than one second.\n")
    assert features["own"] == 1
    assert features["typed"] == 1


def test_a_pronoun_is_read_with_what_comes_before(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Public cloud. The service is open. It exists on the premises of the provider.\n")
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        [reading] = [read_passage(one) for one in corpus.passages("a.txt", 1, 1)]
    question = parse_question("Where does a public cloud exist?")
    asked = Asked.of(question, stem_weights(question.stems, [reading]), [reading])
    at = len(reading.sentences) - 1
    features = dict(zip(NAMES, measure(asked, reading, at, rank=0, score=1.0, choice=3), strict=True))
    assert features["pronoun"] == 1
    assert features["spoken_of"] > 0


def test_only_so_many_sentences_are_looked_at_closely(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(" ".join(f"The fee number {at} is due soon." for at in range(200)))
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        readings = [read_passage(hit.passage) for hit in corpus.search("fee", k=20)]
    question = parse_question("What is the fee?")
    asked = Asked.of(question, stem_weights(question.stems, readings), readings)
    assert len(shortlist(asked, readings, [1.0] * len(readings))) <= MOST


def test_opposites_speak_against_a_sentence(look):
    text = "The highest tower of the town stands in the north of the harbour.\n"
    assert look("Where does the highest tower of the town stand?", text)["opposed"] == 0
    assert look("Where does the lowest tower of the town stand?", text)["opposed"] == 1
    assert look("Where is the unknown tower of the town?", "The known tower of the town is old.\n")["opposed"] == 1


@pytest.mark.parametrize(
    ("question", "may"),
    [
        ("Who opened the harbour museum?", True),
        ("When was the harbour museum opened?", False),
        ("What are the three parts of the collection?", False),
    ],
)
def test_two_sentences_only_where_words_are_asked_for(question, may):
    assert may_have_rival(parse_with(question, [])) is may
