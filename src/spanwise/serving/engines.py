"""The engines of one corpus: a question goes to one of the models that the operator configured, or to none."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanwise.engine import TYPED, WITHOUT_MODEL, Engine
from spanwise.errors import InputError

if TYPE_CHECKING:
    from spanwise.llm.port import Model
    from spanwise.retrieval.hybrid import Hybrid
    from spanwise.store.port import Snapshots

NO_MODEL = "none"
"""The name that stands for no model: the answer is in the documents' own words."""


def name_of(model: Model | str) -> str:
    """The name of a model for clients."""
    return model if isinstance(model, str) else model.profile.name


class Engines:
    """Engines by model, mode, profile and language, each created when first needed."""

    def __init__(
        self,
        corpus: Snapshots,
        model: Model | str | None,
        models: Sequence[Model | str],
        mode: str | None,
        profile: str | None,
        hybrid: Hybrid | None = None,
    ) -> None:
        """Create the default engine."""
        self._corpus = corpus
        self._hybrid = hybrid
        self._by_name: dict[str, Model | str | None] = {} if model is None else {name_of(model): model}
        self._by_name |= {name_of(one): one for one in models}
        self._by_name[NO_MODEL] = None
        self.model = NO_MODEL if model is None else name_of(model)
        """Name of the default model."""
        self.mode = mode or (WITHOUT_MODEL if model is None else TYPED)
        """The default response mode."""
        self.profile = profile
        self._lock = threading.Lock()
        self._made: dict[tuple[str, str, str | None, str | None], Engine] = {
            (self.model, self.mode, profile, None): self._engine(model, mode, profile)
        }

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the available models, `NO_MODEL` last."""
        return tuple(self._by_name)

    def modes(self) -> tuple[str, ...]:
        """Names of the response modes of a model."""
        from spanwise.synthesis.modes import MODES

        return (TYPED, *(mode for mode in MODES if mode != WITHOUT_MODEL))

    def of(
        self, model: str | None = None, mode: str | None = None, profile: str | None = None, language: str | None = None
    ) -> Engine:
        """The engine for this model, mode, profile and language.

        Raises `InputError` for an unknown model or profile.
        """
        name = model or self.model
        if name not in self._by_name:
            raise InputError(f"there is no model {name[:80]!r} here: choose {', '.join(self.models)}")
        usual = self.mode if name == self.model else WITHOUT_MODEL if name == NO_MODEL else TYPED
        key = (name, mode or usual, _shipped(profile) or self.profile, language)
        with self._lock:
            if key not in self._made:
                self._made[key] = self._engine(self._by_name[name], *key[1:])
            return self._made[key]

    def _engine(
        self, model: Model | str | None, mode: str | None, profile: str | None, language: str | None = None
    ) -> Engine:
        return Engine(self._corpus, model=model, mode=mode, profile=profile, language=language, embedder=self._hybrid)


def _shipped(profile: str | None) -> str | None:
    """The profile, if it is a shipped one: a client must not name a file of this machine."""
    from spanwise.questions.profiles import SHIPPED

    if profile is not None and profile not in SHIPPED:
        raise InputError(f"there is no profile {profile[:80]!r}: choose {', '.join(SHIPPED)}")
    return profile
