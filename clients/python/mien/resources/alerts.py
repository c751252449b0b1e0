"""Alert rules about faces of cameras, and the deliveries of their messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from ..answers import Alert, Delivery, NewAlert, NewSecret
from ..connection import Connection
from ..fields import segment
from ..pages import entries
from ..parameters import AlertParameters, DeliveryFilter

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Alerts:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

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
