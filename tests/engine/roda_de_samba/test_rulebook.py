"""The rulebook from its first line to its last: each rule in a few words, and the test that holds the engine to it."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import pytest

from engine.game import GameError, InvalidInput
from engine.replay import replay_document
from engine.roda_de_samba import deck_from_toml, deck_to_toml, read_deck, shipped_deck
from engine.roda_de_samba.state import State
from engine.score import score_document
from engine.words import told
from tests.engine.roda_de_samba.rounds import GAME, after, document, player, setup
from tests.engine.roda_de_samba.sentences import circle, discard, draw, invite, malandro, pile, play, scene

RULES = {
    "Setup": {
        "two to six players": "test_two_to_six_play_and_no_others",
        "Pedra do Sal starts, else whoever the table says": "turns.test_the_one_with_pedra_do_sal_starts",
        "four sambists lie open": "turns.test_hands_of_five_and_one_open_card_leave_the_rest",
        "five cards each, one card open": "turns.test_hands_of_five_and_one_open_card_leave_the_rest",
        "a malandro opened first goes back": "test_a_malandro_is_never_the_first_open_card",
    },
    "Turn": {
        "clockwise; draw, play, discard": "turns.test_a_turn_goes_draw_play_discard",
        "draw two of the deck": "turns.test_a_turn_goes_draw_play_discard",
        "or take a colour's whole pile": "turns.test_a_pile_is_taken_whole_and_its_cards_are_known",
        "discards of each colour are a pile": "test_each_colour_has_a_pile_of_its_own",
        "cards of one instrument share a space": "turns.test_cards_of_one_instrument_share_one_space",
        "a new instrument goes to an empty space": "turns.test_cards_of_one_instrument_share_one_space",
        "ten spaces": "test_an_eleventh_instrument_has_no_space",
        "pairs, trios and quartets go together": "test_one_to_four_cards_of_one_instrument_are_played_at_once",
        "one instrument a turn": "turns.test_a_turn_goes_draw_play_discard",
    },
    "Harmony": {
        "neighbours share colour or number": "circle_and_marks.test_neighbours_in_harmony",
        "each crossed samba costs two": "circle_and_marks.test_the_example_of_the_contract",
        "beside a gap nothing is crossed": "circle_and_marks.test_neighbours_in_harmony",
        "one number of a stack is enough": "circle_and_marks.test_neighbours_in_harmony",
        "the ring is closed": "circle_and_marks.test_an_open_ring_has_no_pair_at_its_ends",
    },
    "Sambists": {
        "invited after an instrument": "turns.test_one_sambist_a_turn_after_an_instrument",
        "when the four needs are met": "deck.test_what_a_sambist_needs",
        "any instrument of a colour": "deck.test_what_a_sambist_needs",
        "a card asks for four": "test_a_sambist_asks_for_four_instruments_and_no_more",
        "a new one is opened": "turns.test_one_sambist_a_turn_after_an_instrument",
        "one a turn": "turns.test_one_sambist_a_turn_after_an_instrument",
        "brings an instrument": "test_what_the_sambist_on_top_brings_counts_for_the_next_invitation",
        "no discard, but a malandro may go": "turns.test_special_actions_are_done_at_once",
        "draws a card at once": "turns.test_special_actions_are_done_at_once",
        "a malandro's action and no discard": "turns.test_special_actions_are_done_at_once",
        "the actions are done once": "test_a_special_action_does_not_last",
        "helps with any instrument": "test_helpers_help_with_one_instrument",
        "helps with women": "test_helpers_help_with_one_instrument",
        "the new one covers the old one": "turns.test_the_new_sambist_covers_the_old_one_and_all_stars_count",
    },
    "Discard": {
        "one card, to its colour's pile": "test_each_colour_has_a_pile_of_its_own",
        "a malandro onto a pile that exists": "turns.test_a_malandro_needs_a_pile_that_exists",
        "a malandro is taken with its pile": "test_a_malandro_is_taken_with_its_pile",
        "who holds a card discards": "test_an_instrument_in_hand_must_be_discarded",
    },
    "Malandro": {
        "charms of the table or of the deck": "turns.test_a_charmed_sambist_waits_for_its_player_and_is_swapped",
        "only that player may invite": "turns.test_a_charmed_sambist_waits_for_its_player_and_is_swapped",
        "the place is filled": "turns.test_a_charmed_sambist_waits_for_its_player_and_is_swapped",
        "one at a time, swapped": "turns.test_a_charmed_sambist_waits_for_its_player_and_is_swapped",
    },
    "End": {
        "ten different instruments": "turns.test_ten_different_instruments_end_the_game_after_the_last_seat",
        "or the deck runs out": "turns.test_an_empty_deck_ends_the_game_and_is_drawn_out_to_the_last_card",
        "after the last seat": "turns.test_ten_different_instruments_end_the_game_after_the_last_seat",
        "the same number of turns": "whole_games.test_every_game_ends_and_is_the_same_through_text_and_after_undoing",
    },
    "Scoring": {
        "stars and colour bonuses": "circle_and_marks.test_what_a_colour_bonus_counts",
        "covered sambists score": "turns.test_the_new_sambist_covers_the_old_one_and_all_stars_count",
        "charmed ones do not": "turns.test_a_charmed_sambist_waits_for_its_player_and_is_swapped",
        "two off for each crossed samba": "circle_and_marks.test_the_example_of_the_contract",
        "ties go to more instruments": (
            "circle_and_marks.test_ties_go_to_more_cards_then_more_different_instruments_then_are_shared"
        ),
    },
    "Entering": {
        "every move": "whole_games.test_golden_games_replay_to_the_byte",
        "circles and sambists": "turns.test_a_table_may_enter_its_circles_alone",
        "the end scoring alone": "turns.test_a_table_may_enter_the_end_scoring_alone",
        "cards are learnt": "turns.test_a_deck_fills_while_playing",
    },
}
"""What the rulebook rules, in its order, and which test here or in a module beside it tries that."""

ALL_RULES = [pytest.param(test, id=f"{part}: {rule}") for part, rules in RULES.items() for rule, test in rules.items()]


@pytest.mark.parametrize("test", ALL_RULES)
def test_every_rule_has_its_test(test: str) -> None:
    module, _, name = test.rpartition(".")
    where = importlib.import_module(f"tests.engine.roda_de_samba.test_{module or 'rulebook'}")
    assert callable(getattr(where, name))


def refused(state: State, move: dict[str, Any]) -> GameError:
    before = GAME.dump(state)
    with pytest.raises(GameError) as error:
        GAME.apply(state, move)
    assert GAME.dump(state) == before
    return error.value


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6, 7])
def test_two_to_six_play_and_no_others(players: int) -> None:
    start = setup(players)
    if 2 <= players <= 6:
        assert GAME.setup(start).cards_left == 64 - 5 * players - 1
    else:
        with pytest.raises(InvalidInput) as error:
            GAME.setup(start)
        assert (error.value.code, error.value.field) == ("wrong_number_of_players", "players")


@pytest.mark.parametrize("name", ["malandro", "Malandro "])
def test_a_malandro_is_never_the_first_open_card(name: str) -> None:
    with pytest.raises(InvalidInput) as error:
        scene(pile={"instrument": name, "number": 1})
    assert (error.value.code, error.value.field) == ("malandro_first", "pile")
    assert "Open a new card" in error.value.message


def test_each_colour_has_a_pile_of_its_own() -> None:
    state = scene(draw(), play("surdo", 1), discard("agogô", 1), draw(1), play("banjo", 1, seat=1))
    state = after(state, discard("agogô", 2, 1))
    assert [(colour, len(cards)) for colour, cards in state.piles] == [("yellow", 1), ("green", 2)]
    taken = after(state, pile("green"))
    assert [colour for colour, _ in taken.piles] == ["yellow"]
    assert taken.seats[0].hand == state.seats[0].hand + 2


def test_an_eleventh_instrument_has_no_space() -> None:
    names = [one.name for one in shipped_deck("example").instruments]
    full = scene(circle(0, *names[1:11]), draw())
    error = refused(full, play(names[11], 1))
    assert (error.code, error.field) == ("circle_full", "instrument")
    assert after(full, play(names[10], 2)).seats[0].circle[9].numbers == (1, 2)  # type: ignore[union-attr]


@pytest.mark.parametrize("numbers", [(1,), (1, 2), (1, 3, 4), (1, 2, 3, 4)])
def test_one_to_four_cards_of_one_instrument_are_played_at_once(numbers: tuple[int, ...]) -> None:
    state = scene(draw(), play("surdo", *numbers, space=7))
    stack = state.seats[0].circle[7]
    assert stack is not None
    assert stack.numbers == numbers
    assert state.seats[0].hand == 7 - len(numbers)


def test_a_sambist_asks_for_four_instruments_and_no_more() -> None:
    card = {"name": "Rosa", "stars": 1, "needs": ["?red"] * 5}
    for move in (invite(card), {"move": "card", "sambist": card}):
        error = refused(scene(draw(), play("surdo", 1)), move)
        assert (error.code, error.field) == ("wrong_count", "sambist.needs")
        assert "four instruments, not 5" in error.message


def test_needs_that_are_told_in_part_forbid_what_is_missing_already() -> None:
    deck = {**shipped_deck("example").as_json(), "complete": False}
    played = scene(draw(), play("surdo", 1), deck=deck)
    part = {"name": "Rosa", "needs": ["?green"]}
    told_part = after(played, {"move": "open", "slot": 0, "sambist": part})
    answer = GAME.view(told_part)["open"][0]["for"][0]
    assert (answer["met"], answer["why"]) == (None, "Not all that this sambist needs is known yet.")
    assert after(told_part, invite("Rosa")).seats[0].sambists == ("Rosa",)
    assert refused(played, invite({"name": "Tia Ciata", "needs": ["?red"]})).code == "needs_not_met"


def test_a_complete_deck_keeps_all_four_needs() -> None:
    error = refused(scene(draw(), play("surdo", 1)), invite({"name": "Tia Ciata", "needs": ["?green"]}))
    assert (error.code, error.field) == ("card_incomplete", "sambist")


def test_what_the_sambist_on_top_brings_counts_for_the_next_invitation() -> None:
    # Mana Maquete brings a pandeiro, which Tia Ciata asks for beside a prato e faca, a yellow and a green instrument.
    lie = circle(0, "banjo", "prato e faca", sambists=("Mana Maquete",))
    state = scene(lie, draw(), play("surdo", 1))
    assert GAME.view(state)["open"][0]["for"][0]["met"]
    assert after(state, invite("Tia Ciata")).seats[0].sambists == ("Mana Maquete", "Tia Ciata")
    covered = circle(0, "banjo", "prato e faca", sambists=("Mana Maquete", "Paulo Papel"))
    assert refused(scene(covered, draw(), play("surdo", 1)), invite("Tia Ciata")).code == "needs_not_met"
    # It lies in no space: not one of the ten instruments, nor beside anything, nor in the tie-break.
    assert (state.marks()[0].instruments, state.marks()[0].different_instruments) == (3, 3)


def test_a_special_action_does_not_last() -> None:
    lie = circle(0, "banjo", "pandeiro", "cuíca", sambists=("Dona Prova",))
    state = scene(lie, draw(), play("surdo", 1), sambists=["Tia Ciata", "Seu Amostra"])
    assert refused(state, {"move": "end_turn", "seat": 0}).code == "discard_first"  # no discard was for that turn alone


@pytest.mark.parametrize(
    ("helper", "sambist", "missing", "comes"),
    [
        ("Tia Ciata", "Zé Esboço", 1, True),  # Zé asks for pandeiro, tantã, one red and one blue
        ("Tia Ciata", "Zé Esboço", 2, False),
        ("Tias Baianas", "Zé Esboço", 1, True),
        ("Dona Ivone Lara", "Zé Esboço", 1, False),  # he is a man
        ("Dona Ivone Lara", "Mana Maquete", 1, True),  # she asks for two red, one green and one blue
        ("Clementina de Jesus", "Mana Maquete", 1, True),
        ("Clementina de Jesus", "Mana Maquete", 2, False),
        ("Paulo Papel", "Mana Maquete", 1, False),
    ],
)
def test_helpers_help_with_one_instrument(helper: str, sambist: str, missing: int, comes: bool) -> None:
    lie = ["pandeiro", "tantã", "repique de mão"][: 4 - missing]
    state = scene(circle(0, *lie, sambists=(helper,)), draw(), play("banjo", 1), sambists=[sambist])
    needs = {"Zé Esboço": 1, "Mana Maquete": 2}[sambist]
    if needs == 2:  # the red ones are there; green and blue are missing, or blue alone
        state = scene(circle(0, *lie[:2], sambists=(helper,)), draw(), sambists=[sambist])
        state = after(state, play("surdo" if missing == 1 else "banjo", 1))
    if comes:
        assert after(state, invite(sambist)).seats[0].sambists[-1] == sambist
    else:
        assert refused(state, invite(sambist)).code == "needs_not_met"


def test_a_malandro_is_taken_with_its_pile() -> None:
    state = scene(draw(), play("surdo", 1), malandro(), pile("yellow", 1))
    assert [card.instrument for card in state.seats[1].known] == ["cavaquinho", "malandro"]
    assert state.piles == ()
    state = after(state, play("cavaquinho", 1, seat=1))
    assert GAME.prompt(state).text.endswith("or ends the turn when the hand holds malandros alone.")
    assert after(state, {"move": "end_turn", "seat": 1}).turn == 0


def test_an_instrument_in_hand_must_be_discarded() -> None:
    state = scene(pile("yellow"), play("surdo", 1))  # the cavaquinho of the pile is in hand, and no pile is left
    assert refused(state, {"move": "end_turn", "seat": 0}).code == "discard_first"
    assert after(state, discard("cavaquinho", 1)).turn == 1


# What was found wrong once, and is right.


@pytest.mark.parametrize("name", ["open", "top"])
def test_players_may_be_called_as_places_are(name: str) -> None:
    charm = {"from": "table", "sambist": "Tia Ciata", "opened": "Paulo Papel"}
    people = [{"name": name}, {"name": "Bia"}]
    state = scene(draw(), play("surdo", 1), malandro(**charm), draw(1), play("banjo", 1, seat=1), players=people)
    error = refused(state, invite("Tia Ciata", 1, agreed=True))
    assert (error.code, error.message) == (
        "sambist_taken",
        f"{name} has Tia Ciata, and there is only one card of each sambist. Choose another one.",
    )


def test_a_complete_deck_says_who_does_a_malandros_action() -> None:
    charm = {"from": "deck", "sambist": "Zé Esboço"}
    played = scene(draw(), play("surdo", 1))
    assert refused(played, invite("Tia Ciata", agreed=True, charm=charm)).code == "no_malandro_action"
    ours = scene(deck={**shipped_deck("example").as_json(), "complete": False})
    ours = after(ours, draw(), play("surdo", 1), invite("Tia Ciata", agreed=True, charm=charm))
    assert ours.seats[0].charmed == "Zé Esboço"  # nobody knows yet that this card has no action


def test_a_circle_that_is_corrected_takes_the_end_back() -> None:
    names = [one.name for one in shipped_deck("example").instruments][1:11]
    state = scene(circle(0, *names))
    assert state.trigger == "full_circle"
    state = after(state, circle(0, *names[:9]))
    assert state.trigger is None
    assert "the game ends" not in GAME.prompt(state).why


def test_a_deck_that_shrinks_to_nothing_triggers_the_end() -> None:
    small = shipped_deck("example").as_json()
    small = {**small, "instruments": small["instruments"][:3], "malandros": 2}
    state = after(scene(deck=small), {"move": "card", "malandros": 0})
    assert state.cards_left == 1
    fewer = {**small["instruments"][2], "numbers": [1, 2, 3]}
    state = after(state, {"move": "card", "instrument": fewer})
    assert (state.cards_left, state.trigger) == (0, "empty_deck")


def test_a_circle_that_is_told_leaves_as_many_sambists_as_there_are() -> None:
    state = scene(circle(0, "surdo", sambists=("Tia Ciata", "Seu Amostra", "Paulo Papel")))
    assert (len(state.open), state.sambists_left) == (4, 20 - 4 - 3)
    state = after(state, circle(0, "surdo"))
    assert state.sambists_left == 16


def test_the_last_card_of_a_deck_that_nobody_counts_is_drawn_alone() -> None:
    first = {"instrument": "surdo", "colour": "red", "number": 1}
    ours = scene(deck={"instruments": []}, pile=first, sambists=[])
    state = after(ours, draw(last=True, count=1))
    assert (state.seats[0].hand, state.trigger) == (6, "empty_deck")
    assert draw(last=True, count=1) in list(GAME.legal_moves(ours))
    assert refused(ours, draw(count=1)).code == "contradiction"


def test_a_colour_that_is_corrected_is_corrected_where_a_sambist_brings_it() -> None:
    state = scene()
    wrong = {"name": "Dita Ditado", "stars": 2, "needs": ["?blue"] * 4}
    conflict = {**wrong, "brings": {"instrument": "cuíca", "colour": "red"}}
    error = refused(state, {"move": "card", "sambist": conflict})
    assert (error.code, error.field) == ("colour_conflict", "sambist.brings.colour")
    state = after(state, {"move": "card", "instrument": {"name": "cuíca", "colour": "red", "numbers": [1, 2, 3, 4]}})
    brought = state.deck.card_of("Dita Ditado").brings
    assert brought is not None
    assert brought.colour == "red"
    assert GAME.load(GAME.dump(state)) == state


def test_a_circle_that_cannot_be_names_the_space() -> None:
    error = refused(scene(), circle(0, "surdo", "cavaquinho"))  # cavaquinho 1 lies open
    assert (error.code, error.field) == ("all_copies_seen", "circle[1].numbers")


def test_the_log_spells_names_as_the_cards_do() -> None:
    state = scene(draw())
    assert GAME.describe(state, play("SURDO", 1)) == "Ana played surdo 1 in space 1."
    state = after(state, play("SURDO", 1))
    assert GAME.describe(state, invite("tia ciata", agreed=True)).startswith("Ana invited Tia Ciata.")
    assert GAME.describe(state, discard("violao", 1)) == "Ana discarded violão 1."


def test_what_is_missing_is_counted_together() -> None:
    state = scene(draw(), play("surdo", 1))
    error = refused(state, invite("Dona Prova"))
    assert "Missing: 2 instruments in yellow and one instrument in red." in error.message
    assert "2 instrumentos na cor amarelo e um instrumento na cor vermelho" in str(told(error.message, "pt"))
    assert "2 instrumentos de color amarillo y un instrumento de color rojo" in str(told(error.message, "es"))


def test_the_prompt_says_how_many_cards_can_be_drawn() -> None:
    state = scene()
    assert GAME.prompt(state).text == "Ana draws two cards, or takes the discard pile of a colour."
    assert GAME.prompt(replace(state, piles=())).text == "Ana draws two cards."
    assert GAME.prompt(replace(state, cards_left=1, piles=())).text == "Ana draws the last card."
    assert GAME.prompt(replace(state, cards_left=0, piles=())).text == "Ana draws nothing: no card is left."


def test_a_sambist_may_give_several_colour_bonuses() -> None:
    both = [{"colour": "yellow", "per": "card", "points": 1}, {"colour": "red", "per": "space", "points": 2}]
    card = {"name": "Rosa", "stars": 1, "colour_bonus": both}
    scored = score_document(document(player("Y12 - R1", "Ana", card)))["players"][0]
    assert (scored["colour_bonus"], scored["total"]) == (4, 5)
    assert scored["why"]["colour_bonus"].startswith("Rosa gives 1 for a card in yellow, and there are 2: 2. Rosa gives")
    deck = read_deck({"sambists": [card, {"name": "Dita", "colour_bonus": []}]})
    assert deck.as_json()["sambists"][0]["colour_bonus"] == both
    assert deck.as_json()["sambists"][1]["colour_bonus"] is None
    assert deck_from_toml(deck_to_toml(deck)) == deck
    with pytest.raises(InvalidInput) as error:
        read_deck({"sambists": [{"name": "Rosa", "colour_bonus": [both[0], {"colour": "red"}]}]})
    assert error.value.field == "sambists[0].colour_bonus[1].points"


@pytest.mark.parametrize(("colour", "given"), [("", "the text ''"), (None, "null"), (3, "the number 3")])
def test_a_colour_that_is_none_is_told_in_the_words_of_the_document(colour: Any, given: str) -> None:
    spaces = [{"instrument": "surdo", "colour": colour, "numbers": [1]}, *[None] * 9]
    with pytest.raises(InvalidInput) as error:
        score_document(document({**player("", "Ana"), "circle": spaces}))
    assert (error.value.code, error.value.field) == ("bad_colour", "players[0].circle[0].colour")
    assert error.value.message == f"The name of a colour belongs here, not {given}."


def test_without_hints_crossed_sambas_are_told_at_the_end_alone() -> None:
    lie = circle(0, "banjo", "pandeiro", "surdo")  # yellow 1, red 1, green 1: in harmony by their numbers
    lie["circle"][1]["numbers"] = [2]
    hint, none = (scene(lie, house_rules={"harmony.hint": value}) for value in ("on", "off"))
    assert (hint.marks()[0].crossed, hint.marks()[0].total) == (2, -4)
    assert (none.marks()[0].crossed, none.marks()[0].total) == (0, 0)
    assert none.marks()[0].why["crossed"] == "Crossed sambas are counted at the end."
    assert set(GAME.view(none)["players"][0]["harmony"]) == {None}
    assert after(none, {"move": "finish"}).marks() == after(hint, {"move": "finish"}).marks()


# What no game can end with is refused when it is scored, as it is when it is played.

CARD = {"name": "Tia Ciata", "stars": 5}


def lying(colour: str) -> list[Any]:
    return [{"instrument": "surdo", "colour": colour, "numbers": [1]}, *[None] * 9]


@pytest.mark.parametrize(
    ("players", "code", "field", "words"),
    [
        (
            [player("", "Ana", CARD), player("", "Bia", {**CARD, "name": "tia ciata"})],
            "sambist_taken",
            "players[1].sambists[0].name",
            "Ana has tia ciata, and there is only one card of each sambist. Take it away from one place.",
        ),
        (
            [player("", "Ana", CARD, {"name": "Noel", "stars": 1}, CARD)],
            "sambist_taken",
            "players[0].sambists[2].name",
            "Ana has Tia Ciata, and there is only one card of each sambist. Take it away from one place.",
        ),
        (
            [{**player("", "Ana"), "circle": lying("green")}, {**player("", "Bia"), "circle": lying("red")}],
            "colour_conflict",
            "players[1].circle[0].colour",
            "surdo is green in space 1 of Ana and red here, and an instrument has one colour. Correct one of the two.",
        ),
        (
            [
                {**player("", "Ana"), "circle": lying("green")},
                player("", "Bia", {**CARD, "brings": {"instrument": "Surdo", "colour": "red"}}),
            ],
            "colour_conflict",
            "players[1].sambists[0].brings.colour",
            "Tia Ciata brings Surdo in red, and this instrument is green. Correct one of the two cards.",
        ),
    ],
)
def test_final_positions_that_cannot_be_are_refused(players: list[Any], code: str, field: str, words: str) -> None:
    with pytest.raises(InvalidInput) as error:
        score_document(document(*players))
    assert (error.value.code, error.value.field, error.value.message) == (code, field, words)
    circles = [
        {"move": "circle", "seat": seat, "circle": one["circle"], "sambists": one["sambists"]}
        for seat, one in enumerate(players)
    ]
    people = [{"name": name} for name in ("Ana", "Bia")]
    start = {"players": people, "house_rules": {"entry.detail": "final"}}
    with pytest.raises(GameError) as replayed:
        replay_document({"game": "roda_de_samba", "setup": start, "moves": circles})
    assert replayed.value.code == code


def test_a_tally_beside_a_circle_is_checked_too() -> None:
    typed = {**player("", "Bia", CARD), "tally": {"stars": 3}}
    with pytest.raises(InvalidInput) as error:
        score_document(document(player("", "Ana", CARD), typed))
    assert error.value.code == "sambist_taken"
