"""Decides whether and when a failed request is sent again."""

from __future__ import annotations

from typing import Union

from .errors import MienError, MienNetworkError, MienTimeoutError

#: A failure of one attempt.
Failure = Union[MienError, MienNetworkError]

#: Statuses of a service or a proxy that may succeed later.
_TEMPORARY = (429, 502, 503, 504)

#: Longest wait without Retry-After, in seconds.
_LONGEST = 10.0


def may_retry(error: Failure, repeatable: bool) -> bool:
    """True if sending the request again is safe, and may succeed.

    ``repeatable``: the request has the same effect once and twice. Another request is repeated after a 429 only, which
    proves that the service has done nothing.
    """
    if isinstance(error, MienError):
        return error.status == 429 or (repeatable and error.status in _TEMPORARY)
    return repeatable and not isinstance(error, MienTimeoutError)


def delay(error: Failure, *, retry: int, base: float, random: float) -> float:
    """Seconds to wait. ``retry`` counts from 0, ``random`` is from 0 to 1.

    Doubles with each retry. Never less than Retry-After; jitter spreads the clients that were refused together.
    """
    backoff = min(_LONGEST, base * 2**retry) * (0.5 + random / 2)
    asked = error.retry_after if isinstance(error, MienError) else None
    return backoff if asked is None else asked + backoff
