"""The learning itself: AdamW on a one-cycle schedule, and the last weights averaged (Polyak averaging)."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from lab.training import IGNORED
from vision.nets import as_input
from vision.rectify import Image

Batch: TypeAlias = tuple[Image, NDArray[np.int64]]  # pictures, labels
BatchMaker: TypeAlias = Callable[[np.random.Generator], Batch]  # a function of a module: it runs elsewhere
Say = Callable[[str], None]
Net = TypeVar("Net", bound=nn.Module)
_AHEAD = 6  # batches made while the network still learns from the last


@dataclass(frozen=True)
class Course:
    """How a network is taught."""

    steps: int
    seed: int
    rate: float = 2.5e-3
    decay: float = 0.02
    averaged_over: int = 400  # steps over which weights are averaged
    kept: Path | None = None  # where the averaged weights are written now and then


def teach(net: Net, course: Course, batch: BatchMaker, say: Say) -> Net:
    """Teach a network; the weights averaged over the last steps come back."""
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
    for step, (pictures, labels) in enumerate(_batches(course, batch), start=1):
        losses += _step(net, optimiser, torch.from_numpy(as_input(pictures)), torch.from_numpy(labels))
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
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for step in range(course.steps + _AHEAD):
            if step < course.steps:
                waiting.append(pool.submit(partial(_numbered_batch, batch), course.seed, step))
            if step >= _AHEAD:
                yield waiting.popleft().result()


def _numbered_batch(batch: BatchMaker, seed: int, step: int) -> Batch:
    return batch(np.random.default_rng([seed, step]))


def _step(net: nn.Module, optimiser: torch.optim.Optimizer, pictures: Tensor, labels: Tensor) -> float:
    pictures = pictures.contiguous(memory_format=torch.channels_last)
    net.train()
    optimiser.zero_grad(set_to_none=True)
    # Half the time on processors that calculate with bfloat16; weights stay exact.
    with torch.autocast("cpu", torch.bfloat16):
        scores = net(pictures)
    loss = functional.cross_entropy(scores.float(), labels, ignore_index=IGNORED)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimiser.step()
    return float(loss.detach())


@torch.no_grad()
def average(averaged: nn.Module, net: nn.Module, kept: float) -> None:
    """Keep that share of the averaged weights, and take the rest from the network as it is now."""
    for mean, now in zip(averaged.state_dict().values(), net.state_dict().values(), strict=True):
        if mean.dtype.is_floating_point:
            mean.lerp_(now, 1 - kept)
        else:
            mean.copy_(now)
