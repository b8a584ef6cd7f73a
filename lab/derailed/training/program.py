"""Makes the material, trains both networks, writes them: see ``__main__`` for the options."""

from __future__ import annotations

import argparse
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from companion.games.derailed.reader.cards.detection import MODEL as FIND_MODEL
from companion.games.derailed.reader.cards.faces import CLASSES
from companion.games.derailed.reader.cards.views import MODEL as READ_MODEL
from companion.games.derailed.reader.grids.tilt import Tilt, estimated_tilt
from lab.bench import say
from lab.derailed.training.backgrounds import make_pattern
from lab.derailed.training.flat import make_flat_decks
from lab.derailed.training.material import MaterialPicture, load_material, load_views, make_material
from lab.derailed.training.networks import FOUND, STRIDE, FindNet, ReadNet, shapes_of_halves
from lab.derailed.training.variety import plain_view, varied_picture, varied_view, view_weights
from lab.training.learning import Batch, BatchMaker, Course, Net, finish, go_on_from, scores_of, train
from lab.training.writing import write_network
from vision.register.rectify import Image

LEARN_FROM, CHECK_FROM = 0, 950_000  # the first seed of each series; a picture a seed
VIEWS_A_STEP, PICTURES_A_STEP = 96, 8
_SIDE = 320  # pixels of the parts of pictures in which cards are looked for
_PATTERNS = 400  # on which cards are laid
_KIND_WEIGHT = 0.5
_TELL_THE_SLANT = 4  # cards at least
_USUAL_SIZE = 2.2  # half a card's short side, in strides: errors in the shape of smaller cards count for more
_MOST_HIDDEN = 0.6  # share of a card that may be hidden and it shall be found
_RATE, _GOING_ON_RATE = 2.5e-3, 1.2e-3  # of learning at most: from nothing, from a written network


def run(options: argparse.Namespace) -> None:
    """Train, and say how well it went."""
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    learn = make_material(options.folder / "learn", LEARN_FROM, options.pictures, options.threads)
    check = make_material(options.folder / "check", CHECK_FROM, options.checks, options.threads)
    if options.only != "find":
        flat = make_flat_decks(options.folder / "learn-flat", LEARN_FROM, options.decks, options.threads)
        other = make_flat_decks(
            options.folder / "check-flat", CHECK_FROM, options.check_decks, options.threads
        )
        _train_reading(options, (tuple(learn), tuple(flat)), [*check, *other])
    if options.only != "read":
        _train_finding(options, tuple(learn), list(load_material(check)))


def _begun(
    options: argparse.Namespace, net: Net, written: Path, steps: int, batch: BatchMaker
) -> tuple[Net, Course]:
    """The network to begin with, fresh or as it was written last, and its course."""
    rate = _GOING_ON_RATE if options.go_on else _RATE
    if options.go_on:
        go_on_from(net, written, batch)
    return net, Course(steps, seed=1, rate=rate, averaged_over=250)


# --- reading ---


@lru_cache(maxsize=1)
def _views(sources: tuple[tuple[Path, ...], ...]) -> tuple[Image, NDArray[np.int16], NDArray[np.float64]]:
    """All views of scenes and of flat decks, their labels, and how often each is shown."""
    loaded = [load_views(paths) for paths in sources if paths]
    labels = np.concatenate([known for _, known in loaded])
    source = np.repeat(np.arange(len(loaded)), [len(known) for _, known in loaded])
    return np.concatenate([views for views, _ in loaded]), labels, view_weights(labels, source)


def view_batch(sources: tuple[tuple[Path, ...], ...], rng: np.random.Generator) -> Batch:
    """A batch of augmented views of places and their classes."""
    views, known, weights = _views(sources)
    chosen = rng.choice(len(known), VIEWS_A_STEP, p=weights)
    varied = [varied_view(rng, views[n], int(known[n])) for n in chosen]
    return np.stack([view for view, _ in varied]), np.array([label for _, label in varied], np.int64)


def _train_reading(
    options: argparse.Namespace, learn: tuple[tuple[Path, ...], ...], check: list[Path]
) -> None:
    torch.manual_seed(1)
    batch = partial(view_batch, learn)
    net = train(
        *_begun(options, ReadNet(len(CLASSES)), READ_MODEL, options.steps, batch), batch, _reading_loss
    )
    checked, truth = load_views(check)
    views = np.stack([plain_view(view) for view in checked])
    finish(net, net.score[-1], views, truth.astype(np.int64), options.models / READ_MODEL.name, "places")


def _reading_loss(scores: Tensor, truth: Tensor) -> Tensor:
    return functional.cross_entropy(scores, truth, label_smoothing=0.005)


# --- finding ---


@lru_cache(maxsize=1)
def _pictures(paths: tuple[Path, ...]) -> tuple[list[MaterialPicture], list[Tilt | None], list[Image]]:
    """All pictures with their tilts, and the patterns on which cards are laid."""
    learn = list(load_material(paths))
    patterns = [make_pattern(np.random.default_rng([n, 7])) for n in range(_PATTERNS)]
    return learn, [_slant_of(picture) for picture in learn], patterns


def picture_batch(paths: tuple[Path, ...], rng: np.random.Generator) -> Batch:
    """A batch of augmented parts of pictures and the map of what is to be found in them."""
    learn, slants, patterns = _pictures(paths)
    chosen = [(learn[n], slants[n]) for n in rng.integers(len(learn), size=PICTURES_A_STEP)]
    return _to_be_found(
        [varied_picture(rng, one.small, one.cards, _SIDE, patterns, slant) for one, slant in chosen]
    )


def _to_be_found(varied: list[tuple[Image, NDArray[np.float32]]]) -> Batch:
    truth = torch.stack([found_at(cards, _SIDE // STRIDE) for _, cards in varied])
    return np.stack([picture for picture, _ in varied]), truth.numpy()


def _train_finding(
    options: argparse.Namespace, learn: tuple[Path, ...], check: list[MaterialPicture]
) -> None:
    torch.manual_seed(2)
    batch = partial(picture_batch, learn)
    net, course = _begun(options, FindNet(), FIND_MODEL, options.finding_steps, batch)
    net = train(net, course, batch, _finding_loss)
    rng = np.random.default_rng(3)
    pictures, truth = _to_be_found(
        [varied_picture(rng, one.small, one.cards, _SIDE, (), _slant_of(one)) for one in check]
    )
    loss = _finding_loss(torch.from_numpy(scores_of(net, pictures)), torch.from_numpy(truth))
    say(f"loss on other pictures: {float(loss):.4f}")
    say(write_network(net, (3, 384, 512), options.models / FIND_MODEL.name))


def _slant_of(picture: MaterialPicture) -> Tilt | None:
    """The slant at which a picture was taken, by its cards; None where these are too few to tell."""
    if len(picture.cards) < _TELL_THE_SLANT:
        return None
    corners = picture.cards[:, :8].reshape(-1, 4, 2).astype(np.float64)
    return estimated_tilt(corners, (picture.small.shape[1], picture.small.shape[0]))


def found_at(cards: NDArray[np.float32], side: int) -> Tensor:
    """The target of the finding network: a Gaussian over every card, and its box near the peak."""
    truth = torch.zeros(FOUND + 1, side, side)  # the last: how much the shape counts
    kept = torch.from_numpy(cards[cards[:, 8] < _MOST_HIDDEN])
    if not len(kept):
        return truth
    corners = kept[:, :8].reshape(-1, 4, 2) / STRIDE
    middles = corners.mean(dim=1)
    short = shapes_of_halves((corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 4)
    long = shapes_of_halves((corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 4)
    sizes = torch.hypot(short[:, 0], short[:, 1])
    rows, columns = torch.meshgrid(torch.arange(side) + 0.5, torch.arange(side) + 0.5, indexing="ij")
    across, down = middles[:, 0, None, None] - columns, middles[:, 1, None, None] - rows
    away = across**2 + down**2
    hills = torch.exp(-away / 2 / (0.28 * sizes).clamp(min=0.55)[:, None, None] ** 2)
    truth[0] = hills.amax(dim=0)
    owner = away.argmin(dim=0)  # the card whose middle is nearest
    near = away.amin(dim=0) < (0.3 * sizes**2).clamp(min=1.0)[owner]
    told = torch.cat([short, long, kept[:, 9:10]], dim=1)[owner].movedim(-1, 0)
    offset = torch.stack([part.gather(0, owner[None])[0] for part in (across, down)])
    counts = (_USUAL_SIZE / sizes).clamp(0.5, 2.0)[owner]
    truth[1:] = torch.cat([offset, told, counts[None]]) * near
    return truth


def _finding_loss(said: Tensor, truth: Tensor) -> Tensor:
    """Weighted BCE plus squared error on the heat map; where a card is, smooth L1 on the shape of its box,
    and BCE on whether it is a station.
    """
    likely = torch.sigmoid(said[:, 0])
    weight = 1 + 8 * truth[:, 0]
    hills = (
        weight * functional.binary_cross_entropy_with_logits(said[:, 0], truth[:, 0], reduction="none")
    ).mean()
    focus = (weight * (likely - truth[:, 0]) ** 2).mean()
    counted = truth[:, FOUND : FOUND + 1]
    away = functional.smooth_l1_loss(said[:, 1:7], truth[:, 1:7], reduction="none", beta=0.1)
    kind = functional.binary_cross_entropy_with_logits(said[:, 7:8], truth[:, 7:8], reduction="none")
    shape = 0.6 * (away * counted).sum() + _KIND_WEIGHT * (kind * counted).sum()
    return hills + 4 * focus + shape / (counted.sum() * 2 + 1)
