"""Empire Builder: see the README of this folder for the rules as played, and the notation."""

from __future__ import annotations

from companion.games.packages import Package

PACKAGE = Package(
    name="empire-builder",
    title="Empire Builder",
    rules=f"{__name__}.rules.game:EmpireBuilder",
    paper=f"{__name__}.paper.prints:EmpireBuilderPrintables",
    page=f"{__name__}.page.presenter:EmpireBuilderPresenter",
    eye=f"{__name__}.eye.reader:EmpireBuilderReader",
    studio="lab.empire_builder.studio.studio:EmpireBuilderStudio",
    bot=f"{__name__}.bot.player:EmpireBuilderBot",
    order=40,
    bgg={"": 168},
)
