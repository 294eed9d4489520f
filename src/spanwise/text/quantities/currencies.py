"""Currencies: the codes of ISO 4217 in use, and the signs and names that stand for them."""

from __future__ import annotations

CODES = frozenset(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
    CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF
    GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD
    LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP
    PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP
    TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XCD XCG XDR XOF XPD XPF XPT XSU
    XUA YER ZAR ZMW ZWG
    """.split()
)

HISTORIC = frozenset("ATS BEF CUC DEM ESP FIM FRF GRD HRK IEP ITL LTL LVL EEK MRO NLG PTE SIT SKK SLL VEF ZWL".split())
"""Codes that documents still show although ISO 4217 has withdrawn them."""

SIGNS = {"$": "USD", "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "JPY", "\u20b9": "INR", "\u20a9": "KRW"}
SIGNS |= {"\u20bd": "RUB", "\u20aa": "ILS", "\u20ba": "TRY", "\u20a6": "NGN", "\u20ab": "VND", "\u0e3f": "THB"}
SIGNS |= {"\uff04": "USD", "\uffe5": "JPY", "\u20b1": "PHP", "\u20b4": "UAH"}

DOLLARS = {"us": "USD", "u.s.": "USD", "c": "CAD", "ca": "CAD", "cdn": "CAD", "can": "CAD", "a": "AUD", "au": "AUD"}
DOLLARS |= {"hk": "HKD", "nz": "NZD", "s": "SGD", "sg": "SGD", "nt": "TWD", "r": "BRL", "mx": "MXN", "bz": "BZD"}
"""What stands before `$`; `C$5` is five Canadian dollars."""

WORDS_BEFORE = {"rs": "INR", "inr": "INR", "rmb": "CNY", "sfr": "CHF", "fr": "CHF", "dm": "DEM", "nis": "ILS"}
"""Abbreviations before a number that are no codes."""

NAMES = {"dollar": "USD", "buck": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "franc": "CHF", "rupee": "INR"}
NAMES |= {"renminbi": "CNY", "yuan": "CNY", "rmb": "CNY", "won": "KRW", "ruble": "RUB", "rouble": "RUB"}
NAMES |= {"krona": "SEK", "krone": "NOK", "peso": "MXN", "shekel": "ILS", "rand": "ZAR", "zloty": "PLN", "baht": "THB"}
NAMES |= {"sterling": "GBP", "ringgit": "MYR", "lira": "TRY", "ruppee": "INR"}

DOLLAR_COUNTRIES = {"canadian": "CAD", "australian": "AUD", "american": "USD", "us": "USD", "hong kong": "HKD"}
DOLLAR_COUNTRIES |= {"singapore": "SGD", "united states": "USD", "new zealand": "NZD", "taiwan": "TWD"}

HUNDREDTHS = {"cent": "USD", "\u00a2": "USD", "pence": "GBP", "penny": "GBP", "eurocent": "EUR"}


_DECIMALS = {
    **dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(), 0),
    **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3),
    **dict.fromkeys(["CLF", "UYW"], 4),
}
"""Digits of the minor unit by ISO 4217, of the currencies that have not two."""

_WRITTEN_TIGHT = frozenset("USD EUR GBP CHF JPY CNY CAD AUD INR HKD SGD SEK NOK DKK NZD BRL MXN ZAR KRW".split())


def is_currency(code: str) -> bool:
    """True if this is the code of a currency that ISO 4217 lists today, in capitals as the standard writes it."""
    return code in CODES


def decimals_of(code: str) -> int:
    """How many decimals an amount in a currency is written with, where it has any."""
    return _DECIMALS.get(code, 2)


def code_of(word: str, *, tight: bool = False) -> str | None:
    """The currency that a word in capitals beside a number stands for.

    Args:
        word: As written.
        tight: Whether it touches the number, where only the best known codes are no part of a name (SHP2, TOP10).
    """
    if tight:
        return word if word in _WRITTEN_TIGHT else None
    return word if word in CODES or word in HISTORIC else None
