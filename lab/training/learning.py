"""The one training loop: AdamW on a one-cycle schedule, and the last weights averaged (Polyak averaging)."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from lab.bench import say
from lab.training import IGNORED
from lab.training.calibration import calibrate
from lab.training.going_on import take_weights
from lab.training.writing import write_network
from vision.nets import as_input

# Pictures (n, height, width, channels) or finished inputs, then the labels and whatever else the loss wants.
Batch: TypeAlias = Sequence[NDArray[Any]]
BatchMaker: TypeAlias = Callable[[np.random.Generator], Batch]  # picklable: it runs in another process
Loss: TypeAlias = Callable[..., Tensor]  # of the scores and of a batch's arrays after the first
Net = TypeVar("Net", bound=nn.Module)
_AHEAD = 6  # batches made while the network still learns from the last
_EXAMPLES = 4  # batches by which a network that was read back from its file is set
_AT_ONCE = 500  # inputs that a trained network scores at once


@dataclass(frozen=True)
class Course:
    """How a network is trained."""

    steps: int
    seed: int
    rate: float = 2.5e-3
    decay: float = 0.02
    averaged_over: int = 400  # steps over which weights are averaged
    kept: Path | None = None  # where the averaged weights are written now and then


def cross_entropy(scores: Tensor, labels: Tensor) -> Tensor:
    """The usual loss of a classifier; labels that are to be ignored do not count."""
    return functional.cross_entropy(scores, labels, ignore_index=IGNORED)


def train(net: Net, course: Course, batch: BatchMaker, loss: Loss = cross_entropy) -> Net:
    """Train a network; the weights averaged over the last steps come back."""
    net.to(memory_format=torch.channels_last)  # half as fast again
    optimiser = torch.optim.AdamW(net.parameters(), course.rate, weight_decay=course.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser,
        course.rate,
        total_steps=course.steps,
        pct_start=0.08,
        final_div_factor=300,
    )
    averaged, started, losses = deepcopy(net), time.monotonic(), 0.0
    for step, arrays in enumerate(_batches(course, batch), start=1):
        inputs, *truth = as_tensors(arrays)
        net.train()
        optimiser.zero_grad(set_to_none=True)
        # Half the time on processors that calculate with bfloat16; weights stay exact.
        with torch.autocast("cpu", torch.bfloat16):
            scores = net(inputs.contiguous(memory_format=torch.channels_last))
        error = loss(scores.float(), *truth)
        error.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        losses += float(error.detach())
        schedule.step()
        average(averaged, net, min(1 - 1 / course.averaged_over, step / (step + 10)))
        if step % 100 == 0:
            say(f"step {step}: loss {losses / 100:.4f}, {time.monotonic() - started:.0f} s")
            losses = 0.0
            if course.kept is not None:
                torch.save(averaged.state_dict(), course.kept)
    return averaged.eval()


def _batches(course: Course, batch: BatchMaker) -> Iterator[Batch]:
    """The batches of a course, made by another process; each depends on its number alone."""
    waiting: deque[Future[Batch]] = deque()
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        for step in range(course.steps + _AHEAD):
            if step < course.steps:
                waiting.append(pool.submit(partial(_numbered_batch, batch), course.seed, step))
            if step >= _AHEAD:
                yield waiting.popleft().result()


def _numbered_batch(batch: BatchMaker, seed: int, step: int) -> Batch:
    return batch(np.random.default_rng([seed, step]))


def as_tensors(arrays: Batch) -> list[Tensor]:
    """Convert a batch to tensors; pictures become the network's input."""
    first, *others = arrays
    inputs = as_input(first) if first.dtype == np.uint8 else first
    return [torch.from_numpy(array) for array in (inputs, *others)]


@torch.no_grad()
def average(averaged: nn.Module, net: nn.Module, kept: float) -> None:
    """Keep that share of the averaged weights, and take the rest from the network as it is now."""
    for mean, now in zip(averaged.state_dict().values(), net.state_dict().values(), strict=True):
        if mean.dtype.is_floating_point:
            mean.lerp_(now, 1 - kept)
        else:
            mean.copy_(now)


# --- before and after a course ---


def go_on_from(net: nn.Module, file: Path, batch: BatchMaker) -> None:
    """Give a network the weights of its file, to train it further."""
    examples = [as_tensors(batch(np.random.default_rng(number)))[0] for number in range(_EXAMPLES)]
    take_weights(net, file, torch.cat(examples))


@torch.no_grad()
def scores_of(net: nn.Module, inputs: NDArray[Any], at_once: int = _AT_ONCE) -> NDArray[np.float32]:
    """The scores that a network gives to pictures or finished inputs, computed so many at a time."""
    parts = np.array_split(inputs, max(1, len(inputs) // at_once))
    return np.concatenate([net(as_tensors([part])[0]).numpy() for part in parts])


def finish(
    net: nn.Module,
    last: nn.Module,
    inputs: NDArray[Any],
    labels: NDArray[np.int64],
    path: Path,
    what: str,
) -> NDArray[np.float32]:
    """Calibrate a classifier on examples that it did not learn from, write it, say how well it does.

    ``last`` is its last layer, ``what`` it classifies. Its scores before, (n, classes), come back.
    """
    logits = scores_of(net, inputs)
    say(calibrate(last, logits, labels))
    say(write_network(net, tuple(as_tensors([inputs[:1]])[0].shape[1:]), path))
    known = labels >= 0
    say(f"{what} right: {(logits.argmax(axis=1) == labels)[known].mean():.4%} of {known.sum()}")
    return logits
