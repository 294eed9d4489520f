"""Haystack: the adapters inside pipelines."""

import asyncio

import haystack
import pytest
from haystack import Document, Pipeline, component
from haystack.components.evaluators import FaithfulnessEvaluator
from haystack.dataclasses import GeneratedAnswer

from spanwise import Corpus, ScriptedModel, answer
from spanwise.errors import InputError
from spanwise.integrations.haystack import SpanwiseConverter, SpanwiseEvaluator, SpanwiseGenerator, SpanwiseRetriever

QUESTION = "What is the Rent?"
AsyncPipeline = getattr(haystack, "AsyncPipeline", Pipeline)  # since version 3 a pipeline is both
ASKED = {"find": {"query": QUESTION}, "write": {"query": QUESTION}}


def pipeline(corpus, kind=Pipeline, **options):
    made = kind()
    made.add_component("find", SpanwiseRetriever(corpus, top_k=5))
    made.add_component("write", SpanwiseGenerator(**options))
    made.connect("find.documents", "write.documents")
    return made


def test_a_pipeline_answers_and_cites_also_when_it_was_kept(lease_corpus, rent):
    kept = Pipeline.loads(pipeline(lease_corpus, policy="strict").dumps())
    assert kept.to_dict() == pipeline(lease_corpus, policy="strict").to_dict()
    [told] = kept.run(ASKED)["write"]["answers"]
    [document] = told.documents
    assert (told.data, told.query, document.content) == ("£8,400 a month", QUESTION, "Rent means £8,400 a month.")
    assert told.meta["decision"] == "ship"
    assert document.score > 0
    again = GeneratedAnswer.from_dict(told.to_dict())
    assert again == told
    assert rent(document.meta)
    assert rent(answer(QUESTION, again.documents).to_dict()["citations"][0])


def test_async_answers_are_the_same(lease_corpus):
    later = asyncio.run(pipeline(lease_corpus, AsyncPipeline).run_async(ASKED))
    assert later["write"] == pipeline(lease_corpus).run(ASKED)["write"]


def test_in_a_loop_that_runs_already_a_model_is_asked_too(lease_corpus):
    async def cell():
        model = ScriptedModel(["The Rent is £8,400 a month [1]."])
        return pipeline(lease_corpus, model=model, mode="compact").run(ASKED)

    assert "8,400" in asyncio.run(cell())["write"]["answers"][0].data


def test_a_cancelled_run_ends(cancelled):
    documents = [Document(content="Rent means £8,400 a month.")]
    assert cancelled(lambda model: SpanwiseGenerator(model=model, mode="compact").run_async(QUESTION, documents))


def test_documents_without_text_and_with_odd_metadata():
    documents = [Document(meta={"page": object()}), Document(content="Rent means £8,400 a month.", meta={"boxes": [1]})]
    [told] = SpanwiseGenerator().run(QUESTION, documents)["answers"]
    assert [one.content for one in told.documents] == ["Rent means £8,400 a month."]
    assert SpanwiseGenerator().run(QUESTION, [])["answers"][0].meta["decision"] == "not_found"


def test_objects_are_not_kept():
    with pytest.raises(InputError, match="name of a model"):
        SpanwiseGenerator(model=ScriptedModel([]), mode="compact").to_dict()
    with Corpus.memory() as corpus, pytest.raises(InputError, match="path of a corpus"):
        SpanwiseRetriever(corpus).to_dict()


def test_files_become_documents_in_their_places(lease_pdf):
    documents = SpanwiseConverter().run([str(lease_pdf)])["documents"]
    [citation] = answer(QUESTION, documents).citations
    assert (citation.line_start, citation.page, len(citation.boxes)) == (20, 1, 1)


@component
class Judge:
    """A chat generator that is never asked."""

    @component.output_types(replies=list)
    def run(self, messages: list):
        raise AssertionError(messages)


def test_the_evaluator_has_the_sockets_of_faithfulness():
    theirs, ours = Pipeline(), Pipeline()
    theirs.add_component("judge", FaithfulnessEvaluator(chat_generator=Judge()))
    ours.add_component("judge", SpanwiseEvaluator())
    assert theirs.inputs()["judge"].keys() == ours.inputs()["judge"].keys()
    assert ours.outputs()["judge"].keys() - theirs.outputs()["judge"].keys() == set()


def test_answers_are_evaluated():
    made = Pipeline()
    made.add_component("judge", SpanwiseEvaluator())
    contexts = [["Rent means £8,400 a month."]] * 2
    answers = ["The Rent is £8,400 a month.", "The Rent is £9,400 a month."]
    asked = {"questions": [QUESTION] * 2, "contexts": contexts, "predicted_answers": answers}
    told = Pipeline.loads(made.dumps()).run({"judge": asked})["judge"]
    assert (told["individual_scores"], told["score"]) == ([1.0, 0.0], 0.5)
    assert told["results"][1]["statements"] == ["The Rent is £9,400 a month."]
    assert told["results"][1]["statement_scores"] == [0]
    assert asyncio.run(SpanwiseEvaluator().run_async(**asked)) == told
    with pytest.raises(InputError, match="give one each"):
        SpanwiseEvaluator().run([QUESTION], [], ["The Rent is £8,400."])
