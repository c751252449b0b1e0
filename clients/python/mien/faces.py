"""Methods of faces that are written by hand: those that are more than one request of the API."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Callable, List, Literal, Mapping, Optional

from . import methods
from .answers import Face
from .fields import Photo, segment
from .parameters import EnrolParameters

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Faces(methods.Faces):
    def enrol(
        self,
        photo: Photo,
        *,
        idempotency_key: Optional[str] = None,
        on_faces_seen: Optional[Callable[[int], None]] = None,
        **parameters: Unpack[EnrolParameters],
    ) -> List[Face]:
        """Enrols the selected faces of a photo: all of them or none. Retries never enrol a face twice.

        ``idempotency_key`` names the enrolment (1 to 255 characters of ASCII): repeated within 24 hours, it returns the
        same faces. The default is a random one. ``on_faces_seen`` is called when not all faces of the
        photo were enrolled, with their number.
        """
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        # The service ignores an empty key: a retry would enrol twice.
        if not re.fullmatch(r"[\x20-\x7e]{1,255}", key) or not key.strip():
            raise ValueError("idempotency_key: expected 1 to 255 characters of ASCII.")

        def on_headers(headers: Mapping[str, str]) -> None:
            seen = int(headers.get("X-Faces-Seen", 0))
            if seen > 1 and on_faces_seen is not None:
                on_faces_seen(seen)

        answer = self._connection.send(
            "POST",
            "/face",
            body=parameters,
            photos={"photo": photo},
            idempotency_key=key,
            repeatable=True,
            on_headers=on_headers,
        )
        return answer["results"]

    def put_footage(self, id: int, kind: Literal["snapshot", "clip"], file: Photo) -> None:
        """Stores the photo of the enrolment, or an MP4 file, if the camera of the face keeps snapshots or clips."""
        self._connection.send("PUT", f"/face/id/{segment(id)}/{kind}", photos={kind: file})
