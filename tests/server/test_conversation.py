"""What the page asks beside single answers: follow-ups, suggestions, choices, conflicts, a conversation as a file."""

import io
import json
import zipfile

import pytest
from markdown_it import MarkdownIt
from server_cases import CONTRACT, Client, put

from spanwise.llm.port import ModelProfile
from spanwise.llm.scripted import ScriptedModel
from spanwise.questions.suggestions import suggestions
from spanwise.server.app import create_app
from spanwise.serving.corpus_library import Library

BASE = "/v1/corpora/default"
EVIL = "<img src=x onerror=alert(1)> ../../[a](javascript:b).txt"


def ask(client: Client, question: str, **more) -> dict:
    response = client.post(f"{BASE}/ask", json={"question": question, **more})
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.usefixtures("contract")
def test_a_follow_up_is_asked_whole(client):
    first = ask(client, "When is payment due?")
    for before in (first["trace_id"], "When is payment due?"):
        assert ask(client, "and the late fee?", after=before)["question"] == "When is the late fee due?"
    assert ask(client, "What is the late fee?", after=first["trace_id"])["question"] == "What is the late fee?"
    gone = client.post(f"{BASE}/ask", json={"question": "why?", "after": "0" * 16})
    assert (gone.status_code, gone.json()["code"]) == (404, "answer_not_found")


@pytest.mark.usefixtures("contract")
def test_history_is_searched_by_all_words(client):
    for question in ("What is the late fee?", "When is payment due?", "Is a 100% fee_late due?"):
        ask(client, question)

    def found(words: str) -> list[str]:
        told = client.get(f"{BASE}/results", params={"words": words}).json()["results"]
        return [one["question"] for one in told]

    assert found("FEE late") == ["Is a 100% fee_late due?", "What is the late fee?"]
    assert found("e_l") == ["Is a 100% fee_late due?"]
    assert found("%' OR 1=1 --") == []
    assert client.get(f"{BASE}/results", params={"words": "x" * 201}).status_code == 422


def test_a_question_goes_to_a_model_that_the_operator_named(tmp_path):
    priced = ModelProfile("scripted", max_output_tokens=500, input_price=3.0, output_price=15.0)
    said = ScriptedModel(lambda _: "Payment is due within 30 days of invoice receipt [1].", profile=priced)
    with Library.open(tmp_path / "corpus.db", models=[said]) as library:
        put(library, "contract.txt", CONTRACT.encode())
        client = Client(create_app([library]))
        told = client.get(f"{BASE}/choices").json()
        assert (told["model"], told["mode"], told["models"]) == ("none", "extractive", ["scripted", "none"])
        assert "typed" in told["modes"]
        assert {"de", "en"} <= set(told["languages"])
        assert ask(client, "When is payment due?")["meta"]["model_name"] is None
        written = ask(client, "When is payment due?", model="scripted", mode="compact", policy="strict")
        assert (written["meta"]["model_name"], written["meta"]["mode"]) == ("scripted", "compact")
        called = len(said.calls)
        asked = {"question": "When is payment due?", "model": "scripted", "mode": "compact"}
        plan = client.post(f"{BASE}/plan", json=asked).json()
        assert plan["calls"] >= 1
        assert len(said.calls) == called  # what it would cost is known without calling it
        spent = plan["prompt_tokens"] * 3.0 + plan["completion_tokens"] * 15.0
        assert plan["cost_usd"] == pytest.approx(spent / 1_000_000)
        assert client.post(f"{BASE}/plan", json={"question": "why?"}).json()["calls"] == 0
        for wrong in ({"model": "openai:gpt-5"}, {"mode": "compact"}, {"profile": "contract_toml"}, {"language": "xx"}):
            refused = client.post(f"{BASE}/ask", json={"question": "When is payment due?", **wrong})
            assert refused.status_code == 422, wrong


def test_documents_suggest_questions_that_are_answered(client, library, standard):
    assert client.get(f"{BASE}/suggestions").json() == {"questions": []}
    put(library, "standard.pdf", standard)
    put(library, "lease.txt", b"LEASE\n\nThis lease is made on 4 May 2021.\n\nRent means 900 pounds a month.\n")
    told = client.get(f"{BASE}/suggestions").json()["questions"]
    assert {"What does Rent mean?", "When is the lease made?"} <= set(told)
    for question in told:
        answered = ask(client, question)
        assert (answered["decision"], answered["possible"], answered["review"]) == ("ship", False, False), question


def test_suggestions_are_bounded_whatever_a_document_holds(library):
    entry = put(library, "long.txt", (b'"A" means ' * 30_000) + b"\n" + b"The the the is made on 1 May 2020\n" * 50)
    with library.opened(entry.id) as document:
        assert len(suggestions([document.lines(1, 400)])) <= 8


def test_conflicts_of_a_collection_are_listed(client, library):
    put(library, EVIL, b"Agreement. Effective January 1, 2023. The late fee is 1.5% per month.")
    other = put(library, "amendment.txt", b"Amendment. Effective January 1, 2024. The late fee is 2% per month.")
    [conflict] = client.get(f"{BASE}/conflicts").json()["conflicts"]
    sides = {conflict[side]["document"]: conflict[side] for side in ("one", "other")}
    assert (conflict["kind"], sides["amendment.txt"]["value"]) == ("number", "2% per month")
    assert sides["amendment.txt"]["document_id"] == other.id
    assert client.get(f"{BASE}/conflicts", params={"document": other.id}).json() == {"conflicts": []}
    assert client.get(f"{BASE}/conflicts", params={"document": "0" * 16}).status_code == 404


def test_a_conversation_is_one_file_whose_names_are_ours(client, library, standard):
    paper = put(library, EVIL.replace(".txt", ".pdf"), standard)
    hostile = put(library, EVIL, b"The keeper is <script>alert(1)</script> Jane Roe.")
    asked = [ask(client, "What is exact time?", documents=[paper.id]), ask(client, "Who is the keeper?")]
    ids = [one["trace_id"] for one in asked]
    response = client.get(f"{BASE}/results.zip", params={"id": ids})
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''default-conversation.zip"
    assert client.get(f"{BASE}/results.zip", params={"id": ids}).content == response.content
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        names = archive.namelist()
        assert not any(".." in name or name.startswith("/") or "\\" in name for name in names)
        assert sum(name.endswith(".pdf") for name in names) == 1
        assert json.loads(archive.read(f"traces/trace-{ids[0]}.json"))["result"]["trace_id"] == ids[0]
        text = archive.read("conversation.md").decode()
    assert text.index("What is exact time?") < text.index("Who is the keeper?")
    assert "<script>" not in text.replace("\\<script", "")
    assert 'href="javascript' not in MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text)
    library.remove(paper.id)
    library.remove(hostile.id)
    with zipfile.ZipFile(io.BytesIO(client.get(f"{BASE}/results.zip", params={"id": ids}).content)) as archive:
        assert "not here" in archive.read("conversation.md").decode()
    assert client.get(f"{BASE}/results.zip", params={"id": [ids[0], "0" * 16]}).status_code == 200
    assert client.get(f"{BASE}/results.zip", params={"id": "0" * 16}).status_code == 404
    assert client.get(f"{BASE}/results.zip").status_code == 422
