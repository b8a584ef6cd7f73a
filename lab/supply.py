"""``make sbom``: what an installation consists of, as a bill of materials in CycloneDX 1.5.

Libraries come from the package's lock, which has all of an installation's, with every hash, data files from
the repository with theirs, licences from ``LICENCES.md``. The same sources make the same file, byte for byte.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
import uuid
from pathlib import Path
from typing import Any

from lab.locking import PACKAGE_LOCK

ROOT = Path(__file__).parents[1]
TARGET = Path("build/sbom.json")
_LIBRARY = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_DATA_ROW = re.compile(r"^\| `([^`]+)` \| (.+) \| ([^|]+) \|$", re.MULTILINE)
_LIBRARY_ROW = re.compile(r"^\| ([a-z0-9-]+) \| ([^|]+) \|$", re.MULTILINE)
_NAMED = "library"  # the head of the table


def data_licences(text: str) -> dict[str, str]:
    """The licence of each data file, as ``LICENCES.md`` has it."""
    return {path: licence.strip() for path, _, licence in _DATA_ROW.findall(text)}


def library_licences(text: str) -> dict[str, str]:
    """And of each library."""
    return {name: licence.strip() for name, licence in _LIBRARY_ROW.findall(text) if name != _NAMED}


def locked(text: str) -> list[tuple[str, str, list[str]]]:
    """Name, version and hashes of every library in the lock."""
    found: list[tuple[str, str, list[str]]] = []
    for line in text.splitlines():
        library = _LIBRARY.match(line)
        if library:
            found.append((library[1].lower(), library[2], []))
        if found:
            found[-1][2].extend(_HASH.findall(line))
    return found


def bill(root: Path = ROOT) -> dict[str, Any]:
    """The bill of materials as CycloneDX."""
    licences = (root / "LICENCES.md").read_text()
    of_library, of_data = library_licences(licences), data_licences(licences)
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "licenses": [{"expression": of_library[name]}],
            "hashes": [{"alg": "SHA-256", "content": one} for one in sorted(hashes)],
        }
        for name, version, hashes in locked((root / PACKAGE_LOCK).read_text())
    ]
    components += [
        {
            "type": "data",
            "bom-ref": path,
            "name": path,
            "licenses": [{"license": {"name": licence}}],
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256((root / path).read_bytes()).hexdigest()}],
        }
        for path, licence in of_data.items()
    ]
    found = re.search(r'__version__ = "([^"]+)"', (root / "companion" / "__init__.py").read_text())
    if found is None:
        raise ValueError("companion/__init__.py names no version")
    version = found[1]
    content = json.dumps(components, sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": project["name"],
                "name": project["name"],
                "version": version,
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": components,
        "dependencies": [
            {"ref": project["name"], "dependsOn": [component["bom-ref"] for component in components]}
        ],
    }


def main() -> int:
    """Write the bill of materials."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(bill(), indent=1) + "\n")
    sys.stdout.write(f"{TARGET}: {len(bill()['components'])} components\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
