from sets.shared_metrics import standard_figures

from spanwise.evaluation.cases import Row


def row(id: str, *, answerable: bool, decision: str, right: bool, score: float = 0.0, **metrics: object) -> Row:
    return Row(
        set="nist",
        part="questions",
        id=id,
        document="d",
        question="?",
        answerable=answerable,
        kind="span",
        tags=(),
        gold=("x",) if answerable else (),
        gold_pages=(),
        decision=decision,
        text="",
        confidence=score,
        score=score,
        pages=(),
        seconds=float(id),
        metrics={"right": right, **metrics},
    )


ROWS = [
    row("1", answerable=True, decision="ship", right=True, score=0.9, words=10, contained=True),
    row("2", answerable=True, decision="not_found", right=False, score=0.2, contained=False),
    row("3", answerable=False, decision="not_found", right=True, score=0.1),
    row("4", answerable=False, decision="ship", right=False, score=0.5, words=30),
    row("5", answerable=False, decision="clarify", right=True, score=0.0),
]


def figure(name: str, rows: list = ROWS):
    return next(figure for figure in standard_figures(rows, "questions") if figure.name == name)


def test_abstention_stands_beside_the_system_that_is_always_silent():
    found = figure("right or rightly silent")
    assert (found.value, found.n, found.always_silent) == (0.6, 5, 0.6)


def test_silence_has_precision_and_recall():
    assert figure("silent precision").value == 2 / 3
    assert figure("silent recall").value == 2 / 3


def test_answerable_or_not_is_ranked_by_the_score():
    assert figure("AUROC answerable").value == 5 / 6  # 0.9 beats three, 0.2 beats two


def test_length_counts_answers_and_time_counts_questions():
    assert (figure("words an answer, median").value, figure("words an answer, median").n) == (10, 2)
    assert (figure("seconds a question, median").value, figure("seconds a question, p95").value) == (3, 5)


def test_what_was_not_measured_is_left_out():
    assert "gold page hit@1" not in {figure.name for figure in standard_figures(ROWS, "questions")}


def test_an_error_is_not_silence():
    rows = [*ROWS, row("6", answerable=False, decision="error", right=False)]
    assert figure("silent recall", rows).value == 0.5
