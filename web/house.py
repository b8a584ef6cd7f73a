"""What the pages may ask of the house: the one seam between the web and everything else.

``companion.box.service`` is the one house there is. It imports the pages, so they know it by this protocol
only. A part that this box does not have is reported as missing in :meth:`House.parts`, never pretended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from companion.box.access_point import OwnNetwork
from companion.box.clock import BoxClock
from companion.box.lights import Lights
from companion.box.parts import Part
from companion.box.photo_types import NO_QUERY, PhotoQuery
from companion.box.proving import Proof
from companion.box.put_away import PutAway
from companion.box.results import ExportForm
from companion.box.settings import Settings
from companion.box.storage import Storage
from companion.box.updates import Updates
from companion.club.desk import ClubDesk
from companion.games.contract import Game, Plain
from companion.games.sight import (
    BoardReading,
    CameraView,
    Corners,
    ScoredPhoto,
    SeatPhoto,
    TaughtBoardAnswer,
)
from companion.table.backup import Staged
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.records import StoredMatch
from companion.table.table import Accepted, Refused, Table


class House(Protocol):
    """A table with its games and devices."""

    @property
    def table(self) -> Table:
        """The one way in."""

    @property
    def games(self) -> Mapping[str, Game[Any]]:
        """The games that can be played here, by name."""

    @property
    def notes(self) -> Sequence[str]:
        """What the owner should know about the last start: repairs, restored backups."""

    @property
    def links(self) -> Sequence[str]:
        """The addresses of the pages, the one for the QR code first."""

    @property
    def fair(self) -> bool:
        """Do matches usually begin with a seed that the dice roller has committed to?"""

    def matches(self) -> list[StoredMatch]:
        """Every match of this table, oldest first."""

    @property
    def put_away(self) -> PutAway:
        """The matches that the host has taken out of the history."""

    def setting(self, key: str) -> str | None:
        """Something kept beside the matches."""

    def put_setting(self, key: str, value: str) -> None:
        """Keep something beside the matches."""

    @property
    def own_network(self) -> OwnNetwork | None:
        """The box's own Wi-Fi, while it is open."""

    @property
    def settings(self) -> Settings:
        """The owner's settings, as they stand in the file."""

    def check_settings(self, changes: Plain) -> None:
        """The same, without keeping them."""

    def change_settings(self, changes: Plain) -> None:
        """Check and keep some settings, by section and name; a TableError says what is wrong with them."""

    def suggestions(self) -> dict[str, list[str]]:
        """What a setting (``camera.name``) might be on this machine."""

    @property
    def waits_for_restart(self) -> bool:
        """Have settings been changed that count only from the next start on?"""

    def restart(self) -> str | None:
        """Stop and start again; a sentence when this box cannot do that from a page."""

    def roll(
        self, match: Match, actor: Actor, key: str | None, seen: int | None = None
    ) -> Accepted | Refused:
        """Throw the dice that are due, with the dice roller when there is one.

        Whoever has ``seen`` the match only up to some version gets the roll that was thrown since.
        """

    def reads_photos(self, match: Match) -> bool:
        """Can boards of this match be read from photographs here?"""

    @property
    def has_camera(self) -> bool:
        """Is there a camera of the box's own?"""

    def read_photo(self, match: Match, seat: int, photo: bytes, about: PhotoQuery = NO_QUERY) -> BoardReading:
        """Clean, keep and read a photograph of a seat's board; a TableError says what is wrong with it."""

    def take_photo(self, match: Match, seat: int, about: PhotoQuery = NO_QUERY) -> BoardReading:
        """The same with the box's camera."""

    def settle_photo(self, match: Match, seat: int, photo: str, about: PhotoQuery = NO_QUERY) -> BoardReading:
        """Rule on a kept photograph again: with answers about doubtful slots, or the corners of its area."""

    def seats_in_photo(self, match: Match, photo: str) -> list[int]:
        """The seats whose boards are in a kept photograph."""

    def teach_board(self, match: Match, seat: int, photo: str, corners: Corners) -> TaughtBoardAnswer:
        """Learn how an empty board of the owner's own looks; its name."""

    def keep_picture(self, photo: bytes) -> tuple[str, tuple[int, int]]:
        """A photograph of a board that is to be taught: its digest, and its size in pixels."""

    def teach_segments(self, name: str, photo: str, corners: Corners, segments: bytes) -> TaughtBoardAnswer:
        """Learn an empty board of segments from such a photograph and its owner's JSON."""

    def teach_deck(
        self, game: str, name: str, number: int, photo: bytes, edition: str = ""
    ) -> TaughtBoardAnswer:
        """Learn the cards of one photograph of a deck of the owner's own, laid in the printed order."""

    def teach_kept_deck(
        self, game: str, name: str, number: int, photo: str, edition: str, corners: Corners | None
    ) -> TaughtBoardAnswer:
        """The same from a kept photograph, with the corners of its field of cards if somebody marked them."""

    def taught_decks(self) -> list[str]:
        """The decks learned so far."""

    def forget_deck(self, name: str) -> bool:
        """Forget one of them; False when there is none of that name."""

    def read_taught(self, name: str, photo: bytes) -> BoardReading:
        """What lies on such a board; nothing is kept."""

    def taught_boards(self) -> list[str]:
        """The boards learned so far."""

    def forget_board(self, name: str) -> bool:
        """Forget one of them; False when there is none of that name."""

    def look(self) -> CameraView:
        """A picture from the box's camera, and what is to be seen in it."""

    def photograph_table(self, match: Match) -> list[SeatPhoto]:
        """One picture of the whole table with the box's camera: every board in it is read and entered."""

    @property
    def lights(self) -> Lights:
        """The panel's work lamps."""

    def score_photo(self, photo: bytes, game: str = "") -> ScoredPhoto:
        """The boards of a game in a photograph, without any match; nothing is kept.

        Without a game it is the first one whose boards can be scored so.
        """

    def photo(self, digest: str) -> Path | None:
        """A kept photograph."""

    @property
    def storage(self) -> Storage:
        """Does the disk take what is given to it?"""

    def play_without_saving(self) -> None:
        """Keep everything in memory until the disk takes it again; a TableError says why that cannot be."""

    def save_again(self) -> bool:
        """Try to store what is only in memory; is everything on the disk?"""

    def parts(self) -> list[Part]:
        """Every part of the box, found or missing."""

    def export(self, matches: Sequence[Match], form: ExportForm) -> str:
        """Results, or whole matches, for other programs."""

    def bgstats_link(self, match: Match) -> str:
        """A link that opens the Board Game Stats app with this play filled in."""

    def proof(self, match: Match) -> Proof | None:
        """What can be proved of a match's dice; None where no roller has committed to a seed."""

    def backups(self) -> list[Path]:
        """The box's own backups, newest first."""

    def backup(self) -> Path:
        """Make one more."""

    def stick_backups(self) -> list[Path]:
        """Those on USB sticks, of each table the newest first."""

    def bring_back(self, backup: Path) -> Staged:
        """Check a backup, lay it ready, and start again with it."""

    @property
    def updates(self) -> Updates:
        """New versions of the program, and the one of before."""

    @property
    def clock(self) -> BoxClock:
        """What time it is."""

    @property
    def club(self) -> ClubDesk:
        """The club that this box may belong to."""

    def shut_down(self) -> str | None:
        """Stop everything safely; a sentence when this box cannot do that from a page."""
