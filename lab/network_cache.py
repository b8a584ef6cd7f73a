"""What networks say of pictures, remembered on disk: benches that read the same pictures again run none."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from vision.nets import _net as net_of

Output: TypeAlias = tuple[NDArray[np.float32], ...]  # of one picture, by layer


@dataclass
class _CachedNet:
    """Stands for a network of OpenCV: runs it on those pictures of a batch alone that it has not seen."""

    network: Path
    known: dict[bytes, Output]
    _batch: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))

    def setInput(self, batch: NDArray[np.float32]) -> None:  # noqa: N802 - as OpenCV calls it
        """The pictures, (n, channels, height, width)."""
        self._batch = batch

    def forward(self, names: Sequence[str] | None = None) -> NDArray[np.float32] | list[NDArray[np.float32]]:
        """The last layer's output, or those of the named layers, for every picture."""
        salt = " ".join([self.network.name, *(names or ())]).encode()
        keys = [blake2b(picture.tobytes(), digest_size=16, key=salt[:64]).digest() for picture in self._batch]
        for key, picture in zip(keys, self._batch, strict=True):
            if key not in self.known:
                net = net_of(self.network)
                net.setInput(picture[None])
                outputs = [net.forward()] if names is None else net.forward(list(names))
                self.known[key] = tuple(np.asarray(one[0], np.float32).copy() for one in outputs)
        layers = [np.stack(one) for one in zip(*(self.known[key] for key in keys), strict=True)]
        return layers[0] if names is None else layers


@contextmanager
def cached_networks(file: Path, *, kept: bool = True) -> Iterator[None]:
    """Networks are run only on what they were not run on before, as this file remembers; what is new is
    ``kept`` in it.

    One picture at a time, so that what a network says does not depend on what else is in its batch.
    """
    known: dict[bytes, Output] = pickle.loads(file.read_bytes()) if file.exists() else {}
    before = len(known)
    nets: dict[Path, _CachedNet] = {}
    with patch("vision.nets._net", lambda path: nets.setdefault(path, _CachedNet(path, known))):
        yield
    if kept and len(known) > before:
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")  # another process may be reading
        new.write_bytes(pickle.dumps(known))
        new.replace(file)
