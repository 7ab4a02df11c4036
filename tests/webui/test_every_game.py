"""Every game is played from a phone: by its own part of the pages, or by what suits every game."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Response, request
from flask.testing import FlaskClient
from selenium.webdriver.common.keys import Keys

from engine.dice import Die
from engine.game import games
from tests.engine.tally import bank, roll
from tests.waiting import until
from tests.webui.hands import choose, fits, put_down, tap_drawn
from tests.webui.phone import Phone
from tests.webui.stage import CODE, Served, Stage

PAGES = ("/", "/log", "/end", "/tv", "/history", "/new")


@pytest.fixture(scope="module")
def one_phone() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


@pytest.fixture
def phone(one_phone: Phone) -> Iterator[Phone]:
    """The module's phone, put down before its table goes away."""
    yield one_phone
    put_down(one_phone)


def quiet(phone: Phone) -> None:
    assert not [line for line in phone.complaints() if "favicon" not in line]


@pytest.mark.parametrize("key", sorted(games()))
def test_each_page_stands_for_each_game(stage: Stage, key: str) -> None:
    client = stage.app.test_client()
    game = games()[key]
    assert client.get(f"/new/{key}").status_code == 200
    stage.table.open_game(key, game.sample_setup(3))
    for path in PAGES:
        assert client.get(path).status_code == 200, path
    state = client.get("/api/state").json
    assert state["game"]["key"] == key
    answer = client.get("/api/moves").json
    assert answer["count"] == sum(group["count"] for group in answer["groups"])
    assert all(move["text"] for move in answer["moves"])


def test_there_is_no_form_for_a_game_that_is_not_there(phone: Phone, served: Served) -> None:
    assert served.stage.app.test_client().get("/new/chess").status_code == 404


def test_legal_moves_are_narrowed_field_by_field(stage: Stage) -> None:
    client = stage.app.test_client()
    assert client.get("/api/moves").json["count"] == 0
    stage.table.open_game("tally", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    stage.table.apply(roll(6, 6))
    every = client.get("/api/moves").json
    assert every["groups"] == [{"move": "bank", "count": 12}]
    (field,) = every["fields"]
    assert (field["name"], len(field["values"])) == ("points", 12)
    one = client.get("/api/moves", query_string={"move": '"bank"', "points": "5"}).json
    assert one["count"] == 1
    assert one["moves"] == [{"move": bank(5), "seat": 0, "text": "Ana banks 5 of 12."}]
    assert client.get("/api/moves", query_string={"points": "77"}).json["count"] == 0


def test_a_game_without_a_board_of_its_own_is_played_by_its_legal_moves(phone: Phone, served: Served) -> None:
    table = served.stage.table
    table.open_game("tally", {"players": [{"name": "Ana"}, {"name": "Bia"}], "goal": 10})
    phone.open(served.url)
    phone.waits_for("Ana: roll", "#prompt")
    table.apply(roll(3, 5))
    phone.waits_for("Ana banks 8 of 8.", "#picker")
    phone.run(
        "const e = document.querySelector('[data-field=points]'); e.value = '5';e.dispatchEvent(new Event('change'));"
    )
    until(lambda: len(phone.all("[data-choice]")) == 1)
    phone.tap("[data-choice='0']")
    phone.waits_for("Bia: roll", "#prompt")
    phone.waits_for("5 points banked", "#scores")
    assert table.state.scores == (5, 0)
    phone.tap("#undo")
    phone.tap("[data-yes]")
    phone.waits_for("Ana banks 8 of 8.", "#picker")
    table.apply(bank(5))
    for move in (roll(1, 1), bank(2), roll(4, 2), bank(5)):
        table.apply(move)
    phone.waits_for("Ana wins", "#prompt")
    phone.tap("#to-end")
    phone.waits_for("The winner is", "#judge")
    phone.waits_for("10 points banked", "#judge")
    quiet(phone)


def type_roll(phone: Phone, *dice: tuple[str, int]) -> None:
    phone.tap("#by-hand")
    for name, value in dice:
        phone.tap(f"[data-typing='{name}'] [data-face='{value}']")
    until(lambda: phone.all("#confirm:not([disabled])"))
    phone.tap("#confirm")


def test_a_round_of_sins_is_played_from_a_phone(phone: Phone, served: Served) -> None:
    phone.open(f"{served.url}/new")
    phone.tap("[data-game='carnival_of_sins']")
    until(lambda: len(phone.all("[data-name]")) == 2)
    phone.tap("#add-player")
    for field, name in zip(phone.all("[data-name]"), ("Ana", "Beatriz Helena", "Caio"), strict=True):
        field.send_keys(name)
    phone.tap("#start")
    phone.waits_for("Ana has the Devil Card", "#prompt")
    fits(phone, "the roll")
    values = {
        "black-d4": 3,
        "black-d6": 6,
        "black-d8": 6,
        "black-d10": 9,
        "black-d12": 1,
        "black-d20": 15,
        "white-d6": 4,
    }
    type_roll(phone, *values.items())
    phone.waits_for("Ana reveals a sin", "#prompt")
    phone.tap("[data-sin='greed']")
    phone.waits_for("Greed: take the d6, the d8", "#bar")
    phone.tap("#reveal")
    phone.waits_for("Beatriz Helena reveals a sin", "#prompt")
    assert phone.sees("Ana: Greed", "#lying")
    phone.tap("[data-sin='lust']")
    assert phone.all("#reveal[disabled]"), "its dice are not chosen"
    phone.tap("#lying [data-die='d6']")
    assert phone.all("#lying [data-die='d4'][disabled], #lying [data-die='d8'][disabled]"), "one odd and one even die"
    phone.tap("[data-sin='wrath']")
    phone.tap("#lying [data-die='d6']")
    phone.tap("#reveal")
    phone.waits_for("throws the d6 by Wrath", "#prompt")
    phone.tap("[data-knock='d8']")
    phone.waits_for("and the d8", "#prompt")
    phone.tap("[data-fall='d6']")
    phone.tap("[data-fell='5']")
    phone.waits_for("Fallen: the d6", "#throw")
    fits(phone, "the throw")
    type_roll(phone, ("black-d6", 2), ("black-d8", 7))
    phone.waits_for("Caio reveals a sin", "#prompt")
    phone.tap("[data-sin='pride']")
    phone.tap("#reveal")
    phone.waits_for("Caio has the Devil Card", "#prompt")
    phone.waits_for("Wrath: fallen dice cost 5", "#why")
    assert [row["scores"] for row in served.stage.table.game.scoreboard(served.stage.table.state)["rounds"]] == [
        [9, -1, 28]
    ]
    fits(phone, "the sheet")
    quiet(phone)


def test_who_played_what_stays_hidden_until_the_end(phone: Phone, served: Served) -> None:
    stage = served.stage
    game = games()["carnival_of_sins"]
    stage.table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    once = {"Ana": "greed", "Bia": "envy"}
    stage.table.apply(game.roll_move(stage.table.state, game.sample_roll(stage.table.state, lambda most: 0)))
    for seat, sin in enumerate(once.values()):
        move = next(m for m in game.legal_moves(stage.table.state) if m.get("sin") == sin and m["seat"] == seat)
        stage.table.apply(move)
    stage.table.apply(game.roll_move(stage.table.state, game.sample_roll(stage.table.state, lambda most: 0)))
    phone.open(served.url)
    phone.waits_for("What was played stays hidden", "#board")
    assert not phone.sees("Greed:", "#board")
    assert [entry["text"] for entry in stage.app.test_client().get("/api/log").json["log"]][1:3] == [
        "A turn of an earlier round.",
        "A turn of an earlier round.",
    ]
    assert not phone.all("[data-sin]"), "a phone that all share keeps a hand closed"
    phone.waits_for("for your eyes alone", "#closed-hand")
    phone.tap("#show-hand")
    until(lambda: phone.all("[data-sin]"))
    assert len(phone.all("[data-sin]")) == 6, "only what is left in that hand"
    assert not phone.all("[data-sin='envy']"), "Bia, the Devil by now, has played it"
    phone.tap("[data-sin='pride']")
    phone.tap("#reveal")
    phone.waits_for("Ana reveals a sin", "#prompt")
    until(lambda: not phone.all("[data-sin]"))
    assert phone.all("#show-hand"), "the next hand is closed again"


def test_turns_that_are_not_told_share_a_line_that_opens(phone: Phone, served: Served) -> None:
    table, game = served.stage.table, games()["carnival_of_sins"]
    table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    table.apply(game.roll_move(table.state, game.sample_roll(table.state, lambda most: 0)))
    for seat, sin in enumerate(("greed", "envy")):
        legal = game.legal_moves(table.state)
        table.apply(next(move for move in legal if move.get("sin") == sin and move["seat"] == seat))
    table.apply(game.roll_move(table.state, game.sample_roll(table.state, lambda most: 0)))
    page = served.stage.app.test_client().get("/log").text
    assert "2 turns of an earlier round" in page
    assert page.count("data-run") == 1
    phone.open(f"{served.url}/log")
    phone.waits_for("2 turns of an earlier round", "#log")
    assert not phone.sees("A turn of an earlier round.", "#log")
    phone.tap("#log [data-run] summary")
    phone.waits_for("A turn of an earlier round.", "#log")
    phone.tap("#log [data-run] li:last-child .dots")
    phone.waits_for("Undo back to here: 3 turns", "#log")
    phone.tap("#log [data-undo='3']")
    phone.tap("#log [data-yes]")
    until(lambda: len(table.log()) and not table.now().state.plays and table.now().state.values)
    quiet(phone)


def test_dice_that_a_sin_does_not_take_stand_when_the_table_sees_it_so(phone: Phone, served: Served) -> None:
    table = served.stage.table
    game = games()["carnival_of_sins"]
    table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    table.apply(game.roll_move(table.state, game.sample_roll(table.state, lambda most: most - 1)))
    phone.open(served.url)
    phone.tap("[data-sin='gluttony']")
    phone.waits_for("Gluttony: take the d20", "#bar")
    phone.tap("#agreed")
    phone.tap("#lying [data-die='d8']")
    assert phone.all("#lying [data-die='d4'][disabled]"), "Gluttony holds one die"
    fits(phone, "what the table sees otherwise")
    phone.tap("#reveal")
    phone.waits_for("Ana has dice that Gluttony does not take. The table lets them stand.", "#lying")
    phone.tap("[data-sin='lust']")
    phone.tap("#agreed")
    phone.tap("#lying [data-die='d8']")
    phone.tap("#lying [data-die='d10']")
    phone.tap("#reveal")
    phone.waits_for("The table lets these dice stand", "#why")
    assert [line.dice for line in table.state.rounds[0].lines] == [(), (("d8", 8), ("d10", 10))]
    quiet(phone)


def test_the_order_of_a_round_tells_who_has_revealed(phone: Phone, served: Served) -> None:
    table = served.stage.table
    game = games()["carnival_of_sins"]
    table.open_game("carnival_of_sins", {"players": [{"name": name} for name in ("Ana", "Bia", "Caio")], "devil": 1})
    table.apply(game.roll_move(table.state, game.sample_roll(table.state, lambda most: most - 1)))
    phone.open(served.url)
    until(lambda: phone.all(".order [aria-current]"))
    told = [one.text for one in phone.all(".order li")]
    assert [line.split()[0] for line in told] == ["Bia", "Caio", "Ana"]
    assert "♆" in told[0]
    phone.tap("[data-sin='gluttony']")
    phone.tap("#reveal")
    until(lambda: phone.sees("Caio", ".order [aria-current]"))
    phone.waits_for("✓", ".order .done")
    phone.waits_for("Bia: Gluttony", "#lying")
    assert phone.all("#lying [data-die='d20'][disabled]"), "a locked die is out of reach"


def test_the_end_of_a_samba_is_scored_in_a_minute(phone: Phone, served: Served) -> None:
    phone.open(f"{served.url}/new/roda_de_samba")
    until(lambda: len(phone.all("[data-name]")) == 2)
    for _ in range(2):
        phone.tap("#add-player")
    for field, name in zip(phone.all("[data-name]"), ("Ana", "Bia", "Caio", "Duda"), strict=True):
        field.send_keys(name)
    phone.run(
        "const e = document.querySelector('[name=\"entry.detail\"]'); e.value = 'final';"
        "e.dispatchEvent(new Event('change', {bubbles: true}));"
    )
    until(lambda: not phone.all("#first-card"))
    phone.tap("#start")
    until(lambda: len(phone.all("[data-tally]")) == 16)
    fits(phone, "the end scoring")
    first = phone.all("[data-tally='0-stars']")[0]
    first.click()
    for stars, bonus, crossed, cards in ((9, 4, 1, 12), (12, 0, 0, 9), (7, 3, 2, 14), (10, 5, 0, 11)):
        for value in (stars, bonus, crossed, cards):
            phone.browser.switch_to.active_element.send_keys(str(value), Keys.ENTER)
    assert phone.run("return document.activeElement.id") == "tally-enter"
    phone.all("[data-tally='1-stars']")[0].send_keys("o")
    phone.all("#tally-enter")[0].click()
    phone.waits_for("not the text")  # "12o" is refused, and not taken for nothing
    phone.complaints()  # of what was refused
    phone.run(
        "const e = document.querySelector(\"[data-tally='1-stars']\"); e.value = '12';"
        "e.dispatchEvent(new Event('input', {bubbles: true}));"
    )
    phone.tap("#tally-enter")
    phone.waits_for("Duda wins with 15 points", "#prompt")
    phone.tap("#to-end")
    phone.waits_for("Duda", "#judge h1")
    quiet(phone)


def test_a_name_without_a_space_breaks_on_every_page(phone: Phone, served: Served) -> None:
    table = served.stage.table
    table.open_game("carnival_of_sins", {"players": [{"name": "E" * 60}, {"name": "Bia"}]})
    phone.open(f"{served.url}/new/carnival_of_sins")
    phone.waits_for("is being played", "#open-game")
    phone.run("document.querySelectorAll('details').forEach((one) => { one.open = true; });")
    fits(phone, "the form beside an open game")
    final = {"players": [{"name": "E" * 60}, {"name": "Bia"}], "house_rules": {"entry.detail": "final"}}
    table.open_game("roda_de_samba", final, abandon=True)
    for seat in (0, 1):
        table.apply({"move": "tally", "seat": seat, "stars": 9 - seat})
    phone.open(f"{served.url}/end")
    phone.waits_for("EEE", "#judge h1")
    fits(phone, "the end")


def test_a_turn_of_samba_is_entered_and_the_deck_learns(phone: Phone, served: Served) -> None:
    table = served.stage.table
    first = {"instrument": "pandeiro", "number": 2, "colour": "red"}
    table.open_game("roda_de_samba", {"players": [{"name": "Ana"}, {"name": "Bia"}], "deck": "rulebook", "pile": first})
    phone.open(served.url)
    phone.tap("[data-draw='deck']")
    phone.waits_for("Ana plays", "#prompt")
    until(lambda: phone.all("#entry-instrument"))
    # Typed and tapped as people do: what is drawn anew must not swallow the tap after the last letter.
    phone.all("#entry-instrument")[0].send_keys("surdo")
    choose(phone, "#entry-colour", "green")
    phone.tap("[data-key='entry-number-3']")
    phone.all("[data-key='entry-space-4']")[0].click()
    phone.all("#entry-play")[0].click()
    phone.waits_for("Ana may invite", "#prompt")
    circle = table.game.view(table.state)["players"][0]["circle"]
    assert circle[4] == {"instrument": "surdo", "colour": "green", "numbers": [3]}
    phone.tap("#malandro summary")
    phone.tap("#entry-malandro")
    phone.waits_for("Bia draws", "#prompt")
    fits(phone, "the circle")

    phone.open(f"{served.url}/deck")
    phone.tap("[data-card='surdo']")
    phone.tap("#card-editor [data-number='1']")
    phone.tap("#card-keep")
    until(lambda: "roda_de_samba" in table.decks)
    kept = {one["name"]: one for one in table.decks["roda_de_samba"]["instruments"]}
    assert kept["surdo"] == {"name": "surdo", "colour": "green", "numbers": [1, 3]}

    def in_play() -> list[int]:
        cards = {one["name"]: one for one in table.game.view(table.state)["deck"]["instruments"]}
        return list(cards["surdo"]["numbers"])

    until(lambda: in_play() == [1, 3], "the card in the open game, which learns it as well")
    phone.tap("[data-add='sambists']")
    until(lambda: phone.all("#card-name"))
    phone.all("#card-name")[0].send_keys("Dona Nova")
    phone.all("#card-stars")[0].send_keys("4")
    phone.tap("#card-keep")
    until(lambda: any(one["name"] == "Dona Nova" for one in table.decks["roda_de_samba"]["sambists"]))
    fits(phone, "the deck")
    quiet(phone)


def test_a_card_that_is_typed_stays_under_the_fingers_while_another_one_is_kept(phone: Phone, served: Served) -> None:
    keeping, typed = threading.Event(), threading.Event()

    @served.stage.app.after_request
    def late(response: Response) -> Response:
        if request.method == "POST" and request.path == "/api/deck":
            keeping.set()
            typed.wait(30)
        return response

    phone.open(f"{served.url}/deck")
    phone.tap("[data-add='instruments']")
    until(lambda: phone.all("#card-name"))
    phone.all("#card-name")[0].send_keys("surdo")
    phone.tap("#card-keep")
    assert keeping.wait(30)
    phone.tap("[data-add='sambists']")
    until(lambda: phone.all("#card-name"))
    field = phone.all("#card-name")[0]
    field.send_keys("Dona ")
    typed.set()
    phone.waits_for("surdo is kept.", "#says")
    phone.browser.switch_to.active_element.send_keys("Nova")
    assert field.get_attribute("value") == "Dona Nova", "the field that is typed in is still there, and has the keys"
    quiet(phone)


def samba_at_the_discard(served: Served, **setup: Any) -> Any:
    """Open a samba with cards made up for it, and play Ana's first instrument."""
    sambists = [
        {"name": "Dona Uma", "stars": 3, "needs": ["surdo", "surdo", "surdo", "surdo"]},
        {"name": "Seu Dois", "stars": 2, "needs": ["pandeiro", "?red", "?red", "?red"], "action": "malandro"},
        {"name": "Tia Três", "stars": 1, "needs": ["cuíca", "?red", "?red", "?red"]},
        {"name": "Rei Quatro", "stars": 4, "needs": ["cuíca", "?red", "?red", "?red"]},
    ]
    names = ("pandeiro", "tantã", "repique", "tamborim")
    instruments = [{"name": name, "colour": "red", "numbers": [1, 2, 3, 4]} for name in names]
    deck = {"name": "Ours", "instruments": instruments, "sambists": sambists}
    table = served.stage.table
    told = {"pile": {"instrument": "pandeiro", "number": 2}, "sambists": ["Dona Uma", "Seu Dois", "Tia Três", None]}
    table.open_game("roda_de_samba", {"players": [{"name": "Ana"}, {"name": "Bia"}], "deck": deck, **told, **setup})
    table.apply({"move": "draw", "seat": 0, "from": "deck"})
    table.apply({"move": "play", "seat": 0, "instrument": "tantã", "numbers": [1], "space": 0})
    return table


def test_a_malandro_charms_from_the_table_and_swaps_with_the_deck(phone: Phone, served: Served) -> None:
    table = samba_at_the_discard(served)
    phone.open(served.url)
    phone.tap("#malandro summary")
    phone.tap("[data-charm='Tia Três']")
    until(lambda: phone.all("#charm-opened"))
    phone.all("#charm-opened")[0].send_keys("Rei Quatro")
    fits(phone, "the malandro")
    phone.all("#entry-malandro")[0].click()
    phone.waits_for("Bia draws", "#prompt")
    view = table.game.view(table.state)
    assert view["players"][0]["charmed"]["name"] == "Tia Três"
    assert [one and one["name"] for one in view["open"]] == ["Dona Uma", "Seu Dois", "Rei Quatro", None]
    for move in (
        {"move": "draw", "seat": 1, "from": "deck"},
        {"move": "play", "seat": 1, "instrument": "repique", "numbers": [1], "space": 0},
        {"move": "discard", "seat": 1, "card": {"instrument": "repique", "number": 2}},
        {"move": "draw", "seat": 0, "from": "deck"},
        {"move": "play", "seat": 0, "instrument": "repique", "numbers": [3], "space": 1},
    ):
        table.apply(move)
    phone.waits_for("Ana may invite", "#prompt")
    phone.tap("#malandro summary")
    phone.tap("[data-charm='deck']")
    phone.waits_for("Tia Três goes where that card was", "#malandro")
    phone.all("#charm-sambist")[0].send_keys("Nova Cinco")
    phone.tap("#entry-malandro")
    phone.waits_for("Bia draws", "#prompt")
    view = table.game.view(table.state)
    assert (view["players"][0]["charmed"]["name"], view["top_sambist"]) == ("Nova Cinco", "Tia Três")
    quiet(phone)


def test_the_table_may_agree_to_an_invitation_and_the_guest_may_charm(phone: Phone, served: Served) -> None:
    table = samba_at_the_discard(served)
    phone.open(served.url)
    phone.tap("[data-invite='Seu Dois']")
    phone.waits_for("Missing:", "#work")
    phone.waits_for("only if the whole table agrees", "#work")
    phone.tap("[data-charm='Dona Uma']")
    phone.tap("#entry-invite")
    until(lambda: table.game.view(table.state)["invited"])
    entry = table.log(1)[0]
    assert entry["move"]["agreed"] is True
    assert entry["move"]["charm"] == {"from": "table", "sambist": "Dona Uma"}
    assert "The table agreed" in entry["text"]
    phone.waits_for("The table agreed", "#recent")
    player = table.game.view(table.state)["players"][0]
    assert ([one["name"] for one in player["sambists"]], player["charmed"]["name"]) == (["Seu Dois"], "Dona Uma")
    quiet(phone)


@pytest.mark.parametrize("detail", ["circles", "final"])
def test_a_whole_circle_is_entered_at_once(phone: Phone, served: Served, detail: str) -> None:
    table = served.stage.table
    names = ("pandeiro", "tantã", "repique", "tamborim", "surdo", "banjo", "cuíca", "violão", "agogô")
    deck = {"name": "Ours", "instruments": [{"name": name, "colour": "red", "numbers": [1, 2]} for name in names]}
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "deck": deck, "house_rules": {"entry.detail": detail}}
    table.open_game("roda_de_samba", setup)
    phone.open(served.url)
    if detail == "final":
        phone.tap("#count summary")
    phone.tap("[data-whole='0']")
    for space, name in enumerate(names):
        phone.tap(f"#whole [data-instrument='{name}']")
        phone.tap(f"#whole [data-number='{space % 2 + 1}']")
        phone.tap("#whole-next")
    until(lambda: phone.all("#whole .chosen[data-space='9']"))
    phone.all("#whole-instrument")[0].send_keys("flauta")
    phone.tap("#whole [data-number='2']")
    phone.tap("#whole-keep")
    phone.waits_for("colour", "#says")
    until(lambda: phone.all("#whole .chosen[data-space='9']"))
    assert ["400" in line for line in phone.complaints()] == [True], "refused once, and the space is open again"
    choose(phone, "#whole-colour", "blue")
    phone.all("#whole-other")[0].send_keys("Dona Uma")
    phone.tap("#whole-add")
    fits(phone, "the whole circle")
    tap_drawn(phone, "#whole [data-space='3']")
    phone.waits_for("Space 4", "#whole")
    phone.tap("#whole-keep")
    until(lambda: not phone.all("#whole"))
    player = table.game.view(table.state)["players"][0]
    assert [one["instrument"] for one in player["circle"]] == [*names, "flauta"]
    assert player["circle"][9] == {"instrument": "flauta", "colour": "blue", "numbers": [2]}
    assert [one["name"] for one in player["sambists"]] == ["Dona Uma"]
    assert player["told"] is True
    quiet(phone)


def test_the_made_up_deck_says_so_where_it_is_chosen(phone: Phone, served: Served) -> None:
    phone.open(f"{served.url}/new/roda_de_samba")
    until(lambda: phone.all("#which-deck"))
    assert not phone.all("#made-up")
    choose(phone, "#which-deck", "example")
    phone.waits_for("Made up by us", "#made-up")
    assert phone.sees("An example, made up", "#which-deck")


def test_the_decks_page_fills_while_others_play(phone: Phone, served: Served) -> None:
    table = served.stage.table
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "circles"}}
    table.open_game("roda_de_samba", {**setup, "deck": "rulebook"})
    phone.open(f"{served.url}/deck")
    until(lambda: phone.all("[data-card='cuíca']"))
    table.apply({"move": "play", "seat": 0, "instrument": "surdo", "colour": "green", "numbers": [3], "space": 0})
    until(lambda: phone.all("[data-card='surdo']"))
    assert phone.sees("Green · 3", "[data-card='surdo']")
    quiet(phone)


def test_a_card_with_two_colour_bonuses_is_told_on_the_decks_page(phone: Phone, served: Served) -> None:
    phone.open(f"{served.url}/deck")
    phone.tap("[data-add='sambists']")
    until(lambda: phone.all("#card-name"))
    phone.all("#card-name")[0].send_keys("Dona Duas")
    for at, colour in (("", "red"), ("-1", "yellow"), ("-2", "blue")):
        until(lambda at=at: phone.all(f"#card-bonus{at}"))
        choose(phone, f"#card-bonus{at}", colour)
    until(lambda: phone.all("#card-bonus-3"))
    choose(phone, "#card-bonus-1", "")
    until(lambda: not phone.all("#card-bonus-3"))
    fits(phone, "the bonuses")
    phone.tap("#card-keep")
    until(lambda: "roda_de_samba" in served.stage.table.decks)
    kept = {one["name"]: one for one in served.stage.table.decks["roda_de_samba"]["sambists"]}
    once = {"per": "card", "points": 1}
    assert kept["Dona Duas"]["colour_bonus"] == [{"colour": "red", **once}, {"colour": "blue", **once}]
    quiet(phone)


@pytest.fixture
def client(stage: Stage) -> FlaskClient:
    return stage.app.test_client()


def test_a_deck_goes_out_as_a_file_and_comes_back(stage: Stage, client: FlaskClient) -> None:
    text = client.get("/deck.toml").text
    assert 'name = "cuíca"' in text
    more = text + '\n[[instruments]]\nname = "tantã"\ncolour = "red"\nnumbers = [1, 2]\n'
    answer = client.post("/api/deck", json=stage.sent(toml=more))
    assert answer.status_code == 201
    assert stage.table.decks["roda_de_samba"]["instruments"][-1]["name"] == "tantã"
    assert client.get("/deck.toml").text.count("tantã") == 1
    wrong = client.post("/api/deck", json=stage.sent(toml="name = "))
    assert (wrong.status_code, wrong.json["error"]["code"]) == (400, "bad_toml")
    for no_deck in ("", "name = 'Ours'\n"):
        nothing = client.post("/api/deck", json=stage.sent(toml=no_deck))
        assert (nothing.status_code, nothing.json["error"]["code"]) == (422, "no_cards"), "the cards would be wiped out"
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "circles"}}
    client.post("/api/games", json=stage.sent(game="roda_de_samba", setup=setup))
    names = [one["name"] for one in stage.table.game.view(stage.table.state)["deck"]["instruments"]]
    assert "tantã" in names, "a new game is played with the table's own deck"


def test_the_cards_a_game_has_shown_are_kept_when_it_ends(stage: Stage, client: FlaskClient) -> None:
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "circles"}}
    client.post("/api/games", json=stage.sent(game="roda_de_samba", setup=setup))
    played = {"move": "play", "seat": 0, "instrument": "surdo", "colour": "green", "numbers": [2]}
    assert client.post("/api/moves", json=stage.sent(move=played)).status_code == 200
    assert "roda_de_samba" not in stage.table.decks
    assert client.post("/api/moves", json=stage.sent(move={"move": "finish"})).status_code == 200
    assert {"name": "surdo", "colour": "green", "numbers": [2]} in stage.table.decks["roda_de_samba"]["instruments"]


def test_a_lost_answer_to_the_last_move_keeps_the_deck_once(stage: Stage, client: FlaskClient) -> None:
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "circles"}}
    client.post("/api/games", json=stage.sent(game="roda_de_samba", setup=setup))
    finish = stage.sent(move={"move": "finish"})
    for _ in range(2):
        assert client.post("/api/moves", json=finish).status_code == 200
    assert [event.kind for event in stage.table.journal.events()].count("deck") <= 1


def test_a_deck_that_the_open_game_refuses_is_not_kept(stage: Stage, client: FlaskClient) -> None:
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "circles"}}
    client.post("/api/games", json=stage.sent(game="roda_de_samba", setup=setup))
    played = {"move": "play", "seat": 0, "instrument": "surdo", "colour": "green", "numbers": [2]}
    client.post("/api/moves", json=stage.sent(move=played))
    events = len(list(stage.table.journal.events()))
    cards = "[[instruments]]\nname = 'agogô'\ncolour = 'green'\n[[instruments]]\nname = 'surdo'\nnumbers = [1]"
    refused = client.post("/api/deck", json=stage.sent(toml=cards))
    assert (refused.status_code, refused.json["error"]["code"]) == (422, "too_few_copies")
    assert len(list(stage.table.journal.events())) == events, "neither the deck nor any card of it is kept"


def test_made_up_cards_never_become_the_tables_own(stage: Stage, client: FlaskClient) -> None:
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "circles"}}
    client.post("/api/games", json=stage.sent(game="roda_de_samba", setup={**setup, "deck": "example"}))
    page = client.get("/deck").text
    assert "counts in that game alone" in page
    assert "an example and made up" in page
    deck = client.get("/api/deck").json["deck"]
    deck["instruments"].append({"name": "flauta", "colour": "green", "numbers": [1]})
    assert client.post("/api/deck", json=stage.sent(deck=deck)).status_code == 201
    known = stage.table.game.view(stage.table.state)["deck"]["instruments"]
    assert "flauta" in [one["name"] for one in known], "the open game learns it"
    assert "roda_de_samba" not in stage.table.decks
    client.post("/api/moves", json=stage.sent(move={"move": "finish"}))
    assert "roda_de_samba" not in stage.table.decks
    offered = json.loads(re.search(r'id="choices">(.*?)</script>', client.get("/new/roda_de_samba").text)[1])
    assert offered["decks"]["ours"]["instruments"] == [{"name": "cuíca", "colour": None, "numbers": []}]
    client.post("/api/games", json=stage.sent(rematch=True))
    assert stage.table.game.view(stage.table.state)["deck"]["name"] == offered["decks"]["example"]["name"]
    client.post("/api/games", json=stage.sent(game="roda_de_samba", setup=setup, abandon=True))
    assert stage.table.game.view(stage.table.state)["deck"]["name"] == offered["decks"]["ours"]["name"]
    client.post("/api/moves", json=stage.sent(move={"move": "finish"}))
    assert "roda_de_samba" not in stage.table.decks, "no card was shown, so nothing is kept"
    client.post("/api/games", json=stage.sent(game="tally", setup={"players": [{"name": "Ana"}, {"name": "Bia"}]}))
    refused = client.post("/api/deck", json=stage.sent(deck=deck))
    assert (refused.status_code, refused.json["error"]["code"]) == (422, "made_up_deck")


def test_one_scorer_types_for_everybody(closed_stage: Stage) -> None:
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "final"}}
    closed_stage.table.open_game("roda_de_samba", setup)
    ana = closed_stage.app.test_client()
    assert ana.post("/api/join", json=closed_stage.sent(code=CODE, seat=0)).status_code == 200
    for move in (
        {"move": "tally", "seat": 1, "stars": 9, "colour_bonus": 2, "crossed": 1},
        {"move": "circle", "seat": 0, "circle": [None] * 10},
    ):
        assert ana.post("/api/moves", json=closed_stage.sent(move=move)).status_code == 200
    assert closed_stage.table.outcome is not None
    assert closed_stage.table.outcome.text == "Bia wins with 9 points."


@pytest.mark.parametrize(("detail", "asks"), [("moves", True), ("circles", False)])
def test_the_same_people_again_are_asked_for_the_first_card(
    phone: Phone, served: Served, detail: str, asks: bool
) -> None:
    table = served.stage.table
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": detail}}
    pile = {"pile": {"instrument": "surdo", "number": 1, "colour": "red"}} if asks else {}
    table.open_game("roda_de_samba", {**setup, **pile})
    table.apply({"move": "finish"})
    first = table.game_id
    phone.open(f"{served.url}/end")
    phone.tap("#rematch")
    if asks:
        until(lambda: phone.all("#pile-instrument"))
        assert [field.get_attribute("value") for field in phone.all("[data-name]")] == ["Ana", "Bia"]
    else:
        until(lambda: table.game_id != first)
        phone.waits_for("Ana plays", "#prompt")
    quiet(phone)


def test_marks_of_an_end_that_is_typed_fill_the_big_screen(phone: Phone, served: Served) -> None:
    table = served.stage.table
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "final"}}
    table.open_game("roda_de_samba", setup)
    phone.open(f"{served.url}/tv")
    until(lambda: len(phone.all("#boards .total")) == 2)
    assert not phone.all("#boards svg.circle"), "nobody tells circles here"
    table.apply({"move": "tally", "seat": 0, "stars": 9})
    phone.waits_for("9", "#boards .panel:first-child .total")
    quiet(phone)


def test_what_is_half_typed_outlives_the_news_of_the_table(phone: Phone, served: Served) -> None:
    table = served.stage.table
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "final"}}
    table.open_game("roda_de_samba", setup)
    phone.open(served.url)
    until(lambda: phone.all("[data-tally='0-stars']"))
    phone.all("[data-tally='0-stars']")[0].send_keys("1")
    table.apply({"move": "tally", "seat": 1, "stars": 9})
    phone.waits_for("✓ entered", "#tally")
    phone.browser.switch_to.active_element.send_keys("2")
    assert phone.run("return document.querySelector('[data-tally=\"0-stars\"]').value") == "12"
    assert phone.run("return document.querySelector('[data-tally=\"1-stars\"]').value") == "9"
    quiet(phone)


def test_a_deck_file_that_cannot_be_read_is_refused_in_words(phone: Phone, served: Served, tmp_path: Path) -> None:
    phone.open(f"{served.url}/deck")
    until(lambda: phone.all("#deck-file"))
    wrong = tmp_path / "latin.toml"
    wrong.write_bytes('instruments = [{name = "cuíca", colour = "blue", numbers = [1]}]'.encode("latin-1"))
    phone.all("#deck-file")[0].send_keys(str(wrong))
    phone.waits_for("not text in UTF-8", "#says")
    large = tmp_path / "large.toml"
    large.write_text("# much\n" * 50_000)
    phone.all("#deck-file")[0].send_keys(str(large))
    phone.waits_for("more than 100 kB", "#says")
    assert "roda_de_samba" not in served.stage.table.decks
    quiet(phone)


def test_a_reading_names_the_shape_and_the_die_that_is_missing(phone: Phone, served: Served) -> None:
    stage = served.stage
    game = games()["carnival_of_sins"]
    stage.table.open_game("carnival_of_sins", game.sample_setup(2))
    expects = game.expects(stage.table.state)
    stage.reader.dice = [Die(colour, 3, shape) for shape, colour in expects.dice if shape != "d8"]
    stage.reader.doubts = {0}
    phone.open(served.url)
    phone.tap("#capture")
    phone.waits_for("6 of 7 dice seen: the d8 is missing. Did it fall?", ".problems")
    shape, colour = next((shape, colour) for shape, colour in expects.dice if shape != "d8")
    phone.waits_for(f"Is this a {colour} {shape} showing 3?", "#editor")
    quiet(phone)


def test_empty_stars_are_asked_for_and_end_no_game(phone: Phone, served: Served) -> None:
    table = served.stage.table
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": {"entry.detail": "final"}}
    table.open_game("roda_de_samba", setup)
    phone.open(served.url)
    until(lambda: phone.all("[data-tally='0-stars']"))
    phone.all("[data-tally='0-stars']")[0].send_keys("3")
    phone.all("[data-tally='1-crossed']")[0].send_keys("1")
    phone.tap("#tally-enter")
    phone.waits_for("Not entered yet: Bia", "#says")
    assert table.outcome is None
    phone.all("[data-tally='1-stars']")[0].send_keys("0")
    phone.tap("#tally-enter")
    until(lambda: table.outcome is not None)
    quiet(phone)


def test_a_hand_that_was_opened_can_be_closed_again(phone: Phone, served: Served) -> None:
    table, game = served.stage.table, games()["carnival_of_sins"]
    table.open_game("carnival_of_sins", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    for move in ("roll", "greed", "envy", "roll"):
        if move == "roll":
            table.apply(game.roll_move(table.state, game.sample_roll(table.state, lambda most: 0)))
        else:
            table.apply(next(one for one in game.legal_moves(table.state) if one.get("sin") == move))
    phone.open(served.url)
    phone.tap("#show-hand")
    phone.tap("[data-sin='pride']")
    phone.tap("#close-hand")
    until(lambda: phone.all("#show-hand"))
    assert not phone.all("[data-sin]")
    quiet(phone)


def test_a_bonus_that_the_table_counts_by_hand_is_typed_and_corrected(phone: Phone, served: Served) -> None:
    table = served.stage.table
    rules = {"entry.detail": "circles", "bonus.count": "manual"}
    table.open_game("roda_de_samba", {"players": [{"name": "Ana"}, {"name": "Bia"}], "house_rules": rules})
    table.apply({"move": "finish"})
    phone.open(served.url)
    phone.tap("#tally summary")
    until(lambda: phone.all("[data-tally='0-colour_bonus']"))
    phone.all("[data-tally='0-colour_bonus']")[0].send_keys("5")
    phone.all("[data-key='tally-1-correction']")[0].send_keys("-2")
    phone.all("[data-key='tally-1-note']")[0].send_keys("a lost card")
    fits(phone, "figures by hand")
    phone.all("#tally-enter")[0].click()
    phone.waits_for("Ana wins with 5 points", "#prompt")
    until(lambda: [p["total"] for p in table.game.scoreboard(table.state)["players"]] == [5, -2])
    assert phone.all("#tally[open]"), "the figures stay open"
    phone.all("[data-tally='0-colour_bonus']")[0].send_keys(Keys.BACKSPACE, "3")
    phone.all("#tally-enter")[0].click()
    until(lambda: table.game.scoreboard(table.state)["players"][0]["total"] == 3)
    quiet(phone)
