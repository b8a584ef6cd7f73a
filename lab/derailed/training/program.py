"""Makes the material, teaches both networks, writes them: see ``__main__`` for the options."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.games.derailed.eye.cards.detection import MODEL as FIND_MODEL
from companion.games.derailed.eye.cards.faces import CLASSES
from companion.games.derailed.eye.cards.views import HEIGHT, WIDTH
from companion.games.derailed.eye.cards.views import MODEL as READ_MODEL
from companion.games.derailed.eye.grids.tilt import Tilt, estimated_tilt
from lab.derailed.training.backgrounds import make_pattern
from lab.derailed.training.material import MaterialPicture, load_material, make_material
from lab.derailed.training.networks import FOUND, STRIDE, FindNet, ReadNet, shapes_of_halves
from lab.derailed.training.variety import plain_view, varied_picture, varied_view, view_weights
from lab.training.calibration import calibrate
from lab.training.going_on import take_weights
from lab.training.writing import write_network
from vision.nets import as_input

LEARN_FROM, CHECK_FROM = 0, 950_000  # the first seed of each series; a picture a seed
VIEWS_A_STEP, PICTURES_A_STEP = 96, 8
_SIDE = 320  # pixels of the parts of pictures in which cards are looked for
_PATTERNS = 400  # on which cards are laid
_KIND_WEIGHT = 0.5
_TELL_THE_SLANT = 4  # cards at least
_USUAL_SIZE = 2.2  # half a card's short side, in strides: errors in the shape of smaller cards count for more
_MOST_HIDDEN = 0.6  # share of a card that may be hidden and it shall be found
_RATE, _GOING_ON_RATE = 2.5e-3, 1.2e-3  # of learning at most: from nothing, from a written network
_AVERAGED_OVER = 250  # steps over which weights are averaged
Batch = tuple[Tensor, Tensor]
Net = TypeVar("Net", bound=nn.Module)
Loss = Callable[[Tensor, Tensor], Tensor]


def run(options: argparse.Namespace) -> None:
    """Teach, and say how well it went."""
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    learn = make_material(options.folder / "learn", LEARN_FROM, options.pictures, options.threads)
    check = make_material(options.folder / "check", CHECK_FROM, options.checks, options.threads)
    if options.only != "find":
        _teach_reading(options, list(load_material(learn)), list(load_material(check)))
    if options.only != "read":
        _teach_finding(options, list(load_material(learn)), list(load_material(check)))


def say(line: str) -> None:
    """Tell how far it is."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def teach(
    net: Net, steps: int, batch: Callable[[np.random.Generator], Batch], loss: Loss, rate: float = _RATE
) -> Net:
    """Teach a network; the weights averaged over the last steps come back."""
    rng = np.random.default_rng(1)
    net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate, total_steps=steps, pct_start=0.1, final_div_factor=200
    )
    averaged, started, losses = deepcopy(net), time.monotonic(), 0.0
    for step in range(1, steps + 1):
        pictures, truth = batch(rng)
        net.train()
        # Half the time on processors that calculate with bfloat16; weights stay exact.
        with torch.autocast("cpu", torch.bfloat16):
            said = net(pictures.contiguous(memory_format=torch.channels_last))
        error = loss(said.float(), truth)
        optimiser.zero_grad()
        error.backward()
        optimiser.step()
        schedule.step()
        _average(averaged, net, min(1 - 1 / _AVERAGED_OVER, step / (step + 10)))
        losses += float(error.detach())
        if step % 100 == 0:
            say(f"step {step}: loss {losses / 100:.4f}, {time.monotonic() - started:.0f} s")
            losses = 0.0
    return averaged.eval()


@torch.no_grad()
def _average(averaged: nn.Module, net: nn.Module, kept: float) -> None:
    for old, new in zip(averaged.parameters(), net.parameters(), strict=True):
        old.mul_(kept).add_(new, alpha=1 - kept)
    for old, new in zip(averaged.buffers(), net.buffers(), strict=True):
        old.copy_(new)


def _begun(
    options: argparse.Namespace, net: Net, written: Path, batch: Callable[[np.random.Generator], Batch]
) -> tuple[Net, float]:
    """The network to begin with, and how quickly it learns: fresh, or as it was written last."""
    if not options.go_on:
        return net, _RATE
    rng = np.random.default_rng(5)
    take_weights(net, written, torch.cat([batch(rng)[0] for _ in range(4)]))
    return net, _GOING_ON_RATE


# --- reading ---


def _teach_reading(
    options: argparse.Namespace, learn: list[MaterialPicture], check: list[MaterialPicture]
) -> None:
    views = np.concatenate([picture.views for picture in learn])
    known = np.concatenate([picture.labels for picture in learn])
    weights = view_weights(known)

    def batch(rng: np.random.Generator) -> Batch:
        chosen = rng.choice(len(known), VIEWS_A_STEP, p=weights)
        varied = [varied_view(rng, views[n], int(known[n])) for n in chosen]
        labels = torch.tensor([label for _, label in varied])
        return torch.from_numpy(as_input(np.stack([view for view, _ in varied]))), labels

    torch.manual_seed(1)
    net, rate = _begun(options, ReadNet(len(CLASSES)), READ_MODEL, batch)
    net = teach(net, options.steps, batch, _reading_loss, rate)
    inputs = as_input(np.stack([plain_view(view) for picture in check for view in picture.views]))
    truth = np.concatenate([picture.labels for picture in check]).astype(np.int64)
    with torch.no_grad():
        logits = net(torch.from_numpy(inputs)).numpy()
    say(calibrate(net.score[-1], logits, truth))
    say(write_network(net, (3, HEIGHT, WIDTH), options.models / READ_MODEL.name))
    say(f"places right: {(logits.argmax(axis=1) == truth).mean():.4%} of {len(truth)}")


def _reading_loss(scores: Tensor, truth: Tensor) -> Tensor:
    return functional.cross_entropy(scores, truth, label_smoothing=0.005)


# --- finding ---


def _teach_finding(
    options: argparse.Namespace, learn: list[MaterialPicture], check: list[MaterialPicture]
) -> None:
    patterns = [make_pattern(np.random.default_rng([n, 7])) for n in range(_PATTERNS)]
    slants = [_slant_of(one) for one in learn]

    def batch(rng: np.random.Generator) -> Batch:
        chosen = [(learn[n], slants[n]) for n in rng.integers(len(learn), size=PICTURES_A_STEP)]
        varied = [varied_picture(rng, one.small, one.cards, _SIDE, patterns, slant) for one, slant in chosen]
        truth = torch.stack([found_at(cards, _SIDE // STRIDE) for _, cards in varied])
        return torch.from_numpy(as_input(np.stack([picture for picture, _ in varied]))), truth

    torch.manual_seed(2)
    net, rate = _begun(options, FindNet(), FIND_MODEL, batch)
    net = teach(net, options.finding_steps, batch, _finding_loss, rate)
    rng = np.random.default_rng(3)
    varied = [varied_picture(rng, one.small, one.cards, _SIDE, (), _slant_of(one)) for one in check]
    with torch.no_grad():
        said = net(torch.from_numpy(as_input(np.stack([picture for picture, _ in varied]))))
        truth = torch.stack([found_at(cards, _SIDE // STRIDE) for _, cards in varied])
        say(f"loss on other pictures: {float(_finding_loss(said, truth)):.4f}")
    say(write_network(net, (3, 384, 512), options.models / FIND_MODEL.name))


def _slant_of(picture: MaterialPicture) -> Tilt | None:
    """The slant at which a picture was taken, by its cards; None where these are too few to tell."""
    if len(picture.cards) < _TELL_THE_SLANT:
        return None
    corners = picture.cards[:, :8].reshape(-1, 4, 2).astype(np.float64)
    return estimated_tilt(corners, (picture.small.shape[1], picture.small.shape[0]))


def found_at(cards: NDArray[np.float32], side: int) -> Tensor:
    """What the network should say: a hill over every card, and at its top where the card lies."""
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
