"""SPIKE: see the README of this folder for the rules as played, and the notation."""

from __future__ import annotations

from companion.games.packages import Package

PACKAGE = Package(
    name="spike",
    title="SPIKE",
    rules=f"{__name__}.rules.game:Spike",
    paper=f"{__name__}.paper.prints:SpikePrintables",
    page=f"{__name__}.page.presenter:SpikePresenter",
    bot=f"{__name__}.bot.player:SpikeBot",
    eye=f"{__name__}.eye.reader:SpikeReader",
    studio="lab.spike.studio.studio:SpikeStudio",
    order=30,
)
