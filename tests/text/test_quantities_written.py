"""Numbers and dates as other languages plainly write them."""

import pytest
from every import every

from spanwise.text.quantities import parse_date, quantities


def read(text):
    return [f"{one.kind}|{one.iso or one.value}|{one.unit}" for one in quantities(text)]


@every(
    ("text", "expected"),
    [
        ("于2021年3月5日在河边", "date|2021-03-05|"),
        ("２０２１年３月", "date|2021-03|"),
        ("2021년 3월 5일", "date|2021-03-05|"),
        ("Am 3. März 2021 wurde die Brücke gebaut.", "date|2021-03-03|"),
        ("le 5 mars 2021 dans la ville", "date|2021-03-05|"),
        ("el 5 de marzo de 2021", "date|2021-03-05|"),
        ("5 марта 2021 года", "date|2021-03-05|"),
        ("5 मार्च २०२१", "date|2021-03-05|"),
        ("共100人", "count|100|person"),
        ("Die Halle kostet 1,2 Mio. Euro im Jahr", "money|1200000|EUR"),
        ("2 millions d'euros", "money|2000000|EUR"),
        ("Das kostet 1.500 Euro.", "money|1500|EUR"),
        ("1.459 Euro per litre", "money|1.459|EUR"),
        ("3,5 kWh", "count|3.5|kilowatt hour"),
        ("0.5 l", "count|0.5|litre"),
        ("Lockers cost 50p", "money|0.50|GBP"),
        ("an hour and a half", "duration|1.5|hour"),
        ("two-and-a-half hours", "duration|2.5|hour"),
        ("two days and a half", "duration|2.5|day"),
        ("within 30 (thirty) days", "duration|30|day"),
        ("3个月", "duration|3|month"),
        ("1億2000万円", "money|120000000|JPY"),
        ("5만원", "money|50000|KRW"),
        ("５％", "percent|5|%"),
        ("Die Miete für das Haus ist 1.234,50 Euro", "money|1234.50|EUR"),
        ("Die Kosten betragen 3,5 Millionen Euro", "money|3500000|EUR"),
        ("La durée est de 5 ans pour les pièces", "duration|5|year"),
        ("Le loyer est de 1 234,56 € par mois", "money|1234.56|EUR"),
        ("Der Vertrag endet nach drei Monaten", "duration|3|month"),
        ("किराया १,२३,४५६ रुपये है", "money|123456|INR"),
        ("السعر ١٬٢٣٤٫٥٦ يورو", "money|1234.56|EUR"),
        ("二〇二四年三月五日", "date|2024-03-05|"),
        ("令和6年3月5日", "date|2024-03-05|"),
        ("三千五百元", "money|3500|CNY"),
        ("占百分之二十五。", "percent|25|%"),
        ("百分之20的股份", "percent|20|%"),
        ("1 Mart 2024 tarihinde", "date|2024-03-01|"),
        ("ngày 1 tháng 3 năm 2024", "date|2024-03-01|"),
        ("วันที่ 1 มีนาคม 2024", "date|2024-03-01|"),
        ("1 250,50 евро", "money|1250.50|EUR"),
    ],
)
def test_other_languages(text, expected):
    assert read(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The ratio was 1.234 of it", ["number|1.234|"]),
        ("Mars 2020 landed", ["date|2020|"]),
        ("bought for $1,000", ["money|1000|USD"]),
        ("平成10年", ["date|1998|"]),
    ],
)
def test_english_and_eras_stay(text, expected):
    assert read(text) == expected


def test_a_date_alone():
    assert parse_date("3. März 2021") == "2021-03-03"
    assert parse_date("2021年3月5日") == "2021-03-05"


def test_places_are_those_of_the_text():
    text = "费用为５万美元。"
    (found,) = quantities(text)
    assert text[found.start : found.end] == found.original == "５万美元"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The rent is 1 200 euros a month.", 1200),
        ("A sum of € 12 500 is due.", 12500),
        ("They paid 1 234 567 EUR in all.", 1234567),
        ("Le loyer est de 1 200 euros par mois.", 1200),
    ],
)
def test_groups_behind_plain_spaces_are_one_amount_in_a_sentence(text: str, value: int) -> None:
    assert [one.value for one in quantities(text)] == [value]


@pytest.mark.parametrize("text", ["Chair 4 120 EUR", "for 2019 200 euros", "see page 3 200 euros were paid"])
def test_a_count_or_a_number_of_a_page_before_an_amount_is_none_of_its_groups(text: str) -> None:
    assert quantities(text)[-1].value in (120, 200)


@pytest.mark.parametrize("text", ["1h30 de trajet", "2h15", "a 1080p screen", "三分之一的人"])
def test_times_and_sizes_are_no_periods_and_no_money(text):
    assert read(text) == []
