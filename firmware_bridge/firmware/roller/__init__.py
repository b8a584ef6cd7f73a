"""The dice roller's firmware: plain MicroPython that CPython can run too.

Only `pico.py` and the two screen drivers touch the hardware; all else asks the two seams in `seams.py`.
"""
