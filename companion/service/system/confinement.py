"""Taking rights from a process that handles what strangers sent, as far as its kernel can.

From then on it, and whatever it starts, reads nothing but the program's own files and some folders, writes
nothing but plain files below some of these, opens no port, reaches no other machine, debugs and signals no
process but its own (Landlock), starts no program, opens no socket, and asks the kernel for nothing that only
programs ask that manage a machine (seccomp).
"""

from __future__ import annotations

import ctypes
import logging
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from companion.core import seccomp
from companion.game.packages import FOLDERS, packages

log = logging.getLogger(__name__)


def confine(writable: Iterable[Path] = (), readable: Iterable[Path] = ()) -> None:
    """Let this thread, and what it starts, see only the program's files and these folders."""
    if not confine_files(writable, readable):
        log.info("This kernel has no Landlock: the process can read and write whatever its user can")
    if not confine_calls():
        log.info("This kernel has no seccomp: the process can open sockets and start programs")


# --- Landlock ---

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the numbers are the same on all machines
_ASK_VERSION = 1
_BELOW_PATH = 1
_NO_NEW_PRIVILEGES = 38

_WRITE_FILE, _READ_FILE, _LIST, _REMOVE_FILE, _MAKE_FILE = 1 << 1, 1 << 2, 1 << 3, 1 << 5, 1 << 8
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))  # remove and make whatever kind there is
_MOVE, _TRUNCATE = 1 << 13, 1 << 14  # since versions 2 and 3
# In its folders it makes and changes plain files: whoever reads them follows no link and waits at no pipe.
_FILES = _WRITE_FILE | _READ_FILE | _LIST | _REMOVE_FILE | _MAKE_FILE | _TRUNCATE
_LISTEN, _CONNECT = 1 << 0, 1 << 1  # on and to a TCP port, since version 4
_SIGNAL_OTHERS = 1 << 1  # since version 6


def confine_files(writable: Iterable[Path], readable: Iterable[Path]) -> bool:
    """Let this thread see nothing but what :func:`confine` says; False where the kernel cannot do that."""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE, None, 0, _ASK_VERSION)
    if version < 1:
        return False
    changes = _CHANGES | (_MOVE if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    reads = _READ_FILE | _LIST
    ruleset = struct.pack("=Q", changes | reads)
    if version >= 4:
        ruleset += struct.pack("=Q", _LISTEN | _CONNECT)
    if version >= 6:
        ruleset += struct.pack("=Q", _SIGNAL_OTHERS)
    rules = _done(libc.syscall(_CREATE, ruleset, len(ruleset), 0))
    try:
        for rights, places in (
            (reads, (*_program_files(), *readable)),
            (_FILES & (reads | changes), writable),
        ):
            for place in places:
                _allow(libc, rules, place, rights)
        _done(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        _done(libc.syscall(_RESTRICT, rules, 0))
    finally:
        os.close(rules)
    return True


def _program_files() -> Iterator[Path]:
    """The code and data of this program, of its games and libraries, and of the system."""
    system = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
    machine = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/sys/fs/cgroup")
    devices = ("/dev/null", "/dev/zero", "/dev/urandom")
    yield from map(Path, (*system, *machine, *devices, sys.prefix, sys.base_prefix))
    yield from (Path(one) for one in sys.path if "packages" in Path(one).name)  # site-packages, dist-packages
    for name in {package.rules.split(".")[0] for package in packages().values()}:  # beside it lie the others
        found = find_spec(name)
        places = found.submodule_search_locations if found is not None else None
        yield from (Path(place).parent for place in places or ())
    yield from map(Path, filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)))


def _allow(libc: ctypes.CDLL, rules: int, place: Path, rights: int) -> None:
    try:
        opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # nothing is there
    try:
        on_files = _READ_FILE | _WRITE_FILE | _TRUNCATE
        told = struct.pack("=Qi", rights if place.is_dir() else rights & on_files, opened)
        _done(libc.syscall(_ADD, rules, _BELOW_PATH, told, 0))
    finally:
        os.close(opened)


def _done(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "the kernel did not take rights away")  # not said
    return result


# --- seccomp ---

# Calls that nothing here needs, by the number that each kind of machine has for them.
REFUSED: dict[str, tuple[int, int]] = {
    # x86-64, 64-bit ARM
    "execve": (59, 221), "execveat": (322, 281),
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438), "perf_event_open": (298, 241),
    "bpf": (321, 280), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "unshare": (272, 97), "setns": (308, 268),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266),
    "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162), "syslog": (103, 116),
}  # fmt: skip


def confine_calls() -> bool:
    """Refuse the calls above to this thread, and what it starts; False where nobody can say so."""
    return seccomp.refuse(tuple(REFUSED.values()))
