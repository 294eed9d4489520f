"""What a run may spend, checked before each call: with what it may cost at most, and settled with what it did cost."""

from __future__ import annotations

import threading

from spanwise.errors import BudgetError, InputError
from spanwise.llm.layer import Layer, Steps
from spanwise.llm.port import Call, Model, Reply, Usage
from spanwise.text.tokens import count_tokens


class Budget:
    """Calls, tokens and money that may be spent; shared by everything that is given it.

    Attributes:
        spent: What was spent so far.
    """

    def __init__(self, *, calls: int | None = None, tokens: int | None = None, cost_usd: float | None = None) -> None:
        """Take the limits, each 0 and up; None is no limit. Tokens are those of prompts and replies together."""
        if any(limit is not None and limit < 0 for limit in (calls, tokens, cost_usd)):
            raise InputError("A budget cannot be below 0; leave a limit out to have none.")
        self.calls = calls
        self.tokens = tokens
        self.cost_usd = cost_usd
        self.spent = Usage()
        self._reserved = Usage()
        self._lock = threading.Lock()

    def check(self, usage: Usage) -> None:
        """See whether so much more may be spent, for example all that a plan foresees."""
        with self._lock:
            self._check(usage)

    def reserve(self, usage: Usage) -> None:
        """Set aside what a call may cost at most."""
        with self._lock:
            self._check(usage)
            self._reserved += usage

    def settle(self, reserved: Usage, spent: Usage) -> None:
        """Replace what was set aside for a call by what it did cost."""
        with self._lock:
            self._reserved += Usage(
                -reserved.prompt_tokens,
                -reserved.completion_tokens,
                requests=-reserved.requests,
                cost_usd=-(reserved.cost_usd or 0.0),
            )
            self.spent += spent

    def _check(self, usage: Usage) -> None:
        after = self.spent + self._reserved + usage
        total = after.prompt_tokens + after.completion_tokens
        for limit, wanted, unit in (
            (self.calls, after.requests, "calls"),
            (self.tokens, total, "tokens"),
            (self.cost_usd, round(after.cost_usd or 0.0, 6), "US dollars"),
        ):
            if limit is not None and wanted > limit:
                raise BudgetError(f"The budget of {limit:g} {unit} is too small: {wanted:g} would be used. Raise it.")


class Budgeted(Layer):
    """Refuses a call for which the budget may be too small, before anything is sent."""

    def __init__(self, inner: Model, budget: Budget) -> None:
        """Take the budget."""
        if budget.cost_usd is not None and inner.profile.cost_usd(1, 1) is None:
            raise InputError(
                f"The prices of {inner.profile.name} are not known, so its cost cannot be limited; give "
                'profile={"input_price": …, "output_price": …} in US dollars for a million tokens.'
            )
        super().__init__(inner)
        self._budget = budget

    def steps(self, call: Call) -> Steps:
        """Set aside, ask, settle."""
        prompt = count_tokens(call.system) + count_tokens(call.prompt)
        most = call.max_output_tokens or self.profile.max_output_tokens or 0
        reserved = Usage(prompt, most, True, 1, self.profile.cost_usd(prompt, most))
        try:
            self._budget.reserve(reserved)
        except BudgetError as error:
            return Reply(error=error)
        spent = Usage()
        try:
            reply = yield call
            spent = reply.usage
            return reply
        finally:
            self._budget.settle(reserved, spent)
