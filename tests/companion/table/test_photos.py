from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from companion.table.exc import TableError
from companion.table.photos import keep_photo, kept_photo


def test_a_photograph_is_kept_under_its_hash(tmp_path: Path) -> None:
    digest = keep_photo(tmp_path, b"a picture")
    assert digest == sha256(b"a picture").hexdigest()
    assert kept_photo(tmp_path, digest) == b"a picture"
    assert keep_photo(tmp_path, b"a picture") == digest
    assert [path.name for path in (tmp_path / "photos").iterdir()] == [f"{digest}.jpg"]


@pytest.mark.parametrize("digest", ["0" * 64, "../../../etc/passwd", "", "0" * 63, "A" * 64])
def test_what_is_not_there_is_nothing(tmp_path: Path, digest: str) -> None:
    assert kept_photo(tmp_path, digest) is None


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "photos").write_text("in the way")
    with pytest.raises(TableError):
        keep_photo(tmp_path, b"a picture")
