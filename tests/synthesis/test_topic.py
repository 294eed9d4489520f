import pytest

from spanwise.domain.passage import Hit, Passage
from spanwise.domain.question import Question
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.lists import Element
from spanwise.synthesis.extractive.topic import ENOUGH, judged, on_topic
from spanwise.text.reading import read_passage

PASSAGE = Passage("a:1-1", "a", 1, 1, 1, "Acme makes anvils of iron.")
LITTLE, MUCH = Hit(PASSAGE, 1.0, {"words": 0.1}), Hit(PASSAGE, 1.0, {"words": 1.0, "page_words": 1.0})


def sentence(relevance: float) -> Candidate:
    [read] = read_passage(PASSAGE).sentences
    return Candidate(PASSAGE, (Element(read.text, 1, 1),), relevance, relevance, 0.3, read)


def listing(relevance: float) -> Candidate:
    return Candidate(PASSAGE, (Element("one", 1, 1), Element("two", 1, 1)), relevance, 1 + relevance)


def test_more_of_the_question_is_likelier():
    assert 0 < on_topic([]) < on_topic([LITTLE]) < ENOUGH < on_topic([LITTLE, MUCH]) < 1


def test_the_best_sentence_of_a_filing_answers_when_its_passages_speak_of_the_question():
    best, other = judged(Question("?", profile="filings"), [MUCH], [sentence(0.02), sentence(0.01)])
    assert best.answers
    assert best.relevance == pytest.approx(2 * other.relevance, abs=1e-3)


def test_it_does_not_when_they_speak_of_something_else():
    [only] = judged(Question("?", profile="filings"), [LITTLE], [sentence(0.9)])
    assert not only.answers


def test_a_list_that_does_not_answer_stands_before_nothing():
    good, bad = listing(0.9), listing(0.1)
    assert judged(Question("?", profile="filings"), [MUCH], [good, bad]) == [good]


@pytest.mark.parametrize("profile", [None, "contracts"])
def test_other_documents_are_judged_by_their_sentences(profile):
    candidates = [sentence(0.4), listing(0.1)]
    assert judged(Question("?", profile=profile), [LITTLE], candidates) == candidates
