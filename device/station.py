"""The station: press → photograph → Reading → proposal → corrections → confirm, for buttons and phones alike."""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from device.camera.base import PATIENCE, Camera
from device.darkroom import Darkroom, Knows, Order, Shooting
from device.earlier import AGAIN as TAKEN_AGAIN
from device.earlier import DISCARDED, UNSEEN, Earlier, with_earlier, without
from device.loading import Reads
from device.photos import PHOTO_URL, PhotoRing, stem_of
from device.problems import likely_missing, problems
from device.proposal import MOST_DICE, Proposal, ProposalState, ProposedDie, Source, by_hand, places
from engine.dice import Shape
from engine.game import Expectation, GameError, IllegalMove, InvalidInput
from engine.journal import Event
from engine.play import MOVE, VOID
from engine.rolls import DEMO
from engine.table import By, Now, Table
from engine.words import say

if TYPE_CHECKING:
    from device.teaching import Teaching

log = logging.getLogger(__name__)

_Awaited = tuple[str | None, Mapping[Shape, int] | None]
"""The open game's id, and how many dice of which shape it waits for; None for none."""

AGAIN = 0.3
"""Seconds after an accepted press in which further presses are the same press."""


class Station:
    """Holds the one proposal of the table and makes new ones on a thread of its own; every call returns at once.

    Errors are `GameError`s, ready for the one error shape. `clock` returns `time.monotonic` seconds.
    """

    def __init__(
        self,
        table: Table,
        camera: Camera,
        reader: Reads,
        photos: PhotoRing,
        *,
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
        teaching: Teaching | None = None,
        shooting: Shooting = Shooting(),  # noqa: B008  (a frozen value)
        knows: Knows | None = None,
    ) -> None:
        self.table = table
        self.teaching = teaching
        self.photos = photos
        self._clock = clock
        self._lock = threading.Lock()
        self._proposal: Proposal | None = None
        self._made_for: _Awaited = (None, None)
        self._stood: tuple[str, Proposal] | None = None  # the proposal of a phone's photograph, and what it replaced
        self._earlier: tuple[Earlier, ...] = ()
        self._earlier_for: _Awaited = (None, None)
        self._confirming = False
        self._pressed_at = float("-inf")
        self._ready_at = float("-inf")
        self._confirmed_at = float("-inf")
        self._count = 0
        self._boot = secrets.token_hex(3)
        self._listeners: list[Callable[[], None]] = []
        self._decoding = threading.Lock()
        self._darkroom = Darkroom(
            camera,
            reader,
            photos,
            expects=lambda: expected(table.now()),
            show=self._show,
            clock=clock,
            patience=patience,
            learn=None if teaching is None else teaching.confirmed,
            shooting=shooting,
            knows=knows,
        )

        self._unsubscribe = table.subscribe(self._follow)

    # What phones and the panel see

    @property
    def state(self) -> str:
        """`idle`, `capturing` or `proposal` (ready, or failed)."""
        with self._lock:
            if self._proposal is None:
                return "idle"
            return "capturing" if self._proposal.state is ProposalState.CAPTURING else "proposal"

    @property
    def failed(self) -> bool:
        """Whether the last press ended in an error that still stands."""
        with self._lock:
            return self._proposal is not None and self._proposal.state is ProposalState.FAILED

    @property
    def stuck(self) -> bool:
        """Whether something stands in the way of the proposal that the phones tell about."""
        with self._lock:
            standing = self._proposal
            return standing is not None and standing.state is ProposalState.READY and standing.notice is not None

    @property
    def doubtful(self) -> bool:
        """Whether the proposal cannot be confirmed as it stands: a die is doubtful, missing, or one too many."""
        expects = expected(self.table.now())
        with self._lock:
            standing = self._proposal
        if standing is None or standing.state is not ProposalState.READY:
            return False
        return bool(standing.doubtful or problems(standing.dice, expects))

    @property
    def confirmed_at(self) -> float:
        """When a roll was last confirmed, in seconds of the clock; long ago where none was."""
        return self._confirmed_at

    @property
    def proposal(self) -> dict[str, Any] | None:
        """The proposal as phones see it, or None."""
        expects = expected(self.table.now())
        with self._lock:
            return None if self._proposal is None else self._proposal.as_json(expects)

    @property
    def earlier(self) -> list[dict[str, Any]]:
        """The photographs of the roll that is waited for which do not count, oldest first."""
        return [one.as_json() for one in self._earlier]

    @property
    def silent_for(self) -> float:
        """Seconds since the thread that makes proposals last showed that it lives; at work it does so at each step."""
        return self._darkroom.silent_for

    def photo_of(self, turn: int) -> str | None:
        """Return the address of the photograph of the event with this number, None when there is none."""
        name = self.photos.of_turn(turn)
        return None if name is None else PHOTO_URL + name

    def forget_photos(self, turns: Collection[int]) -> None:
        """Delete the photographs of the turns with these event numbers."""
        self.photos.forget(turns)

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Have `listener` called after each change, on whichever thread made it, with no lock held."""
        self._listeners.append(listener)

    def touch(self) -> None:
        """Tell the listeners that something beside the station has changed (the camera, the reader)."""
        for listener in tuple(self._listeners):
            try:
                listener()
            except Exception:
                log.exception("a listener of the station failed; the station goes on")

    # Making a proposal

    def press(self, at: float | None = None) -> bool:
        """Take a photograph exposed after `at` (now when None); return False when the press is dropped.

        A press while another is being worked on, or within `AGAIN` seconds of it, is the same press. A proposal that
        stood is replaced.
        """
        pressed_at = self._clock() if at is None else at
        awaited = self._awaited()
        with self._lock:
            if self._busy or pressed_at - self._pressed_at < AGAIN:
                return False
            self._pressed_at = pressed_at
            order = Order(self._begin(Source.CAMERA, awaited), pressed_at)
        self._darkroom.develop(order)
        self.touch()
        return True

    def photo(self, source: bytes) -> str:
        """Read a phone's photograph; return the id of its proposal. Raises `InvalidInput` when it is no picture.

        The picture is decoded before this returns, so that a bad one leaves a standing proposal alone. One in which no
        die is seen gives way to the reading that stood, and lies among the earlier ones.
        """
        from vision.reader import PhotoError, load_photo

        started = self._clock()
        with self._lock:
            self._refuse_while_busy()
        with self._decoding:
            try:
                image, load_ms = load_photo(source)
            except PhotoError as error:
                raise InvalidInput("bad_photo", error.message, "photo") from error
        awaited = self._awaited()
        with self._lock:
            self._refuse_while_busy()
            standing = self._proposal
            order = Order(self._begin(Source.PHONE, awaited), started, image, load_ms, source=Source.PHONE)
            if standing is not None and standing.state is ProposalState.READY and standing.dice:
                self._stood = order.proposal, standing
        self._darkroom.develop(order)
        self.touch()
        return order.proposal

    def reread(self, photo: str | None = None, proposal: str | None = None) -> str:
        """Read a photograph of this roll again: the one that lies there, or an earlier one at the address `photo`.

        Corrections that were made go. Returns the id of the new proposal. Raises `IllegalMove`, `InvalidInput`.
        """
        with self._lock:
            self._refuse_while_busy()
            known = {one.photo: one.source for one in self._earlier}
            if (standing := self._proposal) is not None:
                self._refuse_other(standing, proposal)
                known |= {standing.photo: standing.source} if standing.photo else {}
                photo = photo or standing.photo
        if photo not in known:
            message = say("That is no photograph of this roll. Nothing was changed. Photograph again.")
            raise InvalidInput("unknown_photo", message, "photo")
        started = self._clock()
        if (image := self.photos.image(stem_of(photo))) is None:
            message = say("That photograph is no longer kept. Nothing was changed. Photograph again.")
            raise IllegalMove("no_photo", message, "photo")
        awaited, loaded = self._awaited(), (self._clock() - started) * 1000
        with self._lock:
            self._refuse_while_busy()
            fresh = self._begin(known[photo], awaited)
            self._earlier = without(self._earlier, photo)
            order = Order(fresh, started, image, loaded, stem_of(photo), known[photo])
        self._darkroom.develop(order)
        self.touch()
        return order.proposal

    def by_hand(self) -> str:
        """Lay out the dice that are waited for, empty, to be filled in by tapping; return the proposal's id."""
        now = self.table.now()
        expects = expected(now)
        if expects is None:
            raise IllegalMove("no_roll_expected", _no_roll(now))
        dice = by_hand(expects)
        with self._lock:
            self._refuse_while_confirming()
            if self._proposal is not None:
                self._remember(self._proposal, DISCARDED)
            proposal = Proposal(
                self._fresh_id(), ProposalState.READY, Source.HAND, dice=dice, order=tuple(die.index for die in dice)
            )
            self._proposal = proposal
            self._made_for = (now.game_id, expects.shapes)
        self.touch()
        return proposal.id

    # Correcting it

    def edit(
        self, index: int, *, colour: Any = None, value: Any = None, shape: Any = None, proposal: str | None = None
    ) -> None:
        """Say what a die is; with nothing but its index, that it is right as shown."""
        with self._changing(proposal) as standing:
            die = standing.die(index).corrected(shape=shape, colour=colour, value=value)
            self._proposal = standing.with_die(die)

    def add_die(
        self,
        *,
        colour: Any = None,
        value: Any = None,
        shape: Any = None,
        at: tuple[float, float] | None = None,
        proposal: str | None = None,
    ) -> int:
        """Add a die that was not seen; return its index.

        `at` (x, y) is where it lies, in pixels of the picture: the reader looks there once more, and what it sees is
        asked about.
        """
        expects = expected(self.table.now())
        with self._changing(proposal) as standing:
            if len(standing.dice) >= MOST_DICE:
                message = say("A roll holds at most {most} dice. Remove one first.", most=MOST_DICE)
                raise IllegalMove("too_many_dice", message)
            shape_there, colour_there = likely_missing(standing.dice, expects, shape)
            box = None if at is None or standing.photo is None else standing.box_at(at)
            if at is not None and box is None:
                message = say("That is no place in the picture. Nothing was changed. Tap the die in the photograph.")
                raise InvalidInput("bad_place", message, "at")
            added = ProposedDie(standing.next_index, shape_there, colour_there, box=box)
            added = replace(added.corrected(shape=shape, colour=colour, value=value), looking=box is not None)
            self._proposal = standing.with_die(added)
        if added.looking:
            self._darkroom.look(standing, added, self._seen_there)
        return added.index

    def remove_die(self, index: int, *, proposal: str | None = None) -> None:
        """Take away something that is no die of this roll."""
        with self._changing(proposal) as standing:
            self._proposal = standing.without_die(index)

    def restore_die(self, index: int, *, proposal: str | None = None) -> None:
        """Put a die back that was removed."""
        with self._changing(proposal) as standing:
            self._proposal = standing.with_restored(index)

    def teach(
        self, proposal: str | None = None, *, colours_only: bool = False, names: Mapping[int, str] | None = None
    ) -> None:
        """Teach the reader the dice of this roll as they stand, of which none may be doubtful; it stays as it is.

        `colours_only`: for their colours alone; `names` tells dice of one shape and colour apart, by index. The work
        is done later, and `teaching.notice` says what became of it.
        """
        with self._lock:
            standing = self._standing(proposal)
        if self.teaching is None:
            raise IllegalMove("no_teaching", say("This table cannot be taught dice."))
        self.teaching.later(standing, colours_only=colours_only, names=names)

    # Ending it

    def confirm(
        self,
        proposal: str | None = None,
        *,
        version: int | None = None,
        client_id: str | None = None,
        by: By = None,
        accept_doubtful: bool = False,
    ) -> Event:
        """Put the dice into the game; return the event, which is on the disk by then.

        Raises `IllegalMove` when there is nothing to confirm, when the dice are not those that the game waits for, and
        when doubtful ones were not looked at (unless `accept_doubtful`). The proposal then stands as it was.
        """
        if (done := self._done(client_id, MOVE)) is not None:
            return done
        now = self.table.now()
        with self._ending(proposal) as standing:
            standing.check(expected(now), accept_doubtful=accept_doubtful)
            assert now.game is not None
            move = now.game.roll_move(now.state, [die.die for die in standing.dice], places(standing.dice))
            # The version that these dice were checked on: a turn that comes in between must not be overrun.
            checked_on = now.version if version is None else version
            event = self.table.apply(
                move, version=checked_on, client_id=client_id, by=by, source=self._source(standing)
            )
        self._confirmed_at = self._clock()
        self._darkroom.file(standing, event, self.touch)
        self.touch()
        return event

    def void(
        self,
        reason: str,
        proposal: str | None = None,
        *,
        version: int | None = None,
        client_id: str | None = None,
        by: By = None,
    ) -> Event:
        """Say that this roll does not count: it goes, and the log tells everybody why; return the event.

        `reason` is one of `engine.play.VOID_REASONS`. Raises `IllegalMove` as `confirm` does.
        """
        if (done := self._done(client_id, VOID)) is not None:
            return done
        with self._ending(proposal) as standing:
            dice = [die.die for die in standing.dice if die.complete]
            event = self.table.void_roll(reason, dice, version=version, client_id=client_id, by=by)
        self._remember(standing, reason)
        self._darkroom.file(standing, event, self.touch, counts=False)
        self.touch()
        return event

    def _source(self, standing: Proposal) -> str:
        """Return what the journal keeps of how these dice came in."""
        drawn = standing.source is Source.CAMERA and self._darkroom.camera.demo
        return DEMO if drawn else standing.source.value

    def confirm_by_button(self, at: float | None = None) -> bool:
        """Confirm as the panel's button does: what stands in the way becomes the proposal's notice.

        A press within `AGAIN` seconds of the dice being shown was meant for something else.
        """
        with self._lock:
            if (self._clock() if at is None else at) - self._ready_at < AGAIN:
                return False
        try:
            self.confirm(by="panel")
        except GameError as error:
            with self._lock:
                if self._proposal is None or self._busy:
                    return False
                self._proposal = replace(self._proposal, notice=error.message)
            self.touch()
            return False
        return True

    def discard(self, proposal: str | None = None) -> bool:
        """Throw the proposal away, also one that is being made; return False when there is none."""
        with self._lock:
            self._refuse_while_confirming()
            if self._proposal is None:
                return False
            self._refuse_other(self._proposal, proposal)
            self._remember(self._proposal, DISCARDED)
            self._proposal = None
            self._pressed_at = float("-inf")  # the next press is meant, however soon it comes
        self.touch()
        return True

    def undo_by_button(self) -> bool:
        """Undo the last thing that happened: discard a proposal, else undo the last turn."""
        try:
            if not self.discard():
                self.table.undo(by="panel")
        except GameError as error:
            log.info("the undo button did nothing: %s", error.message)
            return False
        return True

    def close(self) -> None:
        """Stop once what is under way is done."""
        self._unsubscribe()
        self._darkroom.close()

    def _awaited(self) -> _Awaited:
        """Return what a proposal made now is made for."""
        now = self.table.now()
        expects = expected(now)
        return now.game_id, None if expects is None else expects.shapes

    def _follow(self) -> None:
        """Let a proposal go when the table has gone on: another game, or another roll than it was made for."""
        game, shapes = awaited = self._awaited()
        with self._lock:
            if self._earlier_for != awaited:
                self._earlier = ()
            if self._proposal is None or self._confirming:
                return
            made_for_game, made_for_shapes = self._made_for
            if game == made_for_game and made_for_shapes in (None, shapes):
                return
            self._proposal = None
        self.touch()

    # Under the lock

    @property
    def _busy(self) -> bool:
        capturing = self._proposal is not None and self._proposal.state is ProposalState.CAPTURING
        return capturing or self._confirming

    def _fresh_id(self) -> str:
        self._count += 1
        return f"{self._boot}-{self._count}"

    def _begin(self, source: Source, awaited: _Awaited) -> str:
        if self._proposal is not None:
            self._remember(self._proposal, TAKEN_AGAIN)
        self._proposal = Proposal(self._fresh_id(), ProposalState.CAPTURING, source)
        self._made_for = awaited
        return self._proposal.id

    def _refuse_while_busy(self) -> None:
        self._refuse_while_confirming()
        if self._busy:
            raise IllegalMove(
                "station_busy",
                say("Another photograph is being read. Nothing was lost. Wait for it, or discard it first."),
            )

    def _refuse_while_confirming(self) -> None:
        if self._confirming:
            raise IllegalMove(
                "station_busy", say("This roll is being confirmed. Nothing was lost. Look again in a moment.")
            )

    @staticmethod
    def _refuse_other(standing: Proposal, wanted: str | None) -> None:
        if wanted is not None and wanted != standing.id:
            raise IllegalMove(
                "stale_proposal",
                say("Another roll lies there by now, so nothing was done. Look at the new one, then repeat it."),
                "proposal",
            )

    def _standing(self, wanted: str | None) -> Proposal:
        """Return the proposal that can be changed and confirmed. Raises `IllegalMove`."""
        self._refuse_while_confirming()
        if self._proposal is None:
            raise IllegalMove(
                "no_proposal", say("No roll waits to be confirmed. Photograph the dice, or enter them by hand.")
            )
        self._refuse_other(self._proposal, wanted)
        if self._proposal.state is ProposalState.CAPTURING:
            raise IllegalMove("station_busy", say("The dice are still being read. Wait a moment, then repeat it."))
        if self._proposal.state is ProposalState.FAILED:
            raise IllegalMove(
                "no_proposal",
                say("The last photograph could not be read. Photograph again, or enter the dice by hand."),
            )
        return self._proposal

    def _remember(self, ended: Proposal, why: str) -> None:
        """Keep a reading that ends without counting where everybody may see it."""
        if ended.state is ProposalState.READY:
            known = self._earlier if self._earlier_for == self._made_for else ()
            self._earlier, self._earlier_for = with_earlier(known, ended, why), self._made_for

    @contextlib.contextmanager
    def _ending(self, wanted: str | None) -> Iterator[Proposal]:
        """Hold the proposal still while the table writes down what becomes of it; it goes, unless that is refused."""
        with self._lock:
            standing = self._standing(wanted)
            self._confirming = True
        try:
            yield standing
        except BaseException:
            with self._lock:
                self._confirming = False
            raise
        with self._lock:
            self._confirming = False
            self._proposal = None

    def _done(self, client_id: str | None, kind: str) -> Event | None:
        """Return what the same request has done before."""
        done = None if client_id is None else self.table.journal.of_client(client_id)
        return done if done is not None and done.kind == kind else None

    @contextlib.contextmanager
    def _changing(self, wanted: str | None) -> Iterator[Proposal]:
        with self._lock:
            yield self._standing(wanted)
        self.touch()

    # From the darkroom

    def _or_stood(self, fresh: Proposal) -> Proposal:
        """Return `fresh`, or what stood before a phone's photograph in which no die is seen."""
        if fresh.state is ProposalState.CAPTURING or self._stood is None or self._stood[0] != fresh.id:
            return fresh
        standing, self._stood = self._stood[1], None
        if fresh.state is not ProposalState.READY or fresh.dice:
            return fresh
        self._earlier = without(self._earlier, standing.photo)
        self._remember(fresh, UNSEEN)
        said = say(
            "No die is seen in the photograph that was just sent. The reading before it stands. Photograph again from "
            "above and nearer, or take that photograph after all, further down."
        )
        return replace(standing, notice=said)

    def _seen_there(self, proposal: str, die: ProposedDie) -> None:
        """Show what the reader sees where somebody pointed at, unless that die was named or removed meanwhile."""
        with self._lock:
            standing = self._proposal
            if standing is None or standing.id != proposal:
                return
            if not any(old.index == die.index and old.looking for old in standing.dice):
                return
            self._proposal = standing.with_die(die)
        self.touch()

    def _show(self, proposal: str, **changes: Any) -> bool:
        """Change the proposal with this id; return False when it was discarded or replaced meanwhile."""
        with self._lock:
            if self._proposal is None or self._proposal.id != proposal:
                return False
            self._proposal = self._or_stood(replace(self._proposal, **changes))
            if self._proposal.state is ProposalState.READY:
                self._ready_at = self._clock()
        self.touch()
        return True


def expected(now: Now) -> Expectation | None:
    """Return the dice that the open game waits for, None when it waits for none."""
    return None if now.game is None else now.game.expects(now.state)


def _no_roll(now: Now) -> str:
    if now.game is None:
        return say("No game is open, so no roll is waited for. Open a game first.")
    return say("No roll is waited for now. {prompt}", prompt=now.game.prompt(now.state).text)
