"""Converts an HTTP response that is no success to a MienError."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import Any, Optional

import requests

from .errors import MienError


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
    """Seconds of the header Retry-After, which has a number of seconds or a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
