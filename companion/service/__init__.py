"""The service on the box: a table's devices, photographs, settings and results, without its pages.

::

    service.py     the parts, wired to each other
    running.py     a service opened on a folder, with its devices and threads
    devices/       the dice roller, the panel, who throws the dice
    photos/        the camera, and the reader of photographs in a process of its own
    system/        the machine under the service: addresses, settings, clock, disk, backups, updates
    export/        what was played, for people and other programs
"""
