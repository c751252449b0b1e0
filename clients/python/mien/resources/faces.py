"""Enrolled faces, their metas, and galleries: named sets of faces."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Callable, Iterator, List, Literal, Mapping, Optional

from ..answers import Face, Finding, Gallery, GalleryStatistics, MetaEntry
from ..connection import Resource, entries
from ..fields import Photo, part_of, segment, text_parts
from ..parameters import EnrolParameters, FaceChange, FacesFilter

if TYPE_CHECKING:
    from typing_extensions import Unpack


def _scope(gallery: Optional[str]) -> str:
    return "" if gallery is None else f"/gallery/{segment(gallery)}"


class Faces(Resource):
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
        form = {"photo": part_of("photo", photo), **text_parts(parameters)}

        def on_headers(headers: Mapping[str, str]) -> None:
            seen = int(headers.get("X-Faces-Seen", 0))
            if seen > 1 and on_faces_seen is not None:
                on_faces_seen(seen)

        answer = self._connection.send(
            "POST", "/face", form=form, idempotency_key=key, repeatable=True, on_headers=on_headers
        )
        return answer["results"]

    def list(
        self,
        *,
        gallery: Optional[str] = None,
        page_size: Optional[int] = None,
        max_id: Optional[int] = None,
        **filter: Unpack[FacesFilter],
    ) -> Iterator[Face]:
        """Lists faces, newest first: of a gallery, and with the given conditions.

        ``page_size`` is the number of faces per request, 1 to 1000.
        ``max_id`` leaves out faces that do not have a smaller id.
        """
        fields = {**filter, "limit": page_size, "max_id": max_id}
        return entries(self._connection, f"/faces{_scope(gallery)}", fields)

    def get(self, id: int, *, who: bool = False) -> Face:
        """Gets a face. With ``who``, it says the person of the face, and how sure that is."""
        return self._connection.send("GET", f"/face/id/{int(id)}", query={"who": who or None})

    def update(self, id: int, **change: Unpack[FaceChange]) -> Face:
        """Changes ``meta``, ``person_id`` or ``galleries`` (with one key: add, del or set), and returns the face."""
        return self._connection.send("PUT", f"/face/id/{int(id)}", json=change)

    def put_moment(self, id: int, kind: Literal["snapshot", "clip"], file: Photo) -> None:
        """Stores the photo of the enrolment, or an MP4 file, if the camera of the face keeps snapshots or clips."""
        self._connection.send("PUT", f"/face/id/{int(id)}/{kind}", form={kind: part_of(kind, file)})

    def delete(self, id: int) -> None:
        """Deletes a face with its vector and its pictures."""
        self._connection.send("DELETE", f"/face/id/{int(id)}")

    def delete_with_meta(self, meta: str, *, gallery: Optional[str] = None) -> None:
        """Deletes all faces with a meta, or those that are in a gallery. They are deleted from every gallery."""
        self._connection.send("DELETE", f"/face{_scope(gallery)}/meta", query={"meta": meta})


class Metas(Resource):
    def list(
        self, *, gallery: Optional[str] = None, page_size: Optional[int] = None
    ) -> Iterator[MetaEntry]:
        """Lists each meta with the number of its faces and the first of them."""
        path = "/meta" if gallery is None else f"/meta/gallery/{segment(gallery)}"
        return entries(self._connection, path, {"limit": page_size})


class Galleries(Resource):
    def list(self) -> List[str]:
        """The names of all galleries."""
        return self._connection.send("GET", "/galleries")["results"]

    def statistics(self) -> List[GalleryStatistics]:
        """All galleries with the numbers of their faces and the states of their indexes."""
        return self._connection.send("GET", "/statistics/galleries")["results"]

    def create(
        self, name: str, *, retention_days: Optional[int] = None, display_name: Optional[str] = None
    ) -> Gallery:
        """Creates a gallery. Raises GALLERY_EXISTS if there is one of that name."""
        settings = _settings(retention_days, display_name)
        return self._connection.send("POST", f"/galleries/{segment(name)}", json=settings)

    def get(self, name: str) -> Gallery:
        return self._connection.send("GET", f"/galleries/{segment(name)}")

    def check(self, name: str) -> Iterator[Finding]:
        """What is wrong with faces and persons of a gallery."""
        return entries(self._connection, f"/galleries/{segment(name)}/check", {})

    def update(
        self, name: str, *, retention_days: Optional[int] = None, display_name: Optional[str] = None
    ) -> Gallery:
        """Changes how long a gallery keeps faces, in days; 0 for ever. An empty display name removes it."""
        settings = _settings(retention_days, display_name)
        return self._connection.send("PUT", f"/galleries/{segment(name)}", json=settings)

    def delete(self, name: str) -> None:
        """Deletes a gallery and the faces in it, from every gallery."""
        self._connection.send("DELETE", f"/galleries/{segment(name)}")


def _settings(retention_days: Optional[int], display_name: Optional[str]) -> dict[str, object]:
    settings = {"retention_days": retention_days, "display_name": display_name}
    return {name: value for name, value in settings.items() if value is not None}
