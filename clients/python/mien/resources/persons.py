"""Persons: groups of faces that belong to one human."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from ..answers import Person, PersonHistoryEntry
from ..connection import Connection
from ..pages import entries
from ..parameters import PersonHistoryFilter

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Persons:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> Iterator[Person]:
        return entries(self._connection, "/persons", {})

    def get(self, id: int) -> Person:
        return self._connection.send("GET", f"/person/id/{int(id)}")

    def delete(self, id: int) -> None:
        """Deletes a person and all faces of this person."""
        self._connection.send("DELETE", f"/person/id/{int(id)}")

    def history(self, id: int, **filter: Unpack[PersonHistoryFilter]) -> Iterator[PersonHistoryEntry]:
        """Lists the camera events of a person, newest first."""
        return entries(self._connection, f"/person/history/id/{int(id)}", filter)
