"""Stands in for MicroPython's own module under CPython."""


def kbd_intr(character: int) -> None:
    """CPython in a raw terminal gets no signal from 0x03 anyway."""
