"""Roda de Samba's pages: its form for a new game, and the deck that the table owns, filled while it plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from engine.dice import COLOURS
from engine.roda_de_samba.cards import ACTIONS, HELPS, PER
from engine.roda_de_samba.deck import Deck, read_deck
from engine.roda_de_samba.deck_file import deck_from_toml, deck_to_toml, shipped_deck
from engine.words import named, say
from webui.asking import body, decided, done, field
from webui.errors import WebError
from webui.games import Part
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.words import told_here

KEY = "roda_de_samba"

blueprint = Blueprint(KEY, __name__)

WORDS = {
    "actions": dict(
        zip(ACTIONS, (say("No discard this turn"), say("Draw a card"), say("A malandro's action")), strict=True)
    ),
    "helps": dict(zip(HELPS, (say("Helps to invite anybody"), say("Helps to invite women")), strict=True)),
    "per": dict(zip(PER, (say("for each card"), say("for each space"), say("once")), strict=True)),
    "colours": {colour: named(colour) for colour in COLOURS},
}


def deck_in_play(table: Any) -> Deck | None:
    """Return the deck as the open game knows it by now, None when no such game is open."""
    now = table.now()
    if now.state is None or now.game.key != KEY:
        return None
    return read_deck(now.game.view(now.state)["deck"])


def own_deck(table: Any) -> Deck:
    """Return the table's own cards: as they were kept, else what the rulebook tells."""
    kept = table.decks.get(KEY)
    return read_deck(kept) if kept is not None else shipped_deck("rulebook")


def deck_of(table: Any) -> Deck:
    """Return what is known of the table's cards: by the open game, else by the table itself."""
    return deck_in_play(table) or own_deck(table)


def made_up(deck: Deck) -> bool:
    """Tell whether these are the example's cards, which must never become the table's own."""
    return deck.name == shipped_deck("example").name


def ours(table: Any) -> Deck:
    """Return the table's own cards with what an open game has shown of them; never the example's."""
    playing = deck_in_play(table)
    return own_deck(table) if playing is None or made_up(playing) else playing


def choices(table: Any) -> dict[str, Any]:
    """Return what the form for a new game offers."""
    return {"decks": {"ours": ours(table).as_json(), "example": shipped_deck("example").as_json()}}


def with_deck(setup: Mapping[str, Any], table: Any) -> Mapping[str, Any]:
    """Return `setup` with the table's own deck, unless it brings one or is a rematch with the example's."""
    playing = deck_in_play(table)
    again = "players" not in setup and playing is not None and made_up(playing)
    return setup if again or setup.get("deck") is not None else {**setup, "deck": ours(table).as_json()}


def keep_at_the_end(table: Any) -> None:
    """Keep every card that a game has shown, once it is over."""
    shown_by_now = deck_in_play(table)
    if table.outcome is None or shown_by_now is None or made_up(shown_by_now):
        return
    if shown_by_now != own_deck(table):
        table.save_deck(KEY, shown_by_now.as_json())


def deck_colours(view: Mapping[str, Any]) -> list[str]:
    """Return the colours of the instruments, in the order of the deck."""
    return list(dict.fromkeys(one["colour"] for one in view["deck"]["instruments"] if one["colour"] is not None))


@blueprint.get("/deck")
@needs(Role.LOOK)
def deck() -> str:
    """Show every card that is known, and the forms to add, change and remove one."""
    playing, known = deck_in_play(services().table), deck_of(services().table)
    notes = told_here(known.notes())
    example = playing is not None and made_up(playing)
    return shown(
        f"games/{KEY}/deck.html", deck=known.as_json(), notes=notes, playing=playing is not None, example=example
    )


@blueprint.get("/api/deck")
@needs(Role.LOOK)
def deck_json() -> Response:
    """Return the deck as JSON, with what looks strange about it."""
    known = deck_of(services().table)
    return jsonify({"deck": known.as_json(), "notes": told_here(known.notes())})


@blueprint.get("/deck.toml")
@needs(Role.LOOK)
def deck_file() -> Response:
    """Return the deck as a TOML file, to keep and to hand on."""
    text = deck_to_toml(deck_of(services().table))
    name = 'attachment; filename="roda-de-samba.toml"'
    return Response(text, mimetype="application/toml", headers={"Content-Disposition": name})


@blueprint.post("/api/deck")
@needs(Role.WATCH)
def save_deck() -> tuple[Response, int]:
    """Keep the deck, given whole as `deck` or as the text of a TOML file; an open game learns its cards as well.

    The example's made-up cards are for the game that is played with them, and do not become the table's own.
    """
    given = body()
    options = decided(given)
    text = field(given, "toml", str, optional=True)
    new = deck_from_toml(text) if text is not None else read_deck(field(given, "deck", dict), "deck")
    if text is not None and not new.instruments and not new.sambists:
        message = say("That file tells of no card. The cards stay as they were. Choose the file of a deck.")
        raise WebError(422, "no_cards", message, field="toml")
    table = services().table
    playing = deck_in_play(table)
    moves = [] if playing is None else [{"move": "card", **card} for card in news(playing, new)]
    state = table.now().state
    for move in moves:  # tried first, so that a deck is kept whole or not at all
        state = table.game.apply(state, move)
    if not made_up(new):
        table.save_deck(KEY, new.as_json(), **options)
    elif playing is None:
        raise WebError(
            422,
            "made_up_deck",
            say("These are the example's made-up cards, so they were not kept as yours. Give the deck its own name."),
            field="deck.name",
        )
    for at, move in enumerate(moves):
        table.apply(move, client_id=f"{options['client_id']}-{at}", by=options["by"])
    return done(201, notes=told_here(new.notes()))


def news(old: Deck, new: Deck) -> list[dict[str, Any]]:
    """Return each card of `new` that `old` knows otherwise or not at all, as the move that tells it."""
    cards: list[dict[str, Any]] = [
        {"instrument": one.as_json()} for one in new.instruments if one != old.instrument(one.name)
    ]
    cards += [{"sambist": one.as_json()} for one in new.sambists if one != old.sambist(one.name)]
    if new.malandros is not None and new.malandros != old.malandros:
        cards.append({"malandros": new.malandros})
    return cards


PART = Part(
    words=WORDS,
    choices=choices,
    complete=with_deck,
    after_move=keep_at_the_end,
    colours=deck_colours,
    pages={f"{KEY}.deck": say("Cards of Roda de Samba")},
    blueprint=blueprint,
)
