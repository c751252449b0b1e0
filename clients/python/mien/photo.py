"""Photos of any kind as a part of a multipart form."""

from __future__ import annotations

import os
import re
from typing import BinaryIO, Optional, Union

#: A photo: a path, a URL that the service fetches (text that begins with ``http://``, ``https://`` or ``data:``), bytes, or
#: a file that is open for reading in binary mode. JPEG, PNG or WEBP, at most 10 MB.
Photo = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]

#: File name and content of a part of a form. A part without a name is text.
Part = tuple[Optional[str], bytes]

_URL = re.compile(r"(?:https?|data):", re.IGNORECASE)


def part_of(name: str, photo: Photo) -> Part:
    """The part of a photo. The service stores the file name with an enrolled face.

    Raises OSError for an unreadable path, and TypeError for another kind of value.
    """
    if isinstance(photo, (bytes, bytearray, memoryview)):
        return "photo", bytes(photo)
    if isinstance(photo, str) and _URL.match(photo):
        return None, photo.encode()
    if isinstance(photo, (str, os.PathLike)):
        with open(photo, "rb") as file:
            return _base_name(photo), file.read()
    if hasattr(photo, "read"):
        content = photo.read()
        if not isinstance(content, bytes):
            raise TypeError(f"{name}: expected a file that is open in binary mode.")
        return _base_name(getattr(photo, "name", "photo")), content
    raise TypeError(f"{name}: expected a path, a URL, bytes or an open file.")


def _base_name(path: object) -> str:
    """A file of the system without a name has a number in its place."""
    return os.path.basename(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else "photo"
