"""Tokens of the owner."""

from __future__ import annotations

from ..answers import CurrentToken
from ..connection import Connection


class Tokens:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def current(self) -> CurrentToken:
        """The token of this client: its owner, its scope, and what the scope allows."""
        return self._connection.send("GET", "/token")
