"""What runs in the reader's own process: see :mod:`companion.box.eye`."""

from __future__ import annotations

import resource
import signal
from multiprocessing.connection import Connection
from typing import Any

from companion.box.eye import (
    BoardPicture,
    Failed,
    LookTask,
    ReadTask,
    ScoredBoard,
    ScoreTask,
    SeenSheet,
    TakeTask,
    Task,
    TeachTask,
    View,
)
from companion.box.memory import give_memory_back
from companion.games.kit.errors import GameError
from companion.table.exc import TableError

_MEMORY = 3 * 2**30  # address space, not memory in use
_LONGEST_SIDE = 5000  # pixels of a kept photograph
_QUALITY = 88
_GRID_PIXELS = 796  # as many as the page's drawing has units, so that the two lie on each other
_GRID_RIM = 62
# A reading gets doubtful beyond these: see the measurements in vision/README.md.
_FINE_PIXELS, _FINE_SHARPNESS, _FINE_LIGHT, _FINE_GLARE = 1.5, 0.2, 0.3, 0.03


def work(pipe: Connection[Any, Task]) -> None:
    """Do one task after the other until the other end is closed."""
    _confine()
    _load()
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        pipe.send(_answer(task))


def _confine() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which then ends this
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    give_memory_back()


def _load() -> None:
    """The first picture finds everything ready."""
    import cv2
    import numpy as np

    from companion.games.railroad_ink.eye.reading import read_photo

    cv2.setNumThreads(2)
    read_photo(np.full((480, 640, 3), 255, np.uint8))


def _answer(task: Task) -> Any:
    from vision.errors import VisionError

    try:
        return _done(task)
    except (TableError, GameError) as problem:
        return Failed(problem.code, problem.message)
    except VisionError as problem:
        return Failed("bad-photo", str(problem))
    except MemoryError:
        return Failed("bad-photo", "that picture needs too much memory: send a smaller one")


def _done(task: Task) -> Any:
    match task:
        case ReadTask():
            return _read(task)
        case ScoreTask():
            return _scored(task.photo)
        case TeachTask():
            return _taught(task)
        case LookTask():
            return _view(task.photo)
        case TakeTask():
            return _taken(task.camera, task.match)


def _read(task: ReadTask) -> BoardPicture:
    from companion.games.derailed.eye.answers import GAME
    from companion.games.railroad_ink.eye.answers import read_board

    photo = _cleaned(task.photo) if task.fresh else task.photo
    if task.match.game.name == GAME:
        return _read_cards(photo, task)
    answer = read_board(photo, task.match, task.seat, task.answers, _wish(task))
    grid = _grid(photo, answer.sheet.corners_px) if answer.sheet is not None else None
    return BoardPicture(photo, answer.as_json(), grid)


def _read_cards(photo: bytes, task: ReadTask) -> BoardPicture:
    from companion.games.derailed.eye.answers import read_area
    from vision.decoding import decoded

    answer = read_area(photo, task.match, task.seat, task.answers)
    picture = answer.picture(decoded(photo, 1).image)
    return BoardPicture(photo, answer.as_json(), None if picture is None else _packed(picture, 78))


def _wish(task: ReadTask) -> Any:
    """Tags first; then boards of the owner's own; marked corners settle it."""
    from msgspec.structs import replace

    from companion.games.railroad_ink.eye.reading import ReadWish
    from vision.taught import load_taught

    edition = task.match.state.options.edition
    taught = [load_taught(path) for path in task.taught]
    own = tuple(replace(board, seat=task.seat) for board in taught if board.edition == edition)
    return ReadWish(edition, task.seat, task.corners, own)


def _taught(task: TeachTask) -> None:
    from companion.games.railroad_ink.eye.boards import teach
    from vision.decoding import decoded
    from vision.taught import save_taught

    board = teach(task.path.stem, decoded(task.photo, 1).image, task.corners, edition=task.edition)
    task.path.parent.mkdir(parents=True, exist_ok=True)
    save_taught(board, task.path)


def _view(photo: bytes) -> View:
    from companion.games.railroad_ink.eye.reading import ReadWish, read_photo

    reading = read_photo(photo, ReadWish(panel=False))
    sheets = tuple(
        SeenSheet(
            sheet.seat,
            sheet.edition,
            tuple((x / reading.width, y / reading.height) for x, y in sheet.corners_px),
            _advice(sheet.quality),
        )
        for sheet in reading.sheets
    )
    return View(sheets, reading.notes)


def _advice(quality: Any) -> tuple[str, ...]:
    """How the picture could be better, in the order in which it matters."""
    checks = {
        "too small in the picture: bring the camera nearer": quality.pixels_per_mm < _FINE_PIXELS,
        "blurred: let the camera stand still, wipe its lens": quality.sharpness < _FINE_SHARPNESS,
        "too dark: more light": quality.light < _FINE_LIGHT,
        "a lamp is mirrored on it: turn the lamp or the board": quality.glare > _FINE_GLARE,
    }
    return tuple(advice for advice, wanted in checks.items() if wanted)


def _scored(photo: bytes) -> tuple[list[ScoredBoard], list[str]]:
    from companion.games.railroad_ink.eye.reading import read_photo

    photo = _cleaned(photo)
    reading = read_photo(photo)
    return [_scored_board(photo, sheet) for sheet in reading.sheets], list(reading.notes)


def _scored_board(photo: bytes, sheet: Any) -> ScoredBoard:
    from companion.games.railroad_ink.eye.answers import Known, ruled_sheet
    from companion.games.railroad_ink.rules.position import print_cells
    from companion.games.railroad_ink.rules.rulebook import GRID

    ruling = ruled_sheet(sheet, Known())
    cells = print_cells(dict(sorted(ruling.cells.items())))
    return ScoredBoard(
        seat=sheet.seat,
        edition=sheet.edition,
        outcome=ruling.outcome,
        cells=cells,
        rounds={name: sheet.cells[name].round for name in cells if sheet.cells[name].round},
        doubtful=tuple(GRID.names[cell] for cell in ruling.doubtful),
        says=ruling.against,
        grid=_grid(photo, sheet.corners_px),
    )


def _cleaned(photo: bytes) -> bytes:
    """Decoded and packed anew: nothing is left of it but what it shows."""
    from vision.decoding import Reduction, checked_header, decoded

    header = checked_header(photo)
    steps: tuple[Reduction, ...] = (1, 2, 4, 8) if header.kind == "JPEG" else (1,)
    longest = max(header.size)
    step = next((step for step in steps if longest <= _LONGEST_SIDE * step), steps[-1])
    return _packed(decoded(photo, step).image, _QUALITY)


def _packed(image: Any, quality: int) -> bytes:
    import cv2

    done, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise TableError("bad-photo", "that picture cannot be packed: take another one")
    return bytes(packed)


def _grid(photo: bytes, corners: Any) -> bytes:
    """The grid seen from straight above, with as much rim as the page's drawing has."""
    import cv2
    import numpy as np

    from companion.games.railroad_ink.eye.boards import SHEET_OUTLINE, grid_corners
    from vision.decoding import decoded

    image = decoded(photo, 1).image
    to_photo = cv2.getPerspectiveTransform(np.array(SHEET_OUTLINE, np.float32), np.array(corners, np.float32))
    grid = cv2.perspectiveTransform(np.array([grid_corners()], np.float64), to_photo)[0]
    low, high = _GRID_RIM, _GRID_PIXELS - (_GRID_PIXELS - 700 - _GRID_RIM)
    square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    straightened = cv2.getPerspectiveTransform(grid.astype(np.float32), square)
    return _packed(cv2.warpPerspective(image, straightened, (_GRID_PIXELS, _GRID_PIXELS)), 78)


def _taken(camera: str, match: Any) -> bytes:
    from companion.games.faces import find_studio
    from vision.cameras import open_camera
    from vision.watching import still_picture

    if camera == "studio":  # the demonstration's camera looks at what lies on the table of the match
        return find_studio(match.game.name).picture(match.state, len(match.events))
    opened = open_camera(camera)
    try:
        return _packed(still_picture(opened).image, _QUALITY)
    finally:
        opened.close()
