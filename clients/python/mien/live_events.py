"""Follows live events and alerts: connects again after each loss, and resumes after the last event."""

from __future__ import annotations

import json
import random
import time
from typing import Any, Dict, Iterator, Mapping, Optional

from .connection import Connection, delay, may_retry
from .errors import MienError, MienNetworkError

#: Pause in seconds after a stream that the service ended, as it does after some minutes.
_ENDED = 0.5


def live_events(
    connection: Connection, filter: Mapping[str, Any], last_event_id: Optional[str]
) -> Iterator[Any]:
    """Yields events until the caller stops. No event is missing, also after a lost connection.

    Raises MienError when the service refuses the stream, for example after the token was revoked.
    """
    last = last_event_id
    failures = 0
    while True:
        seconds = _ENDED
        try:
            for message in messages(connection.stream("/events", query=filter, last_event_id=last)):
                if "id" not in message:
                    continue
                last = message["id"]
                failures = 0
                if message.get("event") in ("face", "alert"):
                    yield {"id": last, message["event"]: json.loads(message["data"])}
        except (MienError, MienNetworkError) as error:
            if isinstance(error, MienError) and not may_retry(error, True):
                raise
            seconds = delay(error, retry=failures, base=connection.retry_delay, random=random.random())
            failures += 1
        time.sleep(seconds)


def messages(parts: Iterator[bytes]) -> Iterator[Dict[str, str]]:
    """The complete messages of a stream of Server-Sent Events. A message that breaks off is dropped."""
    rest = b""
    for part in parts:
        *blocks, rest = (rest + part).replace(b"\r\n", b"\n").split(b"\n\n")
        for block in blocks:
            fields = (line.partition(":") for line in block.decode().split("\n"))
            yield {name: value[1:] if value.startswith(" ") else value for name, _, value in fields if name}
