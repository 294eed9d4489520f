"""How many connections the system lets the server hold open beside the files that it needs."""

from __future__ import annotations

try:
    import resource
except ImportError:  # a system without such limits
    resource = None  # type: ignore[assignment]

_OWN = 64
"""Files that a server has open whatever it serves, with room: its log, its listener, the pipes of its readers."""
_OF_CORPUS = 32
"""Files of one corpus, with room: its databases, each with a journal and once more for who writes, and its locks."""
_OF_CONNECTION = 2
"""Its socket, and the file that goes over it: an upload, or a document that is sent."""


def connections_within(most: int, corpora: int) -> int:
    """How many of `most` connections fit in the limit of open files, at least one.

    The limit is raised as far as this process may, where that is needed.

    Args:
        most: Connections that are wanted at the same time.
        corpora: How many are served.
    """
    if resource is None:
        return most
    own = _OWN + corpora * _OF_CORPUS
    allowed = _raised(own + most * _OF_CONNECTION)
    return most if allowed is None else max(1, min(most, (allowed - own) // _OF_CONNECTION))


def _raised(needed: int) -> int | None:
    """The limit of open files, raised to what is needed if that can be; None where there is none."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    if soft < needed:
        more = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        except (OSError, ValueError):  # some systems allow less than they say
            return soft
        return more
    return soft
