"""An entailment model of one's own, an ONNX file and its tokenizer, as a verifier for `verify`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol

from spanwise.errors import InputError, MissingExtraError

_LONGEST = 4000
"""Characters of evidence or claim that the tokenizer sees."""


class _Named(Protocol):
    name: str


class _Session(Protocol):
    """What is used of `onnxruntime.InferenceSession`."""

    def get_inputs(self) -> Sequence[_Named]: ...

    def run(self, names: None, given: Mapping[str, object]) -> Sequence[object]: ...


class _Encoding(Protocol):
    ids: list[int]
    attention_mask: list[int]
    type_ids: list[int]


class _Tokenizer(Protocol):
    """What is used of `tokenizers.Tokenizer`."""

    def encode(self, premise: str, claim: str) -> _Encoding: ...


class EntailmentVerifier:
    """How likely a model of natural language inference holds that evidence entails a claim.

    Such models (BERT and its kin, trained on MNLI or SNLI) take a premise and a hypothesis and answer with a score for
    each of two or three labels. Nothing is downloaded: the files are yours. Give it to `verify` as `verifier`.
    """

    def __init__(
        self, model: str | Path, tokenizer: str | Path | None = None, *, entails: int | None = None, tokens: int = 512
    ) -> None:
        """Load a model.

        Args:
            model: The ONNX file. It takes `input_ids`, and `attention_mask` and `token_type_ids` where it has them.
            tokenizer: Its `tokenizer.json`; beside the model by default.
            entails: Which output means "entails"; by default the label of that name in `config.json` beside the model,
                the only one, or the last.
            tokens: The most tokens of premise and hypothesis together, 8 and up.

        Raises:
            InputError: A file is missing or cannot be read.
            MissingExtraError: onnxruntime or tokenizers are not installed.
        """
        path = Path(model)
        words = Path(tokenizer) if tokenizer is not None else path.with_name("tokenizer.json")
        for file in (path, words):
            if not file.is_file():
                raise InputError(f"there is no file {file}: name the ONNX file of the model and its tokenizer.json")
        if tokens < _FEWEST_TOKENS:
            raise InputError(f"tokens is {tokens}: at least {_FEWEST_TOKENS} are needed")
        self._session, self._tokenizer = _loaded(path, words, tokens)
        self._inputs = [given.name for given in self._session.get_inputs()]
        self._entails = entails if entails is not None else _label(path.with_name("config.json"))

    def __call__(self, claim: str, evidence: Sequence[str]) -> float:
        """The best over each piece of evidence and over all of it together, in [0, 1]; 0 without evidence."""
        premises = list(dict.fromkeys([*evidence, " ".join(evidence)])) if evidence else []
        return max((self._entailed(premise, claim) for premise in premises), default=0.0)

    def _entailed(self, premise: str, claim: str) -> float:
        numpy = import_module("numpy")
        encoded = self._tokenizer.encode(premise[:_LONGEST], claim[:_LONGEST])
        given = {name: numpy.array([_values(encoded, name)], dtype="int64") for name in self._inputs}
        return _share(numpy.ravel(self._session.run(None, given)[0]).tolist(), self._entails)


_FEWEST_TOKENS = 8


def _loaded(model: Path, words: Path, tokens: int) -> tuple[_Session, _Tokenizer]:
    try:
        onnxruntime, tokenizers = import_module("onnxruntime"), import_module("tokenizers")
    except ImportError as error:
        raise MissingExtraError(
            'an entailment model needs onnxruntime and tokenizers: pip install "spanwise[nli]"'
        ) from error
    try:
        reader = tokenizers.Tokenizer.from_file(str(words))
        reader.no_padding()
        reader.enable_truncation(tokens)
        return onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"]), reader
    except Exception as error:  # both libraries raise exceptions of their own kinds
        raise InputError(f"{model} or {words} cannot be loaded: {error}") from error


def _label(config: Path) -> int | None:
    """The output that the model's configuration calls entailment; None where it does not say."""
    try:
        labels = json.loads(config.read_text(encoding="utf-8"))["id2label"]
        return next(int(number) for number, name in labels.items() if str(name).lower().startswith("entail"))
    except (OSError, ValueError, KeyError, AttributeError, TypeError, StopIteration):
        return None


def _values(encoded: _Encoding, name: str) -> list[int]:
    known: Mapping[str, list[int]] = {
        "input_ids": encoded.ids,
        "attention_mask": encoded.attention_mask,
        "token_type_ids": encoded.type_ids,
    }
    if name not in known:
        raise InputError(f"the model wants an input {name}: only {', '.join(known)} can be given")
    return known[name]


def _share(scores: Sequence[float], entails: int | None) -> float:
    """The probability of the label that entails: softmax over several outputs, the logistic function of one."""
    if not scores:
        raise InputError("the model gives no output: it has to give a score for each label")
    if len(scores) == 1:
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, scores[0]))))
    place = len(scores) - 1 if entails is None else entails
    if not 0 <= place < len(scores):
        raise InputError(f"the model has {len(scores)} outputs: entails is {place}, which is none of them")
    highest = max(scores)
    weights = [math.exp(score - highest) for score in scores]
    return weights[place] / sum(weights)
