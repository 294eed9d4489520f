"""Embedders behind an endpoint and in a file: batches, retries, typed errors, and no key in any of them."""

import json

import pytest

from spanwise.errors import InputError, MissingKeyError, ModelError, UnknownModelError
from spanwise.llm.embedding import OnnxEmbedder, embedder_from
from spanwise.llm.middleware.retry import Retry
from spanwise.retrieval.hybrid import OnnxReranker
from spanwise.testing import FakeProvider, Fault

KEY = "sk-very-secret-key-123456"
QUICK = Retry(attempts=3, first=0.001)


def answering(*faults, longest=10_000):
    """Replies of a server that fails first, and takes texts up to some length; a vector is the length of a text."""
    left = list(faults)

    def reply(request):
        if left:
            return left.pop(0)
        texts = request.body["input"]
        if any(len(text) > longest for text in texts):
            return Fault.rejected("input is too large to process", 413)
        return json.dumps([[float(len(text)), 1.0] for text in texts])

    return reply


def made(provider, **options):
    return embedder_from("mini", base_url=provider.url, api_key=KEY, retry=QUICK, **options)


@pytest.mark.enable_socket
def test_texts_go_in_batches_and_failures_are_tried_again():
    with FakeProvider(answering(Fault.down(503), Fault.rate_limited(0), Fault.cut())) as provider:
        embedder = made(provider, together=2, query_prefix="query: ")
        with pytest.raises(ModelError):  # three attempts, each failed in its own way
            embedder.embed(["a"])
        assert embedder.embed(["a", "bb", "ccc"]) == [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]
        assert embedder.embed(["a"], "query") == [[8.0, 1.0]]
        assert embedder.dimension == 2
        assert [request.body["input"] for request in provider.requests[3:]] == [["a", "bb"], ["ccc"], ["query: a"]]
        assert provider.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.enable_socket
def test_a_text_that_the_server_calls_too_long_is_cut_and_the_others_are_whole():
    with FakeProvider(answering(longest=100)) as provider:
        assert made(provider).embed(["short", "x" * 300, "also short"]) == [[5.0, 1.0], [75.0, 1.0], [10.0, 1.0]]


@pytest.mark.enable_socket
@pytest.mark.parametrize(
    ("replies", "message"),
    [
        ([Fault.rejected(f"the key {KEY} is wrong", 401)], "does not accept the key"),
        ([Fault.rejected("no such model", 404)], "no model"),
        ([Fault.garbage()] * 3, "cannot be read|holds no answer"),
        (["[[1.0], [2.0]]"] * 3, "2 vectors"),
        (["[[]]"] * 3, "1 vectors of"),
        (['[["a"]]'] * 3, "no number|cannot be read"),
        (["[[NaN]]"] * 3, "no number|cannot be read"),
        ([Fault.slow(2, "[[1.0]]")] * 3, "in time"),
    ],
)
def test_what_a_server_does_wrong_is_told_without_the_key(replies, message):
    with FakeProvider(replies) as provider, pytest.raises(ModelError, match=message) as told:
        made(provider, timeout=0.2).embed(["text"])
    shown = f"{told.value} {told.value.__cause__} {told.value!r} {made(provider)!r}"
    assert KEY not in shown


@pytest.mark.parametrize(
    ("spec", "error"), [("anthropic:x", UnknownModelError), ("openai:x", MissingKeyError), ("none.onnx", InputError)]
)
def test_what_is_no_embedder(spec, error, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(error):
        embedder_from(spec)


@pytest.fixture(name="folder")
def _folder(tmp_path):
    """A model that gives for each token a vector of its number and of 1, with a tokenizer of a few words."""
    import onnx
    import tokenizers

    words = {"[UNK]": 0, "query:": 5, "cat": 1, "dog": 3, "question": 7}
    reader = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    reader.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    reader.save(str(tmp_path / "tokenizer.json"))
    make, kinds = onnx.helper, onnx.TensorProto
    graph = make.make_graph(
        [
            make.make_node("Cast", ["input_ids"], ["numbers"], to=kinds.FLOAT),
            make.make_node("Unsqueeze", ["numbers", "last"], ["column"]),
            make.make_node("Mul", ["column", "zero"], ["zeros"]),
            make.make_node("Add", ["zeros", "one"], ["ones"]),
            make.make_node("Concat", ["column", "ones"], ["states"], axis=2),
        ],
        "tiny",
        [make.make_tensor_value_info(name, kinds.INT64, ["texts", "tokens"]) for name in ("input_ids",)],
        [make.make_tensor_value_info("states", kinds.FLOAT, ["texts", "tokens", 2])],
        [
            make.make_tensor("last", kinds.INT64, [1], [2]),
            make.make_tensor("zero", kinds.FLOAT, [1], [0.0]),
            make.make_tensor("one", kinds.FLOAT, [1], [1.0]),
        ],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 13)], ir_version=9)
    onnx.save(model, str(tmp_path / "model.onnx"))
    return tmp_path


def test_a_model_in_a_file_is_pooled_and_brought_to_length_one(folder):
    embedder = OnnxEmbedder(folder / "model.onnx")
    [pair, alone] = embedder.embed(["cat dog", "cat"])
    assert pair == pytest.approx([2 / 5**0.5, 1 / 5**0.5])  # the mean, not blurred by the padding of the batch
    assert alone == pytest.approx([1 / 2**0.5, 1 / 2**0.5])
    assert embedder.dimension == 2
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (folder / "config_sentence_transformers.json").write_text('{"prompts": {"query": "query: ", "document": ""}}')
    told = OnnxEmbedder(folder / "model.onnx")
    assert told.embed(["dog cat"])[0] == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    assert told.embed(["dog"], "query")[0] == pytest.approx([5 / 26**0.5, 1 / 26**0.5])
    assert told.name != embedder.name


def test_a_reranker_in_a_file_scores_each_text(folder):
    with pytest.raises(InputError, match="tokenizer"):
        OnnxReranker(folder / "other.onnx")
    assert len(OnnxReranker(folder / "model.onnx")("cat", ["dog", "cat", "dog dog"])) == 3
