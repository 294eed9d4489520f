"""A question with a misspelled word is answered, and the answer says what was searched for."""

import spanwise


def test_a_corrected_word_is_told(tmp_path):
    path = tmp_path / "lease.txt"
    path.write_text("The landlord shall maintain the boiler.\nThe tenant shall pay the rent on the first day.\n")
    result = spanwise.ask("Who shall mantain the boilr?", path)
    assert result.question == "Who shall mantain the boilr?"
    assert "corrected_word" in result.warnings
    message = next(one["message"] for one in result.warning_details if one["code"] == "corrected_word")
    assert "'maintain' for 'mantain'" in message


def test_nothing_is_told_where_nothing_was_corrected(tmp_path):
    path = tmp_path / "lease.txt"
    path.write_text("The landlord shall maintain the boiler.\n")
    assert "corrected_word" not in spanwise.ask("Who shall maintain the boiler?", path).warnings
