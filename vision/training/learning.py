"""The learning itself: one loop for both networks."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.readers.cells import IGNORED

Batch = tuple[Tensor, Tensor]  # pictures, labels
Say = Callable[[str], None]
Net = TypeVar("Net", bound=nn.Module)


@dataclass(frozen=True)
class Course:
    """How a network is taught."""

    steps: int
    seed: int
    rate: float = 2.5e-3
    decay: float = 0.02
    averaged_over: int = 300  # steps over which weights are averaged
    kept: Path | None = None  # where the averaged weights are written now and then


def teach(net: Net, course: Course, batch: Callable[[np.random.Generator], Batch], say: Say) -> Net:
    """Teach a network; the weights averaged over the last steps come back."""
    rng = np.random.default_rng(course.seed)
    net.to(memory_format=torch.channels_last)  # half as fast again
    optimiser = torch.optim.AdamW(net.parameters(), course.rate, weight_decay=course.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser,
        course.rate,
        total_steps=course.steps,
        pct_start=0.1,
        final_div_factor=200,
    )
    averaged, started, losses = deepcopy(net), time.monotonic(), 0.0
    for step in range(1, course.steps + 1):
        losses += _step(net, optimiser, batch(rng))
        schedule.step()
        _average(averaged, net, min(1 - 1 / course.averaged_over, step / (step + 10)))
        if step % 100 == 0:
            say(f"step {step}: loss {losses / 100:.4f}, {time.monotonic() - started:.0f} s")
            losses = 0.0
            if course.kept is not None:
                torch.save(averaged.state_dict(), course.kept)
    return averaged.eval()


def _step(net: nn.Module, optimiser: torch.optim.Optimizer, batch: Batch) -> float:
    pictures, labels = batch
    pictures = pictures.contiguous(memory_format=torch.channels_last)
    net.train()
    optimiser.zero_grad(set_to_none=True)
    loss = functional.cross_entropy(net(pictures), labels, ignore_index=IGNORED, label_smoothing=0.01)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimiser.step()
    return float(loss.detach())


@torch.no_grad()
def _average(averaged: nn.Module, net: nn.Module, kept: float) -> None:
    for mean, now in zip(averaged.state_dict().values(), net.state_dict().values(), strict=True):
        if mean.dtype.is_floating_point:
            mean.lerp_(now, 1 - kept)
        else:
            mean.copy_(now)
