"""Reading photographs of a game's sheets: what every game's reader has in common.

``read`` turns a photograph into label probabilities for every slot of every sheet in it, the game's ruling
turns those into a legal position, and from there on everything is shared: the report of ``stationmaster
read``, the annotated picture, the answer for a seat of a match. :class:`companion.reading.base.Reader` is the
class that games derive from.
"""
