"""Cameras, which post faces to the history."""

from __future__ import annotations

from typing import Any, List

from ..connection import Connection
from ..fields import segment


class Cameras:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> List[dict[str, Any]]:
        """All cameras, oldest first."""
        return self._connection.send("GET", "/camera")

    def create(self, **parameters: Any) -> dict[str, Any]:
        """Creates a camera. Not repeated after a lost answer: that could create a second one.

        Parameters: ``meta``, ``url``, ``detector``, ``rot``, ``roi``, ``enabled``, ``retention_days``.
        """
        return self._connection.send("POST", "/camera", json=parameters)

    def get(self, id: str) -> dict[str, Any]:
        return self._connection.send("GET", f"/camera/{segment(id)}")

    def update(self, id: str, **change: Any) -> dict[str, Any]:
        """Changes a camera. An absent ``rot`` or ``roi`` deletes this region."""
        return self._connection.send("PUT", f"/camera/{segment(id)}", json=change)

    def delete(self, id: str) -> None:
        """Deletes a camera. Its faces and events remain."""
        self._connection.send("DELETE", f"/camera/{segment(id)}")
