"""Cameras, which post faces to the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from ..answers import Camera, CameraLease, CameraState
from ..connection import Connection
from ..fields import segment, text_parts
from ..parameters import CameraChange, CameraParameters, CameraReport
from ..photo import Photo, part_of

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

    def state(self, id: str) -> CameraState:
        """Whether a watcher holds the camera and frames arrive, and what it reported last."""
        return self._connection.send("GET", f"/camera/{segment(id)}/state")

    def picture(self, id: str) -> bytes:
        """The last frame, a JPEG picture with boxes around the faces.

        The first call makes the watcher send pictures for a while, and raises NOT_FOUND with ``retry_after``.
        """
        return self._connection.send("GET", f"/camera/{segment(id)}/picture")

    def lease(self, id: str, picture: Optional[Photo] = None, **report: Unpack[CameraReport]) -> CameraLease:
        """Takes the camera for a watcher, or reports its state. The lease ends some seconds after the last report.

        Raises CAMERA_TAKEN with ``retry_after`` while another watcher holds the camera.
        """
        path = f"/camera/{segment(id)}/lease"
        if picture is None:
            return self._connection.send("PUT", path, json=report)
        form = {"picture": part_of("picture", picture), **text_parts(report)}
        return self._connection.send("PUT", path, form=form)

    def release(self, id: str, watcher: str) -> None:
        """Gives the camera back. Other watchers may take it at once."""
        self._connection.send("DELETE", f"/camera/{segment(id)}/lease", json={"watcher": watcher})

    def delete(self, id: str) -> None:
        """Deletes a camera. Its faces and events remain."""
        self._connection.send("DELETE", f"/camera/{segment(id)}")
