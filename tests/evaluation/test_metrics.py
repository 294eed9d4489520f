import pytest
from sets.shared_metrics import exact_match, page_hit, token_f1

from spanwise.evaluation.metrics import auroc, calibration_error, contains_words, mean, percentile, word_share


@pytest.mark.parametrize(
    ("answer", "golds", "expected"),
    [
        ("The U.S. Army", ["us army"], 1.0),
        ("Denmark, Iceland", ["Denmark"], 0.0),
        ("Norway", ["Denmark", "norway."], 1.0),
        ("", [], 1.0),
        ("something", [], 0.0),
    ],
)
def test_exact_match_ignores_case_punctuation_and_articles(answer, golds, expected):
    assert exact_match(answer, golds) == expected


@pytest.mark.parametrize(
    ("answer", "golds", "expected"),
    [
        ("in the 10th century", ["10th century"], 0.8),  # 2 of 3 words right, 2 of 2 found: 2 * 2/3 / (5/3)
        ("red red blue", ["red green"], 0.4),  # a word counts as often as both have it: 1/3 and 1/2
        ("blue", ["red", "dark blue"], 2 / 3),  # the best gold: 1 and 1/2
        ("blue", ["red"], 0.0),
        ("the", ["red"], 0.0),
        ("", [], 1.0),
    ],
)
def test_f1_by_hand(answer, golds, expected):
    assert token_f1(answer, golds) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("They came from Denmark, Iceland and Norway.", "Denmark, Iceland and Norway", True),
        ("They came from Norway and Denmark.", "Denmark and Norway", False),
        ("category", "cat", False),
        ("anything", "the", False),
    ],
)
def test_contained_words_stand_together(answer, gold, expected):
    assert contains_words(answer, gold) is expected


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("a single overwrite pass hinders recovery", "a single overwrite pass", 1.0),
        ("The model has five characteristics.", "5", 1.0),
        ("pass", "single overwrite passes", 1 / 3),
        ("nothing", "to be", 0.0),
        ("it is to be done", "to be", 1.0),  # without content words the words themselves
    ],
)
def test_word_share_by_hand(answer, gold, expected):
    assert word_share(answer, gold) == pytest.approx(expected)


def test_word_share_leaves_out_what_the_question_says():
    gold = "Boeing's customers are airlines and the government"
    assert word_share("Boeing has customers.", gold, without="Who are Boeing's customers?") == 0
    assert word_share("airlines", gold, without="Who are Boeing's customers?") == 0.5


@pytest.mark.parametrize(
    ("hits", "k", "expected"),
    [([(1,), (2, 3)], 1, False), ([(1,), (2, 3)], 5, True), ([], 5, False)],
)
def test_a_passage_over_a_page_break_hits_both_pages(hits, k, expected):
    assert page_hit(hits, (3, 9), k) is expected


@pytest.mark.parametrize(
    ("scores", "labels", "expected"),
    [
        ([0.9, 0.8, 0.1], [True, True, False], 1.0),
        ([0.1, 0.9], [True, False], 0.0),
        ([0.5, 0.5, 0.5], [True, False, False], 0.5),
        ([0.9, 0.4, 0.6, 0.4], [True, True, False, False], 0.625),  # pairs: 1, 1, 0, 1/2
        ([0.9, 0.4], [True, True], None),
    ],
)
def test_auroc_by_hand(scores, labels, expected):
    assert auroc(scores, labels) == expected


@pytest.mark.parametrize(("share", "expected"), [(0.5, 2), (0.95, 4), (0.0, 1), (0.75, 3)])
def test_percentile_is_the_nearest_rank(share, expected):
    assert percentile([4, 1, 3, 2], share) == expected


def test_nothing_has_no_average():
    assert mean([]) is None
    assert percentile([], 0.5) is None


@pytest.mark.parametrize(
    ("confidences", "right", "error"),
    [
        ([1.0, 0.0], [True, False], 0.0),
        ([0.9, 0.3], [True, False], 0.2),
        ([0.9, 0.9, 0.9, 0.9], [True, True, False, False], 0.4),
        ([], [], None),
    ],
)
def test_calibration_error(confidences, right, error):
    assert calibration_error(confidences, right) == (error if error is None else pytest.approx(error))
