"""The owner's own cards and map: checked with every fault and its line, kept, and played with."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games.empire_builder.rules.cards.demands import own_cards
from companion.service.service import Service
from tests.companion.games.empire_builder.rules.tables import cards_csv
from tests.web.people import good, post, problem, the_host

EMPIRE = "empire-builder"


def keep(client: FlaskClient, option: str, text: str, game: str = EMPIRE) -> TestResponse:
    return post(client, "/host/options", {"game": game, "option": option, "text": text})


def test_only_the_host_keeps_files(client: FlaskClient) -> None:
    problem(keep(client, "map", ""), 403, "host-only")


def test_every_fault_is_said_with_its_line_and_nothing_is_kept(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    answer = keep(host, "cards", "1,Atlantis,oil,9\n1,Boston,gold,9")
    said = problem(answer, 422, "bad-option")
    assert "and 2 more" in said
    faults = answer.get_json()["error"]["detail"]["faults"]
    assert [fault.partition(":")[0] for fault in faults[:2]] == ["cards, line 1", "cards, line 2"]
    assert "Atlantis" not in host.get("/host").get_data(as_text=True)


def test_what_is_kept_stands_on_the_host_page_and_is_played_with(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    good(keep(host, "map", "terrain ao40 mountain"))
    cards = cards_csv(own_cards()).replace("\n1,", "\nA1,")
    good(keep(host, "cards", cards))
    page = host.get("/host").get_data(as_text=True)
    assert "terrain ao40 mountain" in page
    options = {"map": "terrain ao40 mountain", "cards": cards}
    begun = good(post(host, "/matches", {"game": EMPIRE, "players": ["East", "North"], "options": options}))
    match = house.table.match(begun["match"])
    assert match is not None
    assert match.state.board.terrain[match.state.board.numbers["ao40"]] == "mountain"


def test_a_map_that_does_not_go_with_the_kept_cards_is_refused(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    good(keep(host, "cards", cards_csv(own_cards())))
    wanted = own_cards()[0].demands[0]
    answer = keep(host, "map", f"loads {wanted.city}: {wanted.load}")
    assert "supplies" in problem(answer, 422, "bad-option")


def test_games_without_such_files(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    for game, option in (("railroad-ink", "map"), (EMPIRE, "first"), ("chess", "map")):
        problem(keep(host, option, "", game), 404, "no-option")


def test_the_map_to_be_corrected_is_the_hosts(app: Flask, house: Service, client: FlaskClient) -> None:
    assert "Host PIN" in client.get(f"/host/map/{EMPIRE}").get_data(as_text=True)
    host = the_host(app, house)
    good(keep(host, "map", "terrain ao40 mountain"))
    page = host.get(f"/host/map/{EMPIRE}").get_data(as_text=True)
    assert "eb-ground" in page
    assert "terrain ao40 mountain" in page
    assert host.get("/host/map/railroad-ink").status_code == 404


def test_a_file_in_a_position_is_read_where_the_host_kept_it_or_asks(app: Flask, house: Service) -> None:
    """It costs as much as its writer likes: strangers may have those read that are here."""
    host, stranger = the_host(app, house), app.test_client()
    long = "terrain ao40 mountain\n" * 100
    body = {"game": EMPIRE, "position": {"track": {"1": []}, "map": long}}
    for path in ("/scores", "/advice"):
        problem(post(stranger, path, body), 403, "not-kept")
    good(
        post(stranger, "/scores", {**body, "position": {"track": {"1": []}, "map": "terrain ao40 mountain"}})
    )
    good(post(host, "/scores", body))
    good(keep(host, "map", long))
    good(post(stranger, "/scores", body))
