"""What is copied onto the roller: main.py and the folder roller, MicroPython for an RP2040 or RP2350."""
