"""`refine` and `compact`: one window after another, each with the answer so far, which its reply replaces."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.errors import CallCancelledError
from spanwise.llm.flow import Flow
from spanwise.synthesis.excerpts import Window, joined
from spanwise.synthesis.job import Job, Schedule, Written
from spanwise.synthesis.packing import Packer, Place, overlap_tokens
from spanwise.text.tokens import token_bound

_TEMPLATES = ("text_qa", "refine")


@dataclass(frozen=True, slots=True)
class Folding:
    """Reads sources one after another into one growing answer.

    The room of every prompt is that of the larger template. The plan keeps a part of it for the answer so far; the run
    fills what an answer does not use with evidence, reads at least as far as the plan with every call, and so never
    makes more calls. An answer too long to stand beside the evidence of its step is cut, and that is named.

    Attributes:
        alone: One passage a prompt (`refine`), instead of as many as fit (`compact`).
    """

    alone: bool

    def schedule(self, job: Job) -> Schedule:
        """The windows when every answer is as long as it may be."""
        room = job.room(*_TEMPLATES)
        draft = job.budget.draft(room)
        packed = list(self._packer(job).windows(room, room - draft))
        fixed = [job.instructions("text_qa" if place == 0 else "refine") for place in range(len(packed))]
        tokens = sum(fixed) + sum(window.tokens for window, _ in packed) + draft * max(0, len(packed) - 1)
        windows, ends = tuple(window for window, _ in packed), tuple(place for _, place in packed)
        return Schedule(windows, len(packed), len(packed), tokens, ends)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make the calls, one a round."""
        packer, place = self._packer(job), Place()
        draft: Written | None = None
        for number, least in enumerate(schedule.ends):
            if packer.ends(place):
                break
            draft, room = self._beside(job, draft, packer, place, least, number)
            window, following = packer.take(place, room, least)
            credits_ = joined(draft.credits if draft else {}, window.credits)
            name, final = "refine" if draft else "text_qa", packer.ends(following)
            [reply] = yield [job.call(name, window, credits_, final=final, draft=draft)]
            written = job.receive(reply, window, credits_)
            draft = written if written and written.text.strip() else draft
            place = following
            if isinstance(reply.error, CallCancelledError):
                rest = packer.until(place, Place(len(job.sources)))
                job.lost(rest.excerpts, "call_failed", str(reply.error))
                break
        return [draft] if draft else []

    def _packer(self, job: Job) -> Packer:
        room = job.room(*_TEMPLATES)
        return Packer(job.sources, self.alone, overlap_tokens(job.overlap, room - job.budget.draft(room), job.sources))

    def _beside(
        self, job: Job, draft: Written | None, packer: Packer, place: Place, least: Place, number: int
    ) -> tuple[Written | None, int]:
        """The answer so far as it fits, and the room that is left for evidence beside it."""
        room = job.room(*_TEMPLATES)
        if draft is None:
            return None, room
        reserved = job.budget.draft(room)
        evidence: Window | None = None if place.reached(least) else packer.until(place, least)
        draft = job.fitted(draft, max(reserved, room - evidence.tokens) if evidence else reserved, number)
        return draft, room - token_bound(draft.text)
