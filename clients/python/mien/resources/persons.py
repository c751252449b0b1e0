"""Persons: groups of faces that belong to one human."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Sequence

from ..answers import (
    GroupingPreview,
    Person,
    PersonGrouping,
    PersonHistoryEntry,
    PersonSuggestion,
    PersonSummary,
)
from ..connection import Resource, entries
from ..parameters import PersonHistoryFilter, SuggestionFilter

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Persons(Resource):
    def list(self, *, name: Optional[str] = None) -> Iterator[Person]:
        """Lists persons, or those whose name contains ``name``, case and accents aside."""
        return entries(self._connection, "/persons", {"name": name})

    def summaries(
        self,
        *,
        meta: Optional[str] = None,
        name: Optional[str] = None,
        page_size: Optional[int] = None,
        max_id: Optional[int] = None,
    ) -> Iterator[PersonSummary]:
        """Lists persons with a face and the number of their faces, by descending id.

        ``meta`` selects the persons with exactly this meta, ``name`` those whose name contains it. ``page_size`` is the number of persons per request, 1 to 1000.
        ``max_id`` leaves out persons that do not have a smaller id.
        """
        fields = {"meta": meta, "name": name, "limit": page_size, "max_id": max_id}
        return entries(self._connection, "/persons/summaries", fields)

    def summary(self, id: int) -> PersonSummary:
        return self._connection.send("GET", f"/person/id/{int(id)}/summary")

    def suggestions(self, **filter: Unpack[SuggestionFilter]) -> Iterator[PersonSuggestion]:
        """Lists pairs of persons that may be one human."""
        return entries(self._connection, "/persons/suggestions", filter)

    def group(self, action: str = "start") -> PersonGrouping:
        """Groups the stored faces without a person to persons, in the background. ``stop`` and ``undo`` end that."""
        return self._connection.send("POST", "/persons/grouping", json={"action": action})

    def grouping(self) -> PersonGrouping:
        return self._connection.send("GET", "/persons/grouping")

    def preview_grouping(self) -> GroupingPreview:
        """Estimates how many persons a grouping would make. Changes nothing."""
        return self._connection.send("GET", "/persons/grouping/preview")

    def get(self, id: int) -> Person:
        return self._connection.send("GET", f"/person/id/{int(id)}")

    def update(self, id: int, *, meta: str, faces: bool = False) -> Person:
        """Changes the meta of a person, and that of faces with the name of the person, or with ``faces`` of all their faces."""
        return self._connection.send("PUT", f"/person/id/{int(id)}", json={"meta": meta, "faces": faces})

    def merge(self, id: int, person_ids: Sequence[int]) -> PersonSummary:
        """Moves all faces of other persons to this one, and deletes these persons."""
        return self._connection.send("POST", f"/person/id/{int(id)}/merge", json={"person_ids": list(person_ids)})

    def split(self, id: int, face_ids: Sequence[int], *, meta: Optional[str] = None) -> PersonSummary:
        """Moves faces of a person to a new one, and returns the new person."""
        body: Dict[str, Any] = {"face_ids": list(face_ids)}
        if meta is not None:
            body["meta"] = meta
        return self._connection.send("POST", f"/person/id/{int(id)}/split", json=body)

    def delete(self, id: int) -> None:
        """Deletes a person and all faces of this person."""
        self._connection.send("DELETE", f"/person/id/{int(id)}")

    def history(self, id: int, **filter: Unpack[PersonHistoryFilter]) -> Iterator[PersonHistoryEntry]:
        """Lists the camera events of a person, newest first."""
        return entries(self._connection, f"/person/history/id/{int(id)}", filter)
