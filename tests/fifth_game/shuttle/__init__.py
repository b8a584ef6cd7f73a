"""Shuttle: a small game of our own with dice and a printed sheet; its README has the rules."""

from __future__ import annotations

from companion.game.packages import Package

PACKAGE = Package(
    name="shuttle",
    title="Shuttle",
    rules=f"{__name__}.rules.game:Shuttle",
    printing=f"{__name__}.printing.prints:ShuttlePrintables",
    ui=f"{__name__}.ui.presenter:ShuttlePresenter",
    reader=f"{__name__}.reader.reader:ShuttleReader",
    studio=f"{__name__}.reader.studio:ShuttleStudio",
)
