"""Words, subjects, names and figures of a claim that stand where the text has another one, beside what keeps them."""

from every import every

from spanwise import verify

CHAPEL = """The chapel stands on the eastern bank of the river and was built by Oda Brandt, who also built two mills.
The left bell was cast in Ghent; the right one is older.
The roof is covered with slate on a frame of larch.
The nave was painted by pupils of the school, who were paid by the parish.
The organ came from Jonas Weil, who sold it to the dean of Mechelen in 1791.
Weil tuned the organ and the sexton, Bram Klaas, repaired the bellows.
The second mass of the day is the shortest.
Visitors may bring dogs. Guides are called by the sexton.
A later altar may be the work of a Spanish carver.
The keys are kept by Ilse or Marta during the winter.
The tower is 31 metres high. The wall of the garden is 9 metres long.
Serve the soup of the feast with rye bread.
Some of the windows are original, and the doors were replaced in 1880.
Water from the river is boiled; well water is only sieved.
The choir rehearsed for 40 minutes before the feast; in the school it was 25 minutes.
During the flood the parish bought candles from the town of Melle.
Some 30 benches may still have locks of brass.
Open candles are banned because of the roof. Use short candles at the altar.
The fee of the sexton stays at 12 guilders."""


@every(
    "claim",
    [
        "The chapel stands on the western bank of the river.",
        "The right bell was cast in Ghent.",
        "The first mass of the day is the shortest.",
        "The roof is covered with larch on a frame of slate.",
        "The dean of Mechelen sold it to Jonas Weil in 1791.",
        "Bram Klaas tuned the organ and Weil repaired the bellows.",
        "All windows are original.",
        "The soup of the feast must be served with rye bread.",
        "A later altar is the work of a Spanish carver.",
        "The keys are kept by Marta during the winter.",
        "The tower is 9 metres high.",
        "Well water is boiled.",
        "In the school the choir rehearsed for 40 minutes before the feast.",
        "The town of Melle bought candles from the parish.",
        "Some 30 benches have locks of brass.",
        "Short candles are banned.",
        "The fee of the sexton rises to 12 guilders.",
    ],
)
def test_another_word_in_the_place_of_the_texts_own_is_not_supported(claim: str) -> None:
    assert not verify(claim, [CHAPEL]).supported


@every(
    "claim",
    [
        "The chapel stands on the river's eastern bank.",
        "The left bell was cast in Ghent.",
        "The roof is covered with slate.",
        "Pupils of the school painted the nave.",
        "Weil tuned the organ.",
        "Bram Klaas, the sexton, repaired the bellows, and Weil tuned the organ.",
        "Some of the windows are original.",
        "The keys are kept by Marta or Ilse during the winter.",
        "A later altar may be the work of a carver.",
        "The tower is 31 metres high.",
        "The sexton calls the guides.",
        "Well water is only sieved.",
        "River water is boiled and well water is only sieved.",
        "The parish bought candles from the town of Melle during the flood.",
        "Some 30 benches may have locks of brass.",
        "Open candles are banned.",
        "The second mass of the day will be the shortest.",
    ],
)
def test_the_same_in_another_order_or_voice_is_supported(claim: str) -> None:
    assert verify(claim, [CHAPEL]).supported
