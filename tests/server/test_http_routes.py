import csv
import io
import re
import threading

import openpyxl
import pytest
from server_cases import CONTRACT, QUESTION, Client, put

from spanwise.contract.record import ResultRecord
from spanwise.export.formats import FORMATS
from spanwise.extraction.sinks import csv_bytes, side_by_side, xlsx_bytes
from spanwise.llm.scripted import ScriptedModel
from spanwise.server.app import PAGE, create_app
from spanwise.server.routes import documents as routes
from spanwise.server.routes import questions as checking
from spanwise.server.shared import json_text
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library

BASE = "/v1/corpora/default"


def ask(client: Client, question: str = QUESTION, **more) -> dict:
    response = client.post(f"{BASE}/ask", json={"question": question, **more})
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.usefixtures("contract")
def test_a_policy_can_be_chosen_and_has_to_exist(client):
    assert ask(client, policy="strict")["decision"] == "ship"
    refused = client.post(f"{BASE}/ask", json={"question": QUESTION, "policy": "loose"})
    assert refused.status_code == 422


@pytest.mark.usefixtures("contract")
def test_a_question_is_limited_to_a_place_and_that_has_to_exist(client):
    last = ask(client, scope={"first_line": 1})["citations"][0]["line_start"]
    assert ask(client, scope={"last_line": last - 1})["decision"] == "not_found"
    for wrong in ({"first_line": 0}, {"first_page": 3, "last_page": 2}, {"first_line": 999}):
        assert client.post(f"{BASE}/ask", json={"question": QUESTION, "scope": wrong}).status_code == 422


def test_health_and_readiness(client):
    assert client.get("/v1/health").json() == {"status": "ok"}
    assert client.get("/v1/ready").status_code == 503  # nobody has started it
    assert client.get("/v1/ready").headers["retry-after"] == "1"


@pytest.mark.usefixtures("contract")
def test_corpora_are_listed(client):
    told = {"name": "default", "title": "default", "documents": 1, "model": None, "mode": "extractive"}
    assert client.get("/v1/corpora").json() == {"corpora": [told | {"removable": False}], "operator": True}


def test_upload_list_read_and_remove(client, standard):
    job = client.upload("paper.pdf", standard.read_bytes())
    document = job["document"]
    assert (job["state"], job["kind"], document["name"], document["pages"]) == ("done", "ingest", "paper.pdf", 8)
    assert client.get(f"{BASE}/documents").json() == {"documents": [document]}
    place = f"{BASE}/documents/{document['id']}"
    detail = client.get(place).json()
    assert {key: detail[key] for key in document} == document
    assert [page["number"] for page in detail["page_list"]] == list(range(1, 9))
    assert "1 Scope" in [section["title"] for section in detail["sections"]]
    first = client.get(f"{place}/lines", params={"last": 2}).json()["lines"]
    assert [line["number"] for line in first] == [1, 2]
    assert first[0]["box"]["page"] == 1
    page = client.get(f"{place}/pages/2").json()
    assert {line["page"] for line in page["lines"]} == {2}
    assert client.get(f"{place}/pages/9").json()["code"] == "page_not_found"
    assert client.delete(place).status_code == 204
    assert client.get(place).status_code == 404
    assert client.delete(place).json()["code"] == "document_not_found"


def test_file_is_served_whole_and_in_ranges(client, paper, standard):
    place = f"{BASE}/documents/{paper.id}/file"
    whole = client.get(place)
    assert whole.content == standard.read_bytes()
    assert whole.headers["content-type"] == "application/pdf"
    assert whole.headers["content-disposition"] == "inline; filename*=UTF-8''standard.pdf"
    assert "sandbox" in whole.headers["content-security-policy"]
    part = client.get(place, headers={"range": "bytes=0-4"})
    assert (part.status_code, part.content) == (206, b"%PDF-")
    for asked, status in (("bytes=999999-", 416), ("bytes=5-1", 400), ("lines=1-2", 400)):
        problem = client.get(place, headers={"range": asked})
        assert problem.json()["status"] == problem.status_code == status


def test_what_is_no_pdf_is_a_download(client, library):
    entry = put(library, "<b>.html", b"<!doctype html><script>alert(1)</script><p>Some words stand here.</p>")
    response = client.get(f"{BASE}/documents/{entry.id}/file")
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''%3Cb%3E.html"
    assert response.headers["x-content-type-options"] == "nosniff"


def test_file_that_goes_while_it_is_asked_for(client, library, paper, monkeypatch):
    gone = library.file(paper.id)
    gone.unlink()
    monkeypatch.setattr(library, "file", lambda _: gone)
    assert client.get(f"{BASE}/documents/{paper.id}/file").json()["code"] == "file_gone"


def test_half_a_character_of_a_model_does_no_harm(tmp_path):
    model = ScriptedModel(["A late fee of 1.5% per month will apply to any outstanding balance \ud800 [1]."] * 5)
    with Library.open(tmp_path / "corpus.db", model=model, mode="compact") as library:
        put(library, "contract.txt", CONTRACT.encode())
        client = Client(create_app([library]))
        trace = ask(client)["trace_id"]
        for path in ("", "/trace", "/as/markdown", "/as/html", "/as/w3c"):
            assert client.get(f"{BASE}/results/{trace}{path}").status_code == 200, path
        streamed = client.post(f"{BASE}/ask", json={"question": QUESTION}, headers={"accept": "text/event-stream"})
        assert "event: result" in streamed.text
        completion = {"model": "spanwise", "messages": [{"role": "user", "content": QUESTION}]}
        for told in (False, True):
            completed = client.post("/v1/chat/completions", json=completion | {"stream": told})
            assert "balance \\ud800" in completed.text


def test_file_that_changed_is_not_served(client, library, paper):
    library.file(paper.id).write_bytes(b"something else")
    assert client.get(f"{BASE}/documents/{paper.id}/file").json()["code"] == "file_gone"


@pytest.mark.usefixtures("contract")
def test_answer_is_the_published_record(client, library):
    told = ask(client)
    assert ResultRecord.model_validate(told).decision == "ship"
    result = library.history.result(told["trace_id"])
    assert told["text"] == result.text
    assert told == client.get(f"{BASE}/results/{told['trace_id']}").json()


def test_questions_about_some_documents(client, library, contract):
    other = put(library, "other.txt", b"The late fee is 99 dollars, says this one.")
    assert "99 dollars" in ask(client, documents=[other.id])["text"]
    assert "1.5%" in ask(client, documents=[contract.id], shape="single")["text"]
    assert ask(client, "Who discovered penicillin in London?")["decision"] == "not_found"


@pytest.mark.usefixtures("contract")
def test_history_trace_and_forgetting(client):
    first, second = ask(client)["trace_id"], ask(client, "When is payment due?")["trace_id"]
    history = client.get(f"{BASE}/results").json()["results"]
    assert [one["id"] for one in history] == [second, first]
    older = client.get(f"{BASE}/results", params={"before": second, "limit": 5}).json()["results"]
    assert [one["id"] for one in older] == [first]
    assert client.get(f"{BASE}/results/{first}/trace").json()["id"] == first
    assert client.delete(f"{BASE}/results/{first}").status_code == 204
    assert client.get(f"{BASE}/results/{first}").json()["code"] == "answer_not_found"


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.usefixtures("paper")
def test_answer_in_other_forms(client, library, format):
    trace = ask(client, "What is exact time?")["trace_id"]
    response = client.get(f"{BASE}/results/{trace}/as/{format}")
    made = library.history.result(trace).to(format)
    assert (response.text if isinstance(made, str) else response.json()) == made
    if format == "html":
        assert "sandbox" in response.headers["content-security-policy"]


def test_highlighted_copy(client, paper, contract):
    trace = ask(client, "What is exact time?")["trace_id"]
    response = client.get(f"{BASE}/results/{trace}/highlight/{paper.id}")
    assert response.content.startswith(b"%PDF")
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["content-disposition"] == "inline; filename*=UTF-8''standard-highlighted.pdf"
    problem = client.get(f"{BASE}/results/{trace}/highlight/{contract.id}").json()
    assert (problem["status"], problem["code"]) == (409, "highlight")


def test_lines_come_in_portions(client, library, monkeypatch):
    monkeypatch.setattr(routes, "CHARACTERS", 10_000)
    text = "\n".join(["short", "a" * 6_000, "b" * 6_000, "c" * 15_000, "end"])
    entry = put(library, "wide.txt", text.encode())
    place = f"{BASE}/documents/{entry.id}/lines"
    portions, first = [], 1
    while first is not None:
        portion = client.get(place, params={"first": first}).json()
        assert sum(len(line["text"]) for line in portion["lines"]) <= 10_000
        portions.append([(line["number"], line["left_out"]) for line in portion["lines"]])
        first = portion["next"]
    assert portions == [[(1, 0), (2, 0)], [(3, 0)], [(4, 5_000)], [(5, 0)]]
    assert client.get(place, params={"last": 2}).json()["next"] is None
    assert client.get(place, params={"first": 9}).json() == {"lines": [], "next": None}
    page = client.get(f"{BASE}/documents/{entry.id}/pages/1").json()
    assert ([line["number"] for line in page["lines"]], page["next"]) == ([1, 2], 3)


def test_no_more_than_2000_lines_at_once(client, library):
    entry = put(library, "long.txt", b"line\n" * 2_500)
    portion = client.get(f"{BASE}/documents/{entry.id}/lines").json()
    assert (len(portion["lines"]), portion["next"]) == (2_000, 2_001)


def test_verification(client, contract):
    text = "A late fee of 9% per month will apply."
    report = client.post(f"{BASE}/verify", json={"text": text, "documents": [contract.id]}).json()
    assert not report["supported"]
    assert report["findings"][0]["kind"] == "number_changed"
    passages = ["The fee is nine.", {"text": text, "chunk_id": "c9"}, {"content": "Nothing.", "page_num": 3}]
    report = client.post(f"{BASE}/verify", json={"text": text, "passages": passages, "question": QUESTION}).json()
    assert report["supported"]
    assert [passage["passage_id"] for passage in report["passages"]][1] == "c9"


def test_a_text_that_is_too_long_is_not_verified(client):
    given = {"passages": ["The fee is nine."]}
    response = client.post(f"{BASE}/verify", json={"text": "a" * 200_001, **given})
    assert response.status_code == 422
    assert response.json()["detail"] == "body.text: String should have at most 200000 characters"
    assert client.post(f"{BASE}/verify", json={"text": "a" * 200_000, **given}).status_code == 200


def test_a_long_report_is_written_beside_the_loop(client, monkeypatch):
    threads = []

    def written(report):
        threads.append(threading.current_thread())
        return json_text(report)

    monkeypatch.setattr(checking, "json_text", written)
    response = client.post(f"{BASE}/verify", json={"text": "- a\n" * 3_000, "passages": ["The fee is nine."]})
    assert len(response.json()["account"]) == 3_000
    assert [thread.name.startswith("question") for thread in threads] == [True]


@pytest.mark.usefixtures("contract")
def test_extraction_as_a_job(client):
    fields = [{"name": "fee", "question": QUESTION}, {"name": "fee", "question": "When is payment due?"}]
    response = client.post(f"{BASE}/extract", json={"fields": fields})
    assert response.status_code == 202
    job = client.ended(response.headers["location"])
    assert [(row["name"], row["found"]) for row in job["rows"]] == [("fee", True), ("fee_2", True)]
    assert job["rows"][0]["citations"][0]["document"] == "contract.txt"
    head = ["Document", "fee", "fee: where", "fee: quote", "fee_2", "fee_2: where", "fee_2: quote"]
    place = response.headers["location"]
    table = client.get(f"{place}/table.csv").content.decode("utf-8-sig")
    assert next(csv.reader(io.StringIO(table, newline=""))) == head
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{place}/table.xlsx").content))
    assert [[str(cell.value) for cell in row] for row in book.active.rows] == list(csv.reader(io.StringIO(table)))
    assert client.get(f"{place}/table.xlsx").content == client.get(f"{place}/table.xlsx").content
    assert client.get(f"{place}/table.pdf").status_code == 422
    upload = client.upload("other.txt", b"The keeper is away.")
    assert "wait until" in client.get(f"{BASE}/jobs/{upload['id']}/table.csv").json()["detail"]


def test_no_cell_of_a_table_is_a_formula():
    one = {
        "document": '=HYPERLINK("x")',
        "name": "+fee",
        "found": True,
        "value": "@SUM(1)",
        "quote": "-1+1",
        "citations": [],
    }
    table = side_by_side([one, one | {"document": "b\ud800", "found": False, "reason": "\tnothing"}])
    written = list(csv.reader(io.StringIO(csv_bytes(table).decode("utf-8-sig"), newline="")))
    assert written[0][1] == "'+fee"
    assert written[1] == ['\'=HYPERLINK("x")', "'@SUM(1)", "", "'-1+1"]
    cells = [cell for row in openpyxl.load_workbook(io.BytesIO(xlsx_bytes(table))).active.rows for cell in row]
    assert {cell.data_type for cell in cells if cell.value is not None} == {"s"}
    assert cells[4].value == '=HYPERLINK("x")'


def test_upload_with_a_password(client, encrypted):
    assert client.upload("locked.pdf", encrypted)["problem"]["code"] == "password"
    assert client.upload("locked.pdf", encrypted, password="wrong")["problem"]["code"] == "password"
    assert client.upload("locked.pdf", encrypted, password="open sesame")["state"] == "done"


def test_several_corpora(tmp_path):
    with Library.open(tmp_path / "a.db", name="a") as one, Library.open(tmp_path / "b.db", name="b") as other:
        client = Client(create_app([one, other]))
        client.upload("terms.txt", CONTRACT.encode(), corpus="b")
        counts = {each["name"]: each["documents"] for each in client.get("/v1/corpora").json()["corpora"]}
        assert counts == {"a": 0, "b": 1}


def test_page_and_its_files(client):
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert client.get("/page/../settings.py").status_code == 404
    assert client.get("/page/nothing.js").json()["code"] == "not_found"
    script = client.get("/page/places.js").text
    assert "/*" not in script
    assert "  " not in script
    loaded = re.search(r'modules="(.*)";', client.get("/page/first.js").text)[1].replace('"+"', "").split()
    late = {"check", "conflict-list", "first", "main", "operator", "table"}
    assert set(loaded) == {path.stem for path in PAGE.glob("*.js")} - late
    # A template inside a template would lose spaces on its way (see `page_files`).
    nested = [path.name for path in PAGE.glob("*.js") if re.search(r"`[^`\n]*\$\{[^}\n]*`", path.read_text())]
    assert nested == []


def test_job_that_is_cancelled(client, library):
    with library._documents._changing(Stop()):  # until this is over, what was read waits to be stored
        response = client.post(f"{BASE}/documents", files={"file": ("long.txt", CONTRACT.encode())})
        place = response.headers["location"]
        assert client.delete(place).status_code == 200
        assert client.ended(place)["state"] == "cancelled"
    assert library.documents() == ()


def test_description_is_a_page_that_loads_nothing(client):
    page = client.get("/v1/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "script" not in page.headers["content-security-policy"]
    assert "http://" not in page.text
    assert "<script" not in page.text
    for path in client.get("/v1/openapi.json").json()["paths"]:
        assert path in page.text
    assert "What does Rent mean?" in page.text
