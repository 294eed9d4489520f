"""schemathesis against the OpenAPI document: no server error, and no answer that is not as the document says."""

import json
import re

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from server_cases import put

from spanwise.contract.record import ResultRecord
from spanwise.server import models
from spanwise.server.app import create_app
from spanwise.server.server_settings import ServerSettings
from spanwise.serving.corpus_library import Library

EXAMPLES = 6
PATHS = sorted(
    (method, path)
    for path, methods in {
        "/v1/chat/completions": "post",
        "/v1/corpora": "get post",
        "/v1/corpora/{corpus}": "patch delete",
        "/v1/corpora/{corpus}/ask": "post",
        "/v1/corpora/{corpus}/choices": "get",
        "/v1/corpora/{corpus}/plan": "post",
        "/v1/corpora/{corpus}/jobs/{id}/table.{kind}": "get",
        "/v1/corpora/{corpus}/conflicts": "get",
        "/v1/corpora/{corpus}/documents": "get post",
        "/v1/corpora/{corpus}/documents/{id}": "get delete",
        "/v1/corpora/{corpus}/documents/{id}/file": "get",
        "/v1/corpora/{corpus}/documents/{id}/find": "get",
        "/v1/corpora/{corpus}/documents/{id}/hidden": "get",
        "/v1/corpora/{corpus}/documents/{id}/lines": "get",
        "/v1/corpora/{corpus}/documents/{id}/pages/{number}": "get",
        "/v1/corpora/{corpus}/documents/{id}/pages/{number}/image": "get",
        "/v1/corpora/{corpus}/extract": "post",
        "/v1/corpora/{corpus}/jobs": "get",
        "/v1/corpora/{corpus}/jobs/{id}": "get delete",
        "/v1/corpora/{corpus}/jobs/{id}/events": "get",
        "/v1/corpora/{corpus}/results": "get",
        "/v1/corpora/{corpus}/results.zip": "get",
        "/v1/corpora/{corpus}/results/{trace_id}": "get delete",
        "/v1/corpora/{corpus}/results/{trace_id}/as/{format}": "get",
        "/v1/corpora/{corpus}/results/{trace_id}/documents": "get",
        "/v1/corpora/{corpus}/results/{trace_id}/highlight/{document_id}": "get",
        "/v1/corpora/{corpus}/results/{trace_id}/trace": "get",
        "/v1/corpora/{corpus}/suggestions": "get",
        "/v1/corpora/{corpus}/verify": "post",
        "/v1/events": "get",
        "/v1/health": "get",
        "/v1/models": "get",
        "/v1/models/{model}": "get",
        "/v1/operator": "get",
        "/v1/operator/tokens": "get post",
        "/v1/operator/tokens/{id}": "delete",
        "/v1/ready": "get",
        "/v1/session": "post delete",
    }.items()
    for method in methods.split()
)

ENDLESS = ("get", "/v1/events")
"""Tells what changes for as long as somebody listens."""


@pytest.fixture(scope="module")
def served(tmp_path_factory, standard):
    """A corpus with a document and an answer, as an app and its schema; and what stands for the names in paths."""
    with Library.open(tmp_path_factory.mktemp("openapi") / "corpus.db") as library:
        app = create_app([library], settings=ServerSettings(hosts=None, rate=0))
        app.state.serving.registry.has_tokens = lambda: False  # those that are made here close the server to nobody

        def names() -> dict[str, str | int]:
            kept = next((one for one in library.documents() if one.name == "standard.pdf"), None)
            document = kept or put(library, "standard.pdf", standard)
            trace = library.ask("What is exact time?").trace_id
            return {
                "corpus": "default",
                "id": document.id,
                "document_id": document.id,
                "trace_id": trace,
                "number": 2,
                "model": "spanwise/default",
            }

        yield schemathesis.openapi.from_asgi("/v1/openapi.json", app), names
        app.state.serving.libraries.close()


def test_every_path_is_tried(served):
    schema, _ = served
    ours = {(method, path) for path, item in schema.raw_schema["paths"].items() for method in item}
    assert ours == set(PATHS)


KNOWN = {"type": "amount", "model": "none", "mode": "extractive", "profile": "contracts", "language": "de"}


def with_known_names(body):
    """Put names that there are in the place of made-up ones, which would be refused: who runs a server sets them."""
    if isinstance(body, dict):
        for one in (body, *(field for field in body.get("fields") or [] if isinstance(field, dict))):
            one |= {name: known for name, known in KNOWN.items() if isinstance(one.get(name), str)}
            if isinstance(one.get("scope"), dict):  # a made-up one ends before it begins
                one["scope"] = {"first_line": 1}


@pytest.mark.filterwarnings("ignore")  # of schemathesis and what it stands on
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "invalid"])
@pytest.mark.parametrize(("method", "path"), [one for one in PATHS if one != ENDLESS], ids=str)
def test_answers_are_as_the_document_says(served, method, path, mode):
    schema, names = served
    known = names()

    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    def check(case):
        if mode is GenerationMode.POSITIVE:  # what was made up names nothing, and all of it would be 404
            given = {**case.path_parameters}
            case.path_parameters = {name: known.get(name, value) for name, value in given.items()}
            if not path.startswith("/v1/chat"):
                with_known_names(case.body)
        response = case.call()
        if response.status_code == 413:  # refused before it was read, which schemathesis does not expect
            assert json.loads(response.content)["code"] == "content_too_large"
            return
        if response.status_code == 400 and json.loads(response.content)["code"] == "unsupported_parameter":
            assert path.startswith("/v1/chat")  # OpenAI's clients may send more than is done here
            return
        case.validate_response(response)
        if response.status_code >= 400:
            assert response.headers["content-type"] == ["application/problem+json"]

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # there is nothing in the request that could be wrong


def test_every_operation_says_what_it_does(served):
    schema, _ = served
    for path, item in schema.raw_schema["paths"].items():
        for method, operation in item.items():
            assert operation.get("description"), f"{method} {path}"
            assert re.fullmatch(r"2\d\d", next(iter(operation["responses"]))), f"{method} {path}"


def test_examples_are_what_they_are_examples_of(served):
    schema, _ = served
    ResultRecord.model_validate(models.EXAMPLES["result"])
    assert {"ResultRecord", "Ask", "JobInfo"} <= set(schema.raw_schema["components"]["schemas"])
    for model in (models.DocumentInfo, models.JobInfo, models.Problem, models.Ask, models.Verify, models.Extract):
        (example,) = model.model_json_schema()["examples"]
        model.model_validate(example)


def test_every_reference_leads_somewhere(served):
    schema, _ = served
    document = schema.raw_schema
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document)):
        found = document
        for name in reference.split("/"):
            found = found[name]
        assert found
