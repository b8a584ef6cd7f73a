"""Derailed!: see the README of this folder for the rules as played, and the notation."""

from __future__ import annotations

from companion.game.packages import Package

PACKAGE = Package(
    name="derailed",
    title="Derailed!",
    rules=f"{__name__}.rules.game:Derailed",
    printing=f"{__name__}.printing.prints:DerailedPrintables",
    ui=f"{__name__}.ui.presenter:DerailedPresenter",
    reader=f"{__name__}.reader.reader:DerailedReader",
    bot=f"{__name__}.bot.player:DerailedBot",
    studio="lab.derailed.studio.studio:DerailedStudio",
    order=20,
)
