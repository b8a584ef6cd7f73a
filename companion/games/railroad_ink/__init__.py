"""Railroad Ink: see the README of this folder for the rules as played, and the notation."""

from __future__ import annotations

from companion.game.packages import Package

PACKAGE = Package(
    name="railroad-ink",
    title="Railroad Ink Challenge",
    rules=f"{__name__}.rules.match.game:RailroadInk",
    printing=f"{__name__}.printing.prints:RailroadInkPrintables",
    ui=f"{__name__}.ui.presenter:RailroadInkPresenter",
    reader=f"{__name__}.reader.reader:RailroadInkReader",
    bot=f"{__name__}.bot.player:RailroadInkBot",
    studio="lab.railroad_ink.studio.studio:RailroadInkStudio",
    order=10,
    bgg={"classic": 245654},
)
