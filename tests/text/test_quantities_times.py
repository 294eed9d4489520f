"""Dates, years, and the periods of accounts."""

import pytest
from every import every

from spanwise.text.quantities import parse_date, quantities


def times(text: str) -> list[str]:
    return [quantity.iso for quantity in quantities(text) if quantity.iso]


@every(
    ("text", "iso"),
    [
        *(("2024-03-15", "2024-03-15"), ("15 March 2024", "2024-03-15"), ("March 15, 2024", "2024-03-15")),
        *(
            ("3/15/2024", "2024-03-15"),
            ("15/3/2024", "2024-03-15"),
            ("15.03.2024", "2024-03-15"),
            ("12/10/98", "1998-12-10"),
        ),
        *(("31-Dec-2019", "2019-12-31"), ("Dec. 31, 2019", "2019-12-31"), ("MARCH 1, 2001", "2001-03-01")),
        *(("the 23rd day of September 1998", "1998-09-23"), ("30th day of April 2015", "2015-04-30")),
        *(
            ("14t h day of April, 2015", "2015-04-14"),
            ("the 1 st of May, 2012", "2012-05-01"),
            ("the 1 st of May", "--05-01"),
        ),
        *(("first day of January, 2015", "2015-01-01"), ("twenty-first day of June 2001", "2001-06-21")),
        *(("31  day of July, 2019", "2019-07-31"), ("20th day of Friday, March 2020", "2020-03-20")),
        *(("1st day of      --- November, 2003", "2003-11-01"), ("16 day of August. 2012", "2012-08-16")),
        *(("September 2016", "2016-09"), ("Jan-22", "2022-01"), ("July, 1999", "1999-07"), ("June 30", "--06-30")),
        *(
            ("May 5, 2020", "2020-05-05"),
            ("Thursday, May 3rd, 1999", "1999-05-03"),
            ("November 21,\n2017", "2017-11-21"),
        ),
    ],
)
def test_dates(text, iso):
    assert times(text) == [iso]
    assert parse_date(text) == iso


@pytest.mark.parametrize("text", ["2024-02-30", "February 30, 2024", "13/13/2024", "31 June 2020", "2023-02-29"])
def test_a_day_that_no_calendar_has_is_no_date(text):
    assert quantities(text) == []
    assert parse_date(text) is None


@pytest.mark.parametrize("text", ["", "soon", "March", "5", "March 15, 2024 and later", "$2,019", "1.5"])
def test_what_is_not_one_date(text):
    assert parse_date(text) is None


def test_a_year_is_a_date_at_its_precision():
    assert parse_date("2019") == "2019"


@pytest.mark.parametrize(
    ("text", "ambiguous"), [("4/3/2024", True), ("3/15/2024", False), ("5/5/2024", False), ("April 3, 2024", False)]
)
def test_day_and_month_that_could_change_places_are_flagged(text, ambiguous):
    assert quantities(text)[0].ambiguous is ambiguous


@every(
    ("text", "isos"),
    [
        *(("fiscal 2022", ["FY2022"]), ("FY22", ["FY2022"]), ("FY2022 and FY2021", ["FY2022", "FY2021"])),
        *(("fiscal years 2017, 2016 and 2015", ["FY2017", "FY2016", "FY2015"]), ("2022 fiscal year", ["FY2022"])),
        *(("Q2 2023", ["2023-Q2"]), ("2Q23", ["2023-Q2"]), ("Q2 FY23", ["FY2023-Q2"]), ("Q2'23", ["2023-Q2"])),
        *(("second quarter of 2023", ["2023-Q2"]), ("fourth quarter of fiscal 2022", ["FY2022-Q4"])),
        *(("first half of 2023", ["2023-H1"]), ("1H 2023", ["2023-H1"]), ("fourth fiscal quarter", ["Q4"])),
        *(
            ("three months ended June 30, 2023", ["P3M/2023-06-30"]),
            ("quarter ended June 30, 2023", ["P3M/2023-06-30"]),
        ),
        *(("fiscal year ended January 28, 2023", ["P1Y/2023-01-28"]), ("fiscal year ending June 30", ["P1Y/--06-30"])),
        *(("thirteen weeks ended April 29, 2023", ["P13W/2023-04-29"]), ("calendar year 2019", ["2019"])),
        ("years ended December 31, 2019, 2018, and 2017", ["P1Y/2019-12-31", "P1Y/2018-12-31", "P1Y/2017-12-31"]),
        ("as of December 31, 2022 and 2021", ["2022-12-31", "2021-12-31"]),
        ("three months ended June 30, 2023 and 2022", ["P3M/2023-06-30", "P3M/2022-06-30"]),
        *(("2019-2021", ["2019/2021"]), ("2019-20", ["2019/2020"]), ("between 1268 and 1273", ["1268/1273"])),
        *(
            ("January 1, 2020 \u2013 March 31, 2020", ["2020-01-01/2020-03-31"]),
            ("October 1-31, 2020", ["2020-10-01/2020-10-31"]),
        ),
    ],
)
def test_periods(text, isos):
    assert times(text) == isos


@pytest.mark.parametrize(
    ("text", "isos"),
    [
        *(
            ("in 2019 and 2018", ["2019", "2018"]),
            ("2022 2021 2020", ["2022", "2021", "2020"]),
            ("the 2009 Plan", ["2009"]),
        ),
        *(("invaded in 1072, riding", ["1072"]), ("Act of 1934", ["1934"]), ("2019 (1)", ["2019"])),
        *(
            ("2,019", []),
            ("$2019", []),
            ("2000 shares", []),
            ("2010 employees", []),
            ("of 1500 items", []),
            ("may 5 people", []),
        ),
    ],
)
def test_a_year_is_told_from_a_number(text, isos):
    assert times(text) == isos
