"""The turn: draw, play, invite, discard, charm, and how a game ends; each rule refused by its name."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import GameError, IllegalMove, InvalidInput
from engine.roda_de_samba.state import State
from tests.engine.roda_de_samba.rounds import GAME, after, setup
from tests.engine.roda_de_samba.sentences import circle, discard, draw, malandro, play

OPEN = ["Tia Ciata", "Seu Amostra", "Dona Prova", "Nego Rascunho"]


def start(players: int = 2, /, **more: Any) -> State:
    return GAME.setup(setup(players, **{"sambists": OPEN, **more}))


def refused(state: State, move: dict[str, Any]) -> GameError:
    before = GAME.dump(state)
    with pytest.raises(GameError) as error:
        GAME.apply(state, move)
    assert GAME.dump(state) == before
    assert error.value.message.endswith(".")
    return error.value


FOUR = ("banjo", "pandeiro", "surdo", "cuíca")  # one of each colour


def test_the_one_with_pedra_do_sal_starts() -> None:
    players = [{"name": "Ana", "region": "Lapa"}, {"name": "Bia", "region": "pedra do sal"}]
    assert start(players=players).turn == 1
    assert start(players=players, first=0).turn == 0


def test_hands_of_five_and_one_open_card_leave_the_rest() -> None:
    state = start(4)
    assert state.cards_left == 64 - 20 - 1
    assert state.sambists_left == 16
    assert [colour for colour, _ in state.piles] == ["yellow"]


def test_a_turn_goes_draw_play_discard() -> None:
    state = start()
    assert refused(state, play("surdo", 1)).code == "draw_first"
    assert refused(state, draw(1)).code == "not_your_turn"
    state = after(state, draw())
    assert refused(state, draw()).code == "already_drawn"
    assert state.seats[0].hand == 7
    state = after(state, play("surdo", 1, 2))
    assert refused(state, play("banjo", 1)).code == "already_played"
    assert refused(state, {"move": "end_turn", "seat": 0}).code == "discard_first"
    state = after(state, discard("banjo", 2))
    assert state.turn == 1
    assert state.seats[0].hand == 4
    assert [colour for colour, _ in state.piles] == ["yellow"]
    assert len(state.pile("yellow")) == 2


def test_a_pile_is_taken_whole_and_its_cards_are_known() -> None:
    state = after(start(), {"move": "draw", "seat": 0, "from": "pile", "colour": "yellow"})
    assert state.piles == ()
    assert state.seats[0].hand == 6
    assert [card.instrument for card in state.seats[0].known] == ["cavaquinho"]
    assert refused(start(), {"move": "draw", "seat": 0, "from": "pile", "colour": "red"}).code == "no_pile"
    state = after(state, play("surdo", 1), discard("surdo", 2), draw(1))
    assert refused(state, play("cavaquinho", 1, seat=1)).code == "all_copies_seen"


def test_cards_of_one_instrument_share_one_space() -> None:
    state = after(start(), draw(), play("surdo", 1, space=4), discard("banjo", 1))
    state = after(state, draw(1), play("tantã", 1, seat=1), discard("banjo", 2, 1), draw())
    assert refused(state, play("surdo", 2, space=5)).code == "already_in_circle"
    assert refused(state, play("banjo", 3, space=4)).code == "space_taken"
    assert refused(state, play("surdo", 1)).code == "all_copies_seen"
    assert refused(state, play("bongo", 1)).code == "unknown_card"
    assert refused(state, play("surdo", 2, colour="red")).code == "colour_conflict"
    state = after(state, play("SURDO", 3, 2))
    stack = state.seats[0].circle[4]
    assert stack is not None
    assert (stack.instrument, stack.numbers) == ("surdo", (1, 2, 3))


def test_nobody_plays_more_cards_than_the_hand_holds() -> None:
    state = start()
    for _ in range(1):
        state = after(state, draw(), play("surdo", 1, 2, 3, 4), discard("banjo", 1))
        state = after(state, draw(1), play("tantã", 1, 2, 3, 4, seat=1), discard("banjo", 2, 1))
    state = after(state, draw())
    assert state.seats[0].hand == 4
    state = after(state, play("tamborim", 1, 2, 3, 4))
    assert refused(state, discard("banjo", 3)).code == "not_in_hand"
    assert after(state, {"move": "end_turn", "seat": 0}).turn == 1  # an empty hand has nothing to discard


def test_one_sambist_a_turn_after_an_instrument() -> None:
    invite = {"move": "invite", "seat": 0, "sambist": "Seu Amostra", "opened": "Paulo Papel"}
    state = after(start(), circle(0, *FOUR[:3]), draw())
    assert refused(state, invite).code == "play_first"
    lacking = after(state, play("surdo", 2))
    error = refused(lacking, invite)
    assert error.code == "needs_not_met"
    assert "Missing: one instrument in blue." in error.message
    assert after(lacking, {**invite, "agreed": True}).seats[0].sambists == ("Seu Amostra",)
    state = after(state, play("cuíca", 2), invite)
    assert state.seats[0].sambists == ("Seu Amostra",)
    assert state.open == ("Tia Ciata", "Paulo Papel", "Dona Prova", "Nego Rascunho")
    assert refused(state, {**invite, "sambist": "Paulo Papel", "opened": None}).code == "already_invited"


def invited(name: str, *circle_names: str, **more: Any) -> State:
    state = after(start(), circle(0, *circle_names), draw(), play("tamborim", 2))
    return after(state, {"move": "invite", "seat": 0, "sambist": name, "agreed": True, **more})


def test_special_actions_are_done_at_once() -> None:
    before = after(start(), circle(0, *FOUR), draw(), play("tamborim", 2))
    state = invited("Seu Amostra", *FOUR)  # draws a card
    assert state.cards_left == (before.cards_left or 0) - 1
    assert state.seats[0].hand == before.seats[0].hand + 1
    assert refused(state, {"move": "end_turn", "seat": 0}).code == "discard_first"
    state = invited("Dona Prova", *FOUR)  # no discard this turn, but a malandro may go
    assert after(state, {"move": "end_turn", "seat": 0}).turn == 1
    assert after(state, malandro()).turn == 1
    charm = {"from": "table", "sambist": "Tia Ciata", "opened": "Zé Esboço"}
    state = invited("Nego Rascunho", *FOUR, opened="Paulo Papel", charm=charm)  # a malandro's action, no discard
    assert state.seats[0].charmed == "Tia Ciata"
    assert state.open == ("Zé Esboço", "Seu Amostra", "Dona Prova", "Paulo Papel")
    assert after(state, {"move": "end_turn", "seat": 0}).turn == 1
    with pytest.raises(IllegalMove) as error:
        invited("Dona Prova", *FOUR, charm=charm)
    assert error.value.code == "no_malandro_action"


def test_the_new_sambist_covers_the_old_one_and_all_stars_count() -> None:
    state = after(start(), circle(0, *FOUR))
    state = after(state, {**circle(0, *FOUR), "sambists": ["Tia Ciata", "Seu Amostra"]})
    active = state.active(0)
    assert active is not None
    assert active.name == "Seu Amostra"
    assert state.marks()[0].stars == 5 + 2


def test_a_malandro_needs_a_pile_that_exists() -> None:
    state = after(start(), draw(), play("surdo", 1))
    assert refused(state, malandro(pile="red")).code == "malandro_needs_pile"
    assert after(state, malandro()).pile("yellow")[-1].instrument == "malandro"
    taken = after(start(), {"move": "draw", "seat": 0, "from": "pile", "colour": "yellow"})
    end = {"move": "end_turn", "seat": 0}
    assert refused(after(taken, play("surdo", 1)), end).code == "discard_first"  # the card of the pile is in hand
    taken = after(taken, play("cavaquinho", 1))
    assert refused(taken, malandro()).code == "malandro_needs_pile"
    assert after(taken, end).turn == 1  # malandros alone in hand cannot go anywhere


def test_a_charmed_sambist_waits_for_its_player_and_is_swapped() -> None:
    charm = {"from": "table", "sambist": "Tia Ciata", "opened": "Paulo Papel"}
    state = after(start(), draw(), play("surdo", 1), malandro(**charm))
    assert state.seats[0].charmed == "Tia Ciata"
    assert state.open[0] == "Paulo Papel"
    assert state.marks()[0].stars == 0  # charmed alone scores nothing
    state = after(state, draw(1), play("tantã", 1, seat=1))
    other = {"move": "invite", "seat": 1, "sambist": "Tia Ciata", "agreed": True}
    assert refused(state, other).code == "sambist_taken"
    state = after(state, malandro(1, **{"from": "deck", "sambist": "Bira Borrão"}), draw(), play("surdo", 2))
    assert state.seats[1].charmed == "Bira Borrão"
    swapped = after(state, malandro(**{"from": "table", "sambist": "Dona Prova"}))
    assert swapped.seats[0].charmed == "Dona Prova"
    assert swapped.open == ("Paulo Papel", "Seu Amostra", "Tia Ciata", "Nego Rascunho")
    assert swapped.sambists_left == state.sambists_left
    swapped = after(state, malandro(**{"from": "deck", "sambist": "Zé Esboço"}))
    assert (swapped.seats[0].charmed, swapped.top) == ("Zé Esboço", ("Tia Ciata",))
    assert swapped.sambists_left == state.sambists_left
    swapped = after(swapped, draw(1), play("tantã", 2, seat=1))
    invite = {"move": "invite", "seat": 1, "sambist": "Seu Amostra", "agreed": True}
    assert refused(swapped, {**invite, "opened": "Mana Maquete"}).code == "other_on_top"
    assert after(swapped, invite).open[1] == "Tia Ciata"


def test_ten_different_instruments_end_the_game_after_the_last_seat() -> None:
    nine = [one.name for one in start().deck.instruments][1:10]
    state = after(start(3, first=1), circle(1, *nine), draw(1), play("cuíca", 1, seat=1))
    assert state.trigger == "full_circle"
    state = after(state, discard("banjo", 2, 1))
    for seat in (2, 0):
        assert GAME.outcome(state) is None
        assert "the game ends after the turn of Player 1" in GAME.prompt(state).why
        state = after(state, draw(seat), discard("banjo", 4 - seat // 2, seat))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert refused(state, draw(1)).code == "game_over"


def test_an_empty_deck_ends_the_game_and_is_drawn_out_to_the_last_card() -> None:
    deck = start().deck.as_json()
    deck["instruments"] = deck["instruments"][:3]
    deck["malandros"] = 2  # 14 cards: 10 dealt, one open, three left
    state = after(start(deck=deck), draw(), discard("violão", 1), draw(1))
    assert (state.cards_left, state.seats[1].hand, state.trigger) == (0, 6, "empty_deck")
    assert refused(state, draw(1)).code == "already_drawn"
    state = after(state, discard("violão", 2, 1))
    assert GAME.outcome(state) is not None


def test_with_an_empty_deck_a_turn_draws_nothing_or_a_pile() -> None:
    deck = start().deck.as_json()
    deck["instruments"] = deck["instruments"][:3]
    deck["malandros"] = 1  # two left
    state = after(start(deck=deck), draw(), discard("violão", 1))
    assert refused(state, draw(1)).code == "deck_empty"
    assert after(state, {"move": "draw", "seat": 1, "from": "nothing"}).drawn
    assert refused(start(), {"move": "draw", "seat": 0, "from": "nothing"}).code == "must_draw"


def test_a_deck_fills_while_playing() -> None:
    first = {"instrument": "pandeiro", "colour": "yellow", "number": 2}
    state = GAME.setup({"players": [{"name": "Ana"}, {"name": "Bia"}], "pile": first})
    state = after(state, draw())
    assert state.cards_left is None
    assert refused(state, play("cuica", 3)).code == "colour_missing"
    state = after(state, play("cuica", 3, 4, colour="red"))
    assert state.deck.instrument("cuíca") == state.deck.instruments[0]
    assert state.deck.instruments[0].numbers == (3, 4)
    card = {"name": "Noel", "stars": 3, "needs": ["cuíca", "?red", "?red", "?red"], "woman": False}
    state = after(state, {"move": "invite", "seat": 0, "sambist": card, "agreed": True})
    assert state.marks()[0].stars == 3
    state = after(state, {"move": "card", "sambist": {**card, "stars": 4}})
    assert state.marks()[0].stars == 4
    state = after(state, {"move": "card", "instrument": {"name": "cuíca", "colour": "blue", "numbers": [3, 4]}})
    stack = state.seats[0].circle[0]
    assert stack is not None
    assert stack.colour == "blue"
    assert refused(state, {"move": "card", "instrument": {"name": "cuíca", "numbers": [3]}}).code == "too_few_copies"
    state = after(state, discard("pandeiro", 3), {"move": "draw", "seat": 1, "from": "deck", "last": True})
    assert state.trigger == "empty_deck"


def test_a_table_may_enter_its_circles_alone() -> None:
    state = start(pile=None, house_rules={"entry.detail": "circles"})
    assert state.cards_left is None
    assert refused(state, draw()).code == "not_entered"
    state = after(state, play("surdo", 1), {"move": "end_turn", "seat": 0})
    assert refused(after(state, play("surdo", 2, seat=1)), discard("banjo", 1, 1)).code == "not_entered"
    state = after(state, {"move": "discard", "seat": 1, "card": "malandro"}, {"move": "deck_out"})
    state = after(state, {"move": "end_turn", "seat": 0}, {"move": "end_turn", "seat": 1})
    assert GAME.outcome(state) is not None


def test_a_table_may_enter_the_end_scoring_alone() -> None:
    state = start(4, pile=None, house_rules={"entry.detail": "final"})
    assert refused(state, draw()).code == "only_scoring"
    for seat in range(4):
        assert GAME.prompt(state).seat == seat
        assert GAME.outcome(state) is None
        state = after(state, {"move": "tally", "seat": seat, "stars": seat, "crossed": 1})
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.as_json()["ranking"] == [[3], [2], [1], [0]]
    assert outcome.detail["totals"] == [-2, -1, 0, 1]


def test_a_tally_without_stars_does_not_enter_a_player() -> None:
    state = start(2, pile=None, house_rules={"entry.detail": "final"})
    state = after(state, {"move": "tally", "seat": 0, "stars": 3}, {"move": "tally", "seat": 1, "crossed": 2})
    assert GAME.outcome(state) is None
    assert GAME.prompt(state).seat == 1
    assert GAME.outcome(after(state, {"move": "tally", "seat": 1, "stars": 0, "crossed": 2})) is not None
    assert GAME.outcome(after(state, circle(1, *FOUR))) is not None, "a circle is entered without figures"


def test_going_to_the_end_scoring_at_once_and_correcting_it() -> None:
    state = after(start(), {"move": "finish"}, circle(1, *FOUR))
    assert refused(state, {"move": "finish"}).code == "game_over"
    state = after(state, {"move": "tally", "seat": 0, "stars": 3}, {"move": "tally", "seat": 0})
    assert state.marks()[0].total == 0


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"players": [{"name": "Ana"}]}, "wrong_number_of_players", "players"),
        ({"players": [{"name": "Ana"}, {"name": "ana "}]}, "duplicate_name", "players[1].name"),
        ({"players": [{"name": n, "region": "Lapa"} for n in "ab"]}, "duplicate_region", "players[1].region"),
        ({"pile": None}, "pile_missing", "pile"),
        ({"cards_left": 3}, "contradiction", "cards_left"),
        ({"deck": "mine"}, "unknown_value", "deck"),
        ({"sambists": ["Tia Ciata", "tia ciata"]}, "card_twice", "sambists[1]"),
        ({"sambists": ["Nobody"]}, "unknown_card", "sambists[0]"),
        ({"sambists": [None] * 5}, "wrong_count", "sambists"),
        ({"pile": {"instrument": "surdo", "number": 8}}, "all_copies_seen", "pile.number"),
        ({"first": 2}, "out_of_range", "first"),
    ],
)
def test_a_bad_setup_names_its_field(more: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        GAME.setup(setup(2, **more))
    assert (error.value.code, error.value.field) == (code, field)


@pytest.mark.parametrize(
    ("move", "code", "field"),
    [
        ({}, "unknown_move", "move"),
        ({"move": "roll"}, "unknown_move", "move"),
        ({"move": "draw", "seat": 2, "from": "deck"}, "out_of_range", "seat"),
        ({"move": "draw", "seat": 0, "from": "pile"}, "missing_field", "colour"),
        ({"move": "draw", "seat": 0, "from": "deck", "colour": "red"}, "unknown_field", "colour"),
        ({"move": "play", "seat": 0, "instrument": "surdo", "numbers": []}, "no_cards", "numbers"),
        ({"move": "card"}, "one_card", "move"),
        ({"move": "open", "slot": 0, "sambist": "Dona Prova"}, "sambist_elsewhere", "sambist"),
        ({"move": "card", "sambist": {"name": "Tia Ciata"}}, "card_incomplete", "sambist"),
        ({"move": "card", "malandros": 100}, "out_of_range", "malandros"),
        ({"move": "deck_out"}, "deck_not_empty", "move"),
        (
            {"move": "discard", "seat": 0, "card": "malandro", "charm": {"from": "table"}},
            "missing_field",
            "charm.sambist",
        ),
    ],
)
def test_a_bad_move_names_its_field(move: dict[str, Any], code: str, field: str) -> None:
    error = refused(start(), move)
    assert (error.code, error.field) == (code, field)


def test_there_are_no_dice() -> None:
    assert GAME.expects(start()) is None
    for call in (lambda: GAME.roll_move(start(), []), lambda: GAME.correct({"move": "draw"}, 0, None)):  # type: ignore[arg-type]
        with pytest.raises(InvalidInput):
            call()
