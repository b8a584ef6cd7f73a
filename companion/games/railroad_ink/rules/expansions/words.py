"""How signs, boxes and dice of the expansions are called in sentences."""

from __future__ import annotations

from companion.core.messages import vocabulary

# Signs, what follows their colon, and the boxes beside the board.
_SIGNS = vocabulary(
    "sign",
    *("accumulator", "air", "airport", "alien", "attack", "below", "build", "cacti", "cactus", "canyon"),
    *("cloud", "clover", "clue", "crater", "distance", "found", "fruit", "gate", "ghost", "income"),
    *("investigator", "lake", "lamp", "lava", "lit", "nuke", "oasis", "outline", "pluck-man", "portal"),
    *("power", "rain", "rainbow", "renew", "ritual", "river", "sheep", "shield", "snow", "storm", "sun"),
    *("super", "tentacle", "tetromino", "toward", "tower", "trail", "trees", "ufo", "volcano"),
    *("any", "buildings", "centre", "destroy", "exits", "free", "move", "new"),
    *("coins", "lights", "lost", "opened"),
)
DICE_NAMES = vocabulary(
    "die",
    *("Airline A", "Airline B", "Building", "Canyon", "Construction", "Desert A", "Desert B", "Farmer"),
    *("Forest", "Income", "Invaders", "Investigation", "Lake", "Lamp", "Lava", "Meteor distance"),
    *("Meteor way", "Pluck-Man", "Portal", "Power", "Rainbow", "Renovation", "Ritual", "River"),
    *("Separation", "Special", "Superconnection", "Tentacle", "Tetromino", "Trail", "Underground A"),
    *("Underground B", "Underground C", "Underground D", "Weather"),
)


def sign_words(word: str) -> str:
    """What a sign, the word behind its colon, or a box beside the board is called.

    >>> sign_words("trees"), sign_words("NES")
    ('trees', 'NES')
    """
    return _SIGNS.get(word, word)
