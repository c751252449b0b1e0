"""Parameters as fields of a form or a query, and as segments of a path."""

from __future__ import annotations

import json
from typing import Any, Mapping
from urllib.parse import quote

from .photo import Part

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


def segment(name: str) -> str:
    """A name as a segment of a path. Raises ValueError for a name that would address another path."""
    if name in ("", ".", ".."):
        raise ValueError('Expected a name or an id, got "", "." or "..".')
    return quote(name, safe="")
