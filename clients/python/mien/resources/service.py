"""The audit log, and the state of the service."""

from __future__ import annotations

from typing import Iterator, Optional

from ..answers import AuditEntry, AuditVerification, ServiceState
from ..connection import Connection
from ..pages import entries


class Service:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self) -> ServiceState:
        """Version, models, calibration, shards, backups, drills and response times."""
        return self._connection.send("GET", "/service")

    def audit_log(self, *, max_seq: Optional[int] = None, page_size: Optional[int] = None) -> Iterator[AuditEntry]:
        """Lists the changes of the data of the owner, newest first."""
        return entries(self._connection, "/audit-log", {"max_seq": max_seq, "limit": page_size})

    def verify_audit_log(self) -> AuditVerification:
        """Verifies further entries. It is complete when ``verified_to`` equals ``last``."""
        return self._connection.send("GET", "/audit-log/verification")
