"""Errors of the client: the service refused a request, or did not answer."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import Any, Optional

import requests


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
        # A copy, also for another process, is made from these.
        super().__init__(status, code, reason)
        self.status = status
        self.code = code
        self.reason = reason
        self.request_id = request_id
        self.retry_after = retry_after
        self.param = param
        self.faces = faces

    def __str__(self) -> str:
        request = f" (request {self.request_id})" if self.request_id else ""
        return f"{self.status} {self.code}: {self.reason}{request}"


class MienNetworkError(Exception):
    """No complete answer arrived: the service is unreachable, or the connection broke. ``__cause__`` has the error."""


class MienTimeoutError(MienNetworkError):
    """No answer began within the client's ``timeout``, retries included, or an answer stood still for as long."""


def refusal_of(response: requests.Response) -> MienError:
    """The error of a response."""
    body = _object_of(response)
    code, reason = body.get("code"), body.get("reason")
    is_refusal = isinstance(reason, str) and (isinstance(code, str) or code == 400)
    return MienError(
        response.status_code,
        _code_of(code) if is_refusal else "UNEXPECTED_ANSWER",
        str(reason) if is_refusal else _unexpected_reason(response),
        request_id=response.headers.get("x-request-id"),
        retry_after=_seconds_of(response.headers.get("retry-after")),
        param=body.get("param"),
        faces=body.get("faces"),
    )


def _code_of(code: Any) -> str:
    return "TOO_MANY_FACES" if code == 400 else str(code)


def _unexpected_reason(response: requests.Response) -> str:
    if 300 <= response.status_code < 400:
        return "The service answered with a redirect, which the client does not follow. Check the URL."
    return "The answer is not one of the service. Check the URL and the proxies before the service."


def _object_of(response: requests.Response) -> dict[str, Any]:
    try:
        parsed = response.json()
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _seconds_of(header: Optional[str]) -> Optional[float]:
    """Seconds of the header Retry-After, which has a number of seconds or a date. At most an hour."""
    if header is None:
        return None
    try:
        is_number = header.isascii() and header.isdigit()
        seconds = float(header) if is_number else parsedate_to_datetime(header).timestamp() - time.time()
    except (TypeError, ValueError):
        return None
    return min(3600.0, max(0.0, seconds))
