"""How this roller is wired: change it here, copy the file onto the board. Pins are the Pico's GP numbers."""

SCREEN = "matrix"  # "matrix": WS2812 panels of 8 x 8 in a chain; "none"; or a display of 128 x 64:
# "oled" with the chip SSD1306 (0.96 inch), "sh1106" with that chip (most of 1.3 inch)
DICE_PLACES = 4  # panels in the chain, 1 to 8 (the oled always has 8)

BUTTON_PIN = 15  # to ground
MATRIX_PIN = 28  # through 330 ohm to the first panel's DIN
MATRIX_ZIGZAG = False  # True when every second row of the panel runs backwards
BRIGHTNESS = 8  # of 255; docs/hardware.md says what that takes

OLED_BUS = 0
OLED_SDA_PIN = 20
OLED_SCL_PIN = 21
OLED_ADDRESS = 0x3C

# Of a Pico W or Pico 2 W without a cable to the box; `stationmaster roller install --wifi NAME` writes these.
WIFI: "list[tuple[str, str]]" = []  # name and password of each network, tried in turn
WIFI_KEY = ""  # 64 hex digits that only this roller and its box know
WIFI_BOX = "255.255.255.255"  # where the box is asked for: everywhere in the network, or its address

WATCHDOG_MS = 5000  # 0 for none
