"""Railroad Ink: see the README of this folder for the rules as played, and the notation."""

from __future__ import annotations

from companion.games.packages import Package

PACKAGE = Package(
    name="railroad-ink",
    title="Railroad Ink Challenge",
    rules=f"{__name__}.rules.game:RailroadInk",
    paper=f"{__name__}.paper.prints:RailroadInkPrintables",
    page=f"{__name__}.page.presenter:RailroadInkPresenter",
    eye=f"{__name__}.eye.reader:RailroadInkReader",
    bot=f"{__name__}.bot.player:RailroadInkBot",
    studio="lab.railroad_ink.studio.studio:RailroadInkStudio",
    order=10,
    bgg={"classic": 245654},
)
