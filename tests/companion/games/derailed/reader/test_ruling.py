"""What the rules make of a picture of the railway area."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.derailed.reader.choices import with_answers
from companion.games.derailed.reader.ruling import AreaRuling, RulingContext, rule_area, rule_moves
from companion.games.derailed.rules.cards import FACES, card_of
from companion.games.derailed.rules.network import area_of, grid_of
from companion.games.derailed.rules.placement import open_placements
from companion.languages import said
from companion.reading.evidence import SheetProbabilities

STARTS = ("A", "B")
CARDS = sorted({card_of(face) for face in FACES if "U" not in face})


def probabilities(cells: dict[str, str], **unclear: dict[str, float] | None) -> SheetProbabilities:
    """A clear picture of these cells, but for some."""
    clear: dict[str, dict[str, float] | None] = {
        name: {cells.get(name, ""): 0.9999, "LTRB" if cells.get(name) != "LTRB" else "": 0.0001}
        for name in grid_of(2).names
    }
    return clear | unclear


def known(cells: dict[str, str], **more: object) -> RulingContext:
    return RulingContext(STARTS, {cell: (face,) for cell, face in cells.items()}, **more)  # type: ignore[arg-type]


def test_a_clear_new_card() -> None:
    ruling = rule_moves(probabilities({"a1": "TB", "a2": "TR"}), known({"a1": "TB"}))
    assert (ruling.outcome, ruling.changed) == ("accepted", ("a2",))
    assert [(move.company, move.cell, move.face) for move in ruling.moves] == [("A", "a2", "TR")]


def test_an_unclear_card_is_settled_by_where_track_leads() -> None:
    ruling = rule_moves(
        probabilities({"a1": "TR"}, b1={"RB": 0.7, "LB": 0.3}), known({"a1": "TR"}, companies=("A",))
    )
    assert ruling.cells["b1"] == "LB"


def test_two_faces_that_both_fit_are_asked_about() -> None:
    picture = probabilities({"a1": "TB"}, a2={"TB": 0.5, "TB|l": 0.5})
    ruling = rule_moves(picture, known({"a1": "TB"}))
    assert (ruling.outcome, ruling.doubtful) == ("ask", ("a2",))
    settled = rule_moves(with_answers(picture, 2, {"a2": "TB|l"}), known({"a1": "TB"}))
    assert (settled.outcome, settled.cells["a2"]) == ("accepted", "TB|l")


def test_what_may_lie_in_a_cell_is_no_more_than_certain() -> None:
    """Whatever the picture shows against the rules counts beside what they allow."""
    against = probabilities({"a1": "TB"}, b4={"TB": 0.9995, "": 0.0005})
    for picture in (probabilities({"a1": "TB"}, a2={"TB": 0.5, "TB|l": 0.5}), against):
        doubts = rule_moves(picture, known({"a1": "TB"})).doubts
        assert doubts
        for doubt in doubts:
            assert sum(share for _, share in doubt.options) <= 1 + 1e-9


def test_what_was_settled_is_not_asked_about_again() -> None:
    """A card that looks like another one, and was said to be none, beside a new card."""
    before = {"a1": "TB", "b1": "LTR|b"}
    picture = probabilities({"a1": "TB", "a2": "TB|l"}, b1={"LR|TB": 0.996, "LTR|b": 0.004})
    ruling = rule_moves(picture, known(before, most=1))
    assert (ruling.outcome, ruling.cells) == ("accepted", {**before, "a2": "TB|l"})
    alone = rule_moves(
        probabilities({"a1": "TB"}, b1={"LR|TB": 0.996, "LTR|b": 0.004}), known(before, most=1)
    )
    assert (alone.outcome, alone.doubtful) == ("ask", ("b1",))
    said = with_answers({**picture, "a2": {"": 1.0}}, 2, {"b1": "LR|TB"})
    assert rule_moves(said, known(before, most=1)).cells["b1"] == "LR|TB"


def test_a_card_is_replaced() -> None:
    ruling = rule_moves(probabilities({"a1": "TB", "a2": "LT"}), known({"a1": "TB", "a2": "TB"}))
    assert (ruling.outcome, ruling.changed) == ("accepted", ("a2",))


def test_cards_are_brought_into_an_order() -> None:
    after = {"a1": "TR", "b1": "LB", "b2": "TB"}
    ruling = rule_moves(probabilities(after), known({}))
    assert [move.cell for move in ruling.moves] == ["a1", "b1", "b2"]


@pytest.mark.parametrize(
    ("picture", "more", "says"),
    [
        (probabilities({}), {}, "gone now: a1"),
        (probabilities({"a1": "TB", "a3": "LR"}), {"companies": ("A",)}, "a3: this card does not lead back"),
        (probabilities({"a1": "TB", "a3": "LR"}), {}, "no company's track leads"),
        (probabilities({"a1": "TB", "a2": "TB"}), {"hand": ("LTRB",)}, "not in the hand"),
        (probabilities({"a1": "TB", "a2": "TB", "b1": "TB"}), {"most": 1}, "2 cards are new"),
    ],
)
def test_refused_with_the_reason(picture: SheetProbabilities, more: dict[str, object], says: str) -> None:
    ruling = rule_moves(picture, known({"a1": "TB"}, **more))
    assert ruling.outcome == "refused"
    assert says in ruling.against[0]


def test_the_reason_is_said_in_every_language() -> None:
    ruling = rule_moves(probabilities({"a1": "TB", "a3": "LR"}), known({"a1": "TB"}, companies=("A",)))
    assert said(ruling.against[0], "de").startswith("a3: diese Karte führt nicht zum Bahnhof von")


def test_more_copies_than_the_deck_has() -> None:
    ruling = rule_area(probabilities(dict.fromkeys(["a1", "a2", "a3", "b1"], "LR|TB")), 2)
    assert (ruling.outcome, "4 cards LR|TB" in ruling.against[0]) == ("refused", True)


def test_a_copy_too_many_makes_the_least_clear_card_another() -> None:
    picture = probabilities(dict.fromkeys(["a1", "a2", "a3"], "LR|TB"), b1={"LR|TB": 0.8, "LTRB": 0.2})
    assert rule_area(picture, 2).cells["b1"] == "LTRB"


def test_what_cannot_be_seen_stays_as_it_was() -> None:
    ruling = rule_moves(probabilities({"a1": "TB", "a2": "TB"}, b4=None, a1=None), known({"a1": "TB"}))
    assert (ruling.outcome, ruling.cells) == ("accepted", {"a1": "TB", "a2": "TB"})


def test_too_little_is_seen_for_an_area_by_itself() -> None:
    ruling = rule_area(dict.fromkeys(grid_of(2).names), 2)
    assert (ruling.outcome, "cannot be seen" in ruling.against[0]) == ("refused", True)


@given(st.data())
def test_every_legal_card_is_found(data: st.DataObject) -> None:
    cells: dict[str, str] = {}
    for _ in range(data.draw(st.integers(1, 8))):
        hand = data.draw(st.lists(st.sampled_from(CARDS), min_size=4, max_size=4))
        before = dict(cells)
        choices = open_placements(area_of(2, cells), data.draw(st.integers(0, 1)), hand)
        choices = [(cell, face) for cell, face in choices if cells.get(cell) != face]
        if choices:
            cell, face = data.draw(st.sampled_from(choices))
            cells[cell] = face
            ruling = rule_moves(probabilities(cells), known(before))
            assert_explains(ruling, before, cells)


def assert_explains(ruling: AreaRuling, before: dict[str, str], after: dict[str, str]) -> None:
    """Accepted, unless there are more copies than the deck has."""
    if ruling.outcome == "refused":
        assert "but the deck has" in ruling.against[0]
        return
    assert ruling.cells == after
    assert [(move.cell, move.face) for move in ruling.moves] == [
        (cell, face) for cell, face in after.items() if before.get(cell) != face
    ]


def test_as_json() -> None:
    told = rule_moves(probabilities({"a1": "TB"}), known({})).as_json()
    assert told["moves"] == [{"company": "A", "cell": "a1", "card": "TB"}]
    assert (told["outcome"], told["changed"], told["questions"]) == ("accepted", ["a1"], {})
    assert list(told) == [
        *("outcome", "cells", "p", "changed", "moves", "doubtful", "questions", "against_the_rules")
    ]


def test_what_is_not_seen_is_not_taken_for_unchanged() -> None:
    before = {"a1": "TB", "b1": "TB"}
    covered = rule_moves(probabilities(before, a1=None, b1=None), known(before))
    assert covered.outcome == "refused"
    assert covered.against == ("no new card is seen, and a1 and b1 cannot be seen",)
    assert rule_moves(probabilities(before), known(before)).outcome == "accepted"
    new = rule_moves(probabilities({**before, "a2": "TR"}, b1=None), known(before))
    assert (new.outcome, new.changed) == ("accepted", ("a2",))
    dark = dict.fromkeys(grid_of(2).names[3:])
    for ruling in (
        rule_moves(probabilities(before, **dark), known(before)),
        rule_area(probabilities(before, **dark), 2),
    ):
        assert (ruling.outcome, "5 of 8 cells cannot be seen" in ruling.against[0]) == ("refused", True)
