"""Everything that the house raises for people to read: one root, so that a host catches one name.

A rules answer ("not your turn") is no exception, but a :class:`~companion.game.base.Refusal`.

StationmasterError               its text is one sentence for people
├── CodedError                   has a ``code`` for programs, too
│   ├── GameError                a game's input or data (companion/core/errors.py)
│   │   ├── NotationError        text or JSON that does not say anything readable (also a ValueError)
│   │   └── RulesDataError       a rulebook's table or an owner's file contradicts itself (also a ValueError)
│   ├── TableError               around the table, apart from the rules saying no (companion/table/exc.py)
│   │   ├── StorageError         the place where matches are kept did not do what was asked (also an OSError)
│   │   │   ├── FullError        no room left
│   │   │   ├── ReadOnlyError    nothing may be written there
│   │   │   ├── BusyError        another program holds it
│   │   │   ├── DamagedError     what is stored there cannot be trusted
│   │   │   ├── NewerVersionError  a newer Stationmaster wrote it
│   │   │   └── ForeignError     another program's file
│   │   ├── ConflictError        an event that does not continue what is stored (also a ValueError)
│   │   ├── JournalError         a recorded match that cannot be read (also a ValueError)
│   │   ├── BackupError          a backup that cannot be made, trusted or brought back (also a ValueError)
│   │   ├── HubError             the club's hub is away, or says no (companion/club/hub_client.py)
│   │   ├── BrokerError              an MQTT broker is away, or says no (companion/service/system/mqtt.py)
│   │   ├── RefusedError         the hub does not count a batch (hub/intake/storing.py)
│   │   ├── UnstorableError      the hub's database refuses what it was given (hub/storage/database.py)
│   │   └── AwayError            the hub's database does not answer (hub/storage/database.py)
│   │       └── OutdatedHubError  a newer hub has migrated it
│   ├── UpdateError              a package that is not installed (companion/updates/signed.py)
│   └── WebError                 a request answered with a status and an error (web/exc.py)
├── VisionError                  pictures and cameras (vision/errors.py)
│   ├── StudioError              the studio was asked for something it does not have (also a ValueError)
│   ├── PictureError             these bytes are no picture that can be read (also a ValueError)
│   ├── PlacementError           corners or a taught picture that make no sense (also a ValueError)
│   └── CameraError              a camera is missing, hangs, or sees nothing still
└── BridgeError                  between the table and its devices (firmware_bridge/exc.py)
    ├── BadLine                  a line from the wire that is not a message (also a ValueError)
    ├── BadDice                  dice nobody could throw (also a ValueError)
    ├── PortError                a port that cannot be used, with the port's name
    │   ├── PortMissing          it is gone
    │   ├── PortForbidden        this user may not open it
    │   ├── PortBusy             another program holds it
    │   └── PortBroken           it opened, then reading or writing failed
    ├── RollerError              a device that cannot be used as the dice roller
    │   ├── NotARoller           it does not answer the greeting
    │   ├── WrongRoller          it is another roller than the one in the settings
    │   ├── ProtocolTooNew       its firmware is newer than this program
    │   └── RollerSilent         it stopped answering
    ├── NoPseudoPort             this machine has no pseudo-terminal for virtual dice
    ├── LoadingError             a board that could not be made a roller
    ├── NoAnswer                 a request that was not answered in time (also a TimeoutError)
    └── RollRefused              the roller understood and said no
"""

from __future__ import annotations


class StationmasterError(Exception):
    """Base of everything the house raises for people; its text is one sentence."""


class CodedError(StationmasterError):
    """Base of what programs tell apart, too: ``code`` is for them, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class GameError(CodedError):
    """Base of everything the rules raise."""


class NotationError(GameError, ValueError):
    """The input cannot be read; nothing was changed."""


class RulesDataError(GameError, ValueError):
    """A data file contradicts itself; the message names the file and the place."""


def quoted(text: str, limit: int = 40) -> str:
    """The input as a message may repeat it: quoted, and short however long it was.

    >>> quoted("a" * 50)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'"
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")
