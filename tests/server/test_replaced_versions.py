"""Over HTTP too: one question, one state; and a version that was replaced is told, not shown as if it were cited."""

import hashlib
import threading

import pytest
from server_cases import CONTRACT, QUESTION, Client, post, put, running

BASE = "/v1/corpora/default"
SHIFTED = CONTRACT.replace("1. Payment", "0. Scope\n\nThis is about services.\n\n1. Payment").replace("1.5%", "2.5%")


def test_lines_pages_and_file_of_a_version_that_was_replaced(client: Client, library, contract):
    asked = client.post(f"{BASE}/ask", json={"question": QUESTION}).json()
    version = asked["meta"]["versions"]["contract.txt"]
    place = f"{BASE}/documents/{contract.id}"
    paths = (f"{place}/lines", f"{place}/pages/1", f"{place}/file")
    assert version == contract.sha256
    assert [client.get(path, params={"version": version}).status_code for path in paths] == [200, 200, 200]
    put(library, "contract.txt", SHIFTED.encode())
    for path in paths:
        assert client.get(path).status_code == 200
        problem = client.get(path, params={"version": version})
        assert (problem.status_code, problem.json()["code"]) == (409, "document_replaced")
        assert "was replaced since" in problem.json()["detail"]
    assert client.get(paths[0], params={"version": "x"}).status_code == 422


def test_a_highlight_of_a_version_that_was_replaced(client: Client, library, paper, lease_pdf):
    asked = client.post(f"{BASE}/ask", json={"question": "What is cloud computing?"}).json()
    place = f"{BASE}/results/{asked['trace_id']}/highlight/{paper.id}"
    assert client.get(place).status_code == 200
    put(library, "standard.pdf", lease_pdf)
    problem = client.get(place)
    assert (problem.status_code, problem.json()["code"]) == (409, "document_replaced")


@pytest.mark.enable_socket
def test_questions_while_everything_is_replaced_removed_and_renamed(library):
    """The large one is `make campaign`."""
    versions = [CONTRACT, SHIFTED, f"A remark.\n\n{CONTRACT}", "Nothing of it.\n"]
    known: dict[str, list[str]] = {}
    ended = threading.Event()

    def add(name, text):
        known[hashlib.sha256(text.encode()).hexdigest()] = text.split("\n")
        return put(library, name, text.encode())

    add("contract.txt", CONTRACT)

    def change():
        at = 0
        while not ended.is_set():
            at += 1
            add("contract.txt", versions[at % 3])
            gone = add(f"passing-{at % 2}.txt", f"{versions[at % 4]}\nCopy {at}.")
            ended.wait(0.01)
            library.remove(gone.id)

    changing = threading.Thread(target=change)
    with running([library]) as address:
        changing.start()
        try:
            answers = [post(f"{address}{BASE}/ask", json={"question": QUESTION}) for _ in range(25)]
        finally:
            ended.set()
            changing.join()
    assert {answer.status_code for answer in answers} == {200}
    for answer in [one.json() for one in answers]:
        assert answer["decision"] in ("ship", "clarify")  # versions of two documents may contradict each other
        for one in answer["citations"]:
            lines = known[answer["meta"]["versions"][one["document"]]]
            assert one["quote"] == "\n".join(lines[one["line_start"] - 1 : one["line_end"]])
