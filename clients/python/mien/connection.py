"""Sends one request of the API, with retries within a time limit, and reads lists in pages."""

from __future__ import annotations

import random
import re
import time
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Union
from urllib.parse import parse_qsl, urlsplit

import requests

from .errors import MienError, MienNetworkError, MienTimeoutError, refusal_of
from .fields import Photo, fields_of, part_of, text_parts


#: Longest silence of a stream of events in seconds. The service sends a heartbeat every few seconds.
_SILENCE = 30


class _TokenAuth(requests.auth.AuthBase):
    """Sets the token of each request. Without it, requests would take one of ~/.netrc."""

    def __init__(self, token: str) -> None:
        self.__token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Token {self.__token}"
        return request


class Connection:
    """Connections to a service. Messages name neither the token nor the URL: both may be secret."""

    def __init__(self, url: str, token: str, *, timeout: float, retries: int, retry_delay: float) -> None:
        if not re.fullmatch(r"[\x21-\x7e]+", token):
            raise ValueError("token: expected the text of a token, mien_...")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("url: expected an http or https URL without a user name.")
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/v1"
        self._timeout = timeout
        self._retries = retries
        #: Seconds before the first retry.
        self.retry_delay = retry_delay
        self._session = requests.Session()
        self._session.auth = _TokenAuth(token)

    def close(self) -> None:
        self._session.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        photos: Mapping[str, Optional[Photo]] = {},
        idempotency_key: Optional[str] = None,
        repeatable: Optional[bool] = None,
        on_headers: Optional[Callable[[Mapping[str, str]], None]] = None,
    ) -> Any:
        """The parsed answer; bytes of a picture; None without a body.

        ``body`` is sent as JSON, or with photos as fields of a form. ``repeatable``: the request has the same effect once and twice; by default true, except for POST.
        ``on_headers`` receives the headers of a successful answer. Raises MienError, MienNetworkError or
        MienTimeoutError.
        """
        repeatable = method != "POST" if repeatable is None else repeatable
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        form = {name: part_of(name, photo) for name, photo in photos.items() if photo is not None}
        request: Dict[str, Any] = {"params": fields_of(query or {}), "headers": headers}
        if form:
            request["files"] = {**form, **text_parts(body or {})}
        else:
            request["json"] = body
        deadline = time.monotonic() + self._timeout
        may_be_done = False
        for retry in range(self._retries + 1):
            try:
                response = self._attempt(method, path, request, deadline)
                answer = _answer_of(response)
            except (MienError, MienNetworkError) as error:
                if may_be_done and method == "DELETE" and _is_gone(error):
                    return None
                seconds = delay(error, retry=retry, base=self.retry_delay, random=random.random())
                is_last = retry == self._retries or time.monotonic() + seconds >= deadline
                if is_last or not may_retry(error, repeatable):
                    raise
                may_be_done = may_be_done or not (isinstance(error, MienError) and error.status == 429)
                time.sleep(seconds)
            else:
                if on_headers is not None:
                    on_headers(response.headers)
                return answer
        raise AssertionError("The last attempt returns or raises.")

    def stream(
        self, path: str, *, query: Mapping[str, Any], last_event_id: Optional[str]
    ) -> Iterator[bytes]:
        """The parts of a stream of events as they arrive. Raises MienError or MienNetworkError; retries nothing."""
        name = f"GET {path}"
        headers = {"Accept": "text/event-stream"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        options = {"timeout": _SILENCE, "allow_redirects": False, "stream": True}
        try:
            with self._session.get(
                self._base + path, params=fields_of(query), headers=headers, **options
            ) as response:
                if response.status_code != 200 or "event-stream" not in response.headers.get("Content-Type", ""):
                    raise refusal_of(response)
                yield from response.iter_content(chunk_size=None)
        except requests.RequestException as cause:
            # The request has the token in its headers.
            cause.request = None
            raise MienNetworkError(f"{name}: the connection was lost.") from cause

    def _attempt(self, method: str, path: str, request: dict[str, Any], deadline: float) -> requests.Response:
        name = f"{method} {path}"
        # A redirect could lead the token and the photo to another server.
        options = {"timeout": max(0.001, deadline - time.monotonic()), "allow_redirects": False}
        try:
            response = self._session.request(method, self._base + path, **request, **options)
        except requests.RequestException as cause:
            # The request has the token in its headers.
            cause.request = None
            if isinstance(cause, requests.Timeout):
                raise MienTimeoutError(f"{name}: no answer within the time limit.") from cause
            raise MienNetworkError(f"{name}: no answer from the service.") from cause
        if _is_cut_off(response):
            raise MienNetworkError(f"{name}: the answer broke off.")
        return response


def _answer_of(response: requests.Response) -> Any:
    if not 200 <= response.status_code < 300:
        raise refusal_of(response)
    if not response.content:
        return None
    if response.headers.get("Content-Type", "").startswith(("image/", "application/zip", "application/octet-stream")):
        return response.content
    try:
        return response.json()
    except ValueError:
        raise refusal_of(response) from None


def _is_cut_off(response: requests.Response) -> bool:
    """The connection ended before the announced end of the body. Before urllib3 2, requests accepts the incomplete body."""
    announced = response.headers.get("Content-Length", "")
    return announced.isdigit() and response.raw.tell() < int(announced)


def _is_gone(error: Failure) -> bool:
    """An earlier attempt of a deletion succeeded, and its answer was lost."""
    return isinstance(error, MienError) and error.code == "NOT_FOUND"


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
    backoff = min(_LONGEST, base * 2 ** min(retry, 16)) * (0.5 + random / 2)
    asked = error.retry_after if isinstance(error, MienError) else None
    return backoff if asked is None else asked + backoff


class Resource:
    """A resource of the API."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _entries(self, path: str, filter: Mapping[str, Any]) -> Iterator[Any]:
        """Each entry of a list. The next page is requested when it is needed."""
        query: Optional[Mapping[str, Any]] = {
            "limit" if name == "page_size" else name: value for name, value in filter.items()
        }
        while query is not None:
            page = self._connection.send("GET", path, query=query)
            yield from page["results"]
            link = page.get("next_page")
            query = dict(parse_qsl(urlsplit(link).query, keep_blank_values=True)) if link else None
