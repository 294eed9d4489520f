"""pydantic-ai: a validator that makes the model correct its output, tools over a corpus, and results as messages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from spanwise.integrations.answers import framework

with framework("llm"):
    from pydantic import TypeAdapter
    from pydantic_ai import FunctionToolset, ModelRetry, RunContext
    from pydantic_ai.messages import ModelMessage, ModelResponse

from spanwise.contract.adapters import given_passages
from spanwise.contract.result import Result
from spanwise.engine import Engine, ground
from spanwise.guard.verify import verify
from spanwise.ingest.corpus import Corpus
from spanwise.integrations.answers import finding, found, opened

Output = TypeVar("Output")
_MESSAGE: TypeAdapter[ModelMessage] = TypeAdapter(ModelMessage)


def output_validator(
    passages: Iterable[object] | Callable[[RunContext[Any]], Iterable[object]],
) -> Callable[[RunContext[Any], Output], Output]:
    """A validator for `agent.output_validator`: what the passages do not support is returned to the model to correct.

    A text is checked claim by claim. In any other output, each value must occur in the passages (`spanwise.ground`),
    except for booleans, which no line states by itself.

    Args:
        passages: The evidence, in any form, or a function that takes it from the run's context:
            `lambda run: run.deps.passages`.

    Example:
        >>> agent.output_validator(output_validator(lambda run: run.deps.passages))
    """
    given = passages if callable(passages) else list(passages)

    def validated(context: RunContext[Any], output: Output) -> Output:
        if context.partial_output:  # part of a stream: the rest may still support it
            return output
        held = given(context) if callable(given) else given
        wrong = finding(verify(output, held)) if isinstance(output, str) else _misplaced(output, held)
        if wrong:
            raise ModelRetry(f"Say only what the passages support, and mend this:\n{wrong}")
        return output

    return validated


def _misplaced(output: object, passages: Iterable[object]) -> str:
    missed = [one for one in ground(output, list(given_passages(passages))).items if one.state != "found"]
    return "\n".join(f"{one.name} = {one.value!r}: {one.reason}" for one in missed if not isinstance(one.value, bool))


class SpanwiseToolset(FunctionToolset[Any]):
    """Tools over one corpus: `ask` for a proved answer, `search` for passages, `verify` for a text of one's own."""

    def __init__(self, corpus: Corpus | str | os.PathLike[str], **options: Any) -> None:
        """Use a corpus, or the one at a path; `options` are those of `FunctionToolset`."""
        self._corpus = opened(corpus)
        super().__init__([self.ask, self.search, self.verify], **options)

    def ask(self, question: str) -> dict[str, Any]:
        """Answer a question from the documents; every part of the answer cites the lines that prove it.

        Args:
            question: In words.
        """
        told = Engine(self._corpus).ask(question).to_dict()
        return {name: told[name] for name in ("decision", "text", "review", "confidence", "citations")}

    def search(self, query: str, k: int = 5) -> list[dict[str, Any]]:
        """Find passages of the documents by words.

        Args:
            query: Words to look for.
            k: How many passages, at most 50.
        """
        hits = found(self._corpus, query, max(1, min(k, 50)))
        return [{"text": hit.passage.text, **place} for hit, place in hits]

    def verify(self, text: str) -> dict[str, Any]:
        """Check a text against the documents, claim by claim.

        Args:
            text: The text to check.
        """
        checked = verify(text, [hit.passage for hit in self._corpus.search(text, 20)])
        return {"supported": checked.supported, "score": checked.score, "finding": finding(checked)}


def message(result: Result) -> ModelResponse:
    """A result as a message of one text part with `citations`, and their places in `provider_details["citations"]`.

    In older versions of pydantic-ai, whose parts have no citations, there are only the places.
    """
    made = _MESSAGE.validate_python(result.to("pydantic-ai"))
    if not isinstance(made, ModelResponse):
        raise TypeError(type(made).__name__)
    return made
