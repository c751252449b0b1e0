"""Tokens and users of the owner, the audit log, and the state and the settings of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional

from ..answers import (
    AuditEntry,
    AuditVerification,
    CreatedToken,
    CurrentToken,
    InvitedUser,
    RotatedToken,
    ServiceSettings,
    ServiceState,
    Token,
    User,
)
from ..connection import Resource, entries
from ..fields import segment
from ..parameters import Invitation, SettingsChange, TokenParameters

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Service(Resource):
    def get(self) -> ServiceState:
        """Version, models, calibration, shards, backups, drills and response times."""
        return self._connection.send("GET", "/service")

    def audit_log(self, *, max_seq: Optional[int] = None, page_size: Optional[int] = None) -> Iterator[AuditEntry]:
        """Lists the changes of the data of the owner, newest first."""
        return entries(self._connection, "/audit-log", {"max_seq": max_seq, "limit": page_size})

    def verify_audit_log(self) -> AuditVerification:
        """Verifies further entries. It is complete when ``verified_to`` equals ``last``."""
        return self._connection.send("GET", "/audit-log/verification")

    def request_backup(self) -> None:
        """Asks for a backup. ``get`` tells when it is complete."""
        self._connection.send("POST", "/backups")

    def settings(self) -> ServiceSettings:
        """The settings that can be changed while the service runs, with their origins."""
        return self._connection.send("GET", "/settings")

    def change_settings(self, **change: Unpack[SettingsChange]) -> ServiceSettings:
        """Changes settings. Those of ``reset`` get their initial values again."""
        return self._connection.send("PUT", "/settings", json=change)


class Tokens(Resource):
    def current(self) -> CurrentToken:
        """The token of this client: its owner, its scope, and what the scope allows."""
        return self._connection.send("GET", "/token")

    def list(self) -> List[Token]:
        """The tokens of the owner: valid ones first, then those that have ended."""
        return self._connection.send("GET", "/tokens")["results"]

    def create(self, **parameters: Unpack[TokenParameters]) -> CreatedToken:
        """Creates a token. Only this answer has its text. Not repeated after a lost answer."""
        return self._connection.send("POST", "/tokens", json=parameters)

    def rotate(self, id: str, *, grace_hours: Optional[float] = None) -> RotatedToken:
        """Replaces a token. The old one stays valid for ``grace_hours``, 24 without them."""
        body = {} if grace_hours is None else {"grace_hours": grace_hours}
        return self._connection.send("POST", f"/tokens/{segment(id)}/rotate", json=body)

    def revoke(self, id: str) -> None:
        """Ends a token. Every edge refuses it within 20 seconds."""
        self._connection.send("DELETE", f"/tokens/{segment(id)}")


class Users(Resource):
    def list(self) -> List[User]:
        """The users by name, with their passkeys and sessions."""
        return self._connection.send("GET", "/users")["results"]

    def invite(self, **parameters: Unpack[Invitation]) -> InvitedUser:
        """Invites somebody. Only this answer has the link. A known user gets another one with ``again``, and ``lost`` ends the passkeys."""
        return self._connection.send("POST", "/users", json=parameters)

    def delete(self, id: str) -> None:
        """Deletes a user with passkeys and sessions."""
        self._connection.send("DELETE", f"/users/{segment(id)}")

    def delete_passkey(self, id: str) -> None:
        """Removes a passkey, and ends the other sessions of its user."""
        self._connection.send("DELETE", f"/passkeys/{segment(id)}")

    def end_session(self, id: str) -> None:
        """Ends a session of a user."""
        self._connection.send("DELETE", f"/sessions/{segment(id)}")
