"""Each game's own board on a phone: what is still possible, what a die would change, what each choice would bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.dice import Die, Shape
from engine.game import games, sample_setups
from tests.engine.carnavalesco.parade import dice
from tests.waiting import until
from tests.webui.hands import fits, put_down
from tests.webui.phone import Phone
from tests.webui.stage import Served, Stage, some_dice


@pytest.fixture(scope="module")
def one_phone() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


@pytest.fixture
def phone(one_phone: Phone) -> Iterator[Phone]:
    yield one_phone
    put_down(one_phone)


def text_of(phone: Phone, selector: str) -> str:
    return str(phone.run("return document.querySelector(arguments[0])?.innerText || ''", selector))


def element(name: str) -> str:
    return f"[data-element='{name}']"


def a_red_start(stage: Stage) -> None:
    """Ana has red 1 and red 3 in Vanguard, Bia two dice elsewhere; Bia rolls next, and Ana picks after her."""
    stage.open_game()
    stage.roll([*dice("R1R3"), *some_dice(10)])
    for _ in range(2):
        now = stage.table.now().state
        first = [at for at, taken in enumerate(now.taken) if taken is None][:2]
        places = [{"die": at, "element": "vanguard" if now.turn == 0 else "floats"} for at in first]
        stage.table.apply({"move": "take", "seat": now.turn, "places": places})


def test_the_board_tells_what_is_possible_and_what_each_die_would_make_of_it(phone: Phone, served: Served) -> None:
    stage = served.stage
    a_red_start(stage)
    phone.open(served.url)
    phone.waits_for("Ana takes two dice", "#prompt")
    until(lambda: "☆" in text_of(phone, f"{element('vanguard')} .score"))
    phone.tap(element("vanguard"))
    phone.waits_for("One more die would make of it", ".board .why")
    phone.waits_for("The sum is always that of all four dice", ".board .why")
    groups = phone.run(
        "return [...document.querySelectorAll('.offers li')].map((line) => line.innerText.split(':')[0])"
    )
    assert groups[0] == "a perfect 10 is possible"
    assert "at best +3" in groups
    fits(phone, "an element's rules")
    phone.tap(element("vanguard"))
    # A die is tapped: each element says what would become of it.
    now = stage.table.now().state
    blue = next(at for at, die in enumerate(now.roll) if die.colour == "blue" and now.taken[at] is None)
    phone.tap(f"[data-die='{blue}']")
    until(lambda: "+3" in text_of(phone, f"{element('vanguard')} .score.coming.less"))
    assert "with this die: at best +3" in phone.run(
        "return document.querySelector(arguments[0]).textContent", element("vanguard")
    )
    fits(phone, "a die that waits for its element")


def test_the_second_die_is_told_on_the_board_with_the_first(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game()
    five, other = dice("R5B5")
    stage.roll([five, other, *some_dice(10)])
    phone.open(served.url)
    phone.tap("[data-die='0']")
    phone.tap(element("harmony"))
    phone.tap("[data-die='1']")
    until(lambda: "–" in text_of(phone, f"{element('drums')} .score.coming"))


def test_a_house_rule_changes_the_words_of_its_element(phone: Phone, served: Served) -> None:
    players = [{"name": "Ana", "table": "practice"}, {"name": "Bia", "table": "practice"}]
    served.stage.open_game({"players": players, "house_rules": {"drums.check": "matching_only"}})
    phone.open(served.url)
    phone.tap(element("drums"))
    phone.waits_for("only silences the dice that show it", ".board .why")


def test_the_outlook_is_refused_in_words_where_it_cannot_be(stage: Stage) -> None:
    client = stage.app.test_client()
    assert client.get("/api/outlook?seat=0").json["elements"] == {}
    stage.open_game()
    assert client.get("/api/outlook?seat=0").json["elements"] == {}, "nobody takes dice"
    stage.roll()
    whole = client.get("/api/outlook?seat=1").json["elements"]
    assert set(whole["drums"]) == {str(at) for at in range(12)}, "also for who waits"
    for query in (
        "seat=2",
        "seat=x",
        "seat=0&put=0",
        "seat=0&put=12-drums",
        "seat=0&put=0-roof",
        "seat=0&put=0-drums-9",
    ):
        refused = client.get(f"/api/outlook?{query}")
        assert refused.status_code == 400, query
        assert "Nothing was changed" in refused.json["error"]["message"]
    assert "0" not in client.get("/api/outlook?seat=0&put=0-drums").json["elements"]["drums"]


def test_the_running_totals_are_a_secret_with_a_switch(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game()
    stage.roll()
    phone.open(served.url)
    phone.waits_for("Totals stay secret", "#board")
    assert not phone.all("#scores-part .total, #scores-part strong")
    phone.tap("[data-key='totals']")
    until(lambda: phone.all("#scores-part strong"))
    phone.tap("[data-key='totals']")
    until(lambda: not phone.all("#scores-part strong"))


SINS = {"players": [{"name": "Ana"}, {"name": "Bia"}, {"name": "Caio"}]}
SEVEN = [("d4", 3), ("d6", 6), ("d8", 6), ("d10", 9), ("d12", 1), ("d20", 17), ("white", 4)]


def roll_sins(stage: Stage) -> None:
    stage.table.open_game("carnival_of_sins", SINS)
    now = stage.table.now()
    shapes = [Shape.D6 if name == "white" else Shape(name) for name, _ in SEVEN]
    colours = ["white" if name == "white" else "black" for name, _ in SEVEN]
    rolled = [Die(colour, value, shape) for colour, shape, (_, value) in zip(colours, shapes, SEVEN, strict=True)]
    stage.table.apply(now.game.roll_move(now.state, rolled))


def test_each_sin_says_what_it_would_bring(phone: Phone, served: Served) -> None:
    roll_sins(served.stage)
    phone.open(served.url)
    until(lambda: len(phone.all("[data-sin]")) == 7)
    brings = {key.get_attribute("data-sin"): key.text.split("\n")[1] for key in phone.all("[data-sin]")}
    assert brings["gluttony"] == "takes 17"
    assert brings["greed"] == "takes 12"
    assert brings["lust"] == "up to 23"
    assert brings["envy"] == "like Ana"
    fits(phone, "the sins")


def test_locked_dice_stand_with_their_points_and_the_lowest_waits_for_the_white_die(
    phone: Phone, served: Served
) -> None:
    table = served.stage.table
    roll_sins(served.stage)
    table.apply({"move": "reveal", "seat": 0, "sin": "gluttony", "dice": ["d20"]})
    table.apply({"move": "reveal", "seat": 1, "sin": "sloth", "dice": ["d12"]})
    phone.open(served.url)
    phone.waits_for("Bia: Sloth", "#lying")
    assert text_of(phone, "[data-points='0']") == "17"
    assert text_of(phone, "[data-points='1']") == "1"
    lines = phone.run("return [...document.querySelectorAll('.owned')].map((line) => line.innerText)")
    assert ["white die" in line for line in lines] == [False, True]
    assert "locked" in lines[0]
    table.apply({"move": "reveal", "seat": 2, "sin": "envy"})
    assert table.state.marks()[0].scores == (17, 5, 17), "as the sheet then says"


def roda(players: int, **rules: Any) -> dict[str, Any]:
    return {**dict(sample_setups(games()["roda_de_samba"]))[players], "house_rules": rules}


def circle_of(*stacks: tuple[str, str, list[int]] | None) -> list[dict[str, Any] | None]:
    told = [one and {"instrument": one[0], "colour": one[1], "numbers": one[2]} for one in stacks]
    return [*told, *[None] * (10 - len(told))]


def test_a_circle_shows_what_neighbours_share_and_who_could_come(phone: Phone, served: Served) -> None:
    table = served.stage.table
    table.open_game("roda_de_samba", roda(2, **{"entry.detail": "circles"}))
    circle = circle_of(
        ("cavaquinho", "yellow", [1]), ("banjo", "yellow", [2]), ("pandeiro", "red", [2, 3]), ("surdo", "green", [4])
    )
    table.apply({"move": "circle", "seat": 0, "circle": circle, "sambists": []})
    phone.open(served.url)
    until(lambda: len(phone.all("svg.circle .link")) == 3)
    assert phone.run("return [...document.querySelectorAll('.link text')].map((e) => e.textContent)") == ["Y", "2", "✗"]
    assert [link.get_attribute("class") for link in phone.all(".link")] == ["link good", "link good", "link bad"]
    label = phone.run("return document.querySelector('svg.circle').getAttribute('aria-label')")
    assert "1–2 yellow" in label
    assert "3–4 crossed" in label
    phone.waits_for("1 crossed samba", "#board")
    headings = phone.run("return [...document.querySelectorAll('#board h2')].map((e) => e.innerText)")
    assert any("could invite now" in one or "can invite nobody yet" in one or "Not yet" in one for one in headings)
    answers = phone.run("return [...document.querySelectorAll('#board .sambist')].map((e) => e.innerText)")
    assert len(answers) == 4
    assert all("✓" in one or "Missing" in one for one in answers), "why not, where not"
    fits(phone, "the circle")


def test_the_end_scoring_adds_up_while_it_is_typed(phone: Phone, served: Served) -> None:
    table = served.stage.table
    table.open_game("roda_de_samba", roda(2, **{"entry.detail": "final"}))
    phone.open(served.url)
    until(lambda: phone.all("[data-tally='0-stars']"))
    phone.all("[data-tally='0-stars']")[0].send_keys("12")
    phone.all("[data-tally='0-crossed']")[0].send_keys("7")
    assert text_of(phone, "[data-sum='0']") == "= −2"
    phone.all("[data-tally='0-crossed']")[0].send_keys("x")
    assert text_of(phone, "[data-sum='0']") == "", "no number, no sum"


@pytest.mark.parametrize("key", ["roda_de_samba"])
def test_no_two_moves_of_the_list_read_the_same(stage: Stage, key: str) -> None:
    """The list of legal moves tells an invitation's followers apart, and the piles that a malandro goes onto."""
    stage.table.open_game(key, roda(3))
    client = stage.app.test_client()
    seen = 0
    for _ in range(60):
        texts = [move["text"] for move in client.get("/api/moves").json["moves"]]
        assert len(texts) == len(set(texts))
        seen += len(texts)
        now = stage.table.now()
        stage.table.apply(next(iter(now.game.legal_moves(now.state))))
    assert seen > 100
