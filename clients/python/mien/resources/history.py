"""History: faces that cameras posted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from ..answers import HistoryEvent
from ..connection import Connection
from ..pages import entries
from ..parameters import HistoryFilter

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Events per request. Without a limit the API returns all events at once.
_PAGE_SIZE = 100


class History:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def search(self, *, page_size: int = _PAGE_SIZE, **filter: Unpack[HistoryFilter]) -> Iterator[HistoryEvent]:
        """Lists the events of cameras, newest first."""
        return entries(self._connection, "/history/search", {**filter, "limit": page_size})
