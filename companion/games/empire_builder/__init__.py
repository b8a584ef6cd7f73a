"""Empire Builder: see the README of this folder for the rules as played, and the notation."""

from __future__ import annotations

from companion.game.packages import Package

PACKAGE = Package(
    name="empire-builder",
    title="Empire Builder",
    rules=f"{__name__}.rules.match.game:EmpireBuilder",
    printing=f"{__name__}.printing.prints:EmpireBuilderPrintables",
    ui=f"{__name__}.ui.presenter:EmpireBuilderPresenter",
    reader=f"{__name__}.reader.reader:EmpireBuilderReader",
    studio="lab.empire_builder.studio.studio:EmpireBuilderStudio",
    bot=f"{__name__}.bot.player:EmpireBuilderBot",
    order=40,
    bgg={"": 168},
)
