"""Every sentence that Roda de Samba can say: whole games, all complaints, decks and end scorings, by seeded chance."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

from engine.game import canonical_json
from engine.roda_de_samba import RULES, deck_from_toml, read_deck, shipped_deck
from engine.roda_de_samba.state import State
from engine.score import score_document
from tests.engine.heard import Said
from tests.engine.roda_de_samba.rounds import GAME, after, document, player, playout, setup

PEOPLE = ("Ana", "Bia", "Caio", "Duda", "Eva", "Fábio")
OPEN = ("Tia Ciata", "Seu Amostra", "Dona Prova", "Nego Rascunho")

JUNK = (
    None,
    True,
    -1,
    0,
    1,
    2,
    9,
    99,
    10_000,
    1.5,
    "",
    "x",
    "red",
    "?",
    "malandro",
    "Tia Ciata",
    [],
    [1],
    {},
    "y" * 99,
)
"""What a field is changed to."""


class Heard(Said):
    """What Roda de Samba said."""

    def looks(self, state: State) -> None:
        """Keep what is said of `state`."""
        self.hear("prompt", GAME.prompt(state).as_json())
        self.hear("view", GAME.view(state))
        self.hear("scoreboard", GAME.scoreboard(state))
        outcome = GAME.outcome(state)
        self.hear("outcome", outcome and outcome.as_json())


def everything() -> Heard:
    """Return all that can be heard."""
    heard = Heard()
    heard.hear("house rules", [rule.as_json() for rule in RULES])
    for number, start in enumerate(starts()):
        heard.tries("setup", lambda start=start: GAME.setup(start))
        _play(heard, start, number)
    _setups(heard)
    _decks(heard)
    _scores(heard)
    for state, move in scenes():
        heard.looks(state)
        _make(heard, state, move)
    _loads(heard)
    heard.tries("roll", lambda: GAME.roll_move(scene(), []))
    return heard


def starts() -> Iterator[dict[str, Any]]:
    """Yield setups of every kind of table."""
    example = shipped_deck("example").as_json()
    open_deck = {**example, "complete": False, "name": "Our deck", "note": ""}
    for players in (2, 3, 6):
        yield setup(players, players=[{"name": name} for name in PEOPLE[:players]], sambists=list(OPEN))
    for detail in ("circles", "final"):
        yield setup(2, house_rules={"entry.detail": detail, "bonus.count": "spaces"})
    yield setup(4, house_rules={"bonus.count": "manual", "harmony.hint": "off"})
    yield setup(3, deck=open_deck, house_rules={"bonus.guest_instrument": "on", "invite.copies_count": "on"})


def _play(heard: Heard, start: Mapping[str, Any], seed: int) -> None:
    """Play a whole game, and try moves of it that are changed by chance, and out of time."""
    chance = random.Random(seed)
    moves: list[Mapping[str, Any]] = []
    for state, move in playout(start, seed):
        heard.looks(state)
        if move is not None:
            moves.append(move)
            heard.hear("describe", GAME.describe(state, move))
        for _ in range(2):
            _make(heard, state, changed(chance.choice(moves), chance))


def _make(heard: Heard, state: State, move: Any) -> None:
    kind = str(move.get("move")) if isinstance(move, Mapping) else "move"
    new = heard.tries(kind, lambda: GAME.apply(state, move))
    if new is not None:
        heard.hear("describe", GAME.describe(state, move))
        assert GAME.load(GAME.dump(new)) == new
        heard.looks(new)


def changed(value: Any, chance: random.Random) -> Any:
    """Return a JSON object with one thing in it changed, taken away or added."""
    new = copy.deepcopy(dict(value))
    inner: Any = new
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        if not keys:
            return new
        key = chance.choice(keys)
        if isinstance(inner[key], dict | list) and chance.random() < 0.6:
            inner = inner[key]
            continue
        way = chance.randrange(6)
        if way == 0 and isinstance(inner, dict):
            del inner[key]
        elif way == 1 and isinstance(inner, dict):
            inner["hat"] = 1
        elif way < 5:
            inner[key] = copy.deepcopy(chance.choice(JUNK))
        return new


def _loads(heard: Heard) -> None:
    """Try texts that are no states: one that is, with one thing in it changed."""
    chance = random.Random(4)
    good = json.loads(GAME.dump(scene(draw(), play("surdo", 1), malandro())))
    heard.tries("load", lambda: GAME.load("x"))
    for _ in range(300):
        heard.tries("load", lambda: GAME.load(canonical_json(changed(good, chance))))
    for key, junk in (("turns", 0), ("turn", 7), ("drawn", 1), ("cards_left", -1)):
        heard.tries("load", lambda key=key, junk=junk: GAME.load(canonical_json({**good, key: junk})))
    for key, junk in (("hand", -1), ("told", 1), ("known", [["surdo", 99]])):
        seats = [{**seat, key: junk} for seat in good["seats"]]
        heard.tries("load", lambda seats=seats: GAME.load(canonical_json({**good, "seats": seats})))


def _setups(heard: Heard) -> None:
    chance = random.Random(1)
    base = setup(2, players=[{"name": "Ana", "region": "Lapa"}, {"name": "Bia", "region": "Urca"}], first=1)
    for _ in range(300):
        start = changed({**base, "house_rules": {"ring.closed": "on"}}, chance)
        heard.tries("setup", lambda start=start: GAME.setup(start))
    few = shipped_deck("example").as_json()
    few = {**few, "instruments": few["instruments"][:2], "sambists": few["sambists"][:1]}
    for more in (
        {"players": [{"name": "Ana"}]},
        {"players": [{"name": "Ana"}, {"name": "ana"}]},
        {"players": [{"name": name, "region": "Lapa"} for name in PEOPLE[:2]]},
        {"pile": None},
        {"pile": {"instrument": "malandro", "number": 1}},
        {"pile": {"instrument": "surdo", "number": 8}},
        {"cards_left": 3},
        {"sambists": ["Tia Ciata", "tia ciata"]},
        {"sambists": [None] * 5},
        {"sambists": ["Tia Ciata", "Seu Amostra"], "deck": few},
        {"sambists": ["Nobody"]},
        {"cards_left": -1},
        {"deck": {**few, "malandros": 0}, "sambists": []},
        {"first": 2},
    ):
        heard.tries("setup", lambda more=more: GAME.setup(setup(2, **more)))


COMPLETE = "complete = true\nmalandros = 1\n"
SURDO = "[[instruments]]\nname = 'surdo'\ncolour = 'red'\n"
ROSA = "[[sambists]]\nname = 'Rosa'\n"

DECKS = {
    "name = ": 1,
    "name = 'x'\nname = 'y'": 2,
    "name = 'x'\n\n[[instruments]\nname = 'y'": 3,
    "instruments = [1,\n2": 2,
    "names = 'x'": 1,
    "name = 'x'\n[deck]\nname = 'x'": 2,
    "instruments = 3": 1,
    "sambists = [3]": 1,
    "name = 'x'\n\n[[instruments]]\nname = 5": 4,
    f"{SURDO}[[instruments]]\nname = '?red'": 5,
    "[[instruments]]\nname = 'Malandro'": 2,
    "[[instruments]]\nname = 'a'\nnumbers = [0]": 3,
    "[[instruments]]\nname = 'a'\nnumbers = 4": 3,
    f"{SURDO}[[instruments]]\nname = 'Súrdo'": 4,
    "complete = true": None,
    COMPLETE: None,
    f"{COMPLETE}[[instruments]]\nname = 'surdo'": 3,
    f"{COMPLETE}{SURDO}": 3,
    f"{COMPLETE}{SURDO}numbers = [1]\n{ROSA}": 7,
    f"{COMPLETE}{SURDO}numbers = [1]\n{ROSA}stars = 1\nneeds = ['surdo']": 10,
    "complete = 1": 1,
    f"{ROSA}needs = ['?red', '?red', '?red', '?red', '?red']": 3,
    f"{SURDO}{ROSA}stars = 1\nneeds = 'surdo'": 7,
    f"{ROSA}needs = ['?Red']": 3,
    f"{ROSA}needs = ['?']": 3,
    f"{ROSA}helps = 'men'": 3,
    f"{ROSA}woman = 'yes'": 3,
    f"{ROSA}action = 'sing'": 3,
    f"{ROSA}stars = 100": 3,
    f"{ROSA}hat = 1": 3,
    "[[sambists]]\nstars = 1": 1,
    f"{ROSA}colour_bonus = {{ colour = 'red', points = -1 }}": 3,
    f"{ROSA}stars = 1\n[sambists.colour_bonus]\ncolour = 'red'\npoints = 1\nper = 'yard'": 4,
    f"{ROSA}colour_bonus = 'red'": 3,
    f"{ROSA}brings = {{ instrument = 'surdo', colour = 'blue' }}\n{SURDO}": 3,
    "malandros = true": 1,
    'note = """\n[[sambists]]\nname = 5\n"""\n[[sambists]]\nname = 5': 6,
    "note = 3": 1,
    "malandros = 2026-01-01": 1,
}
"""Files of decks, each with a mistake, and the line that it is on (None: it is on none)."""


def _decks(heard: Heard) -> None:
    for text in DECKS:
        heard.tries("deck", lambda text=text: deck_from_toml(text))
    chance = random.Random(2)
    example = shipped_deck("example").as_json()
    for _ in range(300):
        heard.tries("deck", lambda: read_deck(changed(example, chance)))
    heard.hear("notes", shipped_deck("example").notes())
    strange = {
        "name": "Rosa",
        "stars": 1,
        "needs": ["gongo", "?purple", "?red", "?red"],
        "colour_bonus": {"colour": "pink", "points": 1},
        "brings": "apito",
    }
    instrument = {"name": "surdo", "colour": "red", "numbers": [1]}
    deck = {"complete": True, "malandros": 0, "instruments": [instrument], "sambists": [strange]}
    heard.hear("notes", read_deck(deck).notes())
    for count in (1, 2):
        some = {**strange, "needs": ["?red"] * count}
        heard.hear("notes", read_deck({"sambists": [some]}).notes())


def _scores(heard: Heard) -> None:
    chance = random.Random(3)
    card = {"name": "Tia Ciata", "stars": 5, "colour_bonus": {"colour": "yellow", "per": "card", "points": 1}}
    other = {"name": "Dita", "stars": 2, "colour_bonus": {"colour": "red", "per": "space", "points": 2}}
    third = {"name": "Rosa", "stars": 1, "colour_bonus": {"colour": "red", "per": "fixed", "points": 1}}
    ana = player("Y13 - Y2 R1 G2 -", "Ana", card)
    bia = player("Y1 R2 G3 Y4 B5 -", "Bia", other, third)
    good = document(ana, bia, **{"ring.closed": "on"})
    for _ in range(400):
        heard.tries("score", lambda: score_document(changed(good, chance)))
    surdo = [{"instrument": "surdo", "colour": "red", "numbers": [1]}, *[None] * 9]
    green = [{"instrument": "surdo", "colour": "green", "numbers": [1]}, *[None] * 9]
    brings = {"name": "Rosa", "stars": 1, "brings": {"instrument": "surdo", "colour": "green"}}
    corrected = {"stars": 1, "correction": 0}
    for players in (
        (ana, bia),
        (ana, player("Y1", "Bia", card)),
        (player("Y1", "Ana", {**card, "colour_bonus": None}), player("", "Bia")),
        (player("Y1", "Ana"), player("R1", "Bia")),
        (player("Y1 - Y2", "Ana"), player("Y12", "Bia")),
        (player("Y1 - Y2", "Ana"), player("Y123", "Bia")),
        (player("Y1", "Ana", third), player("Y1", "Bia", other)),
        (player("", "Ana", {"name": "A", "stars": 1}), player("", "Bia", {"name": "B", "stars": 1})),
        ({**player("", "Ana"), "circle": surdo}, {**player("", "Bia"), "circle": green}),
        ({**player("", "Ana"), "circle": surdo}, player("", "Bia", brings)),
        ({"name": "Ana", "tally": {"stars": 12, "colour_bonus": 4, "crossed": 3, "instruments": 1}},),
        ({"name": "Ana", "tally": {"different_instruments": 3}}, {"name": "Bia", "tally": {"instruments": 4}}),
        ({"name": "Ana", "tally": {"instruments": 4, "different_instruments": 3}},),
        ({"name": "Ana", "tally": {"stars": 1, "correction": -3, "note": "x"}}, {"name": "Bia", "tally": corrected}),
    ):
        for rules in ({}, {"bonus.count": "spaces"}, {"bonus.count": "manual"}):
            heard.tries("score", lambda players=players, rules=rules: score_document(document(*players, **rules)))


def scene(*moves: Any, **more: Any) -> State:
    """Return a game of Ana and Bia with the example deck after `moves`."""
    people = [{"name": name} for name in PEOPLE[:2]]
    return after(GAME.setup(setup(2, **{"players": people, "sambists": list(OPEN), **more})), *moves)


def draw(seat: int = 0, **more: Any) -> dict[str, Any]:
    return {"move": "draw", "seat": seat, "from": "deck", **more}


def play(instrument: str, *numbers: int, seat: int = 0, **more: Any) -> dict[str, Any]:
    return {"move": "play", "seat": seat, "instrument": instrument, "numbers": list(numbers), **more}


def discard(instrument: str, number: int, seat: int = 0) -> dict[str, Any]:
    return {"move": "discard", "seat": seat, "card": {"instrument": instrument, "number": number}}


def malandro(seat: int = 0, pile: str = "yellow", **charm: Any) -> dict[str, Any]:
    return {"move": "discard", "seat": seat, "card": "malandro", "pile": pile} | ({"charm": charm} if charm else {})


def circle(seat: int, *names: str, sambists: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the move that tells a circle with card 1 of each instrument named."""
    deck = shipped_deck("example")
    spaces: list[Any] = [{"instrument": name, "colour": deck.colour_of(name), "numbers": [1]} for name in names]
    return {"move": "circle", "seat": seat, "circle": spaces + [None] * (10 - len(spaces)), "sambists": list(sambists)}


def invite(sambist: Any, seat: int = 0, **more: Any) -> dict[str, Any]:
    return {"move": "invite", "seat": seat, "sambist": sambist, **more}


def pile(colour: str, seat: int = 0) -> dict[str, Any]:
    return {"move": "draw", "seat": seat, "from": "pile", "colour": colour}


def scenes() -> Iterator[tuple[State, Any]]:
    """Yield states with a move whose answer chance seldom meets."""
    start = scene()
    played = scene(draw(), play("surdo", 1))
    names = [one.name for one in shipped_deck("example").instruments]
    open_deck = {"name": "Ours", "instruments": [{"name": "surdo"}]}
    red = {"instrument": "surdo", "colour": "red", "number": 1}
    ours = scene(deck=open_deck, pile=red, sambists=[])
    quick = scene(house_rules={"entry.detail": "final"}, pile=None)
    circles = scene(house_rules={"entry.detail": "circles"}, pile=None)
    small = shipped_deck("example").as_json()
    small = {**small, "instruments": small["instruments"][:3], "malandros": 1, "sambists": small["sambists"][:5]}
    small["sambists"][4] = {**small["sambists"][4], "name": "Seu Amostra"}
    tiny = scene(deck=small, sambists=["Tia Ciata", "Tias Baianas", "Dona Ivone Lara", "Clementina de Jesus"])
    charmed = after(played, malandro(**{"from": "table", "sambist": "Tia Ciata", "opened": "Paulo Papel"}))
    swapped = after(charmed, draw(1), play("banjo", 1, seat=1), discard("banjo", 2, 1), draw(), play("surdo", 2))
    swapped = after(swapped, malandro(**{"from": "deck", "sambist": "Zé Esboço"}))
    yield start, {"move": "roll"}
    yield start, []
    yield start, draw(1)
    yield start, draw(count=1)
    yield start, draw(colour="red")
    yield start, {"move": "draw", "seat": 0, "from": "nothing"}
    yield start, pile("red")
    yield start, play("surdo", 1)
    yield start, draw(last=True)
    yield start, {"move": "deck_out"}
    yield start, {"move": "finish"}
    yield after(start, {"move": "finish"}), {"move": "finish"}
    yield after(start, {"move": "finish"}), draw()
    yield scene(draw()), draw()
    yield scene(draw()), invite("Tia Ciata")
    yield scene(draw()), play("bongo", 1)
    yield scene(draw()), play("surdo", 1, 1)
    yield scene(draw()), play("surdo", 9)
    yield scene(draw()), play("surdo", 1, colour="blue")
    yield scene(draw()), discard("cavaquinho", 1)
    yield scene(pile("yellow")), play("surdo", 1, 2, 3, 4)
    yield scene(pile("yellow"), play("cavaquinho", 1)), malandro()
    yield scene(pile("yellow"), play("surdo", 1)), {"move": "end_turn", "seat": 0}
    yield after(played, discard("banjo", 1), pile("yellow", 1), play("surdo", 2, 3, 4, seat=1)), discard("tantã", 1, 1)
    yield played, play("banjo", 1)
    yield played, {"move": "end_turn", "seat": 0}
    yield played, malandro(pile="red")
    yield played, invite("Seu Amostra")
    yield played, invite("Paulo Papel", agreed=True)
    yield played, malandro(**{"from": "table"})
    yield played, malandro(**{"from": "deck"})
    yield played, malandro(**{"from": "deck", "sambist": "Zé Esboço", "opened": "Paulo Papel"})
    yield played, malandro(**{"from": "deck", "sambist": "Tia Ciata"})
    yield played, malandro(**{"from": "table", "sambist": "Tia Ciata", "opened": "Seu Amostra"})
    again = scene(draw(), play("surdo", 1, space=4), discard("banjo", 1), draw(1), play("tantã", 1, seat=1))
    again = after(again, discard("banjo", 2, 1), draw())
    yield again, play("surdo", 2, space=5)
    yield again, play("banjo", 3, space=4)
    yield scene(circle(0, *names[1:11]), draw()), play(names[11], 2)
    yield scene(circle(0, *names[1:11]), draw()), play(names[9], 2)
    for need in ("blue", "red"):
        card = {"name": "Dona Prova", "needs": [f"?{need}", f"?{need}", "pandeiro", "pandeiro"]}
        yield played, invite(card)
    yield played, invite("Dona Prova", agreed=True, charm={"from": "deck", "sambist": "Zé Esboço"})
    yield played, invite("Nego Rascunho", agreed=True, charm={"from": "deck", "sambist": "Zé Esboço"})
    yield after(played, invite("Dona Prova", agreed=True)), malandro()
    yield after(played, invite("Dona Prova", agreed=True)), invite("Tia Ciata")
    yield charmed, {"move": "open", "slot": 1, "sambist": "Tia Ciata"}
    yield charmed, circle(0, "surdo", sambists=("Seu Amostra", "Seu Amostra"))
    yield charmed, circle(1, "surdo", sambists=("Tia Ciata",))
    yield charmed, circle(0, "surdo", sambists=("Tia Ciata",))
    back = after(charmed, draw(1), play("banjo", 1, seat=1), discard("banjo", 2, 1), draw(), play("surdo", 2))
    yield back, invite("Tia Ciata", agreed=True, opened="Zé Esboço")
    yield back, malandro(**{"from": "table", "sambist": "Seu Amostra"})
    yield back, malandro(**{"from": "table", "sambist": "Seu Amostra", "opened": "Zé Esboço"})
    yield back, malandro(**{"from": "deck", "sambist": "Zé Esboço"})
    next_turn = after(swapped, draw(1), play("pandeiro", 2, seat=1))
    yield next_turn, invite("Seu Amostra", 1, agreed=True, opened="Mana Maquete")
    yield next_turn, invite("Zé Esboço", 1, agreed=True)
    yield next_turn, malandro(1, **{"from": "deck"})
    yield next_turn, {"move": "open", "slot": 1, "sambist": "Tia Ciata"}
    yield start, {"move": "open", "slot": 0, "sambist": "Dona Prova"}
    yield start, {"move": "open", "slot": 0, "sambist": "Nobody"}
    yield start, {"move": "open", "slot": 0, "sambist": "mana maquete"}
    yield start, {"move": "open", "slot": 4, "sambist": "Mana Maquete"}
    yield start, {**circle(0, "surdo"), "circle": []}
    yield start, circle(0, "surdo", "Surdo")
    yield start, draw(last=1)
    yield start, draw(count=3)
    yield played, invite("Seu Amostra", agreed=1)
    yield start, {"move": "tally", "seat": 0, "stars": -1}
    yield start, {"move": "tally", "seat": 0, "correction": 1.5}
    yield start, {"move": "tally", "seat": 0, "hat": 1}
    yield start, {"move": "tally", "seat": 0, "instruments": 4, "different_instruments": 9}
    yield start, {"move": "tally", "seat": 0, "note": "x" * 61}
    yield start, {"move": "card"}
    yield start, {"move": "card", "malandros": 1}
    yield played, {"move": "card", "instrument": {"name": "surdo", "colour": "green", "numbers": [2]}}
    yield start, {"move": "card", "instrument": {"name": "surdo"}}
    yield start, {"move": "card", "sambist": {"name": "Tia Ciata"}}
    yield start, {"move": "card", "sambist": {"name": "Rosa", "stars": 1, "needs": ["?red"] * 4, "brings": "surdo"}}
    brings = {"instrument": "surdo", "colour": "red"}
    yield start, {"move": "card", "sambist": {"name": "Rosa", "stars": 1, "needs": ["?red"] * 4, "brings": brings}}
    yield start, {"move": "card", "malandros": 0}
    for count in (1, 2):
        thrown = scene(draw(), play("surdo", 1), malandro())
        if count == 2:
            thrown = after(thrown, draw(1), play("banjo", 1, seat=1), malandro(1))
        yield thrown, {"move": "card", "malandros": 0}
    one = {**shipped_deck("example").as_json(), "malandros": 1}
    gone = scene(draw(), play("surdo", 1), malandro(), draw(1), play("banjo", 1, seat=1), deck=one)
    yield gone, malandro(1)
    two = scene(draw(), play("surdo", 1), malandro(), deck={**one, "malandros": 2})
    two = after(two, draw(1), play("banjo", 1, seat=1), malandro(1), draw(), play("banjo", 2))
    yield two, malandro()
    twice = {**one, "instruments": [{**card, "numbers": [1, 1, 2, 3, 4]} for card in one["instruments"]]}
    yield scene(draw(), play("surdo", 1, 1), discard("banjo", 1), draw(1), deck=twice), play("surdo", 1, seat=1)
    yield after(ours, draw()), play("cuíca", 1)
    yield after(ours, draw()), play("surdo", 2, colour="blue")
    yield after(ours, draw(last=True)), play("surdo", 2)
    yield ours, draw(last=True, count=1)
    yield ours, {"move": "deck_out"}
    yield ours, {"move": "card", "instrument": {"name": "cuíca"}}
    seen = after(ours, {"move": "open", "slot": 0, "sambist": {"name": "Rosa", "needs": ["?red"]}})
    yield after(seen, draw(), play("surdo", 2)), invite("Rosa")
    yield after(seen, circle(0, sambists=("Rosa",))), {"move": "finish"}
    yield after(seen, draw(), play("surdo", 2)), {"move": "finish"}
    yield quick, draw()
    yield quick, {"move": "tally", "seat": 0, "stars": 3, "correction": 1}
    yield circles, draw()
    yield after(circles, play("surdo", 1)), discard("surdo", 2)
    yield after(circles, play("surdo", 1)), malandro()
    yield after(circles, {"move": "deck_out"}), play("surdo", 1)
    yield tiny, {"move": "card", "instrument": {**small["instruments"][1], "numbers": [2]}}
    yield tiny, draw()
    yield after(tiny, {"move": "open", "slot": 0, "sambist": "Tia Ciata"}), {"move": "deck_out"}
    yield after(tiny, pile("yellow")), play("violão", 1)
    odd = scene(deck={**small, "malandros": 2}, sambists=[])
    yield after(odd, draw(), discard("violão", 1)), pile("yellow", 1)
    yield odd, pile("yellow")
    alone = after(odd, pile("yellow"), play("cavaquinho", 1))
    yield alone, {"move": "end_turn", "seat": 0}
    yield after(alone, {"move": "end_turn", "seat": 0}), draw(1)
    # Tias Baianas draws a card here, so that one is left, or none; and nobody has discarded.
    drawing = [{**one, "action": "draw"} if one["name"] == "Tias Baianas" else one for one in small["sambists"]]
    for malandros in (1, 0):
        bare = scene(deck={**small, "malandros": malandros, "sambists": drawing}, sambists=["Tias Baianas"])
        bare = after(bare, pile("yellow"), play("cavaquinho", 1), invite("Tias Baianas", agreed=True))
        yield after(bare, {"move": "end_turn", "seat": 0}), draw(1)
    yield start, {"move": "play", "seat": 0, "instrument": "surdo", "numbers": []}
    left = after(tiny, draw(), play("violão", 1), invite("Tias Baianas", agreed=True))
    yield left, discard("banjo", 1)
    last = after(left, discard("banjo", 1), {"move": "draw", "seat": 1, "from": "nothing"}, play("banjo", 2, seat=1))
    yield last, invite("Tia Ciata", 1, agreed=True, opened="Zé Esboço")
    yield last, malandro(1, **{"from": "deck"})
    few = after(tiny, circle(1, sambists=("Seu Amostra", "Tia Ciata", "Tias Baianas", "Dona Ivone Lara")))
    yield few, {"move": "open", "slot": 3, "sambist": "Tia Ciata"}
    none = after(few, circle(0, sambists=("Clementina de Jesus",)), draw(), play("violão", 1))
    yield none, invite({"name": "Dona Prova", "stars": 1, "needs": ["?red"] * 4}, agreed=True)
    yield none, {"move": "open", "slot": 0, "sambist": "Tia Ciata"}
    one_more = {"name": "Dona Prova", "stars": 1, "needs": ["?red"] * 4}
    yield none, {"move": "card", "sambist": one_more}
    yield after(none, {"move": "card", "sambist": one_more}), invite("Dona Prova", agreed=True)
