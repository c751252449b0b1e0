"""Persons: groups of faces that belong to one human."""

from __future__ import annotations

from typing import Any, Iterator

from ..connection import Connection
from ..pages import entries


class Persons:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> Iterator[dict[str, Any]]:
        return entries(self._connection, "/persons", {})

    def get(self, id: int) -> dict[str, Any]:
        return self._connection.send("GET", f"/person/id/{int(id)}")

    def delete(self, id: int) -> None:
        """Deletes a person and all faces of this person."""
        self._connection.send("DELETE", f"/person/id/{int(id)}")

    def history(self, id: int, **filter: Any) -> Iterator[dict[str, Any]]:
        """Lists the camera events of a person, newest first. Filter: ``cam_ids``, ``start``, ``end`` (ISO 8601)."""
        return entries(self._connection, f"/person/history/id/{int(id)}", filter)
