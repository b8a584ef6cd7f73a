"""Pages for phones, the table's screen and the host: Flask, server-rendered, live with JavaScript.

::

    app.py     the Flask application and what belongs to every answer
    site.py    what the requests of one application share
    server.py  the web server (waitress, made fair)
    pages/     HTML
    api/       JSON under /api/v1
    live/      server-sent events, and what the club's hub is told
    access/    who is asking, and what they may: cookies, codes, seats, Host, Origin, limits
    ui/        how each game is drawn and said, and a match as the pages show it
"""

from web.app import create_app

__all__ = ["create_app"]
