"""Lists that the service returns in pages."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional
from urllib.parse import parse_qsl, urlsplit

from .connection import Connection


def entries(
    connection: Connection, path: str, first: Mapping[str, Any]
) -> Iterator[Any]:
    """Each entry of a list. The next page is requested when it is needed."""
    query: Optional[Mapping[str, Any]] = first
    while query is not None:
        page = connection.send("GET", path, query=query)
        yield from page["results"]
        link = page.get("next_page")
        query = dict(parse_qsl(urlsplit(link).query)) if link else None
