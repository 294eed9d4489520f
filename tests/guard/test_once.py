"""Properties that are worked out when they are first asked for."""

from dataclasses import dataclass, field

from spanwise.guard.sentence.once import Once


@dataclass(frozen=True)
class _Word:
    text: str
    asked: list[str] = field(default_factory=list, compare=False)

    @Once
    def length(self) -> int:
        """How long it is."""
        self.asked.append(self.text)
        return len(self.text)


def test_a_value_is_worked_out_once_for_each_object():
    one, other = _Word("fee"), _Word("notice")
    assert [one.length, other.length, one.length, one.length] == [3, 6, 3, 3]
    assert one.asked == ["fee"]


def test_an_object_is_the_same_before_and_after():
    asked, fresh = _Word("fee"), _Word("fee")
    assert asked.length == 3
    assert asked == fresh
    assert hash(asked) == hash(fresh)


def test_the_class_has_the_property_itself():
    assert isinstance(_Word.length, Once)
    assert _Word.length.__doc__ == "How long it is."
