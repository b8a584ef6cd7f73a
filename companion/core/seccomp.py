"""The kernel's filters of system calls (seccomp): calls are refused to a thread, or asked about first.

Both count for the calling thread and whatever it starts from then on, for ever.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import logging
import os
import platform
import select
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

log = logging.getLogger(__name__)

_NO_NEW_PRIVILEGES = 38
_SET_FILTER, _WITH_LISTENER = 1, 1 << 3
_OTHER_NUMBERS = 0x40000000  # from here on x86-64 counts the same calls a second time
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # instructions of the kernel's filters
_ALLOW, _REFUSE, _ASK = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x7FC00000
_NUMBER_AT, _MACHINE_AT = 0, 4  # in what a filter is given

# As the kernel names the machines; which of two numbers a call has there; the number of seccomp itself.
_MACHINES = {"x86_64": (0xC000003E, 0, 317), "aarch64": (0xC00000B7, 1, 277)}
Numbers = tuple[int, int]  # of a call: x86-64, 64-bit ARM


def refuse(calls: Sequence[Numbers]) -> bool:
    """Refuse these calls to this thread; False where nobody can say so."""
    return _filtered(calls, _REFUSE, 0) is not None


def _filtered(calls: Sequence[Numbers], answer: int, flags: int) -> int | None:
    """Have the kernel give this answer to these calls; what it returns, None where it has no filters."""
    machine = _MACHINES.get(platform.machine())
    if machine is None or not hasattr(os, "O_PATH"):  # not Linux
        return None
    name, which, seccomp = machine
    libc = ctypes.CDLL(None, use_errno=True)
    program = _program(name, [numbers[which] for numbers in calls], answer)
    code = ctypes.create_string_buffer(program, len(program))
    told = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) < 0:
        return None
    done = libc.syscall(seccomp, _SET_FILTER, flags, told)
    return None if done < 0 else int(done)


def _program(machine: int, numbers: Sequence[int], answer: int) -> bytes:
    """A program for the kernel: answer so to these numbers, and refuse calls in another machine's way."""
    last = len(numbers)
    steps = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_IF_EQUAL, 0, last + 4, machine),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_IF_AT_LEAST, last + 2, 0, _OTHER_NUMBERS),
        *((_IF_EQUAL, last - at, 0, number) for at, number in enumerate(numbers)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, answer),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


# --- connections that are asked about ---

_CONNECT, _SEND_TO = (42, 203), (44, 206)
_ADDRESS_AT = {number: at for numbers, at in ((_CONNECT, 1), (_SEND_TO, 4)) for number in numbers}
_RECEIVE, _ANSWER = 0xC0502100, 0xC0182101
_QUESTION, _REPLY = struct.Struct("QIIiIQ6Q"), struct.Struct("QqiI")
_GO_ON = 1
_LONGEST_ADDRESS = 128
_NAMES = 53  # the port of a server of names, which may be on this machine


class ConnectionGuard:
    """Asks, for each connection of the thread that calls :meth:`watch`, whether its address is allowed.

    Whatever a library follows (redirections, names that lead elsewhere the second time), the question is
    about the address to which it would connect now.
    """

    def __init__(self, is_allowed: Callable[[str], bool]) -> None:
        self.refused = False  # something was
        self._is_allowed = is_allowed

    def watch(self) -> None:
        """Watch this thread from now on, and all that it starts."""
        ready: list[int] = []
        given = threading.Event()
        # Started before, so that it is not watched itself
        threading.Thread(target=self._look, args=(ready, given), name="connections", daemon=True).start()
        listener = _filtered([_CONNECT, _SEND_TO], _ASK, _WITH_LISTENER)
        if listener is None:
            log.info("This kernel has no seccomp: where a library connects to is not asked about")
        else:
            ready.append(listener)
        given.set()

    def _look(self, ready: list[int], given: threading.Event) -> None:
        given.wait()
        for listener in ready:
            poll = select.poll()
            poll.register(listener, select.POLLIN)
            while (events := poll.poll()) and not events[0][1] & select.POLLHUP:
                self._answer(listener)
            os.close(listener)  # every thread that was watched has ended

    def _answer(self, listener: int) -> None:
        question = bytearray(_QUESTION.size)
        try:
            fcntl.ioctl(listener, _RECEIVE, question)
        except OSError:
            return  # who asked is gone
        number, thread, _, call, _, _, *given = _QUESTION.unpack(question)
        try:
            allowed = self._allows(thread, given[0], given[_ADDRESS_AT[call]])
        except OSError as problem:
            log.warning("Nobody can say where a connection would lead: %s", problem)
            allowed = False
        self.refused |= not allowed
        reply = (number, 0, 0, _GO_ON) if allowed else (number, 0, -errno.EACCES, 0)
        with suppress(FileNotFoundError):  # gone meanwhile
            fcntl.ioctl(listener, _ANSWER, _REPLY.pack(*reply))

    def _allows(self, thread: int, descriptor: int, place: int) -> bool:
        if not place:
            return True  # what is sent on a connection that there is
        memory = os.open(f"/proc/{thread}/mem", os.O_RDONLY | os.O_CLOEXEC)
        try:
            address = os.pread(memory, _LONGEST_ADDRESS, place)
        finally:
            os.close(memory)
        family, port = struct.unpack_from("=H", address)[0], struct.unpack_from("!H", address, 2)[0]
        if family == socket.AF_INET:
            host = socket.inet_ntop(family, address[4:8])
        elif family == socket.AF_INET6:
            host = socket.inet_ntop(family, address[8:24]).removeprefix("::ffff:")
        else:
            return True
        return (port == _NAMES and _is_datagram(descriptor)) or self._is_allowed(host)


def _is_datagram(descriptor: int) -> bool:
    with socket.socket(fileno=os.dup(descriptor)) as opened:
        return opened.type == socket.SOCK_DGRAM
