"""Words, sentences and questions in other languages and scripts than English."""

import time
import tomllib
from dataclasses import fields
from importlib import resources

import pytest
from every import every

import spanwise
from spanwise import ask, read
from spanwise.store.codec import decode, encode
from spanwise.text.languages import language_of, question_kind, told_language
from spanwise.text.languages.data import Language, languages
from spanwise.text.sentences import sentences
from spanwise.text.terms import placed_terms, terms, terms_of_ranges


@every(
    ("text", "language"),
    [
        ("Where is the main office of the company?", "en"),
        ("", "en"),
        ("2021", "en"),
        ("El Camino de la Reina", "en"),
        ("Los Angeles", "en"),
        ("Van der Berg en Zonen", "en"),
        ("What sort of mill is Van Dort en Zonen?", "en"),
        ("Wo liegt Berlin?", "de"),
        ("Der Vertrag wird von beiden Seiten unterschrieben.", "de"),
        ("Quand le pont a-t-il été construit ?", "fr"),
        ("Qui a signé ?", "fr"),
        ("¿Dónde está la oficina de la empresa?", "es"),
        ("Hvor mange ansatte har selskapet?", "no"),
        ("Köprü hangi yılda yapılmıştır?", "tr"),
        ("Câte poduri sunt în oraș?", "ro"),
        ("Cây cầu được xây dựng vào năm nào?", "vi"),
        ("Когда был построен мост?", "ru"),
        ("Πότε χτίστηκε η γέφυρα;", "el"),
        ("متى بني الجسر؟", "ar"),
        ("पुल कब बनाया गया था?", "hi"),
        ("这座桥是什么时候建的？", "zh"),
        ("橋はいつ建てられましたか？", "ja"),
        ("다리는 언제 지어졌습니까?", "ko"),
        ("สะพานสร้างเมื่อไร", "th"),
    ],
)
def test_language_of_a_text(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("谁建造了石桥？", "石桥建于河上，由工匠建造。"),
        ("石橋を建てたのは誰ですか", "川に石橋が建てられた。"),
        ("돌다리는 누가", "강에 돌다리를 놓았다."),
        ("สะพานหินอยู่ที่ไหน", "มีสะพานหินเหนือแม่น้ำ"),
        ("Кто построил мосты?", "Мост стоит над рекой."),
        ("من بنى الجسور", "الجسور فوق النهر"),
        ("पुलों को किसने बनाया", "पुलों के नीचे नदी है"),
        ("ποιος έχτισε τις γέφυρες", "η γέφυρα"),
    ],
)
def test_question_and_text_share_words(asked, said):
    assert set(terms(asked)) & set(terms(said))


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("de", "Häuser", "Haus"),
        ("fr", "l'entreprise", "entreprises"),
        ("tr", "köprüler", "köprü"),
        ("es", "casas", "casa"),
    ],
)
def test_forms_of_a_word_are_alike_in_its_language(language, one, other):
    assert terms(one, language) == terms(other, language)


def test_a_document_knows_its_languages():
    german, chinese = "Der Vertrag wird von beiden Seiten unterschrieben.\n", "合同由双方签字。这座桥很老。\n"
    assert read((german * 9).encode(), name="a.txt").language == "de"
    mixed = read((german * 9 + chinese * 30).encode(), name="a.txt")
    assert set(mixed.languages) == {"de", "zh"}
    assert decode(encode(mixed)).languages == mixed.languages
    assert read(b"1 2 3\n", name="a.txt").languages == ()


@pytest.mark.parametrize(
    ("text", "likely", "language"),
    [
        ("Kiracı köpek.", {"en"}, ""),
        ("Leietakeren er her.", {"no"}, "no"),
        ("東京都庁", {"ja"}, "ja"),
        ("The landlord pays.", {"de"}, "en"),
        ("No prazo de 48 horas, o dono repara o carro.", {"pt"}, "pt"),
    ],
)
def test_likely_languages_are_taken_where_few_words_tell(text, likely, language):
    assert told_language(text, likely) == language


def test_function_words_are_no_terms():
    assert terms("Wo steht das Haus?", "de") == terms("steht Haus", "de")
    assert terms("где стоит дом") == terms("стоит дом")


def test_places_are_those_of_the_words():
    text = "Die 橋は古い und schön"
    assert all(text[place:].lower().startswith(term[:1]) for place, term in placed_terms(text, "de"))


def test_terms_of_ranges_of_unparted_text():
    text = "石桥很古老。木桥很新。"
    first, second = terms_of_ranges(text, [(0, 6), (6, 11)])
    assert "石桥" in first
    assert "木桥" in second
    assert "木桥" not in first


def test_accents_do_not_part_words():
    assert terms("cafés in Zürich") == terms("cafes in Zurich")


def test_digits_of_other_scripts_are_digits():
    assert terms("２０２１") == terms("٢٠٢١") == terms("२०२१") == ["2021"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("桥很老。它很长！对吗？是的", 4),
        ("彼は「行く。」と言った。終わり。", 2),
        ("यह पुल है। यह पुराना है।", 2),
        ("هل هو قديم؟ نعم هو قديم.", 2),
        ("Nothing here ends", 1),
    ],
)
def test_sentences_end_at_the_marks_of_the_script(text, number):
    found = sentences(text)
    assert len(found) == number
    assert all(text[start:end].strip() == text[start:end] for start, end in found)


def test_long_thai_text_is_parted_at_spaces():
    text = "สะพานหินเก่าอยู่เหนือแม่น้ำ " * 20
    assert 2 < len(sentences(text)) < 20


@every(
    ("question", "kind"),
    [
        ("Wie viele Brücken gibt es in der Stadt?", "how_many"),
        ("Wie lange dauert die Reise?", "how_long"),
        ("In welchem Jahr wurde die Brücke gebaut?", "when"),
        ("Ist die Brücke alt?", "yes_no"),
        ("Combien coûte le billet ?", "how_much"),
        ("Où se trouve le pont ?", "where"),
        ("Qui a construit le pont où passe le train ?", "who"),
        ("¿Por qué se construyó el puente?", "why"),
        ("Cuando se construyo el puente?", "when"),
        ("Hvem bygde broen?", "who"),
        ("Köprüyü kim yaptı?", "who"),
        ("Какой мост самый длинный?", "which"),
        ("В каком году построен мост?", "when"),
        ("Πόσες γέφυρες υπάρχουν;", "how_many"),
        ("كم عدد الجسور؟", "how_many"),
        ("हे पुल किसने बनाया?", "who"),
        ("Cây cầu ở đâu?", "where"),
        ("这座桥是谁建的？", "who"),
        ("桥有多少年了？", "how_long"),
        ("橋はどこにありますか？", "where"),
        ("なぜ橋が建てられましたか？", "why"),
        ("다리는 언제 지어졌습니까?", "when"),
        ("ใครสร้างสะพาน", "who"),
        ("Who built the bridge?", None),
        ("", None),
    ],
)
def test_kind_of_a_question(question, kind):
    assert question_kind(question) == kind


@pytest.mark.parametrize("text", ["桥" * 200_000, "ก" * 200_000, "か。" * 50_000, "é" * 200_000, "पु" * 100_000])
def test_long_runs_take_little_time(text):
    started = time.process_time()
    terms(text)
    language_of(text)
    sentences(text)
    question_kind(text)
    assert time.process_time() - started < 20  # a runaway takes minutes


@every("code", languages())
def test_a_file_of_words_holds_what_is_known_of_a_language(code):
    text = resources.files("spanwise.text.languages").joinpath(f"{code}.toml").read_text(encoding="utf-8")
    given = tomllib.loads(text)
    known = {one.name for one in fields(Language)} - {"code"}
    assert set(given) <= known
    assert given["function_words"].split()
    assert len(given.get("months", range(12))) == 12


def test_two_words_that_ask_tell_a_language_though_one_of_them_is_english():
    assert language_of("Was kostet das Mittagessen?") == "de"
    assert language_of("Was the rent paid?") == language_of("Was it cheap?") == "en"


def test_what_asks_for_a_thing_in_german_is_no_question_for_yes_or_no():
    document = spanwise.read(b"Das Mittagessen kostet 3,90 Euro am Tag. Freitags gibt es Fisch.", name="a.txt")
    assert "Yes" not in spanwise.ask("Was kostet das Mittagessen?", [document]).text
    caveats = spanwise.ask("Was passiert, wenn ich kein Mittagessen bestelle?", [document]).answer.caveats
    assert not any("yes or no" in one for one in caveats)


def test_a_question_in_another_language_than_the_document_is_told_so():
    german = "Der Mietvertrag beginnt am 1. März. Der Mieter darf keine Hunde halten.\n"
    result = ask("When does the lease begin?", [read(german.encode(), name="a.txt")])
    assert result.decision.kind == "not_found"
    assert result.missing.what == "a question in the language of the document (de)"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("مديرة المكتبة هي Giulia Ferrante.", "ar"),
        ("Начальник — Anna Berger", "ru"),
        ("The head of the office is 王小明.", "en"),
        ("Tokyo 東京 University", "en"),
    ],
)
def test_names_in_latin_letters_do_not_hide_the_script_of_a_sentence(text: str, language: str) -> None:
    assert language_of(text) == language
