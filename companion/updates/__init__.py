"""Updates of the installed package: signed files, and the small program of root's that installs them.

Nothing but Python's own library and ``openssl`` is used: root's part runs by itself, apart from the service.
"""
