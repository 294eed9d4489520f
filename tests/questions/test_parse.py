import pytest
from every import every

import spanwise
from spanwise import parse_question
from spanwise.errors import InputError, QuestionError
from spanwise.questions.parse import MOST_CHARACTERS


@pytest.mark.parametrize(
    ("text", "shape", "count"),
    [
        ("What are the five essential characteristics of cloud computing?", "listing", 5),
        ("List all exclusions.", "listing", None),
        ("Which services are excluded?", "listing", None),
        ("What is the late payment penalty?", "single", None),
        ("How many of the three models are there?", "single", None),
        ("When does the agreement end?", "single", None),
        ("What business does the company run?", "single", None),
        ("Show the fees as a table", "table", None),
    ],
)
def test_shape_and_count(text, shape, count):
    question = parse_question(text)
    assert (question.answer_shape, question.count) == (shape, count)


@every(
    ("text", "kind"),
    [
        ("When does the agreement end?", "date"),
        ("How many employees are there?", "quantity"),
        ("How much does the Company pay per month?", "amount"),
        ("What was the revenue of Acme in 2022?", "amount"),
        ("Who signed the report?", "person"),
        ("Where is the office?", "place"),
        ("Does the consumer control the network?", "boolean"),
        ("Is it the buyer or the seller who pays?", "text"),
        ("What is cloud computing?", "text"),
        ("What is the address of the landlord?", "address"),
        ("Which address do letters go to?", "address"),
        ("What is the tenant's postal address?", "address"),
        ("Where is the company's registered office?", "address"),
        ("What issues does the report address?", "text"),
        ("What is the email address of the agent?", "text"),
        ("How does the plan address risk?", "text"),
        ("To which account must the rent be paid?", "iban"),
        ("What is the IBAN of the landlord?", "iban"),
        ("What account number is the deposit paid to?", "iban"),
        ("What does the report account for?", "text"),
    ],
)
def test_answer_type(text, kind):
    assert parse_question(text).answer_type == kind


def test_the_example_of_the_specification():
    question = parse_question("What are the exclusions in the warranty section?")
    assert question.answer_shape == "listing"
    assert question.scope == "warranty"
    assert "exclusions" in question.keywords


def test_keywords_are_words_that_know_their_stems_weight_and_source():
    question = parse_question("What are the five  essential characteristics of the characteristics?")
    assert question.stems == ("essenti", "characterist")
    assert [(k.text, k.weight, k.source) for k in question.keywords] == [
        ("essential", 1.0, "direct"),
        ("characteristics", 1.0, "direct"),
    ]
    assert question.text == "What are the five essential characteristics of the characteristics?"


def test_a_profile_adds_how_the_documents_say_it():
    question = parse_question("What was the capex in 2020?", profile="filings")
    added = [keyword for keyword in question.keywords if keyword.source == "expert_dictionary"]
    assert "capital expenditures" in added
    assert all(keyword.weight < 1 for keyword in added)
    assert "capital expenditures" in question.retrieval_brief.expansions
    assert "capital" not in question.retrieval_brief.query


@pytest.mark.parametrize("text", ["", "  \n ", "???", "\u200b", "x" * (MOST_CHARACTERS + 1)])
def test_what_is_no_question_is_refused_in_a_sentence(text):
    with pytest.raises(QuestionError, match=r"the question .+: "):
        parse_question(text)


@pytest.mark.parametrize("text", ["What is it?", "Was ist das?", "Quelle est la pénalité de retard ?", "wort " * 2000])
def test_odd_questions_are_parsed_in_bounded_form(text):
    question = parse_question(text)
    assert len(question.keywords) <= 50
    assert question.intent == "unknown"


@pytest.mark.parametrize(
    ("text", "query", "instructions"),
    [
        ("premium in EUR as integer", "premium", ("in EUR", "as integer")),
        ("What was the net income in 2019? Answer in USD millions.", "net income 2019", ("Answer in USD millions.",)),
        (
            "What is the capital spending (in millions) for 2018? Give a response by relying on the notes.",
            "capital spending 2018",
            ("Give a response by relying on the notes.", "(in millions)"),
        ),
        ("What is the fee?", "fee", ()),
    ],
)
def test_words_about_the_form_stay_out_of_the_search_and_go_to_the_answer(text, query, instructions):
    question = parse_question(text)
    assert question.retrieval_brief.query == query
    assert sorted(question.generation_brief.instructions) == sorted(instructions)
    assert question.generation_brief.question == text


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("What is the fee on pages 5 to 7?", (5, 6, 7)),
        ("What do page 2 and page 7 say about fees?", (2, 7)),
        ("see p. 12: what is due?", (12,)),
        ("What is on page 0?", ()),
        ("What is due within 30 days?", ()),
        ("fees on pages 1-99999?", tuple(range(1, 201))),
    ],
)
def test_pages_that_are_named(text, pages):
    question = parse_question(text)
    assert question.pages == pages
    assert not any(keyword.lower().startswith("page") for keyword in question.keywords if pages)


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("What is excluded under section 4.2?", "4.2"),
        ("Who may terminate according to what is said in the Termination clause?", "Termination"),
        ("What does it say in the section on fees?", "fees"),
        ("What is said in this section?", None),
        ("What is the fee?", None),
    ],
)
def test_sections_that_are_named(text, scope):
    assert parse_question(text).scope == scope


@pytest.mark.parametrize(
    ("text", "pattern", "parts"),
    [
        (
            "What is the premium and what are the exclusions?",
            "independent",
            ("What is the premium?", "what are the exclusions?"),
        ),
        ("What is the premium and the deductible?", "independent", ("What is the premium?", "What is the deductible?")),
        ("What are the exclusions and limitations?", "unified", ()),
        ("If the fee is late, what is due?", "conditional", ()),
        ("Who is the vendor? When was it signed?", "independent", ("Who is the vendor?", "When was it signed?")),
        (
            "Who are the parties, what law governs the lease, and how can it end?",
            "independent",
            ("Who are the parties?", "what law governs the lease?", "how can it end?"),
        ),
        (
            "What is the fee and who pays it? This includes taxes.",
            "independent",
            ("What is the fee?", "who pays it? This includes taxes."),
        ),
        ("What is the renewal term? This includes extensions.", "single", ()),
        ("When is the trip and how much?", "independent", ("When is the trip?", "How much is the trip?")),
        (
            "What does the bus cost? And the lunch?",
            "independent",
            ("What does the bus cost?", "What does the lunch cost?"),
        ),
        ("In 2019, what was the fee and who paid?", "independent", ("In 2019, what was the fee?", "who paid?")),
        ("What are the terms and conditions of payment?", "unified", ()),
        ("What is research and development?", "single", ()),
    ],
)
def test_questions_that_are_more_than_one(text, pattern, parts):
    question = parse_question(text)
    if pattern != "single":
        assert (question.pattern, question.parts) == (pattern, parts)


def test_constraints_times_and_names():
    question = parse_question("What must Acme Corp. pay within 30 days in fiscal 2022 at a 1.5% rate?")
    assert question.constraints == {"timeframe": "30 days", "percentage": "1.5"}
    assert question.times == ("FY2022",)
    assert question.entities == ("Acme Corp",)


@pytest.mark.parametrize("text", ["What's the limit?", "What is the date?", "the fee?"])
def test_a_question_that_could_mean_anything_asks_back(text):
    assert "do you mean?" in (parse_question(text).clarification or "")


def test_a_question_that_says_enough_does_not():
    assert parse_question("What is the late fee?").clarification is None
    assert parse_question("What is cloud computing?").clarification is None


def test_what_a_profile_knows_is_clear():
    assert parse_question("How long is the term?", profile="contracts").clarification is None
    assert "do you mean?" in parse_question("How long is the term?", profile="standards").clarification


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Which state's law governs this agreement?", "governing_law"),
        ("What is the governing law?", "governing_law"),
        ("Can either party terminate for convenience?", "termination_for_convenience"),
        ("May the agreement be assigned without consent?", "anti_assignment"),
        ("Who are the parties to the agreement?", "parties"),
        ("What is the late fee?", "penalty"),
        ("What is cloud computing?", "unknown"),
        ("What are the exclusions?", "unknown"),
    ],
)
def test_intents_of_the_contracts_profile(text, intent):
    assert parse_question(text, profile="contracts").intent == intent


def test_a_document_decides_which_profiles_apply(standard):
    asked = "Which law governs the agreement?"
    made = b"This Agreement is made between Orrin Lifts Ltd. and Velm Stores Inc. (the parties hereto).\n"
    assert parse_question(asked, document=spanwise.read(made, name="agreement.txt")).intent == "governing_law"
    assert parse_question(asked, document=spanwise.read(standard)).intent == "unknown"


def test_what_is_asked_twice_is_one_part():
    asked = parse_question("What is the fee? What is the term? what is the fee?")
    assert asked.parts == ("What is the fee?", "What is the term?")
    assert parse_question("What is the fee? What is the fee?").pattern == "single"


def test_too_many_questions_at_once_are_refused():
    with pytest.raises(QuestionError, match="asks 21 things at once, more than 20"):
        parse_question(" ".join(f"What is the fee of item {at}?" for at in range(21)))


LEASE = tuple(f"What is the {one} of the lease?" for one in ("rent", "deposit", "notice period"))
ENDS = ("When does the lease begin?", "When does the lease end?")


@every(
    ("text", "pattern", "parts"),
    [
        ("When does the lease begin and end?", "independent", ENDS),
        ("Where is the fee paid and kept?", "independent", ("Where is the fee paid?", "Where is the fee kept?")),
        ("Where is it held and where is it used?", "independent", ("Where is it held?", "where is it used?")),
        ("What are the rent, the deposit and the notice period of the lease?", "independent", LEASE),
        ("Who are the landlord and the tenant?", "independent", ("Who is the landlord?", "Who is the tenant?")),
        ("First find the fee, then say when it is due.", "sequential", ("What is the fee?", "When it is due?")),
        ("First, what is the rent? Then, who pays it?", "sequential", ("What is the rent?", "Who pays it?")),
        ("Where is the head office and warehouse?", "single", ()),
        ("What is the difference between the deposit and the rent?", "single", ()),
        ("What is the sum of the rent and the deposit?", "single", ()),
        ("What is the research and development expense?", "unified", ()),
        ("What are the research and development expenses in 2019?", "unified", ()),
        ("What was the research and development spending in 2019, 2018 and 2017?", "single", ()),
        ("What is the purpose of the terms and the conditions?", "unified", ()),
    ],
)
def test_parts_of_verbs_nouns_and_orders(text, pattern, parts):
    question = parse_question(text)
    assert (question.pattern, question.parts) == (pattern, parts)


def test_the_first_word_behind_an_inverted_mark_is_no_name():
    assert parse_question("\u00bfTengo que pagar a Marta Ruiz?").entities == ("Marta Ruiz",)


def test_a_language_that_is_said_is_taken_where_few_words_tell_it():
    asked = "Mietbeginn wann?"
    assert (parse_question(asked).language, parse_question(asked).keywords) == ("en", ("Mietbeginn", "wann"))
    said = parse_question(asked, language="de")
    assert (said.language, said.keywords) == ("de", ("Mietbeginn",))
    with pytest.raises(InputError, match="there is no language 'xx': choose ar, cs"):
        parse_question(asked, language="xx")
