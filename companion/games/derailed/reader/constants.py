"""The constants of this reader: ``constants.toml`` says what each of them is."""

from __future__ import annotations

from importlib.resources import files

import msgspec


class Detection(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``detection`` of ``constants.toml``."""

    likely: float
    least_oblong: float
    most_oblong: float
    most: int


class Classification(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``classification`` of ``constants.toml``."""

    too_fine: float
    comfortable: float
    colourful: float


class Surface(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``surface`` of ``constants.toml``."""

    least_around: int
    most_off: float


class Outliers(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``outliers`` of ``constants.toml``."""

    next_to: float
    crosswise: float
    askew: float
    least_size: float
    most_size: float
    surely_a_card: float


class Lattice(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``lattice`` of ``constants.toml``."""

    near: float
    askew: float
    most_miss: float
    corner_weight: float
    point_weight: float


class StationRows(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``station_rows`` of ``constants.toml``."""

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
    """The constants of section ``growing`` of ``constants.toml``."""

    off: float
    fit: float
    rounds: int
    alike: float
    least: int
    seeds: int
    least_likely: float
    windows: int


class GridsKnown(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``known_grids`` of ``constants.toml``."""

    tag_away: float


class Likelihood(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``likelihood`` of ``constants.toml``."""

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
    """The constants of section ``refinement`` of ``constants.toml``."""

    rounds: int


class Search(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``search`` of ``constants.toml``."""

    least_cards: int
    least: float
    least_unplayed: float
    plain: float
    likely: float
    enough_to_fit: int
    mismarked: float
    tag_missed: float


class Tilt(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``tilt`` of ``constants.toml``."""

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
    """The constants of section ``columns`` of ``constants.toml``."""

    least: float
    compared_least: float
    colour_noise: float
    most_unlike: float
    wrong_order: float
    same_hue: float


class Tables(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``tables`` of ``constants.toml``."""

    enough: float
    least_turn: float
    at_a_tag: float
    steep: float


class Matching(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``matching`` of ``constants.toml``."""

    blur: float
    candidates: int
    candidate_classes: int
    independent: float
    usual_off: float


class Comparison(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``comparison`` of ``constants.toml``."""

    maybe_a_card: float
    enough: int
    few: int


class Placement(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``placement`` of ``constants.toml``."""

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
    """The constants of section ``taught`` of ``constants.toml``."""

    calmer: float
    usual: float
    least_left: float
    untaught: float


class References(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``references`` of ``constants.toml``."""

    surely: float
    fine: float
    blown: float
    glare: float
    least_left: float
    most_left: float
    unseen: float
    unseen_alike: float


class Reading(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``reading`` of ``constants.toml``."""

    unreadable: float
    plain: float
    second_look: float
    first_step: float
    second_step: float
    last_step: float
    floor: float
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
    """The constants of section ``facing`` of ``constants.toml``."""

    station_floor: float
    cell_floor: float
    clear: float
    likelier: float
    few: int


class Choices(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``choices`` of ``constants.toml``."""

    mistaken: float


class Ruling(msgspec.Struct, forbid_unknown_fields=True):
    """The constants of section ``ruling`` of ``constants.toml``."""

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
    known_grids: GridsKnown
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
    references: References
    reading: Reading
    facing: Facing
    choices: Choices
    ruling: Ruling


CONSTANTS = msgspec.toml.decode(files(__package__).joinpath("constants.toml").read_bytes(), type=Constants)
