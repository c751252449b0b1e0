"""Cameras, which post faces to the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from ..answers import Camera
from ..connection import Connection
from ..fields import segment
from ..parameters import CameraChange, CameraParameters

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Cameras:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> List[Camera]:
        """All cameras, oldest first."""
        return self._connection.send("GET", "/camera")

    def create(self, **parameters: Unpack[CameraParameters]) -> Camera:
        """Creates a camera. Not repeated after a lost answer: that could create a second one."""
        return self._connection.send("POST", "/camera", json=parameters)

    def get(self, id: str) -> Camera:
        return self._connection.send("GET", f"/camera/{segment(id)}")

    def update(self, id: str, **change: Unpack[CameraChange]) -> Camera:
        """Changes a camera. An absent ``rot`` or ``roi`` deletes this region."""
        return self._connection.send("PUT", f"/camera/{segment(id)}", json=change)

    def delete(self, id: str) -> None:
        """Deletes a camera. Its faces and events remain."""
        self._connection.send("DELETE", f"/camera/{segment(id)}")
