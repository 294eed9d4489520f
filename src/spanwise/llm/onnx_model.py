"""A user's own model: an ONNX file with its `tokenizer.json` (extra `nli`). Nothing is downloaded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from spanwise.errors import InputError, MissingExtraError, install_line

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"

_FEWEST_TOKENS = 8
_LONGEST = 8000
"""Most characters of a text that are passed to the tokenizer; no passage has as many."""


class _Named(Protocol):
    name: str


class _Session(Protocol):
    """The part of `onnxruntime.InferenceSession` that is used."""

    def get_inputs(self) -> Sequence[_Named]: ...

    def run(self, names: None, given: Mapping[str, object]) -> Sequence[Any]: ...


class _Encoding(Protocol):
    ids: list[int]
    attention_mask: list[int]
    type_ids: list[int]


class _Tokenizer(Protocol):
    """The part of `tokenizers.Tokenizer` that is used."""

    def encode_batch(self, texts: Sequence[str | tuple[str, str]]) -> Sequence[_Encoding]: ...


class OnnxModel:
    """A transformer for texts or pairs of texts, run on the CPU.

    Its inputs may be `input_ids`, `attention_mask` and `token_type_ids`.
    """

    def __init__(self, model: str | Path, tokenizer: str | Path | None = None, *, tokens: int = 512) -> None:
        """Load a model.

        Args:
            model: The ONNX file.
            tokenizer: Its `tokenizer.json`; by default beside the model or in the folder above it.
            tokens: The most tokens of one text or pair, 8 or more; longer ones are cut.

        Raises:
            InputError: A file is missing or cannot be loaded, or `tokens` is too small.
            MissingExtraError: onnxruntime or tokenizers are not installed.
        """
        self.path = Path(model)
        words = Path(tokenizer) if tokenizer is not None else self.beside("tokenizer.json")
        for file in (self.path, words):
            if file is None or not file.is_file():
                raise InputError(
                    f"there is no file {file or self.path.with_name('tokenizer.json')}: name the ONNX file of the "
                    "model, with its tokenizer.json beside it"
                )
        if tokens < _FEWEST_TOKENS:
            raise InputError(f"tokens is {tokens}: at least {_FEWEST_TOKENS} are needed")
        self._session, self._tokenizer = _loaded(self.path, Path(str(words)), tokens)
        self._inputs = [given.name for given in self._session.get_inputs()]

    def beside(self, name: str) -> Path | None:
        """A file in the model's folder or the one above (`model/onnx/model.onnx`); None if there is none."""
        return next((file for folder in self.path.parents[:2] if (file := folder / name).is_file()), None)

    def told(self, name: str) -> Mapping[str, Any]:
        """The JSON object in a file of the model; empty if there is none."""
        try:
            found = json.loads((self.beside(name) or Path()).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def run(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> tuple[Array, Array]:
        """The model's first output for each text or pair, and the attention mask, as arrays; raises `InputError`."""
        numpy = import_module("numpy")
        shown = [one[:_LONGEST] if isinstance(one, str) else (one[0][:_LONGEST], one[1][:_LONGEST]) for one in texts]
        encoded = self._tokenizer.encode_batch(shown)
        longest = max(len(one.ids) for one in encoded)
        known = {
            name: numpy.array([values + [0] * (longest - len(values)) for values in rows], dtype="int64")
            for name, rows in {
                "input_ids": [one.ids for one in encoded],
                "attention_mask": [one.attention_mask for one in encoded],
                "token_type_ids": [one.type_ids for one in encoded],
            }.items()
        }
        if missing := [name for name in self._inputs if name not in known]:
            raise InputError(f"the model wants an input {missing[0]}: only {', '.join(known)} can be given")
        try:
            first = self._session.run(None, {name: known[name] for name in self._inputs})[0]
        except Exception as error:  # exceptions of onnxruntime have no common base class
            raise InputError(f"{self.path} fails: {str(error)[:300]}") from error
        return numpy.asarray(first, dtype="float32"), known["attention_mask"]


def _loaded(model: Path, words: Path, tokens: int) -> tuple[_Session, _Tokenizer]:
    try:
        onnxruntime, tokenizers = import_module("onnxruntime"), import_module("tokenizers")
    except ImportError as error:
        raise MissingExtraError(
            f"a model in an ONNX file needs onnxruntime and tokenizers: {install_line('nli')}"
        ) from error
    try:
        reader = tokenizers.Tokenizer.from_file(str(words))
        reader.no_padding()
        reader.enable_truncation(tokens)
        return onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"]), reader
    except Exception as error:  # both libraries raise their own types of exceptions
        raise InputError(f"{model} or {words} cannot be loaded: {error}") from error
