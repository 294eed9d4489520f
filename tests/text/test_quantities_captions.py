"""What the caption of a table says of its figures."""

import pytest
from every import every

from spanwise.text.quantities import Scale, scale_of


@every(
    ("caption", "scale"),
    [
        ("(in millions)", Scale(10**6)),
        ("(unaudited, in millions)", Scale(10**6)),
        ("In Millions", Scale(10**6)),
        ("Other assets were as follows (in thousands):", Scale(1000)),
        ("$ in thousands, except per share data", Scale(1000, "USD", except_per_share=True)),
        ("(dollars in millions, except per share amounts)", Scale(10**6, "USD", except_per_share=True)),
        (
            "(In millions, except share and per share data)",
            Scale(10**6, None, except_per_share=True, except_shares=True),
        ),
        ("In thousands of euros", Scale(1000, "EUR")),
        ("amounts expressed in US$ 000s", Scale(1000, "USD")),
        ("(Thousands of Dollars)", Scale(1000, "USD")),
        ("(in thousands of U.S. dollars)", Scale(1000, "USD")),
        ("(in C$ millions)", Scale(10**6, "CAD")),
        ("RMB in millions", Scale(10**6, "CNY")),
        ("\u00a3'000", Scale(1000, "GBP")),
        ("(\u20ac m)", Scale(10**6, "EUR")),
        ("USD billions", Scale(10**9, "USD")),
        ("(shares in thousands)", Scale(1000, shares_only=True)),
    ],
)
def test_scale(caption, scale):
    assert scale_of(caption) == scale


@pytest.mark.parametrize(
    "caption",
    [
        "",
        "tens of thousands of movies",
        "millions of people",
        "5 million",
        "in many homes",
        "It sold in thousands of shops.",
        "Tenant pays a security deposit of $3,000 before moving in.",
        "The price is \u20ac15,000.",
        "The limit is 2,000,000 in all",
    ],
)
def test_no_scale(caption):
    assert scale_of(caption) is None
