"""What is read of a document is read once, and again where another document has its name."""

import spanwise
from spanwise.store.port import remembered


def test_a_document_is_read_once_and_again_when_it_is_another_one():
    read = []

    @remembered
    def opening(name, store):
        read.append(name)
        return store.passages(name)[0].text

    with spanwise.Corpus.of([]) as corpus:
        for text in ("The fee is 5 euros.", "The fee is 9 euros.", "The fee is 5 euros."):
            corpus.put(spanwise.read(text.encode(), name="a.txt"), spanwise.read(b"Nothing else.", name="b.txt"))
            with corpus.snapshot() as store:
                assert [opening("a.txt", store) for _ in range(3)] == [text] * 3
                assert opening("b.txt", store) == "Nothing else."
    assert read == ["a.txt", "b.txt", "a.txt", "a.txt"]
