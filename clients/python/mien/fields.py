"""Parameters as fields of a form or a query, and as segments of a path; photos, and boxes."""

from __future__ import annotations

import json
import os
import re
from typing import Any, BinaryIO, Mapping, Optional, Union
from urllib.parse import quote


#: A JSON field of a form keeps the type of its value: a text stays a text.
_JSON_FIELDS = frozenset({"detectorParams"})


def fields_of(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Text of each parameter: scalars as they are, structures as JSON. None is left out."""
    return {name: _text_of(name, value) for name, value in parameters.items() if value is not None}


def text_parts(parameters: Mapping[str, Any]) -> dict[str, Part]:
    """Parameters as text parts of a form."""
    return {name: (None, text.encode()) for name, text in fields_of(parameters).items()}


def _text_of(name: str, value: Any) -> str:
    if isinstance(value, str) and name not in _JSON_FIELDS:
        return value
    return json.dumps(list(value) if isinstance(value, (set, tuple)) else value)


def segment(name: Union[str, int]) -> str:
    """A name as a segment of a path. Raises ValueError for a name that would address another path."""
    if name in ("", ".", ".."):
        raise ValueError('Expected a name or an id, got "", "." or "..".')
    return quote(str(name), safe="")


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


_KEY = re.compile(r"\[(-?\d+), (-?\d+), (-?\d+), (-?\d+)\]")


def box_of(key: str) -> dict[str, int]:
    """The box of a key, for example ``[177, 155, 252, 251]``. Raises ValueError for another text."""
    match = _KEY.fullmatch(key)
    if match is None:
        raise ValueError("key: expected four numbers as in [177, 155, 252, 251].")
    return dict(zip(("x1", "y1", "x2", "y2"), map(int, match.groups())))
