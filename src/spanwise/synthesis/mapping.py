"""`accumulate` and `compact_accumulate`: the same question to every window, all in one round, answers side by side."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.llm.flow import Flow
from spanwise.synthesis.job import Job, Schedule, Written
from spanwise.synthesis.packing import Packer, overlap_tokens


@dataclass(frozen=True, slots=True)
class Accumulation:
    """Asks each window on its own.

    Attributes:
        alone: One passage a prompt (`accumulate`), instead of as many as fit (`compact_accumulate`).
    """

    alone: bool

    def schedule(self, job: Job) -> Schedule:
        """The windows, all in one round."""
        room = job.room("text_qa")
        packer = Packer(job.sources, self.alone, overlap_tokens(job.overlap, room, job.sources))
        windows = tuple(window for window, _ in packer.windows(room))
        tokens = sum(job.instructions("text_qa") + window.tokens for window in windows)
        return Schedule(windows, len(windows), min(1, len(windows)), tokens)

    def flow(self, job: Job, schedule: Schedule) -> Flow[list[Written]]:
        """Make the calls in one round."""
        credits_ = [window.credits for window in schedule.windows]
        replies = yield [
            job.call("text_qa", window, shown, final=False)
            for window, shown in zip(schedule.windows, credits_, strict=True)
        ]
        written = map(job.receive, replies, schedule.windows, credits_)
        return [answer for answer in written if answer is not None and answer.text.strip()]
