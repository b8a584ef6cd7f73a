"""The constants of this reader: ``constants.toml`` says what each of them is."""

from __future__ import annotations

from importlib.resources import files

import msgspec


class Detection(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``detection``."""

    likely: float
    least_oblong: float
    most_oblong: float
    most: int


class Classification(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``classification``."""

    too_fine: float
    comfortable: float
    colourful: float


class Surface(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``surface``."""

    least_around: int
    most_off: float


class Outliers(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``outliers``."""

    next_to: float
    crosswise: float
    askew: float
    least_size: float
    most_size: float
    surely_a_card: float


class Lattice(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``lattice``."""

    near: float
    askew: float
    most_miss: float
    corner_weight: float
    point_weight: float


class StationRows(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``station_rows``."""

    beside: float
    nearest_step: float
    longest_step: float
    too_small: float
    least_apart: float
    most_apart: float
    shear: int
    least_stations: int
    most_grids: int


class Growing(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``growing``."""

    off: float
    fit: float
    rounds: int
    alike: float
    least: int
    seeds: int
    least_likely: float
    windows: int


class KnownGrids(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``known_grids``."""

    tag_away: float


class Likelihood(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``likelihood``."""

    least_stations: int
    station: float
    hidden: float
    unlikely: float
    never_empty: float
    other_colour: float
    an_end: float
    cell_weight: float
    left_out: float
    outlier: float
    surely: float
    no_lane: float
    shear: float
    most_shear: float
    enough_to_tell: int
    detected: float
    misplaced: float
    fitting: float
    usual_off: float


class Refinement(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``refinement``."""

    rounds: int


class Search(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``search``."""

    least_cards: int
    least: float
    least_unplayed: float
    plain: float
    likely: float
    enough_to_fit: int
    mismarked: float
    tag_missed: float


class Tilt(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``tilt``."""

    starts: int
    focal: float
    worst: float
    square: float
    alike: float
    proportions: float
    sizes: float
    shapes: float
    neighbours: int
    near: float
    not_square: float
    unknown: float
    steepest: float
    per_radian: float
    per_radian_and_step: float
    around: float
    longest: int


class Columns(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``columns``."""

    least: float
    compared_least: float
    colour_noise: float
    most_unlike: float
    wrong_order: float
    same_hue: float


class Tables(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``tables``."""

    enough: float
    least_turn: float
    at_a_tag: float
    steep: float


class Matching(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``matching``."""

    blur: float
    candidates: int
    candidate_classes: int
    independent: float
    usual_off: float


class Comparison(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``comparison``."""

    maybe_a_card: float
    enough: int
    few: int


class Placement(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``placement``."""

    like_a_card: float
    known: float
    empty: float
    comfortable: float
    least_to_fit: int
    same_place: float
    most_off: float
    fits: int
    usual: float
    least_left: float
    unexplained: float
    plain: float
    least_known: int
    few_ends: int
    tried: int
    alike: float
    step: float
    window: float


class Taught(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``taught``."""

    calmer: float
    usual: float
    least_left: float
    untaught: float


class Lent(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``lent``."""

    surely: float
    fine: float
    blown: float
    glare: float
    least_left: float
    most_left: float
    unseen: float
    unseen_alike: float


class Reading(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``reading``."""

    unreadable: float
    plain: float
    second_look: float
    first_step: float
    second_step: float
    last_step: float
    maybe_empty: float
    worth_moving: float
    well_read: float
    without_outline: float
    maybe_back: float
    half_over: float
    in_place: float
    taken: float
    outside: float
    no_grid: float


class Facing(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``facing``."""

    station_floor: float
    cell_floor: float
    clear: float
    likelier: float
    few: int


class Choices(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``choices``."""

    mistaken: float


class Ruling(msgspec.Struct, forbid_unknown_fields=True):
    """Section ``ruling``."""

    sure_enough: float
    loose: float
    another: float
    shown: float
    kept: float
    change: float
    window: float
    most_ways: int
    most_marks: int
    most_unseen: float


class Constants(msgspec.Struct, forbid_unknown_fields=True):
    """All sections. They can be set, for whoever measures what depends on them."""

    detection: Detection
    classification: Classification
    surface: Surface
    outliers: Outliers
    lattice: Lattice
    station_rows: StationRows
    growing: Growing
    known_grids: KnownGrids
    likelihood: Likelihood
    refinement: Refinement
    search: Search
    tilt: Tilt
    columns: Columns
    tables: Tables
    matching: Matching
    comparison: Comparison
    placement: Placement
    taught: Taught
    lent: Lent
    reading: Reading
    facing: Facing
    choices: Choices
    ruling: Ruling


CONSTANTS = msgspec.toml.decode(files(__package__).joinpath("constants.toml").read_bytes(), type=Constants)
