"""``backup``, ``restore`` and ``doctor``: keeping what was played, and finding out what is wrong."""

from __future__ import annotations

from pathlib import Path

from companion.box.doctor import look_at_everything
from companion.commands.exits import FINE
from companion.commands.lines import print_json
from companion.commands.parts import print_parts
from companion.table.backup import backup, restore
from companion.table.folder import BACKUPS, JOURNAL
from companion.table.recovery import made_anew
from companion.table.store import Store


def make_backup(folder: Path, file: Path | None, as_json: bool) -> int:
    """One file with everything; it is read back before it counts."""
    with Store(folder, read_only=True) as store:  # works beside a running service
        if file is None:
            (folder / BACKUPS).mkdir(exist_ok=True)
        made = backup(store, file or folder / BACKUPS)
    if as_json:
        print_json({"backup": str(made), "bytes": made.stat().st_size})
    else:
        print(f"{made} ({made.stat().st_size / 1024:.0f} kB), read back and checked")
    return FINE


def bring_back(folder: Path, file: Path | None, as_json: bool) -> int:
    """Everything as the backup has it, or by the journals; what was there is kept aside."""
    notes = made_anew(folder) if file is None else restore(file, folder)
    source = file or folder / JOURNAL
    if as_json:
        print_json({"restored": str(source), "notes": notes})
    else:
        print("\n".join([f"{source} restored to {folder}", *notes]))
    return FINE


def doctor(folder: Path, *, as_json: bool) -> int:
    """Look at every part. Missing parts are no fault; the exit code is 1 when one is bad."""
    return print_parts(look_at_everything(folder), as_json=as_json)
