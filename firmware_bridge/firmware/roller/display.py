"""Dice on the screen: their faces, and the tumbling before them."""

from .faces import BLANK, face_rows
from .requests import Refused
from .seams import Screen

TUMBLE_MS = 800
FRAME_MS = 80
MOST_GLYPH_SETS = 24
WHITE = (255, 255, 255)


class Display:
    """Dice on the screen: their faces, tumbling for a while after a throw."""

    def __init__(self, screen: Screen) -> None:
        self.places = screen.places
        self._screen = screen
        self._glyphs: dict[str, dict[int, bytes]] = {}
        self._colours: dict[str, tuple[int, int, int]] = {}
        self._dice: list[tuple[str, int]] = []
        self._faces: list[int] | None = None
        self._until: int | None = 0  # when tumbling ends; None while the button is held
        self._frame_at = 0
        self._frame = 0
        self._moving = False

    @property
    def works(self) -> bool:
        """True if the screen accepts pictures."""
        return bool(self._screen.works)

    @property
    def moving(self) -> bool:
        """True while the dice tumble."""
        return self._moving

    def learn(self, die: str, first: int, pictures: list[bytes], rgb: tuple[int, int, int]) -> None:
        """Pictures for the faces of a die, from face `first` on."""
        if die not in self._glyphs and len(self._glyphs) >= MOST_GLYPH_SETS:
            raise Refused("full", "pictures of 24 dice are as many as fit")
        known = self._glyphs.setdefault(die, {})
        for place, picture in enumerate(pictures):
            known[first + place] = picture
        self._colours[die] = rgb

    def show(self, dice: list[tuple[str, int]], faces: list[int] | None) -> None:
        """These dice lying still; without faces the places stay dark."""
        self._dice, self._faces, self._moving = dice, faces, False
        self._draw(faces)

    def shake(self, dice: list[tuple[str, int]]) -> None:
        """Tumble until told otherwise: the button is held."""
        self._dice, self._faces, self._until, self._moving = dice, None, None, True

    def tumble(self, dice: list[tuple[str, int]], faces: list[int], now: int) -> None:
        """Tumble for a while, then lie at these faces."""
        self._dice, self._faces, self._until, self._moving = dice, faces, now + TUMBLE_MS, True

    @property
    def canvas(self) -> bool:
        """True if the screen can show any picture, not only dice."""
        return bool(self._screen.canvas)

    def page(self, number: int, dots: bytes, show: bool) -> None:
        """A part of a picture in the place of dice, until dice are set or thrown."""
        self._moving = False
        self._screen.page(number, dots)
        if show:
            self._screen.flush()

    def step(self, now: int) -> bool:
        """Draw the next frame when it is due; True when the dice just came to rest."""
        if not self._moving:
            return False
        if self._until is not None and now >= self._until:
            self.show(self._dice, self._faces)
            return True
        if now >= self._frame_at:
            self._frame_at = now + FRAME_MS
            self._frame += 1
            # Any faces will do here; the generator is for throws only.
            self._draw([(5 * self._frame + 3 * place) % die[1] for place, die in enumerate(self._dice)])
        return False

    def _draw(self, faces: list[int] | None) -> None:
        for place in range(self.places):
            if faces is None or place >= len(self._dice):
                self._screen.draw(place, BLANK, WHITE)
            else:
                name, count = self._dice[place]
                self._screen.draw(place, self._picture(name, faces[place], count), self._colour(name))
        self._screen.flush()

    def _picture(self, name: str, face: int, faces: int) -> bytes:
        return self._glyphs.get(name, {}).get(face) or face_rows(face, faces)

    def _colour(self, name: str) -> tuple[int, int, int]:
        return self._colours.get(name, WHITE)
