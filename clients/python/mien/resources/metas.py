"""Metas of enrolled faces."""

from __future__ import annotations

from typing import Iterator, Optional

from ..answers import MetaEntry
from ..connection import Connection
from ..fields import segment
from ..pages import entries


class Metas:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(
        self, *, gallery: Optional[str] = None, page_size: Optional[int] = None
    ) -> Iterator[MetaEntry]:
        """Lists each meta with the number of its faces and the first of them."""
        path = "/meta" if gallery is None else f"/meta/gallery/{segment(gallery)}"
        return entries(self._connection, path, {"limit": page_size})
