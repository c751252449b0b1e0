"""History: faces that cameras posted."""

from __future__ import annotations

from typing import Any, Iterator

from ..connection import Connection
from ..pages import entries

#: Events per request. Without a limit the API returns all events at once.
_PAGE_SIZE = 100


class History:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def search(self, *, page_size: int = _PAGE_SIZE, **filter: Any) -> Iterator[dict[str, Any]]:
        """Lists the events of cameras, newest first.

        Filter: ``cam_ids``, ``start``, ``end`` (ISO 8601), ``person_id``, ``friend``.
        """
        return entries(self._connection, "/history/search", {**filter, "limit": page_size})
