import pytest

from spanwise.contract.values import LENGTHS, compact, iban_fault


@pytest.mark.parametrize(
    "iban",
    [
        "DE89 3704 0044 0532 0130 00",
        "gb82west12345698765432",
        "FR14-2004-1010-0505-0001-3M02-606",
        "NO93 8601 1117 947",
        "MT84MALT011000012345MTLCAST001S",
    ],
)
def test_account_numbers(iban):
    assert iban_fault(iban) is None


@pytest.mark.parametrize(
    ("iban", "reason"),
    [
        ("DE88 3704 0044 0532 0130 00", "check digits"),
        ("DE89 3704 0044 0532 0103 00", "check digits"),
        ("DE89 3704 0044 0532 0130", "22 characters"),
        ("ZZ89 3704 0044 0532 0130 00", "no country"),
        ("3704 0044 0532 0130 00", "two letters"),
        ("DE8\u0669 3704 0044 0532 0130 00", "two letters"),
        ("", "two letters"),
    ],
)
def test_what_is_none_says_why(iban, reason):
    assert reason in iban_fault(iban)


def test_every_single_changed_digit_is_found():
    right = compact("DE89 3704 0044 0532 0130 00")
    for place in range(2, LENGTHS["DE"]):
        for digit in "0123456789":
            if digit != right[place]:
                assert iban_fault(right[:place] + digit + right[place + 1 :])
