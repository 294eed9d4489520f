import threading

import pytest

from spanwise.errors import WorkStoppedError
from spanwise.extraction.fields import fields_of_questions
from spanwise.serving.cancellation import Stop, check_watched

QUESTION = "What is the late fee?"


class Counted(Stop):
    """Is asked to end when it was looked at so many times; without a number, never."""

    def __init__(self, looks: int | None = None) -> None:
        super().__init__()
        self.looks = 0
        self._most = looks

    def check(self) -> None:
        self.looks += 1
        if self.looks == self._most:
            self.ask()
        super().check()


def asked(library, stop):
    library.ask(QUESTION, stop=stop)


def verified(library, stop):
    library.verify("The late fee is 1.5% a month. Invoices are sent. It ends.", stop=stop)


def extracted(library, stop):
    library.extract(fields_of_questions([QUESTION]), stop=stop)


@pytest.mark.parametrize(("work", "least"), [(asked, 10), (verified, 6), (extracted, 10)])
def test_work_looks_often_whether_it_is_to_stop_and_stops_at_every_look(library, put, work, least):
    put(library, "terms.txt")
    work(library, Counted())  # what is read of a document once is looked up the second time
    whole = Counted()
    work(library, whole)
    assert whole.looks >= least
    for looks in range(1, whole.looks + 1):
        with pytest.raises(WorkStoppedError):
            work(library, Counted(looks))


def test_a_stopped_question_is_not_kept_and_spoils_no_other(library, put):
    put(library, "terms.txt")
    with pytest.raises(WorkStoppedError):
        library.ask(QUESTION, stop=Counted(20))
    assert library.history.newest() == ()
    assert "1.5%" in library.ask(QUESTION).text


def test_who_reads_a_stream_is_not_watched_with_it(library, put):
    entry = put(library, "terms.txt")
    stop = Stop()
    events = library.stream(QUESTION, stop=stop)
    next(events)
    stop.ask()
    check_watched()
    assert library.lines(entry.id, 1, 1)
    with pytest.raises(WorkStoppedError):
        next(events)


def test_each_thread_watches_its_own(library, put):
    put(library, "terms.txt")
    stop = Stop()
    with stop.watched():
        stop.ask()
        with pytest.raises(WorkStoppedError):
            check_watched()
        other: list[str] = []
        thread = threading.Thread(target=lambda: other.append(library.ask(QUESTION).text))
        thread.start()
        thread.join()
        assert "1.5%" in other[0]
    check_watched()


def test_a_long_verification_looks_at_every_sentence_whether_it_is_to_stop(library):
    sentence, sentences = "The cat sat on the mat. ", 100
    whole = Counted()
    library.verify(sentence * sentences, passages=[sentence], stop=whole)
    assert whole.looks >= sentences
    with pytest.raises(WorkStoppedError):  # half a minute where nobody looks
        library.verify(sentence * 2_000, passages=[sentence * 20_000], stop=Counted(10))
