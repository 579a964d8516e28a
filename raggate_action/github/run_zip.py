"""A run directory as the zip that it is stored as: the same files, the same bytes."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import IO, Final

from raggate_action.github.archive import MEMBERS_LEFT, MEMBERS_READ

# The earliest that a zip can name: when a file was written says nothing of a run.
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644


def write_zip(directory: Path, file: IO[bytes]) -> None:
    """Pack a run directory: the files that a run leaves, as plain files, and nothing else that lies there.

    Args:
        directory: A run's.
        file: Where the zip is written to.

    Raises:
        OSError: A file cannot be read, or the zip cannot be written.
        zipfile.LargeZipFile: A file of 2 GiB or more, which no reader of ours takes.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=False) as packed:
        for name in sorted(MEMBERS_READ | MEMBERS_LEFT):
            path = directory / name
            if not path.is_file() or path.is_symlink():
                continue
            member = zipfile.ZipInfo(name, _MOMENT)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, _MODE << 16
            member.file_size = path.stat().st_size
            with path.open("rb") as content, packed.open(member, "w") as place:
                shutil.copyfileobj(content, place)
