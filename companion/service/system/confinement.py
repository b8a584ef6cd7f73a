"""Taking rights from a process that handles what strangers sent, as far as its kernel can.

From then on it, and whatever it starts, writes nowhere but below some folders, opens no port, reaches no
other machine, debugs and signals no process but its own (Landlock), starts no program, opens no socket, and
asks the kernel for nothing that only programs ask that manage a machine (seccomp). It can still read files.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import platform
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

log = logging.getLogger(__name__)

_NO_NEW_PRIVILEGES = 38


def confine(folders: Iterable[Path]) -> None:
    """Let this thread, and what it starts, only read, and write below these folders."""
    if not confine_writing(folders):
        log.info("This kernel has no Landlock: the process can write wherever its user can")
    if not confine_calls():
        log.info("This kernel has no seccomp: the process can open sockets and start programs")


# --- Landlock ---

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the numbers are the same on all machines
_ASK_VERSION = 1
_BELOW_PATH = 1

_WRITE_FILE = 1 << 1
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))  # remove and make whatever kind there is
_MOVE, _TRUNCATE = 1 << 13, 1 << 14  # since versions 2 and 3
_LISTEN, _CONNECT = 1 << 0, 1 << 1  # on and to a TCP port, since version 4
_SIGNAL_OTHERS = 1 << 1  # since version 6


def confine_writing(folders: Iterable[Path]) -> bool:
    """Let this thread, and what it starts, write below these folders only; False where nobody can say so."""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE, None, 0, _ASK_VERSION)
    if version < 1:
        return False
    files = _CHANGES | (_MOVE if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    ruleset = struct.pack("=Q", files)
    if version >= 4:
        ruleset += struct.pack("=Q", _LISTEN | _CONNECT)
    if version >= 6:
        ruleset += struct.pack("=Q", _SIGNAL_OTHERS)
    rules = _done(libc.syscall(_CREATE, ruleset, len(ruleset), 0))
    try:
        for folder in folders:
            place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
            try:
                told = struct.pack("=Qi", files, place)
                _done(libc.syscall(_ADD, rules, _BELOW_PATH, told, 0))
            finally:
                os.close(place)
        _done(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        _done(libc.syscall(_RESTRICT, rules, 0))
    finally:
        os.close(rules)
    return True


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
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # as the kernel names them; which number
_OTHER_NUMBERS = 0x40000000  # from here on x86-64 counts the same calls a second time
_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # instructions of the kernel's filters
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
_NUMBER_AT, _MACHINE_AT = 0, 4  # in what a filter is given


def confine_calls() -> bool:
    """Refuse the calls above to this thread, and what it starts; False where nobody can say so."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    program = _filter(machine[0], [numbers[machine[1]] for numbers in REFUSED.values()])
    code = ctypes.create_string_buffer(program, len(program))
    told = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    _done(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    return bool(libc.prctl(_SET_SECCOMP, _FILTER, told, 0, 0) == 0)


def _filter(machine: int, numbers: Sequence[int]) -> bytes:
    """A program for the kernel: refuse these numbers, and every call in another machine's way."""
    last = len(numbers)
    steps = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_IF_EQUAL, 0, last + 3, machine),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_IF_AT_LEAST, last + 1, 0, _OTHER_NUMBERS),
        *((_IF_EQUAL, last - at, 0, number) for at, number in enumerate(numbers)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)
