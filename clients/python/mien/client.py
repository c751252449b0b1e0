"""The client: connection options, and the operations on photos."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping, Optional, Union, overload

from .answers import DetectAnswer, IdentifyAnswer, LiveAlert, LiveEvent, VerifyAnswer
from .connection import Connection
from .fields import Part, Photo, part_of, text_parts
from .live_events import live_events
from .parameters import DetectParameters, EventFilter, IdentifyParameters, VerifyParameters
from .resources.cameras import Alerts, Cameras, History
from .resources.faces import Faces, Galleries, Metas
from .resources.persons import Persons
from .resources.service import Service, Tokens, Users

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Client:
    """A client of the API. Parameters and answers have the names of the API; answers are dictionaries.

    ``url`` is that of the service without the version, for example ``http://127.0.0.1:8787``. ``timeout`` is in seconds
    for a call, retries included. ``retries`` is the maximum for a call. ``retry_delay`` is in seconds before the first
    retry, doubled before each further one. A client may be used by one thread at a time.

    Raises ValueError for an invalid URL or token.
    """

    def __init__(
        self, url: str, token: str, *, timeout: float = 120, retries: int = 4, retry_delay: float = 0.25
    ) -> None:
        self._connection = Connection(url, token, timeout=timeout, retries=retries, retry_delay=retry_delay)
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

    def detect(self, photo: Photo, **parameters: Unpack[DetectParameters]) -> DetectAnswer:
        """Finds the faces on a photo."""
        return self._post("/detect", {"photo": part_of("photo", photo)}, parameters)

    def verify(
        self, photo1: Photo, photo2: Photo, **parameters: Unpack[VerifyParameters]
    ) -> VerifyAnswer:
        """Compares the faces of two photos."""
        parts = {"photo1": part_of("photo1", photo1), "photo2": part_of("photo2", photo2)}
        return self._post("/verify", parts, parameters)

    def verify_person(
        self, photo1: Photo, person_id: int, **parameters: Unpack[VerifyParameters]
    ) -> VerifyAnswer:
        """Compares the faces of a photo with a person."""
        parts = {"photo1": part_of("photo1", photo1)}
        return self._post("/verify", parts, {**parameters, "person_id": person_id})

    def identify(
        self, photo: Photo, *, gallery: Optional[str] = None, **parameters: Unpack[IdentifyParameters]
    ) -> IdentifyAnswer:
        """Searches for the faces of a photo among enrolled faces, in one gallery or in all.

        The keys of ``results`` are boxes; ``box_of`` reads them.
        """
        parts = {"photo": part_of("photo", photo)}
        return self._post("/identify", parts, {"gallery": gallery, **parameters})

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

    def _post(self, path: str, photos: dict[str, Part], parameters: Mapping[str, Any]) -> Any:
        form = {**photos, **text_parts(parameters)}
        return self._connection.send("POST", path, form=form, repeatable=True)
