"""``make deb``: the package for a Raspberry Pi or PC with Debian 12 or 13, built on any machine.

It has its own copies of the libraries of ``requirements.lock`` in this folder, unpacked from wheels for the
machine that it is for, so that nothing is compiled; the Python itself is the system's.
"""
