"""SPIKE: see the README of this folder for the rules as played, and the notation."""

from __future__ import annotations

from companion.game.packages import Package

PACKAGE = Package(
    name="spike",
    title="SPIKE",
    rules=f"{__name__}.rules.match.game:Spike",
    printing=f"{__name__}.printing.prints:SpikePrintables",
    ui=f"{__name__}.ui.presenter:SpikePresenter",
    bot=f"{__name__}.bot.player:SpikeBot",
    reader=f"{__name__}.reader.reader:SpikeReader",
    studio="lab.spike.studio.studio:SpikeStudio",
    order=30,
)
