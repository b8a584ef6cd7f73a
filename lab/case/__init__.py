"""``make case``: cases to be printed for the roller, the Pi and its camera, drawn by numbers.

Parts are boxes and round holes put together on a grid (:mod:`lab.case.solids`); sizes of boards are data
(:mod:`lab.case.parts`). STL files for the printer and drawings for the guide come from the same grid.
"""
