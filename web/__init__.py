"""Pages for phones, the table's screen and the host: Flask, server-rendered, live where JavaScript is there.

::

    app.py         the Flask application and what belongs to every answer
    guards.py      who may send what: Host, Origin, headers
    people.py      who is asking: watcher, seat or host, by cookie
    scene.py       a match as the pages show it, made once a version
    show/          how each game is drawn and said
    live.py        server-sent events
    pages.py       HTML
    api.py         JSON under /api/v1
"""

from web.app import create_app

__all__ = ["create_app"]
