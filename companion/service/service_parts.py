"""Parts of a running service, as the host's page tells of them: camera, network, clock, stick, database."""

from __future__ import annotations

from companion.core.messages import joined, m
from companion.service.parts import Part
from companion.service.system.access_point import OwnNetwork, opened
from companion.service.system.backup_keeper import BackupKeeper
from companion.service.system.clock import BoxClock
from companion.service.system.health import health
from companion.service.system.storage import Storage


def machine_parts() -> list[Part]:
    """Report, of the machine's parts, those that need attention and those that people look for."""
    return [part for part in health() if part.state == "bad" or part.name in ("network", "temperature")]


def trouble_parts(network: OwnNetwork | None, clock: BoxClock, keeper: BackupKeeper | None) -> list[Part]:
    """A Wi-Fi of the box's own, a clock that nobody has set, and a stick that takes nothing."""
    parts = []
    if network is not None:
        parts.append(Part(m("Wi-Fi"), "ok", opened(network.name)))
    if not clock.is_known:
        says = m(
            "this box does not know what time it is: the times of events are wrong, their order is right"
        )
        parts.append(Part(m("clock"), "bad", says, m("open this page with a phone that is the host's")))
    if keeper is not None and keeper.stick_problem:
        parts.append(Part(m("USB stick"), "bad", keeper.stick_problem, m("take another stick")))
    return parts


def database_part(stored: str, storage: Storage) -> Part:
    """``stored`` is what it has, and ``storage`` whether the disk takes more."""
    if storage.unsaved is not None:
        waits = m("{unsaved} steps are only in memory", unsaved=storage.unsaved)
        return Part(
            m("database"), "bad", joined("; ", [stored, waits]), m("Leave the box on and free some room.")
        )
    if storage.trouble:
        return Part(m("database"), "bad", joined("; ", [stored, storage.trouble]), m("Free some room."))
    return Part(m("database"), "ok", stored)


def camera_part(camera: str, trouble: str | None) -> Part:
    """The box's camera, by its name in the settings; ``trouble`` of its last picture, None before one."""
    from vision.cameras.network import shown_name

    name = shown_name(camera)
    if not camera:
        says, do = m("The box has no camera of its own; phones take the photographs."), "docs/camera.md"
        return Part(m("camera"), "missing", says, do)
    if trouble:
        return Part(m("camera"), "bad", m("{name}: {trouble}.", name=name, trouble=trouble), "docs/camera.md")
    if trouble is None:
        return Part(
            m("camera"), "ok", m("The box's camera should be {name}; it has not been tried yet.", name=name)
        )
    return Part(m("camera"), "ok", m("The box's camera is {name}; its last picture was fine.", name=name))
