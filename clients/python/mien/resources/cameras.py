"""Cameras, which post faces to the history, and alert rules about these faces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional

from ..answers import Alert, Camera, CameraLease, CameraState, Delivery, HistoryEvent, NewAlert, NewSecret
from ..connection import Resource, entries
from ..fields import Photo, part_of, segment, text_parts
from ..parameters import (
    AlertParameters,
    CameraChange,
    CameraParameters,
    CameraReport,
    DeliveryFilter,
    HistoryFilter,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Cameras(Resource):
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


#: Events per request. Without a limit the API returns all events at once.
_PAGE_SIZE = 100


class History(Resource):
    def search(self, *, page_size: int = _PAGE_SIZE, **filter: Unpack[HistoryFilter]) -> Iterator[HistoryEvent]:
        """Lists the events of cameras, newest first."""
        return entries(self._connection, "/history/search", {**filter, "limit": page_size})


class Alerts(Resource):
    def list(self) -> Iterator[Alert]:
        """All rules, oldest first."""
        return entries(self._connection, "/alerts", {})

    def create(self, **parameters: Unpack[AlertParameters]) -> NewAlert:
        """Creates a rule. ``secret`` is in this answer only, and missing without a ``url``.

        Not repeated after a lost answer: that could create a second one.
        """
        return self._connection.send("POST", "/alerts", json=parameters)

    def get(self, id: str) -> Alert:
        return self._connection.send("GET", f"/alert/id/{segment(id)}")

    def update(self, id: str, **parameters: Unpack[AlertParameters]) -> NewAlert:
        """Replaces all settings of a rule: a missing condition is removed.

        The answer has a ``secret`` with the first ``url`` of the rule.
        """
        return self._connection.send("PUT", f"/alert/id/{segment(id)}", json=parameters)

    def delete(self, id: str) -> None:
        """Deletes a rule with its deliveries."""
        self._connection.send("DELETE", f"/alert/id/{segment(id)}")

    def rotate_secret(self, id: str) -> NewSecret:
        """Adds a secret. Messages carry signatures of the new and the previous secret for 24 hours."""
        return self._connection.send("POST", f"/alert/id/{segment(id)}/secret")

    def test(self, id: str) -> Delivery:
        """Sends a message without a face."""
        return self._connection.send("POST", f"/alert/id/{segment(id)}/test")

    def deliveries(self, id: str, **filter: Unpack[DeliveryFilter]) -> Iterator[Delivery]:
        """Lists the deliveries of a rule, newest first."""
        return entries(self._connection, f"/alert/id/{segment(id)}/deliveries", filter)

    def retry(self, id: str, delivery: int) -> Delivery:
        """Sends a failed delivery again."""
        return self._connection.send("POST", f"/alert/id/{segment(id)}/deliveries/{int(delivery)}/retry")
