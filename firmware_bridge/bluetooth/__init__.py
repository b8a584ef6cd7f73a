"""Bluetooth dice that people own (Pixels, GoDice), as one more dice roller.

A process of its own finds the dice, keeps them connected, and says what people throw over a pseudo-terminal
in the roller's serial protocol: ``python -m firmware_bridge.bluetooth LINK``. The table sees a roller that
has only a button. The radio is ``bleak``: Debian's ``python3-bleak``, or ``make bluetooth``
in a checkout.
"""
