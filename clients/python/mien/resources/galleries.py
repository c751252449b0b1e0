"""Galleries: named sets of faces."""

from __future__ import annotations

from typing import List, Optional

from ..answers import Gallery, GalleryStatistics
from ..connection import Connection
from ..fields import segment


class Galleries:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> List[str]:
        """The names of all galleries."""
        return self._connection.send("GET", "/galleries")["results"]

    def statistics(self) -> List[GalleryStatistics]:
        """All galleries with the numbers of their faces and the states of their indexes."""
        return self._connection.send("GET", "/statistics/galleries")["results"]

    def create(self, name: str, *, retention_days: Optional[int] = None) -> Gallery:
        """Creates a gallery. Raises GALLERY_EXISTS if there is one of that name."""
        return self._connection.send("POST", f"/galleries/{segment(name)}", json=_settings(retention_days))

    def get(self, name: str) -> Gallery:
        return self._connection.send("GET", f"/galleries/{segment(name)}")

    def update(self, name: str, *, retention_days: Optional[int] = None) -> Gallery:
        """Changes how long a gallery keeps faces, in days; 0 for ever."""
        return self._connection.send("PUT", f"/galleries/{segment(name)}", json=_settings(retention_days))

    def delete(self, name: str) -> None:
        """Deletes a gallery and the faces in it, from every gallery."""
        self._connection.send("DELETE", f"/galleries/{segment(name)}")


def _settings(retention_days: Optional[int]) -> dict[str, int]:
    return {} if retention_days is None else {"retention_days": retention_days}
