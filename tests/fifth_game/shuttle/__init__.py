"""Shuttle: a small game of our own with dice and a printed sheet; its README has the rules."""

from __future__ import annotations

from companion.games.packages import Package

PACKAGE = Package(
    name="shuttle",
    title="Shuttle",
    rules=f"{__name__}.rules.game:Shuttle",
    paper=f"{__name__}.paper.prints:ShuttlePrintables",
    page=f"{__name__}.page.presenter:ShuttlePresenter",
    eye=f"{__name__}.eye.reader:ShuttleReader",
    studio=f"{__name__}.eye.studio:ShuttleStudio",
)
