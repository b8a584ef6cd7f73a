"""Derailed!: see the README of this folder for the rules as played, and the notation."""

from __future__ import annotations

from companion.games.packages import Package

PACKAGE = Package(
    name="derailed",
    title="Derailed!",
    rules=f"{__name__}.rules.game:Derailed",
    paper=f"{__name__}.paper.prints:DerailedPrintables",
    page=f"{__name__}.page.presenter:DerailedPresenter",
    eye=f"{__name__}.eye.reader:DerailedReader",
    bot=f"{__name__}.bot.player:DerailedBot",
    studio="lab.derailed.studio.studio:DerailedStudio",
    order=20,
)
