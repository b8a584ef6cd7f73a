"""Photographs by themselves: what the rules say with what is known, and what is drawn on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.games.railroad_ink.reader.context import PhotoContext, ruled_sheet
from companion.games.railroad_ink.reader.reader import RailroadInkReader
from companion.games.railroad_ink.rules.boards.position import Position, read_cells
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID
from tests.companion.games.railroad_ink.reader.readings import photo_of, sheet_of

FACES = ["NS", "ne", "Ns*", "NES"]
ROUND = {"b1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}


def position(cells: dict[str, str], **more: Any) -> Position:
    return Position(read_cells(cells), EDITION["challenge"], **more)


def test_an_unseen_cell_says_nothing() -> None:
    assert sheet_of(ROUND, unseen=["b1"]).looks["b1"] is None


def test_with_the_position_before_and_the_dice() -> None:
    ruling = ruled_sheet(
        sheet_of({"b1": "NS"} | {"f1": "NS"}),
        PhotoContext(position({"b1": "NS"}), ("NS", "ne", "Ns*", "NES")),
    )
    assert ruling.outcome == "refused"
    before = {"b1": "NS", "b2": "NE"}
    new = {"f1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}
    ruling = ruled_sheet(sheet_of(before | new), PhotoContext(position(before), tuple(FACES)))
    assert (ruling.outcome, sorted(GRID.names[cell] for cell in ruling.changed)) == ("accepted", sorted(new))


def test_with_the_position_before_alone() -> None:
    ruling = ruled_sheet(sheet_of({"b1": "NS"} | {"f1": "NS"}), PhotoContext(position({"b1": "NS"})))
    assert ruling.outcome == "accepted"
    assert ruled_sheet(sheet_of({"f1": "NS"}), PhotoContext(position({"b1": "NS"}))).outcome == "refused"


def test_with_the_dice_alone_the_written_numbers_tell_what_is_new() -> None:
    before = {"b1": "NS", "b2": "NE"}
    new = {"f1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}
    rounds = dict.fromkeys(before, 1) | dict.fromkeys(new, 2)
    sheet = sheet_of(before | new, rounds=rounds, unclear={"d1": {"nes": 0.6, "ne": 0.4}})
    ruling = ruled_sheet(sheet, PhotoContext(faces=tuple(FACES)))
    assert ruling.cells == read_cells(before | new)
    assert sorted(GRID.names[cell] for cell in ruling.changed) == sorted(new)


def test_with_the_dice_alone_doubtful_earlier_cells_are_asked_about() -> None:
    """They are known from the same picture only: nothing makes them surer than it does."""
    before = {"b1": "NS", "b2": "NE"}
    new = {"f1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}
    rounds = dict.fromkeys(before, 1) | dict.fromkeys(new, 2)
    sheet = sheet_of(before | new, rounds=rounds, unclear={"b2": {"NE": 0.55, "NES": 0.45}})
    ruling = ruled_sheet(sheet, PhotoContext(faces=tuple(FACES)))
    assert (ruling.outcome, [GRID.names[cell] for cell in ruling.doubtful]) == ("ask", ["b2"])
    assert ruling.p < 0.9
    assert sorted(GRID.names[cell] for cell in ruling.changed) == sorted(new)


def test_in_the_first_round_no_numbers_are_needed() -> None:
    ruling = ruled_sheet(sheet_of(ROUND), PhotoContext(faces=tuple(FACES)))
    assert (ruling.outcome, len(ruling.changed)) == ("accepted", 4)


def test_dice_that_do_not_help_are_left_away() -> None:
    cells = {"b1": "NS", "b2": "NS", "b3": "NS", "b4": "NS", "b5": "NS"}
    ruling = ruled_sheet(sheet_of(cells), PhotoContext(faces=tuple(FACES)))
    assert (ruling.outcome, ruling.cells) == ("accepted", read_cells(cells))


def test_dice_that_cannot_be() -> None:
    ruling = ruled_sheet(sheet_of(ROUND), PhotoContext(faces=("NS", "NS", "NS", "NS")))
    assert "cannot show" in ruling.against[0]


def test_what_was_read_is_drawn_on_the_photograph() -> None:
    photo = np.full((1100, 800, 3), 200, np.uint8)
    sheet = sheet_of(ROUND, unseen=["c3"])
    ruling = ruled_sheet(sheet, PhotoContext(faces=tuple(FACES)))
    reader = RailroadInkReader()
    pictures = [reader.annotated(photo, [(sheet, one)]) for one in (ruling, None)]
    assert [picture.shape for picture in pictures] == [photo.shape] * 2
    assert all((picture != photo).any(axis=2).mean() > 0.004 for picture in pictures)


def test_what_is_in_view_has_a_name_and_advice() -> None:
    (seen,) = RailroadInkReader().view(photo_of(sheet_of(ROUND, seat=3))).sheets
    assert (seen.seat, seen.name, seen.says) == (3, "Seat 3", ())
    assert seen.corners[0] == (100 / 800, 50 / 1100)


def test_a_finished_board_is_a_position() -> None:
    sheet = sheet_of(ROUND, seat=2, edition="classic", rounds={"b1": 1})
    (found,) = RailroadInkReader().positions(photo_of(sheet))
    assert (found.seat, found.ruling.outcome, found.sheet) == (2, "accepted", sheet)
    assert found.position == {"edition": "classic", "cells": found.ruling.labels, "rounds": {"b1": 1}}
