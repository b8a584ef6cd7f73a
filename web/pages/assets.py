"""Style sheets, scripts and pictures: compressed once, cached by browsers for ever by their hash.

The files of :mod:`web` go by their names, those of a game's page by ``<game>/<name>``.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from flask import Blueprint, Response, g, request, url_for
from markupsafe import Markup

from web.exc import WebError
from web.pages import scripts
from web.pages.page_files import page_folders

_FOREVER = "public, max-age=31536000, immutable"
_COMPRESSED = ("text/", "application/json", "application/javascript", "image/svg")
_WORTH_COMPRESSING = 1200  # bytes: one packet

assets = Blueprint("assets", __name__)


@dataclass(frozen=True)
class Asset:
    """A static file: its content, gzipped copy, media type and digest."""

    content: bytes
    packed: bytes
    kind: str
    digest: str


def _read(name: str, content: bytes) -> Asset:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(content, 9) if compressible(kind) else b""
    return Asset(content, packed, kind, hashlib.sha256(content).hexdigest()[:12])


def compressible(kind: str) -> bool:
    """Return True if files of this media type are worth compressing."""
    return kind.startswith(_COMPRESSED)


def gzip_accepted() -> bool:
    """Return True if the client accepts gzip encoding."""
    return request.accept_encodings.quality("gzip") > 0


@cache
def _assets() -> Mapping[str, Asset]:
    kinds = {name: file for name, file in _files() if file.suffix != ".js"}
    found = {name: _read(name, file.read_bytes()) for name, file in kinds.items() if file.suffix != ".css"}

    def address(name: str) -> str:
        return f"/static/{name}?v={found[name].digest}"

    for name, file in kinds.items():
        if file.suffix == ".css":
            text = _TYPEFACE.sub(lambda one: f"url({address(one[1])})", _packed(file.read_text()))
            found[name] = _read(name, text.encode())
    texts = _texts()
    for name in scripts.imported_first(texts):
        found[name] = _read(name, scripts.as_served(name, texts[name], address).encode())
    return found


def _packed(style_sheet: str) -> str:
    """A style sheet as served: without comments and indentation."""
    return _AROUND.sub(r"\1", _BETWEEN.sub(" ", _COMMENT.sub("", style_sheet))).strip()


@cache
def _texts() -> dict[str, str]:
    return {name: file.read_text() for name, file in _files() if file.suffix == ".js"}


@lru_cache(maxsize=64)
def script_messages(names: frozenset[str]) -> tuple[str, ...]:
    """What these scripts say, and all that they import or may fetch: the first arguments of ``_("...")``.

    Scripts whose words are asked for when they are fetched (``wordsOf``) are not among them.
    """
    return tuple(dict.fromkeys(message for text in _said_by(names) for message in scripts.messages(text)))


@lru_cache(maxsize=64)
def script_forms(names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Those of their messages that have a form for several, with it."""
    return tuple(dict.fromkeys(pair for text in _said_by(names) for pair in scripts.counted(text)))


def _said_by(names: frozenset[str]) -> list[str]:
    return [_texts()[name] for name in sorted(scripts.with_later(_texts(), names))]


def is_script(name: str) -> bool:
    """Return True if there is a script of this name."""
    return name in _texts()


def running() -> frozenset[str]:
    """Return the scripts requested so far by the page being rendered."""
    return frozenset(g.get("scripts", ()))


def _files() -> Iterator[tuple[str, Path]]:
    folders = {
        "": Path(__file__).parents[1],
        **{f"{game}/": folder for game, folder in page_folders().items()},
    }
    for prefix, folder in folders.items():
        for file in (folder / "static").glob("*.*"):
            yield prefix + file.name, file


@cache
def style() -> Markup:
    """The style sheet as it stands in every page: asking for it apart would cost a slow phone another second.

    The policy allows just this text, by :func:`style_hash`.
    """
    return Markup(_assets()["page.css"].content.decode())


@cache
def style_hash() -> str:
    """Return the style sheet's hash for the Content-Security-Policy."""
    return f"sha256-{b64encode(hashlib.sha256(style().encode()).digest()).decode()}"


_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BETWEEN = re.compile(r"\s+")
_AROUND = re.compile(r" ?([{};,]) ?")
_TYPEFACE = re.compile(r"url\(([\w-]+\.woff2)\)")


def asset_url(name: str) -> str:
    """The address of an asset, with its hash."""
    return url_for("assets.send", name=name, v=_assets()[name].digest)


def script_tags(*names: str) -> Markup:
    """These scripts, in this order; what they import is fetched at the same time."""
    preload = '<link rel="modulepreload" href="{}">'
    run = '<script type="module" src="{}"></script>'
    every = scripts.with_imports(_texts(), names)
    g.scripts = [*g.get("scripts", ()), *names]
    tags = [Markup(run if one in names else preload).format(asset_url(one)) for one in every]
    return Markup("\n").join(tags)


@assets.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a phone needs to put the pages on its home screen: from there they open without a browser."""
    pictures = [
        {"src": asset_url("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        *(
            {"src": asset_url(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
            | {"purpose": "any maskable"}
            for size in (192, 512)
        ),
    ]
    told = {
        "name": "Stationmaster",
        "short_name": "Stationmaster",
        "id": "/",
        "start_url": "/play",
        "scope": "/",
        "display": "standalone",
        "display_override": ["fullscreen", "standalone"],
        "background_color": "#f3efe6",
        "theme_color": "#fffdf8",
        "icons": pictures,
    }
    return Response(json.dumps(told), mimetype="application/manifest+json")


@assets.get("/static/<path:name>")
def send(name: str) -> Response:
    """Serve an asset, gzipped if the client accepts that, with caching headers and an ETag."""
    asset = _assets().get(name)
    if asset is None:
        raise WebError(404, "not-found", "there is no such file")
    packed = bool(asset.packed) and gzip_accepted()
    answer = Response(asset.packed if packed else asset.content, content_type=_content_type(asset.kind))
    if packed:
        answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = _FOREVER if request.args.get("v") == asset.digest else "no-cache"
    answer.set_etag(asset.digest)
    answer.make_conditional(request)
    return answer


def compressed(answer: Response) -> Response:
    """Gzip the answer if that is worthwhile and accepted; called after every request."""
    fit = (
        not answer.is_streamed
        and compressible(answer.mimetype or "")
        and "Content-Encoding" not in answer.headers
    )
    if fit and gzip_accepted() and len(answer.get_data()) >= _WORTH_COMPRESSING:
        answer.set_data(gzip.compress(answer.get_data(), 6))
        answer.headers["Content-Encoding"] = "gzip"
    if fit:
        answer.vary.add("Accept-Encoding")
    return answer


def _content_type(kind: str) -> str:
    return f"{kind}; charset=utf-8" if kind.startswith("text/") or "javascript" in kind else kind
