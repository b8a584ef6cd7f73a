"""Loads MicroPython and the roller's firmware onto a new Pico, from the box, without a PC.

A Pico that is plugged in with its BOOTSEL button held is a drive: the MicroPython file copied onto it makes
it restart as a serial port with MicroPython's prompt, over which the firmware's files are written.
"""
