"""The club as the box's host sees it: pairing, which matches count, calling for help."""

from __future__ import annotations

import msgspec

from companion.club.dice import ClubDice, matches_with
from companion.club.hub_client import HubClient, HubError
from companion.club.keys import new_key, public_key, signature
from companion.club.limits import check_help
from companion.club.membership import KEY_SETTING, Membership, Memberships
from companion.club.messages import Paired, PairingRequest, Seating, pairing_text
from companion.club.outbox import Outbox
from companion.core.jsontext import JsonObject, json_of
from companion.core.messages import m
from companion.table.exc import TableError
from companion.table.store import Store


class ClubNews(msgspec.Struct, frozen=True):
    """How it stands between this box and its club."""

    name: str
    hub: str
    table: int
    every: bool
    counts: bool  # the match that is asked about
    waiting: int  # events that the hub does not have yet
    trouble: str
    faults: dict[str, str]
    help: str
    seating: Seating | None


class ClubDesk:
    """``outbox`` is None where the box does not send: a demonstration, a test of the pages."""

    def __init__(self, store: Store, outbox: Outbox | None = None) -> None:
        self._store = store
        self.outbox = outbox
        # The outbox's own, so that its thread and the pages take turns.
        self._memberships = outbox.memberships if outbox else Memberships(store.setting, store.put_setting)

    @property
    def membership(self) -> Membership | None:
        """The club of this box."""
        return self._memberships.now

    def pair(self, hub: str, code: str, name: str) -> Membership:
        """Join the club whose organiser's page shows this code; a TableError says why that cannot be."""
        client = HubClient(hub.strip())
        key = self._store.setting(KEY_SETTING) or new_key()
        box, entered = public_key(key), code.strip().upper()
        request = PairingRequest(entered, box, name, signature(key, pairing_text(entered, box)))
        try:
            paired = msgspec.json.decode(client.post("/api/v1/boxes", json_of(request)), type=Paired)
        except msgspec.DecodeError as problem:
            raise HubError(0, "strange", m("what answers at that address is not a hub")) from problem
        finally:
            client.close()
        self._store.put_setting(KEY_SETTING, key)
        before = self.membership
        kept = before.matches if before is not None and before.club == paired.club else ()
        joined = Membership(
            paired.club, paired.name, client.address, paired.table, matches=kept, looked_at=self._last_begun()
        )
        self._memberships.set(joined)
        self._wake()
        return joined

    def dice_of(self, number: int) -> JsonObject | None:
        """What the first event of this round's match says about its dice; None where they are its own."""
        seating = self.outbox.seating if self.outbox is not None else None
        if seating is None or seating.round != number:
            raise TableError("no-round", m("the club now has another round for this table: look again"))
        dice = seating.dice
        if dice is None:
            return None
        if matches_with(self._store, dice.commitment):
            raise TableError(
                "played", m("this round was begun here already, and its dice are known: call the organiser")
            )
        ClubDice(self._store.setting, self._store.put_setting).take(dice)
        return {"round": number, "commitment": dice.commitment, "word": dice.word}

    def leave(self) -> None:
        """Belong to no club; what the hub has, it keeps."""
        self._memberships.set(None)
        self._wake()

    def count(self, match: str, counts: bool) -> None:
        """Count a match for the club, or no longer send it."""
        if not self._memberships.count(match, counts):
            raise _no_club()
        self._wake()

    def count_every(self, every: bool) -> None:
        """Count all matches that begin from now on, or only those that the host names."""
        if self.membership is None:
            raise _no_club()
        self._memberships.change(every=every, looked_at=self._last_begun())

    def _last_begun(self) -> str:
        begun = self._store.matches()
        return begun[-1].id if begun else ""

    def call_for_help(self, words: str) -> None:
        """Call the organiser; with nothing, say that all is well again."""
        if self.membership is None or self.outbox is None:
            raise _no_club()
        check_help(words)
        self.outbox.call_for_help(words)

    def news(self, match: str = "") -> ClubNews | None:
        """How it stands between the box and its club; None without a club."""
        now, outbox = self.membership, self.outbox
        if now is None:
            return None
        return ClubNews(
            now.name,
            now.hub,
            now.table,
            now.every,
            match in now.matches,
            outbox.waiting if outbox else 0,
            outbox.trouble if outbox else "",
            outbox.unsent | outbox.faults if outbox else {},
            outbox.help if outbox else "",
            outbox.seating if outbox else None,
        )

    def _wake(self) -> None:
        if self.outbox is not None:
            self.outbox.wake()


def _no_club() -> TableError:
    return TableError("no-club", m("this box belongs to no club: the host pairs it with one first"))
