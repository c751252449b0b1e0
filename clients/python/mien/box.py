"""Boxes in the keys of an answer of identify."""

from __future__ import annotations

import re

_KEY = re.compile(r"\[(-?\d+), (-?\d+), (-?\d+), (-?\d+)\]")


def box_of(key: str) -> dict[str, int]:
    """The box of a key, for example ``[177, 155, 252, 251]``. Raises ValueError for another text."""
    match = _KEY.fullmatch(key)
    if match is None:
        raise ValueError("key: expected four numbers as in [177, 155, 252, 251].")
    return dict(zip(("x1", "y1", "x2", "y2"), map(int, match.groups())))
