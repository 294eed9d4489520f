"""An entailment model of one's own, an ONNX file and its tokenizer, as a verifier for `verify`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from spanwise.errors import InputError
from spanwise.llm.onnx_model import OnnxModel


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
        self._model = OnnxModel(model, tokenizer, tokens=tokens)
        self._entails = entails if entails is not None else _label(self._model)

    def __call__(self, claim: str, evidence: Sequence[str]) -> float:
        """The best over each piece of evidence and over all of it together, in [0, 1]; 0 without evidence."""
        premises = list(dict.fromkeys([*evidence, " ".join(evidence)])) if evidence else []
        return max((self._entailed(premise, claim) for premise in premises), default=0.0)

    def _entailed(self, premise: str, claim: str) -> float:
        scores, _ = self._model.run([(premise, claim)])
        return _share(scores.ravel().tolist(), self._entails)


def _label(model: OnnxModel) -> int | None:
    """The output that the model's configuration calls entailment; None where it does not say."""
    labels = model.told("config.json").get("id2label")
    try:
        found = labels.items() if isinstance(labels, dict) else ()
        return next((int(number) for number, name in found if str(name).lower().startswith("entail")), None)
    except ValueError:
        return None


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
