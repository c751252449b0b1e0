"""The client: connection options, and the methods that are not generated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, Literal, Optional, Union, overload

from .answers import LiveAlert, LiveEvent, VerifyAnswer
from .connection import Connection
from .faces import Faces
from .fields import Photo
from .live_events import live_events
from .methods import (
    Alerts,
    Cameras,
    Galleries,
    History,
    Metas,
    Persons,
    PhotoMethods,
    Service,
    Tokens,
    Users,
)
from .parameters import EventFilter, VerifyParameters

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Client(PhotoMethods):
    """A client of the API. Parameters and answers have the names of the API; answers are dictionaries.

    ``url`` is the service's URL without the version, for example ``http://127.0.0.1:8787``. ``timeout`` is in seconds
    for a call, retries included; an answer that has begun takes longer as long as it arrives. ``retries`` is the maximum
    for a call. ``retry_delay`` is in seconds before the first retry, doubled before each further one. A client may be used
    by one thread at a time.

    Raises ValueError for an invalid URL or token.
    """

    def __init__(
        self, url: str, token: str, *, timeout: float = 120, retries: int = 4, retry_delay: float = 0.25
    ) -> None:
        super().__init__(Connection(url, token, timeout=timeout, retries=retries, retry_delay=retry_delay))
        #: Enrolled faces.
        self.faces = Faces(self._connection)
        self.metas = Metas(self._connection)
        self.galleries = Galleries(self._connection)
        self.persons = Persons(self._connection)
        self.cameras = Cameras(self._connection)
        #: Alert rules and their webhooks.
        self.alerts = Alerts(self._connection)
        self.history = History(self._connection)
        #: Tokens of the owner.
        self.tokens = Tokens(self._connection)
        #: People with access through the console.
        self.users = Users(self._connection)
        #: The audit log, and the state of the service.
        self.service = Service(self._connection)

    def verify(self, photo1: Photo, photo2: Photo, **parameters: Unpack[VerifyParameters]) -> VerifyAnswer:
        """Compares the faces of two photos."""
        photos = {"photo1": photo1, "photo2": photo2}
        return self._connection.send("POST", "/verify", body=parameters, photos=photos, repeatable=True)

    def verify_person(
        self, photo1: Photo, person_id: int, **parameters: Unpack[VerifyParameters]
    ) -> VerifyAnswer:
        """Compares the faces of a photo with a person."""
        body: Dict[str, Any] = {**parameters, "person_id": person_id}
        return self._connection.send("POST", "/verify", body=body, photos={"photo1": photo1}, repeatable=True)

    @overload
    def events(
        self, *, alerts: Literal[True], last_event_id: Optional[str] = None, **filter: Unpack[EventFilter]
    ) -> Iterator[Union[LiveEvent, LiveAlert]]: ...

    @overload
    def events(
        self, *, last_event_id: Optional[str] = None, **filter: Unpack[EventFilter]
    ) -> Iterator[LiveEvent]: ...

    def events(
        self,
        *,
        alerts: bool = False,
        last_event_id: Optional[str] = None,
        **filter: Unpack[EventFilter],
    ) -> Iterator[Any]:
        """Follows the events of cameras as they arrive: faces that were posted with a ``cam_id``.

        It connects again by itself, and resumes without losing an event. It begins with the event after
        ``last_event_id``, by default with the events from now on. It ends when the caller leaves the loop.
        With ``alerts``, it yields the alerts of all rules, too: those about faces of the filter, and tests.
        """
        return live_events(self._connection, {**filter, **({"alerts": True} if alerts else {})}, last_event_id)

    def close(self) -> None:
        """Closes the connections to the service."""
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
