"""Errors of the client: the service refused a request, or did not answer."""

from __future__ import annotations

from typing import Any, Optional


class MienError(Exception):
    """The service refused the request.

    ``status`` is the HTTP status and ``code`` is for programs: a code of the API, ``TOO_MANY_FACES`` for its numeric code
    400, or ``UNEXPECTED_ANSWER`` if a proxy or a wrong URL answered. ``reason`` is for people and may change. ``request_id``
    identifies the request in the log of the service. ``retry_after`` is in seconds. ``param`` is the invalid parameter.
    ``faces`` has the boxes of the detected faces, with ``TOO_MANY_FACES``.
    """

    def __init__(
        self,
        status: int,
        code: str,
        reason: str,
        *,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        param: Optional[str] = None,
        faces: Optional[list[dict[str, Any]]] = None,
    ) -> None:
        request = f" (request {request_id})" if request_id else ""
        super().__init__(f"{status} {code}: {reason}{request}")
        self.status = status
        self.code = code
        self.reason = reason
        self.request_id = request_id
        self.retry_after = retry_after
        self.param = param
        self.faces = faces


class MienNetworkError(Exception):
    """No complete answer arrived: the service is unreachable, or the connection broke. ``__cause__`` has the error."""


class MienTimeoutError(MienNetworkError):
    """The call took longer than the client's ``timeout``, retries included."""
