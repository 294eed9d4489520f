"""What is worked out when it is first asked for: `functools.cached_property` without the lock it has in Python 3.11.

That lock is one for all objects of a class, and taking it costs more than most of what is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Self, TypeVar, overload

_Holder = TypeVar("_Holder")
_Value = TypeVar("_Value")


class Once(Generic[_Holder, _Value]):
    """A property whose value is kept in the object; two threads that ask at once may both work it out."""

    def __init__(self, work_out: Callable[[_Holder], _Value]) -> None:
        """Decorate a method that takes nothing but its object, which has to have a `__dict__`."""
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, kind: type[_Holder], name: str) -> None:
        """Remember under which name the value is kept: the next look-up finds it there before it comes here."""
        self._name = name

    @overload
    def __get__(self, holder: None, kind: type[_Holder]) -> Self: ...

    @overload
    def __get__(self, holder: _Holder, kind: type[_Holder]) -> _Value: ...

    def __get__(self, holder: _Holder | None, kind: type[_Holder]) -> Self | _Value:
        """The value, worked out now."""
        if holder is None:
            return self
        value = self._work_out(holder)
        vars(holder)[self._name] = value
        return value
