"""How Empire Builder reads photographs: see :class:`companion.reading.base.Reader`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from companion.core.errors import NotationError
from companion.core.messages import Seat, joined, m, nm
from companion.games.empire_builder.reader.context import MapContext
from companion.games.empire_builder.reader.genuine import (
    genuine_sheet,
    load_map,
    map_outlines,
    serves,
    teach_map,
)
from companion.games.empire_builder.reader.overlay import (
    RECTIFIED_SCALE,
    draw_map,
    laid_over,
    map_above,
    standing_on,
)
from companion.games.empire_builder.reader.posts import KINDS
from companion.games.empire_builder.reader.reading import MapPhoto, MapReading, read_map
from companion.games.empire_builder.reader.ruling import MapRuling
from companion.games.empire_builder.reader.seats import map_of, rule_seat
from companion.games.empire_builder.rules.match.state import State
from companion.reading.annotation import Annotations, Pencil
from companion.reading.base import Reader
from companion.reading.joining import joined_photos
from companion.reading.types import Corners, ReadHints
from companion.sheets.drawing import Quad
from companion.sheets.sheet import Sheet
from vision.pieces.colours import usual_name
from vision.register.rectify import Image, Places
from vision.taught.boards import save_taught
from vision.taught.trial import trial


class EmpireBuilderReader(Reader[State, MapReading, MapRuling]):
    """Reads the crayon on the map that all players share: our print, or a genuine one that was taught."""

    fine_pixels_per_mm, fine_light = 1.2, 0.25  # see the measurements in the eye's README
    longest_side = 3200
    rectified_scale = RECTIFIED_SCALE
    joins_photos = True
    learns_boards = True

    one_for_all = True
    proposes = True

    seat_sheet = staticmethod(map_of)
    rule_seat = staticmethod(rule_seat)
    rectified_sheet = staticmethod(map_above)
    overlay = staticmethod(laid_over)

    def read(self, photo: bytes | Image, hints: ReadHints) -> MapPhoto:
        """Find the map in a photograph and read every edge of it."""
        return read_map(photo, _usual_names(hints), hints.corners, hints.taught)

    def name_of(self, sheet: MapReading) -> str:
        """The name of the one map that all share."""
        return m("The map")

    def counted(self, number: int) -> str:
        return nm("{n} map", "{n} maps", number)

    def heading(self, sheet: MapReading) -> str:
        """How the map was found."""
        return m("the map, found by {found_by}", found_by=sheet.quality.found_by)

    def describe(self, sheet: MapReading, ruling: MapRuling | None) -> Iterator[str]:
        """The amount of each colour, what stands on mileposts, and how much cannot be seen."""
        labels = self.annotations(sheet, ruling).labels
        for label, count in sorted(Counter(labels.values()).items()):
            owner = [m("({seat})", seat=Seat(sheet.seats[label]))] if label in sheet.seats else []
            whose = joined(" ", [label, *owner])
            yield joined(": ", [whose, nm("{n} segment", "{n} segments", count)])
        standing = standing_on(sheet)
        for kind in KINDS[1:]:
            if names := [name for name, one in standing.items() if one == kind]:
                yield m("pawns on {names}" if kind == "pawn" else "chips on {names}", names=" ".join(names))
        if unseen := sum(slot.cannot_see is not None for slot in sheet.slots.values()):
            yield m("cannot be seen: {unseen} places", unseen=unseen)

    def describe_changes(self, ruling: MapRuling) -> str:
        """The new lines in an order in which they can be built, and their price."""
        lines = "; ".join(" ".join(line) for line in ruling.builds) or m("nothing")
        return m("{lines}, for {price}", lines=lines, price=ruling.price) if ruling.price else lines

    def describe_ruling(self, ruling: MapRuling) -> Iterator[str]:
        """Say which track is no longer seen."""
        if ruling.vanished:
            yield m("no longer to be seen: {vanished}", vanished=" ".join(ruling.vanished))

    def unread(self, sheet: MapReading) -> Sequence[str]:
        """The uncertain edges that can be seen, out of thousands."""
        return [name for name in sheet.doubtful if sheet.slots[name].cannot_see is None]

    def annotations(self, sheet: MapReading, ruling: MapRuling | None) -> Annotations:
        """The lines to draw; the rules do not use what stands on mileposts."""
        posts = sheet.places.posts
        marked = Annotations.of(sheet, ruling)
        if ruling is not None:
            return marked
        labels = {name: label for name, label in marked.labels.items() if name not in posts}
        return replace(marked, labels=labels)

    def printed(self, sheet: MapReading) -> Sheet:
        """The map that was read."""
        return sheet.places.sheet

    def plane(self, sheet: MapReading) -> Quad:
        """The outline of the whole map."""
        return sheet.places.sheet.outline

    def pencil(self, picture: Image, sheet: MapReading, scale: float) -> Pencil:
        """A pencil that follows the lens's distortion, too."""
        straight = super().pencil(picture, sheet, scale)
        return Pencil(picture, sheet.placement.scaled((scale, scale)).pixels, straight.pixels_per_mm)

    def draw(self, pencil: Pencil, sheet: MapReading, marked: Annotations) -> None:
        """Draw lines in their crayons' colours, pawns and chips."""
        draw_map(pencil, sheet, marked)

    def seats(self, state: State) -> Sequence[int]:
        """The one seat to read for: the seat to move, as all share the map."""
        return (state.seat,)

    def hints(
        self, state: State, seat: int | None, corners: Corners | None, taught: Sequence[Path]
    ) -> ReadHints:
        """Taught maps with the edges of the match's."""
        edges = state.board.edge_names
        return ReadHints(corners=corners, taught=tuple(path for path in taught if serves(path, edges)))

    def joined(self, readings: Sequence[MapPhoto]) -> MapPhoto:
        """Merge photographs of parts of the map; the crayons are learnt from all of them."""
        whole = joined_photos(readings)
        maps = [sheet for reading in readings for sheet in reading.sheets]
        crayons = {name: code for sheet in maps for name, code in sheet.crayons.items()}
        seats = {name: seat for sheet in maps for name, seat in sheet.seats.items()}
        return replace(
            whole, sheets=tuple(replace(sheet, crayons=crayons, seats=seats) for sheet in whole.sheets)
        )

    def context(self, hints: ReadHints, rolled: str | None) -> MapContext:
        """The owners of the colours; there are no dice."""
        if rolled is not None:
            raise NotationError("no-dice", "Empire Builder has no dice: leave --rolled out")
        maps = {load_map(path).described for path in hints.taught}
        if len(maps) > 1:
            raise NotationError(
                "one-board", m("these taught maps differ in their mileposts: name one of them")
            )
        return MapContext(dict(_usual_names(hints)), map=next(iter(maps), ""))

    def teach(self, path: Path, image: Image, hints: ReadHints) -> str:
        """Learn how a genuine map looks without track, and say if it will hardly be found again."""
        taught = teach_map(path.stem, image, hints.corners, hints.described)
        save_taught(taught, path)
        return trial(taught, genuine_sheet(taught.described)).says

    def outlines(self, image: Image, hints: ReadHints) -> list[Places]:
        """The map's rim, its mileposts and edges."""
        return map_outlines(image, hints.corners, hints.described)


def _usual_names(hints: ReadHints) -> list[tuple[str, int]]:
    """The owners of colours in the reader's own names."""
    return [(usual_name(colour), seat) for colour, seat in hints.players]
