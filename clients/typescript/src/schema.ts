/** Types of the API. `npm run openapi` generates them from the OpenAPI document of v1. */

export interface paths {
    "/detect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Detect the faces on a photo
         * @description Boxes are in pixels of the upright photo. A photo without a face gives an empty list. With `bbox`, or with all of x1, y1, x2 and y2, the operation skips detection and returns these boxes in their order with the requested details.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        post: operations["detect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the faces of two photos, or of a photo with a person
         * @description One result per pair of faces. `verified` beside `results` is true if each face of the first photo has a match on the second photo. With the threshold `none` the response has no `verified` fields. Boxes override `mf_selector`. `person_id` instead of `photo2` compares each face with the mean of the good faces of this person: results have `person` in the place of `bbox2`.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        post: operations["verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search for the faces of a photo among enrolled faces
         * @description A face without a match has an empty list. `n` is the maximum number of matches per face; 0 stands for 1000. All faces of a photo together have at most 10000 matches. Boxes override `mf_selector`. `bbox` contains boxes; x1, y1, x2 and y2 are one box. Different values in both are refused. `fpir` and `threshold` are alternatives. With `target=persons` and neither of them, `fpir` is 0.01.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        post: operations["identify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faces/gallery/{gallery}/identify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search for the faces of a photo in a gallery
         * @description A face without a match has an empty list. `n` is the maximum number of matches per face; 0 stands for 1000. All faces of a photo together have at most 10000 matches. Boxes override `mf_selector`. `bbox` contains boxes; x1, y1, x2 and y2 are one box. Different values in both are refused. `fpir` and `threshold` are alternatives. With `target=persons` and neither of them, `fpir` is 0.01.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/face/gallery/{gallery}/identify`.
         */
        post: operations["identifyInGallery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/face": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrol the faces of a photo
         * @description Stores all selected faces or none. Every face is also in the gallery `default`. Boxes override `mf_selector`. `person_id` and `person` say whose face it is, and are alternatives. They need a photo with one selected face. An unknown number in `person_id` creates a person; a text of digits is the number, and another text refers to no person. `person` is a name: that of the only person with this name, case, accents and surrounding spaces aside, or else of a new person. A face without a meta gets the name of the person.
         *
         *     With `update=true` and an `Idempotency-Key`, the face that an earlier request with this key stored keeps its id, galleries, person and meta, and gets the rest from this photo: a better picture of the same visit. It gets a person if it has none. Its event comes once more, with `updated`. Without an earlier request, a face is enrolled.
         *
         *     Token scope: `enrol`, `camera`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces`.
         */
        post: operations["enrol"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/face/id/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a face
         * @description Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/id/{id}`.
         */
        get: operations["getFace"];
        /**
         * Change the meta, the person, the galleries or the review of a face
         * @description Absent fields stay unchanged. `person` is the name of the person, who is created if nobody has it. `person_id` is the number instead; an unknown one creates a person, and another text is stored unchanged and refers to no person. A face whose meta is empty or the name of its previous person gets the name of the new one. `not_person` is the id of a person that the face is not of: it leaves this person and loses the name, and neither it nor similar new faces get this person again. Another person says the same of the previous one. `galleries` has one key: `add`, `del` or `set`; `default` contains every face. `review=set_aside` leaves the face out of searches, persons and measurements; `confirmed` says that the check of a gallery was wrong about it. `none` takes both back.
         *
         *     Token scope: `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/id/{id}`.
         */
        put: operations["updateFace"];
        post?: never;
        /**
         * Delete a face with its vector and its pictures
         * @description Token scope: `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/id/{id}`.
         */
        delete: operations["deleteFace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all faces, newest first, in pages
         * @description All given filters must hold. `start` and `end` are inclusive, and refer to the `timestamp` of a face. `friend` is the field of a face. Links to other pages keep the filters.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["listFaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faces/gallery/{gallery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the faces of a gallery, newest first, in pages
         * @description All given filters must hold. `start` and `end` are inclusive, and refer to the `timestamp` of a face. `friend` is the field of a face. Links to other pages keep the filters.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/face/gallery/{gallery}`.
         */
        get: operations["listGalleryFaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/face/id/{id}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store the whole photo of a face that a camera has posted
         * @description The camera needs the option `snapshot`. The photo is exactly the one of the enrolment, as JPEG. At most 10 MB. A repeated request replaces the file. Get it by the link `snapshot` of the face. An update of the face removes the link until its photo is sent.
         *
         *     Token scope: `enrol`, `camera`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/id/{id}/snapshot`.
         */
        put: operations["putSnapshot"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/face/id/{id}/clip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store a video of the moment of a face that a camera has posted
         * @description The camera needs the option `clip`, and the face is enrolled in the last 24 hours. At most 10 MB. A repeated request replaces the file. Get it by the link `clip` of the face.
         *
         *     Token scope: `enrol`, `camera`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/id/{id}/clip`.
         */
        put: operations["putClip"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/face/meta/{meta}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all faces with a meta, newest first
         * @description The meta must match exactly. In the path it is URL-encoded, with %20 for a space. On paths without a meta, it is the parameter `meta`. With `max_id`, `min_id` or `limit` the answer is a page with links; without them, it contains all faces.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/meta/{meta}`, `/face/meta`, `/faces/meta`.
         */
        get: operations["facesWithMeta"];
        put?: never;
        post?: never;
        /**
         * Delete all faces with a meta
         * @description The meta must match exactly. In the path it is URL-encoded, with %20 for a space. On paths without a meta, it is the parameter `meta`.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/meta/{meta}`, `/face/meta`, `/faces/meta`.
         */
        delete: operations["deleteFacesWithMeta"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/face/gallery/{gallery}/meta/{meta}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the faces of a gallery with a meta, newest first
         * @description The meta must match exactly. In the path it is URL-encoded, with %20 for a space. On paths without a meta, it is the parameter `meta`. With `max_id`, `min_id` or `limit` the answer is a page with links; without them, it contains all faces.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/gallery/{gallery}/meta/{meta}`, `/face/gallery/{gallery}/meta`, `/faces/gallery/{gallery}/meta`.
         */
        get: operations["galleryFacesWithMeta"];
        put?: never;
        post?: never;
        /**
         * Delete the faces of a gallery with a meta
         * @description The faces are deleted from every gallery. Faces with this meta outside the gallery remain. The meta must match exactly. In the path it is URL-encoded, with %20 for a space. On paths without a meta, it is the parameter `meta`.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/faces/gallery/{gallery}/meta/{meta}`, `/face/gallery/{gallery}/meta`, `/faces/gallery/{gallery}/meta`.
         */
        delete: operations["deleteGalleryFacesWithMeta"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all metas, in pages
         * @description Each entry contains a meta, the number of its faces, and the first of these faces. Entries are in descending order of the ids of their first faces; `max_id` and `min_id` refer to these ids. Faces without a meta are not counted.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["listMetas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meta/gallery/{gallery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the metas of a gallery, in pages
         * @description Each entry contains a meta, the number of its faces, and the first of these faces. Entries are in descending order of the ids of their first faces; `max_id` and `min_id` refer to these ids. Faces without a meta are not counted.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["listGalleryMetas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/galleries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of all galleries
         * @description Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["listGalleries"];
        put?: never;
        /**
         * Create a gallery with the name in a parameter
         * @description Token scope: `enrol`, `manage`, `admin` (any of them).
         */
        post: operations["createNamedGallery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/statistics/galleries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all galleries with the numbers of their faces and the states of their indexes
         * @description `vectors`, `indexed` and `index` are absent while the vector store is unavailable. The counts are of one moment; an enrolment in progress can be in some of them.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["galleryStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/galleries/{gallery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a gallery
         * @description Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["getGallery"];
        /**
         * Change the retention or the display name of a gallery
         * @description The service deletes an older face from every gallery. The retention of `default` applies to faces without another gallery and without a camera.
         *
         *     Token scope: `manage`, `admin` (any of them).
         */
        put: operations["changeGallery"];
        /**
         * Create a gallery
         * @description Token scope: `enrol`, `manage`, `admin` (any of them).
         */
        post: operations["createGallery"];
        /**
         * Delete a gallery and the faces in it
         * @description The faces are deleted from every gallery. The gallery `default` itself remains.
         *
         *     Token scope: `manage`, `admin` (any of them).
         */
        delete: operations["deleteGallery"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/galleries/{gallery}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find mistakes among the faces of a gallery, in pages
         * @description Finds faces that are not like the others of their person (`disagrees`), persons that look like two (`divided`), two persons that look like one (`alike`), poor faces (`poor`), and pictures that are enrolled twice (`duplicate`). The person of a face is its `person_id`, else its meta. A page checks `limit` faces by rising ids, and each person with the first of their faces, so it can be empty and have a next page. Set a face aside or confirm it with `review` of `PUT /face/id/:id`. Findings whose faces are all confirmed are left out.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["checkGallery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/persons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all persons
         * @description `name` selects the persons whose name contains this text, case and accents aside. A person whom nobody named has no name.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["listPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/persons/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List persons with a face and the number of their faces, in pages
         * @description Persons are in descending order of their ids. `meta` selects the persons with exactly this meta. `name` selects the persons whose name contains this text, case and accents aside. A person whom nobody named has no name. `face` is the best of the 100 newest faces of the person: that with the best quality, or the largest one where no quality is stored. `latest` is the latest of these faces by its time.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["listPersonSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/persons/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest pairs of persons that may be one human
         * @description Compares the `face` of each person of a page with the faces of persons with lower ids. A page has `limit` persons in descending order of their ids, and at most 5 pairs for each of them, so it can be empty and have a next page. Two persons on one photo are no pair. The gallery `default` is searched; `strict` and the header `X-Live-Servers` are those of identify.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["suggestPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/person/id/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a person
         * @description Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/persons/id/{id}`.
         */
        get: operations["getPerson"];
        /**
         * Change the meta of a person
         * @description The faces of the person that have no meta or the previous name get the new name, too. Other faces have metas of their own: with `faces`, they get the new meta as well.
         *
         *     Token scope: `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/persons/id/{id}`.
         */
        put: operations["updatePerson"];
        post?: never;
        /**
         * Delete a person and all faces of this person
         * @description Alert rules about this person alone are deleted, too. Rules that name others remain for these.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/persons/id/{id}`.
         */
        delete: operations["deletePerson"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/person/id/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a person with a face and the number of their faces
         * @description `face` is the best of the 100 newest faces of the person: that with the best quality, or the largest one where no quality is stored. `latest` is the latest of these faces by its time.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/persons/id/{id}/summary`.
         */
        get: operations["getPersonSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/person/id/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge other persons into a person
         * @description All faces of the persons `person_ids` become faces of the person of the path, with their history. These persons are deleted, and their ids are not used again. The person of the path keeps its name. Without one, it gets the only name of the others. Faces that have no meta or the name of their previous person get its name. An unknown person is refused without any change.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/persons/id/{id}/merge`.
         */
        post: operations["mergePersons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/person/id/{id}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move faces of a person to a new person
         * @description Answers the new person, whose meta is `meta` or `autogenerated`. All `face_ids` must be faces of the person, and the person must keep at least one face. Otherwise nothing changes. Moved faces that have no meta or the name of the previous person get the name of the new one.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/persons/id/{id}/split`.
         */
        post: operations["splitPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/persons/grouping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of the grouping of stored faces to persons
         * @description Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["getPersonGrouping"];
        put?: never;
        /**
         * Group the stored faces without a person to persons, in the background
         * @description Each face gets a person as in an enrolment with `person_identify`, in the order of the ids. A face without a meta gets the name of the person. `start` also continues a stopped grouping, and `stop` keeps what is done. `undo` takes the persons away from the faces that got them by groupings, and deletes the persons that groupings made and that have no other faces. Persons that somebody renamed, merged, split, or gave or took a face since keep their faces.
         *
         *     Token scope: `manage`, `admin` (any of them).
         */
        post: operations["groupPersons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/persons/grouping/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Estimate how many persons a grouping would make
         * @description Searches the faces of a random sample among all faces, with the present settings, and changes nothing. Numbers beyond the sample are estimates.
         *
         *     Token scope: `manage`, `admin` (any of them).
         */
        get: operations["previewPersonGrouping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/person/history/id/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the camera events of a person, newest first
         * @description The query string or a body may contain the parameters.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/persons/history/id/{id}`.
         */
        get: operations["personHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of cameras, newest first
         * @description An event is a face that was posted with a `cam_id`. Without a `limit`, or with 0, the response contains all events. `next_page` is absent on the last page. It supports GET and POST.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["browseHistory"];
        put?: never;
        /**
         * List the events of cameras, newest first
         * @description An event is a face that was posted with a `cam_id`. Without a `limit`, or with 0, the response contains all events. `next_page` is absent on the last page. It supports GET and POST.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        post: operations["searchHistory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of cameras as they arrive
         * @description An event is a face that was posted with a `cam_id`. The answer is a stream of Server-Sent Events, in the order in which the faces were stored. Each event has the type `face`, an `id`, and the face as JSON, with the fields of `GET /face/id/<id>`. Its links to pictures expire as usual. A face whose picture a better one of the same visit has replaced comes again, with `updated`.
         *
         *     With `alerts=true`, alerts of the [rules](#tag/Alerts) come, too: events of the type `alert` with `AlertData` as JSON, as messages to webhooks have it. They are those about faces of the filter, and tests. An alert comes after its event.
         *
         *     A stream begins with the events from now on. It ends after 5 minutes at the latest: connect again with the last `id` in the header `Last-Event-ID` or the parameter `last_event_id`. The stream then begins with the event after it. None is missing, and none is repeated, apart from faces that were deleted meanwhile. An id after which events are older than 24 hours is refused. Comments and events with an `id` only come every 5 seconds while there is no event.
         *
         *     An owner may have 20 streams at each core. A revoked token ends its streams.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/camera": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all cameras, oldest first
         * @description The response body is a JSON array. Credentials in `url` are `***`, except for tokens of the scopes `admin` and `camera`.
         *
         *     Token scope: `read`, `enrol`, `camera`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras`.
         */
        get: operations["listCameras"];
        put?: never;
        /**
         * Create a camera
         * @description Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras`.
         */
        post: operations["createCamera"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/viewers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow which cameras somebody looks at, as a watcher
         * @description A stream of Server-Sent Events of the type `viewers`: a JSON array with the ids of all cameras whose live view somebody looks at. It comes with each change, and every 5 seconds. Send frames of these cameras with the field `live` of the lease. Connect again when the stream ends.
         *
         *     Token scope: `enrol`, `camera`, `manage`, `admin` (any of them).
         */
        get: operations["followViewers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/camera/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a camera
         * @description Credentials in `url` are `***`, except for tokens of the scopes `admin` and `camera`.
         *
         *     Token scope: `read`, `enrol`, `camera`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras/{id}`.
         */
        get: operations["getCamera"];
        /**
         * Change a camera
         * @description An absent or empty `rot` or `roi` deletes this region, and an empty `meta` or `url` this text. Other absent fields stay unchanged. A `url` with masked credentials keeps the stored ones if its scheme, host and port are the stored ones.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras/{id}`.
         */
        put: operations["changeCamera"];
        post?: never;
        /**
         * Delete a camera
         * @description The faces and the history events of the camera remain.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras/{id}`.
         */
        delete: operations["deleteCamera"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/camera/{id}/lease": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Take a camera as its watcher, or report its state
         * @description The lease lasts 15 seconds from the last report. Until then, other watchers get `CAMERA_TAKEN` with `Retry-After`. Send a `picture` while the last answer had `picture_wanted`. A report without a picture deletes the previous one. Absent fields are unknown.
         *
         *     Token scope: `enrol`, `camera`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras/{id}/lease`.
         */
        put: operations["leaseCamera"];
        post?: never;
        /**
         * Give a camera back as its watcher
         * @description Other watchers may take it at once. Nothing changes when another watcher holds the camera.
         *
         *     Token scope: `enrol`, `camera`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras/{id}/lease`.
         */
        delete: operations["releaseCamera"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/camera/{id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a camera
         * @description `live`: a watcher holds the camera, and frames arrive. The other fields are those of its last report, and null for a camera that no watcher has taken or that was given back.
         *
         *     Token scope: `read`, `enrol`, `camera`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras/{id}/state`.
         */
        get: operations["getCameraState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/camera/{id}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the last frame of a camera
         * @description A JPEG image, with boxes around the faces. Watchers send pictures only after a request, for 30 seconds: the first request gets `NOT_FOUND` with `Retry-After`. Then there is a new picture every 2 seconds. `NOT_FOUND` without `Retry-After`: no watcher watches the camera.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras/{id}/picture`.
         */
        get: operations["getCameraPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/camera/{id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a camera live
         * @description JPEG images without boxes, up to 12 a second, which browsers show as one moving image. The watcher sends them only while somebody looks. A slow viewer gets fewer images, never late ones. `NOT_FOUND`: no watcher with a live view watches the camera. More than 8 viewers of a camera get `RATE_LIMITED`. The answer ends when no image has come for 10 seconds, and after 5 minutes: request it again.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         *
         *     Other paths: `/cameras/{id}/live`.
         */
        get: operations["getCameraLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all alert rules, oldest first
         * @description Token scope: `manage`, `admin` (any of them).
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Create an alert rule
         * @description The rule posts a message to `url` for each face of a camera that meets all its conditions, from now on. Without `url`, its alerts are only in the live events (`GET /events?alerts=true`), which have those of all rules. Messages are signed by the Standard Webhooks specification with `secret`, which no other answer shows. A message arrives at least once; `webhook-id` tells repeats. Failed attempts are repeated for 24 hours. Addresses that are not public are not reached.
         *
         *     Token scope: `manage`, `admin` (any of them).
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert/id/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert rule
         * @description Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/alerts/id/{id}`.
         */
        get: operations["getAlert"];
        /**
         * Replace the settings of an alert rule
         * @description Replaces all settings: an absent condition is removed. A rule that becomes enabled begins with the faces from now on. The secret stays; a rule that gets its first `url` has a new `secret` in the answer. Pending messages of a rule that is not enabled wait, and those of a rule without `url` fail.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/alerts/id/{id}`.
         */
        put: operations["changeAlert"];
        post?: never;
        /**
         * Delete an alert rule with its deliveries
         * @description Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/alerts/id/{id}`.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert/id/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an alert rule
         * @description For 24 hours, messages carry signatures of the new secret and of the previous one. At most 3 secrets sign: more rotations within this time end the oldest.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/alerts/id/{id}/secret`.
         */
        post: operations["rotateAlertSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert/id/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description The message has the type `test` and no face. It is delivered as any other.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/alerts/id/{id}/test`.
         */
        post: operations["testAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert/id/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an alert rule, newest first
         * @description Deliveries that have ended are listed for 7 days. Deliveries of a deleted face are deleted.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/alerts/id/{id}/deliveries`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert/id/{id}/deliveries/{delivery}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a failed delivery again
         * @description It keeps its `webhook-id`, and is attempted for 24 hours again. BAD_PARAM for a delivery that has not failed.
         *
         *     Token scope: `manage`, `admin` (any of them).
         *
         *     Other paths: `/alerts/id/{id}/deliveries/{delivery}/retry`.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the alerts of all rules, newest first
         * @description Alerts are kept for 7 days, and go with their faces. Tests are not listed.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["listAlertHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/history/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark an alert as seen, or take the mark back
         * @description The mark has the name of the user or of the token. The first mark stays.
         *
         *     Token scope: `enrol`, `manage`, `admin` (any of them).
         */
        put: operations["markAlertSeen"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the browsers of the user or token that show notifications
         * @description A browser subscribes with `public_key`, the key of the service by RFC 8292.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        get: operations["listNotifications"];
        put?: never;
        /**
         * Send notifications to a browser
         * @description The parameters are those of a `PushSubscription`. The browser shows the alerts of rules with `browsers`, until the user is removed or the token ends, the session is ended, or the push service forgets the browser. The push service learns when there are messages, and cannot read them. A user or token has at most 20 browsers.
         *
         *     Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        post: operations["subscribeBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Send no more notifications to a browser
         * @description Token scope: `read`, `enrol`, `manage`, `admin` (any of them).
         */
        delete: operations["unsubscribeBrowser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the token of the request
         * @description `permissions` is what its scope allows. The text of the token is not in the response.
         *
         *     Token scope: `read`, `enrol`, `camera`, `manage`, `admin` (any of them).
         */
        get: operations["getCurrentToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens of the owner
         * @description Valid tokens come first, then those that have ended, newest first. The list has at most 1000 tokens.
         *
         *     Token scope: `admin`.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a token of the owner
         * @description The service does not store the text of a token: only this response has it. An owner has at most 1000 valid tokens.
         *
         *     Token scope: `admin`.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a token
         * @description The new token has the name, scope, rate and lifetime of the old one. The old one stays valid for `grace_hours`. The service does not store the text of a token: only this response has it.
         *
         *     Token scope: `admin`.
         */
        post: operations["rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description An edge beside its core refuses the token at once, any other within 20 seconds. The token of the request cannot revoke itself.
         *
         *     Token scope: `admin`.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users of the owner
         * @description People with access through the console, by name, with their passkeys, newest first. Sessions that have ended are left out.
         *
         *     Token scope: `admin`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Invite a user
         * @description The link works once. The colleague opens it, makes a passkey, and signs in with that from then on. It ends after 3 days without `expires`. Roles are scopes of tokens: `look` is `read`, `administer` is `admin`.
         *
         *     Token scope: `admin`.
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a user with all passkeys and sessions
         * @description The audit log keeps the name. A user cannot delete themselves.
         *
         *     Token scope: `admin`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey of a user
         * @description All sessions of the user end, except that of the request: each may be on a lost device.
         *
         *     Token scope: `admin`.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of a user
         * @description An edge beside its core refuses it at once, any other within 20 seconds.
         *
         *     Token scope: `admin`.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of the data of the owner, newest first
         * @description Entries have a `seq` below `max_seq`. `next_page` is null on the last page.
         *
         *     Token scope: `admin`.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the chain of the audit log
         * @description The chain covers the entries of all owners: each entry has a hash over itself and the entry before. A request verifies 10000 further entries. Repeat it until `verified_to` equals `last`. A complete verification begins anew after 10 minutes.
         *
         *     Token scope: `admin`.
         */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the service
         * @description Version, models, calibration, shards, backups, drills and response times, as the core sees them that answers.
         *
         *     Token scope: `admin`.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a backup now
         * @description The backup begins within seconds. The state of the service tells when it is complete. NOT_FOUND when the start of the service names no place for backups.
         *
         *     Token scope: `admin`.
         */
        post: operations["requestBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settings that can be changed while the service runs
         * @description Token scope: `admin`.
         */
        get: operations["getSettings"];
        /**
         * Change settings of the service
         * @description A change is stored, reaches all cores within seconds, and wins over facenapi.ini and the environment until it is reset. FORBIDDEN for one of several owners.
         *
         *     Token scope: `admin`.
         */
        put: operations["changeSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    alert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a message of an alert rule
         * @description The service posts this to the `url` of a rule, signed by the Standard Webhooks specification. It repeats a message until it is taken, for 24 hours.
         */
        post: operations["receiveAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Quality of the picture of a face for recognition. */
        Quality: {
            /** @description Probability that the face matches another good picture of its person. Base decisions on this field. Absent for faces stored by earlier versions. */
            quality?: number;
            /** @description Score of the detection. For a box of the request: of the detection at this place, and 0 without one. */
            score?: number;
            /** @description Shorter side of the part of the box on the photo, in pixels of the photo. */
            size: number;
            /** @description Share of fine detail that blurring would remove. 0: the picture has no fine detail. */
            sharpness: number;
            /** @description Mean lightness of the face. */
            brightness: number;
            /** @description Standard deviation of the lightness. */
            contrast: number;
            /** @description Rotation of the head to the right of the picture, in degrees. */
            yaw: number;
            /** @description Rotation of the head upwards, in degrees. */
            pitch: number;
            /** @description Clockwise rotation of the head in the picture plane, in degrees. */
            roll: number;
        };
        /** @description Whether a live person was in front of the camera: near 1 for a live face, near 0 for a print or a screen. The check often misses close prints and screens. It does not detect masks, deepfakes or files that no camera took. */
        Liveness: number;
        /** @description Box of a face in pixels of the upright photo. It can extend beyond the photo. */
        Box: {
            x1: number;
            y1: number;
            x2: number;
            y2: number;
        };
        Person: {
            id: number;
            meta: string;
        };
        Match: {
            confidence: number;
            face: components["schemas"]["Face"];
            /** @description With `target=persons`: the person. `face` is the face of the person that is closest to the photo. */
            person?: {
                id: number;
                meta: string;
            };
            /**
             * @description With `fpir` or `target=persons`. At most one stranger in 1000 has a certain match, and one in 100 a probable one. Absent for a weaker match.
             * @enum {string}
             */
            verdict?: "certain" | "probable";
        };
        Face: {
            id: number;
            /** @description UTC with six decimals, without a zone. */
            timestamp: string;
            /** @description URL as sent, name of the uploaded file, or empty. */
            photo: string;
            /** @description Equal photos have equal hashes. */
            photo_hash: string;
            /** @description Link to the thumbnail. It needs no token and expires. */
            thumbnail: string;
            /** @description Link to the aligned square crop of the face. It needs no token and expires. */
            normalized: string;
            x1: number;
            y1: number;
            x2: number;
            y2: number;
            meta: string;
            galleries: string[];
            /** @description Whether the camera has seen this person on several recent days. */
            friend: boolean;
            person_id?: number | string;
            cam_id?: string;
            age?: number;
            gender?: string;
            emotions?: string[];
            quality?: components["schemas"]["Quality"];
            liveness?: components["schemas"]["Liveness"];
            detector_info?: unknown;
            /** @description Link to the whole photo of the face, if the camera keeps snapshots. The box is on it. */
            snapshot?: string;
            /** @description Link to a video (MP4) of the seconds around the photo, if the camera keeps clips. */
            clip?: string;
            /**
             * @description `set_aside`: searches, persons and measurements leave the face out. `confirmed`: the check of a gallery does not name it again.
             * @enum {string}
             */
            review?: "set_aside" | "confirmed";
            /** @description In live events and alerts: true when a better picture of the visit has replaced that of an earlier event. */
            updated?: boolean;
            /** @description On request (`who`): the person of the face, and how alike the face and the other faces of the person are. */
            who?: {
                person: {
                    id: number;
                    meta: string;
                };
                /** @description Absent for the only face of the person. */
                confidence?: number;
                /**
                 * @description As that of a match. Absent when the face does not resemble the others. The only face of a person is certain.
                 * @enum {string}
                 */
                verdict?: "certain" | "probable";
            };
        };
        FalseAlarmBound: {
            /** @description The requested share of strangers with a match. */
            fpir: number;
            /** @description The least confidence of a match that keeps it. */
            threshold: number;
            /** @description Number of the searched faces. */
            faces: number;
            /** @description Number of people of the gallery on whom the threshold rests, a sample of a large one. Below 300 people the threshold is higher, because it comes also from the false match rates of the calibration; below 50 people, or before the first measurement of a larger gallery (0), it comes only from them. */
            people: number;
        };
        MetaEntry: {
            meta: string;
            count: number;
            face: components["schemas"]["Face"];
        };
        GalleryStatistics: {
            name: string;
            display_name?: string;
            retention_days?: number;
            /** @description Number of enrolled faces. */
            faces: number;
            /** @description Number of vectors in the vector store. Smaller than `faces` while vectors are missing. Absent while the store is unavailable. */
            vectors?: number;
            /** @description Number of vectors in the index. The other vectors are compared one by one. */
            indexed?: number;
            /**
             * @description State of the index. Without one, every search compares all vectors.
             * @enum {string}
             */
            index?: "none" | "building" | "ready";
        };
        Gallery: {
            name: string;
            display_name?: string;
            retention_days?: number;
        };
        Finding: {
            /** @enum {string} */
            kind: "disagrees" | "divided" | "alike" | "poor" | "duplicate";
            /** @description That the face and the others of its person, the two persons, or the two faces show one human. Absent for `poor`. */
            confidence?: number;
            /** @description Of a `poor` face. */
            quality?: number;
            /** @description The faces that can be set aside or confirmed. */
            faces: components["schemas"]["Face"][];
            /** @description Whom the finding concerns: the person of the faces first, then the person that they look like. */
            persons: components["schemas"]["FoundPerson"][];
        };
        FoundPerson: {
            person_id?: number | string;
            /** @description Name of the person, or meta of the face. */
            meta: string;
            /** @description A face that shows the person. */
            face: components["schemas"]["Face"];
        };
        PersonSummary: {
            id: number;
            meta: string;
            /** @description Number of faces. */
            count: number;
            /** @description A face that represents the person. Absent for a person without faces. */
            face?: components["schemas"]["Face"];
            /** @description When the person was last seen. Absent for a person without faces. */
            latest?: components["schemas"]["LatestFace"];
        };
        LatestFace: {
            face_id: number;
            /** @description UTC with six decimals, without a zone. */
            timestamp: string;
            /** @description Whether the camera has seen this person on several recent days. */
            friend: boolean;
            cam_id?: string;
        };
        PersonSuggestion: {
            /** @description Confidence that both faces are of one human, with four decimals. */
            confidence: number;
            /** @description The person with the higher id first. */
            persons: components["schemas"]["SuggestedPerson"][];
        };
        SuggestedPerson: {
            id: number;
            meta: string;
            /** @description Number of faces. */
            count: number;
            /** @description The face that was compared. */
            face: components["schemas"]["Face"];
        };
        PersonGrouping: {
            /** @enum {string} */
            state: "none" | "running" | "stopped" | "complete" | "undoing";
            /** @description Faces without a person when the grouping began. */
            faces: number;
            /** @description Those of them that were examined. */
            examined: number;
            /** @description Faces that got a person, by all groupings since the last undo. */
            assigned: number;
            /** @description Persons that were made, by all groupings since the last undo. */
            persons: number;
        };
        GroupingPreview: {
            /** @description Faces without a person. */
            faces: number;
            /** @description Those of them that were searched for the estimate. */
            sampled: number;
            /** @description Persons that would be made. */
            persons: number;
            /** @description Faces that would get a person that exists. */
            joining: number;
            /** @description Poor faces that would stay without a person. */
            without: number;
        };
        PersonHistoryEntry: {
            person_id: number;
            face_id: number;
            cam_id: string;
            meta: string;
            screenshot: string;
            timestamp: string;
        };
        HistoryEvent: {
            id: number;
            friend: boolean;
            meta: string;
            photo_hash: string;
            photo: string;
            cam_id: string;
            person_id?: number | string;
            timestamp: string;
            x1: number;
            y1: number;
            x2: number;
            y2: number;
        };
        Camera: {
            /** Format: uuid */
            id: string;
            meta?: string;
            url?: string;
            detector?: string;
            rot?: [
                number,
                number,
                number,
                number
            ];
            roi?: [
                number,
                number,
                number,
                number
            ];
            enabled: boolean;
            retention_days?: number;
            options?: {
                fps?: number;
                min_face?: number;
                min_quality?: number;
                absence?: number;
                longest?: number;
                early?: boolean;
                liveness?: number;
                /** @enum {unknown} */
                rotate?: 0 | 90 | 180 | 270 | "auto";
                snapshot?: boolean;
                clip?: boolean;
                masks?: [
                    number,
                    number,
                    number,
                    number
                ][];
            };
        };
        CameraState: {
            live: boolean;
            watcher: string | null;
            since: string | null;
            fps: number | null;
            dropped: number | null;
            frame_age: number | null;
            last_error: ("no program" | "silent" | "resized" | "bad picture" | "access denied" | "not found" | "connection refused" | "unreachable" | "timeout" | "not allowed" | "no video" | "bad option" | "ended" | "refused") | null;
            width: number | null;
            height: number | null;
            losses: number | null;
            furniture?: [
                number,
                number,
                number,
                number
            ][];
            /** @enum {number} */
            turn?: 0 | 90 | 180 | 270;
        };
        Alert: {
            id: string;
            cam_ids?: string[];
            person_ids?: number[];
            /** @description The person of the face has a face in this gallery, or the face matches one there that is of no other person. With `unknown`: neither. */
            gallery?: string;
            /** @description The least confidence of a match in the gallery. */
            threshold: number;
            /** @description Instead of the threshold: the share of strangers that may match the gallery. */
            fpir?: number;
            /** @description With `gallery`: nobody of the gallery. Else: the face is the first one of its person. */
            unknown?: boolean;
            friend?: boolean;
            hours?: {
                days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                from: string;
                to: string;
            }[];
            /** @description The time zone of `hours`, for example `Europe/Berlin`. */
            time_zone: string;
            /** @description Seconds without a further message about the same person. */
            cooldown_seconds: number;
            name: string;
            enabled: boolean;
            /** @description The webhook: messages are posted to this URL. Empty: alerts are in live streams only. */
            url: string;
            /**
             * @description The service of `url`: its messages are a title, a sentence and a link. Absent: Standard Webhooks.
             * @enum {string}
             */
            format?: "ntfy" | "gotify" | "telegram";
            /** @description Whether browsers that asked for them show its alerts as notifications. */
            browsers?: boolean;
            created: string;
        };
        Delivery: {
            id: number;
            /** @description The header `webhook-id` of all attempts. */
            message_id: string;
            /** @enum {string} */
            type: "face.seen" | "test";
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            created: string;
            attempts: number;
            event_id?: number;
            face_id?: number;
            /** @description The present person of the face: after a merge, the one that stayed. */
            person_id?: number | string;
            /** @description While pending: not before this time. */
            next_attempt?: string;
            ended?: string;
            /** @description Why the last attempt failed, or was not made. */
            fault?: string;
            /** @description Id of the browser that shows it as a notification. */
            subscription?: string;
        };
        AlertHistoryEntry: {
            id: number;
            created: string;
            alert: {
                id: string;
                name: string;
            };
            event_id?: number;
            face?: components["schemas"]["Face"];
            /** @description Absent for a face without a person. */
            person?: components["schemas"]["AlertPerson"];
            /** @description Who of the gallery of the rule it is. */
            matches?: components["schemas"]["Match"][];
            /** @description Absent while nobody has marked it as seen. */
            seen?: {
                by: string;
                time: string;
            };
        };
        AlertPerson: {
            id: number | string;
            /** @description Absent when `id` is a text, which names no person of the service. */
            meta?: string;
            /** @description Number of the faces of this person that cameras have posted. */
            seen: number;
            /** @description Time of the earliest of them. */
            first_seen?: string;
        };
        CurrentToken: {
            id: string;
            name: string;
            /** @enum {string} */
            scope: "read" | "enrol" | "camera" | "manage" | "admin";
            rate?: number;
            created: string;
            last_used?: string;
            expires?: string;
            revoked?: string;
            valid: boolean;
            owner: string;
            permissions: ("read_token" | "read" | "read_cameras" | "post" | "change" | "manage" | "administer")[];
            /** @description Id of the user, for the session of a browser. */
            user?: string;
        };
        Token: {
            id: string;
            name: string;
            /** @enum {string} */
            scope: "read" | "enrol" | "camera" | "manage" | "admin";
            rate?: number;
            created: string;
            last_used?: string;
            expires?: string;
            revoked?: string;
            valid: boolean;
        };
        CreatedToken: {
            id: string;
            name: string;
            /** @enum {string} */
            scope: "read" | "enrol" | "camera" | "manage" | "admin";
            rate?: number;
            created: string;
            last_used?: string;
            expires?: string;
            revoked?: string;
            valid: boolean;
            /** @description Text of the token. Only this response has it. */
            token: string;
        };
        RotatedToken: {
            id: string;
            name: string;
            /** @enum {string} */
            scope: "read" | "enrol" | "camera" | "manage" | "admin";
            rate?: number;
            created: string;
            last_used?: string;
            expires?: string;
            revoked?: string;
            valid: boolean;
            /** @description Text of the token. Only this response has it. */
            token: string;
            replaced: components["schemas"]["Token"];
        };
        User: {
            id: string;
            name: string;
            /** @enum {string} */
            role: "look" | "enrol" | "manage" | "administer";
            created: string;
            has_passkey: boolean;
            passkeys: {
                id: string;
                /** @description Browser and system that made the passkey. "" when they are unknown. */
                name: string;
                created: string;
                /** @description When the passkey signed in last. Absent: never. */
                last_used?: string;
            }[];
            /**
             * @description The user signs in at the OpenID provider, without a link.
             * @constant
             */
            by_provider?: true;
            invited_until?: string;
            sessions: {
                id: string;
                created: string;
                expires: string;
                last_used?: string;
            }[];
        };
        InvitedUser: {
            id: string;
            name: string;
            /** @enum {string} */
            role: "look" | "enrol" | "manage" | "administer";
            created: string;
            has_passkey: boolean;
            passkeys: {
                id: string;
                /** @description Browser and system that made the passkey. "" when they are unknown. */
                name: string;
                created: string;
                /** @description When the passkey signed in last. Absent: never. */
                last_used?: string;
            }[];
            /**
             * @description The user signs in at the OpenID provider, without a link.
             * @constant
             */
            by_provider?: true;
            invited_until?: string;
            sessions: {
                id: string;
                created: string;
                expires: string;
                last_used?: string;
            }[];
            /** @description The invitation. It works once. Only this response has it. */
            link: string;
        };
        AuditEntry: {
            /** @description Number in the log of the installation. The numbers of one owner have gaps. */
            seq: number;
            time: string;
            /** @description `token` and an id, `user` with an id and a name, `operator` for a command, or `service`. */
            actor: string;
            action: string;
            /** @description Ids, counts and fixed words. */
            subject: {
                [key: string]: string | number | boolean | number[];
            };
            /** @description What ids are called now, by their name in `subject`, and the token in `actor`. Not in the log. */
            names?: {
                [key: string]: string;
            };
        };
        AuditVerification: {
            /** @description False when an entry was changed or is missing. */
            intact: boolean;
            /** @description The first verified entry. Older ones were pruned. 0: no entry. */
            verified_from: number;
            /** @description The last verified entry. */
            verified_to: number;
            /** @description The newest entry. Greater than `verified_to` until all are verified. */
            last: number;
            /** @description Start of this verification. */
            since: string;
            /** @description The first fault. */
            fault?: string;
        };
        ServiceState: {
            version: string;
            /** @description A later release, if `update_url` names where to ask. */
            later_version?: string;
            /** @description The pack of models. */
            pack: string;
            /** @description The model of the vectors. */
            embedder: string;
            /** @description Start of the core that answers. */
            started: string;
            /** @description True while writes are refused because of a full disk. */
            disk_full: boolean;
            shards: {
                live: number;
                total: number;
                /** @description By shard, in the order of the layout. */
                available: boolean[];
            };
            calibration?: {
                /** @enum {string} */
                table: "default" | "alike";
                thresholds: {
                    /** @enum {string} */
                    name: "low" | "medium" | "strict";
                    confidence: number;
                    /** @description Share of pairs of different people that match, where it is measured. */
                    fmr?: number;
                    /** @description Share of pairs of one person that match, where it is measured. */
                    tmr?: number;
                }[];
                /** @description From scores to confidences. Lines connect the points. */
                curve: {
                    score: number;
                    confidence: number;
                }[];
            };
            /** @description A watcher of cameras runs beside the core while `watch_cameras` is on. */
            has_watcher?: boolean;
            /** @description Backups by `mien backup`. An absent time: never. */
            backup: {
                /** @description The start of the service names the place of backups: they can be asked for, and repeated. */
                has_place?: boolean;
                /** @description The last request for a backup. */
                requested?: string;
                /** @description The last start of a backup. */
                started?: string;
                /** @description End of the last complete backup. */
                completed?: string;
                /** @description End of the last failed backup into a repository. */
                failed?: string;
                /** @description End of the last drill without a fault. */
                drilled?: string;
            };
            /** @description Estimated seconds from request to response since the start of the core, for requests of all owners. */
            durations: {
                operation: string;
                p50: number;
                p99: number;
            }[];
        };
        ServiceSettings: {
            settings: {
                /** @enum {string} */
                name: "person_identify" | "person_identify_global" | "person_identify_threshold" | "record_searches" | "backup_hours" | "watch_cameras";
                value: boolean | number;
                /**
                 * @description `setting`: changed while the service ran. Otherwise the value is the initial one.
                 * @enum {string}
                 */
                origin: "setting" | "environment" | "file" | "default";
                /** @description The value after a reset: of a variable, of facenapi.ini, or the default. */
                initial: boolean | number;
            }[];
            /**
             * @description Why this API cannot change the settings: the service has several owners.
             * @enum {string}
             */
            fixed_by?: "owners";
        };
        /** @description An error. `code` is for programs. `reason` is text for people and may change. */
        Refusal: {
            /** @enum {string} */
            code: "AUTH_FAILED" | "FORBIDDEN" | "BAD_PARAM" | "MALFORMED_JSON" | "BAD_IMAGE" | "PHOTO_TOO_LARGE" | "PHOTO_UNREACHABLE" | "NO_FACES" | "LOW_QUALITY" | "LIVENESS_FAILED" | "NOT_FOUND" | "UNSUPPORTED_MEDIA_TYPE" | "METHOD_NOT_ALLOWED" | "GALLERY_EXISTS" | "CAMERA_TAKEN" | "RATE_LIMITED" | "INTERNAL_ERROR" | "OUTCOME_UNKNOWN" | "SERVICE_UNAVAILABLE";
            reason: string;
            param?: string;
            value?: string;
            request_id: string;
        } | {
            /** @constant */
            code: 400;
            /** @constant */
            error_code: "TOO_MANY_FACES";
            reason: string;
            faces: components["schemas"]["Box"][];
            request_id: string;
        };
        AlertMessage: {
            /** @enum {string} */
            type: "face.seen" | "test";
            /** @description When this attempt was made: ISO 8601, UTC. */
            timestamp: string;
            data: components["schemas"]["AlertData"];
        };
        AlertData: {
            alert: {
                id: string;
                name: string;
            };
            event_id?: number;
            face?: components["schemas"]["Face"];
            /** @description Absent for a face without a person. */
            person?: components["schemas"]["AlertPerson"];
            /** @description Who of the gallery of the rule it is. */
            matches?: components["schemas"]["Match"][];
        };
    };
    responses: {
        /** @description `AUTH_FAILED`: The token is missing or not valid. Expected the header "Authorization: Token <token>" or "Authorization: Bearer <token>". */
        AuthFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `FORBIDDEN`: The token does not allow this operation. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `METHOD_NOT_ALLOWED`: This path does not have this method. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `PHOTO_TOO_LARGE`: The photo or the request body is too large. */
        PhotoTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body has a Content-Encoding, such as gzip. Send it as it is, without this header. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `RATE_LIMITED`: Too many requests. Try again later. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `INTERNAL_ERROR`: Internal error. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: A required component is unavailable. Try again. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `NOT_FOUND`: Not found. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `OUTCOME_UNKNOWN`: The answer was lost, and the change may be stored or not. A repeat with the same Idempotency-Key is safe. Without one, look at the data before you repeat. */
        OutcomeUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `GALLERY_EXISTS`: A gallery of that name exists already. */
        GalleryExists: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description `CAMERA_TAKEN`: Another watcher watches this camera. */
        CameraTaken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in the logs of the service.
         * @example 0b8f1b2a-51e6-4e0c-8c1b-9f0d0a0b0c0d
         */
        "X-Request-Id": string;
        /**
         * @description Unknown parameters, each with the nearest known name if one is similar, or with the version that knows it. Absent if all parameters are known.
         * @example treshold; did-you-mean=threshold, age; only-in=v1
         */
        "X-Ignored-Parameters": string;
        /**
         * @description Seconds to wait before the next attempt. With 404 and 409: absent if waiting does not help.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description The methods of the path.
         * @example GET, DELETE
         */
        Allow: string;
        /**
         * @description The expected authentication scheme.
         * @example Token
         */
        "WWW-Authenticate": string;
        /** @description `limited`: the photo has more places that may show small faces than are examined in one request. Small faces may be missing. Send parts of the photo, or name the faces by their boxes. Absent if everything was examined. */
        "X-Detection": string;
        /** @description Number of faces that were left out because they are too poor to recognise (verify: of both photos). `POST /detect` lists them. Name their boxes to use them all the same. Absent for none. */
        "X-Faces-Left-Out": string;
        /** @description Number of searched shards and number of all shards, for example `3/4`. */
        "X-Live-Servers": string;
        /** @description Number of faces on the photo, with those left out, if not all were taken: ask whose face was meant. With `mf_selector=biggest`, faces of less than a quarter of its area may not be counted. Absent with `bbox`. */
        "X-Faces-Seen": string;
        /** @description `nosniff` */
        "X-Content-Type-Options": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    detect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. A JSON body or a URL-encoded form with the URL of a photo is also accepted. The body may also be the photo itself, of the type `image/*` or `application/octet-stream`. The query string then contains the other parameters. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    photo: string;
                    /**
                     * @description Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
                     * @example [
                     *       {
                     *         "x1": 10,
                     *         "y1": 20,
                     *         "x2": 110,
                     *         "y2": 140
                     *       }
                     *     ]
                     */
                    bbox?: {
                        x1: number;
                        y1: number;
                        x2: number;
                        y2: number;
                    }[];
                    x1?: number;
                    y1?: number;
                    x2?: number;
                    y2?: number;
                    /**
                     * @description Report the quality of each face.
                     * @default false
                     */
                    quality?: boolean;
                    /**
                     * @description Report the liveness of each face.
                     * @default false
                     */
                    liveness?: boolean;
                    /** @description Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness. */
                    min_liveness?: number;
                    /** @default false */
                    age?: boolean;
                    /** @default false */
                    gender?: boolean;
                    /** @default false */
                    emotions?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Detection": components["headers"]["X-Detection"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "faces": [
                     *         {
                     *           "x1": 426,
                     *           "y1": 372,
                     *           "x2": 605,
                     *           "y2": 604,
                     *           "quality": {
                     *             "quality": 0.9412,
                     *             "score": 0.9963,
                     *             "size": 179,
                     *             "sharpness": 0.5055,
                     *             "brightness": 0.3489,
                     *             "contrast": 0.1572,
                     *             "yaw": -28.6,
                     *             "pitch": -20.4,
                     *             "roll": 2.8
                     *           },
                     *           "liveness": 0.9998,
                     *           "age": 24.95,
                     *           "gender": "female",
                     *           "emotions": [
                     *             "neutral",
                     *             "happy"
                     *           ]
                     *         }
                     *       ],
                     *       "orientation": 1
                     *     }
                     */
                    "application/json": {
                        faces: {
                            x1: number;
                            y1: number;
                            x2: number;
                            y2: number;
                            quality?: components["schemas"]["Quality"];
                            liveness?: components["schemas"]["Liveness"];
                            age?: number;
                            /** @enum {string} */
                            gender?: "male" | "female";
                            emotions?: ("neutral" | "sad" | "happy" | "surprise" | "fear" | "angry" | "disgust")[];
                        }[];
                        /** @description EXIF orientation; 1 if the photo has none. */
                        orientation: number;
                        /** @description Why `faces` is empty, for people: the photo shows faces, but they are too small. */
                        reason?: string;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             *
             *     `BAD_IMAGE`: The photo is not a readable JPEG, PNG or WEBP image.
             *
             *     `PHOTO_UNREACHABLE`: The photo URL could not be fetched. It must be public and answer 200 with the photo, without a redirect. The operator can allow hosts that are not public in MIEN_PHOTO_HOSTS.
             *
             *     `LIVENESS_FAILED`: A face looks like a print or a screen.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. A JSON body or a URL-encoded form with the URL of a photo is also accepted. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    photo1: string;
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    photo2?: string;
                    person_id?: number;
                    /**
                     * @description Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
                     * @example [
                     *       {
                     *         "x1": 10,
                     *         "y1": 20,
                     *         "x2": 110,
                     *         "y2": 140
                     *       }
                     *     ]
                     */
                    bbox1?: {
                        x1: number;
                        y1: number;
                        x2: number;
                        y2: number;
                    }[];
                    /**
                     * @description Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
                     * @example [
                     *       {
                     *         "x1": 10,
                     *         "y1": 20,
                     *         "x2": 110,
                     *         "y2": 140
                     *       }
                     *     ]
                     */
                    bbox2?: {
                        x1: number;
                        y1: number;
                        x2: number;
                        y2: number;
                    }[];
                    /**
                     * @description The least confidence of a match: a number or a name.
                     * @default 0.75
                     */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /**
                     * @description Selects faces when the photo shows several. `biggest` is the face with the largest area inside the photo; `reject` refuses the photo.
                     * @default biggest
                     * @enum {string}
                     */
                    mf_selector?: "reject" | "biggest" | "all";
                    /**
                     * @description Report the liveness of each face.
                     * @default false
                     */
                    liveness?: boolean;
                    /** @description Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness. */
                    min_liveness?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Detection": components["headers"]["X-Detection"];
                    "X-Faces-Left-Out": components["headers"]["X-Faces-Left-Out"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "bbox1": {
                     *             "x1": 426,
                     *             "y1": 372,
                     *             "x2": 605,
                     *             "y2": 604
                     *           },
                     *           "bbox2": {
                     *             "x1": 177,
                     *             "y1": 155,
                     *             "x2": 252,
                     *             "y2": 251
                     *           },
                     *           "confidence": 0.9687,
                     *           "verified": true,
                     *           "liveness1": 0.9998,
                     *           "liveness2": 0.9991
                     *         }
                     *       ],
                     *       "verified": true
                     *     }
                     */
                    "application/json": {
                        results: {
                            bbox1: components["schemas"]["Box"];
                            /** @description Present with `photo2`. */
                            bbox2?: components["schemas"]["Box"];
                            /** @description Present with `person_id`. */
                            person?: components["schemas"]["Person"];
                            confidence: number;
                            verified?: boolean;
                            liveness1?: components["schemas"]["Liveness"];
                            liveness2?: components["schemas"]["Liveness"];
                        }[];
                        verified?: boolean;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             *
             *     `BAD_IMAGE`: The photo is not a readable JPEG, PNG or WEBP image.
             *
             *     `PHOTO_UNREACHABLE`: The photo URL could not be fetched. It must be public and answer 200 with the photo, without a redirect. The operator can allow hosts that are not public in MIEN_PHOTO_HOSTS.
             *
             *     `NO_FACES`: No face was found on the photo.
             *
             *     `400` with the `error_code` `TOO_MANY_FACES`: Too many faces
             *
             *     `LIVENESS_FAILED`: A face looks like a print or a screen.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    identify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. A JSON body or a URL-encoded form with the URL of a photo is also accepted. The body may also be the photo itself, of the type `image/*` or `application/octet-stream`. The query string then contains the other parameters. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    photo: string;
                    /**
                     * @description Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
                     * @example [
                     *       {
                     *         "x1": 10,
                     *         "y1": 20,
                     *         "x2": 110,
                     *         "y2": 140
                     *       }
                     *     ]
                     */
                    bbox?: {
                        x1: number;
                        y1: number;
                        x2: number;
                        y2: number;
                    }[];
                    x1?: number;
                    y1?: number;
                    x2?: number;
                    y2?: number;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    /**
                     * @description What is searched. `persons`: one match for each person, scored by the mean of their good faces.
                     * @default faces
                     * @enum {string}
                     */
                    target?: "faces" | "persons";
                    /** @default 1 */
                    n?: number;
                    /** @description The name of a gallery. */
                    gallery?: string;
                    strict?: boolean;
                    /**
                     * @description Selects faces when the photo shows several. `biggest` is the face with the largest area inside the photo; `reject` refuses the photo.
                     * @default biggest
                     * @enum {string}
                     */
                    mf_selector?: "reject" | "biggest" | "all";
                    /**
                     * @description Report the liveness of each face.
                     * @default false
                     */
                    liveness?: boolean;
                    /** @description Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness. */
                    min_liveness?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Detection": components["headers"]["X-Detection"];
                    "X-Faces-Left-Out": components["headers"]["X-Faces-Left-Out"];
                    "X-Live-Servers": components["headers"]["X-Live-Servers"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": {
                     *         "[177, 155, 252, 251]": [
                     *           {
                     *             "confidence": 0.9687,
                     *             "face": {
                     *               "id": 4596074098019885,
                     *               "timestamp": "2026-11-22T09:57:24.539000",
                     *               "photo": "ann.jpg",
                     *               "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *               "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *               "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *               "x1": 426,
                     *               "y1": 372,
                     *               "x2": 605,
                     *               "y2": 604,
                     *               "meta": "Ann",
                     *               "galleries": [
                     *                 "default",
                     *                 "staff"
                     *               ],
                     *               "friend": false,
                     *               "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *               "age": 24.95,
                     *               "gender": "female",
                     *               "emotions": [
                     *                 "neutral",
                     *                 "happy"
                     *               ],
                     *               "person_id": 7
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "liveness": {
                     *         "[177, 155, 252, 251]": 0.9991
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Matches of each face, in descending order of confidence. The key is the box of the face: `[x1, y1, x2, y2]`. */
                        results: {
                            [key: string]: components["schemas"]["Match"][];
                        };
                        /** @description With `liveness`: the liveness of each face, with the same keys. */
                        liveness?: {
                            [key: string]: components["schemas"]["Liveness"];
                        };
                        /** @description With `fpir` or `target=persons`: how false alarms were bounded. */
                        search?: components["schemas"]["FalseAlarmBound"];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             *
             *     `BAD_IMAGE`: The photo is not a readable JPEG, PNG or WEBP image.
             *
             *     `PHOTO_UNREACHABLE`: The photo URL could not be fetched. It must be public and answer 200 with the photo, without a redirect. The operator can allow hosts that are not public in MIEN_PHOTO_HOSTS.
             *
             *     `NO_FACES`: No face was found on the photo.
             *
             *     `400` with the `error_code` `TOO_MANY_FACES`: Too many faces
             *
             *     `LIVENESS_FAILED`: A face looks like a print or a screen.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    identifyInGallery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. A JSON body or a URL-encoded form with the URL of a photo is also accepted. The body may also be the photo itself, of the type `image/*` or `application/octet-stream`. The query string then contains the other parameters. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    photo: string;
                    /**
                     * @description Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
                     * @example [
                     *       {
                     *         "x1": 10,
                     *         "y1": 20,
                     *         "x2": 110,
                     *         "y2": 140
                     *       }
                     *     ]
                     */
                    bbox?: {
                        x1: number;
                        y1: number;
                        x2: number;
                        y2: number;
                    }[];
                    x1?: number;
                    y1?: number;
                    x2?: number;
                    y2?: number;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    /**
                     * @description What is searched. `persons`: one match for each person, scored by the mean of their good faces.
                     * @default faces
                     * @enum {string}
                     */
                    target?: "faces" | "persons";
                    /** @default 1 */
                    n?: number;
                    strict?: boolean;
                    /**
                     * @description Selects faces when the photo shows several. `biggest` is the face with the largest area inside the photo; `reject` refuses the photo.
                     * @default biggest
                     * @enum {string}
                     */
                    mf_selector?: "reject" | "biggest" | "all";
                    /**
                     * @description Report the liveness of each face.
                     * @default false
                     */
                    liveness?: boolean;
                    /** @description Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness. */
                    min_liveness?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Detection": components["headers"]["X-Detection"];
                    "X-Faces-Left-Out": components["headers"]["X-Faces-Left-Out"];
                    "X-Live-Servers": components["headers"]["X-Live-Servers"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": {
                     *         "[177, 155, 252, 251]": [
                     *           {
                     *             "confidence": 0.9687,
                     *             "face": {
                     *               "id": 4596074098019885,
                     *               "timestamp": "2026-11-22T09:57:24.539000",
                     *               "photo": "ann.jpg",
                     *               "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *               "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *               "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *               "x1": 426,
                     *               "y1": 372,
                     *               "x2": 605,
                     *               "y2": 604,
                     *               "meta": "Ann",
                     *               "galleries": [
                     *                 "default",
                     *                 "staff"
                     *               ],
                     *               "friend": false,
                     *               "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *               "age": 24.95,
                     *               "gender": "female",
                     *               "emotions": [
                     *                 "neutral",
                     *                 "happy"
                     *               ],
                     *               "person_id": 7
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "liveness": {
                     *         "[177, 155, 252, 251]": 0.9991
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Matches of each face, in descending order of confidence. The key is the box of the face: `[x1, y1, x2, y2]`. */
                        results: {
                            [key: string]: components["schemas"]["Match"][];
                        };
                        /** @description With `liveness`: the liveness of each face, with the same keys. */
                        liveness?: {
                            [key: string]: components["schemas"]["Liveness"];
                        };
                        /** @description With `fpir` or `target=persons`: how false alarms were bounded. */
                        search?: components["schemas"]["FalseAlarmBound"];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             *
             *     `BAD_IMAGE`: The photo is not a readable JPEG, PNG or WEBP image.
             *
             *     `PHOTO_UNREACHABLE`: The photo URL could not be fetched. It must be public and answer 200 with the photo, without a redirect. The operator can allow hosts that are not public in MIEN_PHOTO_HOSTS.
             *
             *     `NO_FACES`: No face was found on the photo.
             *
             *     `400` with the `error_code` `TOO_MANY_FACES`: Too many faces
             *
             *     `LIVENESS_FAILED`: A face looks like a print or a screen.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enrol: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique name of the request, chosen by the client. For 24 hours, a repeated request with the same key gets the first response. A different request with the same key is refused with `BAD_PARAM`, without `update`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. A JSON body or a URL-encoded form with the URL of a photo is also accepted. The body may also be the photo itself, of the type `image/*` or `application/octet-stream`. The query string then contains the other parameters. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    photo: string;
                    /** @default  */
                    meta?: string;
                    person_id?: number | string;
                    person?: string;
                    /**
                     * @description Boxes of the faces in pixels of the upright photo, each at least 50 x 50 pixels.
                     * @example [
                     *       {
                     *         "x1": 10,
                     *         "y1": 20,
                     *         "x2": 110,
                     *         "y2": 140
                     *       }
                     *     ]
                     */
                    bbox?: {
                        x1: number;
                        y1: number;
                        x2: number;
                        y2: number;
                    }[];
                    /**
                     * @description Selects faces when the photo shows several. `biggest` is the face with the largest area inside the photo; `reject` refuses the photo.
                     * @default biggest
                     * @enum {string}
                     */
                    mf_selector?: "reject" | "biggest" | "all";
                    /**
                     * @description Names of galleries.
                     * @default []
                     */
                    galleries?: string[];
                    /**
                     * Format: uuid
                     * @description The id of a camera, with or without hyphens.
                     */
                    cam_id?: string;
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    timestamp?: string;
                    /** @description Any JSON value, stored unchanged. */
                    detectorParams?: unknown;
                    /**
                     * @description Report the quality of each face.
                     * @default false
                     */
                    quality?: boolean;
                    /** @description Refuse the photo with `LOW_QUALITY` when a face has a lower `quality`. */
                    min_quality?: number;
                    /** @default false */
                    update?: boolean;
                    /**
                     * @description Report the liveness of each face.
                     * @default false
                     */
                    liveness?: boolean;
                    /** @description Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness. */
                    min_liveness?: number;
                    /** @default false */
                    age?: boolean;
                    /** @default false */
                    gender?: boolean;
                    /** @default false */
                    emotions?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Detection": components["headers"]["X-Detection"];
                    "X-Faces-Left-Out": components["headers"]["X-Faces-Left-Out"];
                    "X-Faces-Seen": components["headers"]["X-Faces-Seen"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 4596074098019885,
                     *           "timestamp": "2026-11-22T09:57:24.539000",
                     *           "photo": "ann.jpg",
                     *           "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *           "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "x1": 426,
                     *           "y1": 372,
                     *           "x2": 605,
                     *           "y2": 604,
                     *           "meta": "Ann",
                     *           "galleries": [
                     *             "default",
                     *             "staff"
                     *           ],
                     *           "friend": false,
                     *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *           "age": 24.95,
                     *           "gender": "female",
                     *           "emotions": [
                     *             "neutral",
                     *             "happy"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Face"][];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             *
             *     `BAD_IMAGE`: The photo is not a readable JPEG, PNG or WEBP image.
             *
             *     `PHOTO_UNREACHABLE`: The photo URL could not be fetched. It must be public and answer 200 with the photo, without a redirect. The operator can allow hosts that are not public in MIEN_PHOTO_HOSTS.
             *
             *     `NO_FACES`: No face was found on the photo.
             *
             *     `400` with the `error_code` `TOO_MANY_FACES`: Too many faces
             *
             *     `LIVENESS_FAILED`: A face looks like a print or a screen.
             *
             *     `LOW_QUALITY`: The picture of a face is not good enough.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    getFace: {
        parameters: {
            query?: {
                who?: boolean;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4596074098019885,
                     *       "timestamp": "2026-11-22T09:57:24.539000",
                     *       "photo": "ann.jpg",
                     *       "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *       "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *       "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *       "x1": 426,
                     *       "y1": 372,
                     *       "x2": 605,
                     *       "y2": 604,
                     *       "meta": "Ann",
                     *       "galleries": [
                     *         "default",
                     *         "staff"
                     *       ],
                     *       "friend": false,
                     *       "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *       "age": 24.95,
                     *       "gender": "female",
                     *       "emotions": [
                     *         "neutral",
                     *         "happy"
                     *       ],
                     *       "person_id": 7
                     *     }
                     */
                    "application/json": components["schemas"]["Face"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateFace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    meta?: string | null;
                    person_id?: number | string;
                    person?: string;
                    not_person?: number;
                    /**
                     * @description Adds the face to galleries, removes it from galleries, or replaces its galleries. Expects exactly one key.
                     * @example {
                     *       "add": [
                     *         "staff"
                     *       ]
                     *     }
                     */
                    galleries?: {
                        add?: string[];
                        del?: string[];
                        set?: string[];
                    };
                    /** @enum {string} */
                    review?: "set_aside" | "confirmed" | "none";
                };
                "application/x-www-form-urlencoded": {
                    meta?: string | null;
                    person_id?: number | string;
                    person?: string;
                    not_person?: number;
                    /**
                     * @description Adds the face to galleries, removes it from galleries, or replaces its galleries. Expects exactly one key.
                     * @example {
                     *       "add": [
                     *         "staff"
                     *       ]
                     *     }
                     */
                    galleries?: {
                        add?: string[];
                        del?: string[];
                        set?: string[];
                    };
                    /** @enum {string} */
                    review?: "set_aside" | "confirmed" | "none";
                };
                "multipart/form-data": {
                    meta?: string | null;
                    person_id?: number | string;
                    person?: string;
                    not_person?: number;
                    /**
                     * @description Adds the face to galleries, removes it from galleries, or replaces its galleries. Expects exactly one key.
                     * @example {
                     *       "add": [
                     *         "staff"
                     *       ]
                     *     }
                     */
                    galleries?: {
                        add?: string[];
                        del?: string[];
                        set?: string[];
                    };
                    /** @enum {string} */
                    review?: "set_aside" | "confirmed" | "none";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4596074098019885,
                     *       "timestamp": "2026-11-22T09:57:24.539000",
                     *       "photo": "ann.jpg",
                     *       "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *       "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *       "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *       "x1": 426,
                     *       "y1": 372,
                     *       "x2": 605,
                     *       "y2": 604,
                     *       "meta": "Ann",
                     *       "galleries": [
                     *         "default",
                     *         "staff"
                     *       ],
                     *       "friend": false,
                     *       "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *       "age": 24.95,
                     *       "gender": "female",
                     *       "emotions": [
                     *         "neutral",
                     *         "happy"
                     *       ],
                     *       "person_id": 7
                     *     }
                     */
                    "application/json": components["schemas"]["Face"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    deleteFace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    listFaces: {
        parameters: {
            query?: {
                max_id?: number;
                min_id?: number;
                limit?: number;
                /** @description Faces with exactly this meta; empty for faces without a meta. */
                meta?: string;
                person_id?: number;
                friend?: boolean;
                /** @description Ids of cameras. */
                cam_id?: string[];
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                start?: string;
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                end?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 4596074098019885,
                     *           "timestamp": "2026-11-22T09:57:24.539000",
                     *           "photo": "ann.jpg",
                     *           "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *           "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "x1": 426,
                     *           "y1": 372,
                     *           "x2": 605,
                     *           "y2": 604,
                     *           "meta": "Ann",
                     *           "galleries": [
                     *             "default",
                     *             "staff"
                     *           ],
                     *           "friend": false,
                     *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *           "age": 24.95,
                     *           "gender": "female",
                     *           "emotions": [
                     *             "neutral",
                     *             "happy"
                     *           ],
                     *           "person_id": 7
                     *         }
                     *       ],
                     *       "prev_page": null,
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Face"][];
                        prev_page: string | null;
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGalleryFaces: {
        parameters: {
            query?: {
                max_id?: number;
                min_id?: number;
                limit?: number;
                /** @description Faces with exactly this meta; empty for faces without a meta. */
                meta?: string;
                person_id?: number;
                friend?: boolean;
                /** @description Ids of cameras. */
                cam_id?: string[];
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                start?: string;
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                end?: string;
            };
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 4596074098019885,
                     *           "timestamp": "2026-11-22T09:57:24.539000",
                     *           "photo": "ann.jpg",
                     *           "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *           "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "x1": 426,
                     *           "y1": 372,
                     *           "x2": 605,
                     *           "y2": 604,
                     *           "meta": "Ann",
                     *           "galleries": [
                     *             "default",
                     *             "staff"
                     *           ],
                     *           "friend": false,
                     *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *           "age": 24.95,
                     *           "gender": "female",
                     *           "emotions": [
                     *             "neutral",
                     *             "happy"
                     *           ],
                     *           "person_id": 7
                     *         }
                     *       ],
                     *       "prev_page": null,
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Face"][];
                        prev_page: string | null;
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. A JSON body or a URL-encoded form with the URL of a photo is also accepted. The body may also be the photo itself, of the type `image/*` or `application/octet-stream`. The query string then contains the other parameters. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    snapshot: string;
                };
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             *
             *     `BAD_IMAGE`: The photo is not a readable JPEG, PNG or WEBP image.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    putClip: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. A JSON body or a URL-encoded form with the URL of a photo is also accepted. The body may also be the photo itself, of the type `image/*` or `application/octet-stream`. The query string then contains the other parameters. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    clip: string;
                };
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             *
             *     `BAD_IMAGE`: The photo is not a readable JPEG, PNG or WEBP image.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    facesWithMeta: {
        parameters: {
            query?: {
                max_id?: number;
                min_id?: number;
                limit?: number;
            };
            header?: never;
            path: {
                meta: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 4596074098019885,
                     *           "timestamp": "2026-11-22T09:57:24.539000",
                     *           "photo": "ann.jpg",
                     *           "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *           "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "x1": 426,
                     *           "y1": 372,
                     *           "x2": 605,
                     *           "y2": 604,
                     *           "meta": "Ann",
                     *           "galleries": [
                     *             "default",
                     *             "staff"
                     *           ],
                     *           "friend": false,
                     *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *           "age": 24.95,
                     *           "gender": "female",
                     *           "emotions": [
                     *             "neutral",
                     *             "happy"
                     *           ],
                     *           "person_id": 7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Face"][];
                        prev_page?: string | null;
                        next_page?: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteFacesWithMeta: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                meta: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    galleryFacesWithMeta: {
        parameters: {
            query?: {
                max_id?: number;
                min_id?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
                meta: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 4596074098019885,
                     *           "timestamp": "2026-11-22T09:57:24.539000",
                     *           "photo": "ann.jpg",
                     *           "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *           "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "x1": 426,
                     *           "y1": 372,
                     *           "x2": 605,
                     *           "y2": 604,
                     *           "meta": "Ann",
                     *           "galleries": [
                     *             "default",
                     *             "staff"
                     *           ],
                     *           "friend": false,
                     *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *           "age": 24.95,
                     *           "gender": "female",
                     *           "emotions": [
                     *             "neutral",
                     *             "happy"
                     *           ],
                     *           "person_id": 7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Face"][];
                        prev_page?: string | null;
                        next_page?: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteGalleryFacesWithMeta: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
                meta: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    listMetas: {
        parameters: {
            query?: {
                max_id?: number;
                min_id?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "meta": "Ann",
                     *           "count": 1,
                     *           "face": {
                     *             "id": 4596074098019885,
                     *             "timestamp": "2026-11-22T09:57:24.539000",
                     *             "photo": "ann.jpg",
                     *             "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *             "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *             "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *             "x1": 426,
                     *             "y1": 372,
                     *             "x2": 605,
                     *             "y2": 604,
                     *             "meta": "Ann",
                     *             "galleries": [
                     *               "default",
                     *               "staff"
                     *             ],
                     *             "friend": false,
                     *             "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *             "age": 24.95,
                     *             "gender": "female",
                     *             "emotions": [
                     *               "neutral",
                     *               "happy"
                     *             ],
                     *             "person_id": 7
                     *           }
                     *         }
                     *       ],
                     *       "prev_page": null,
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["MetaEntry"][];
                        prev_page: string | null;
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGalleryMetas: {
        parameters: {
            query?: {
                max_id?: number;
                min_id?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "meta": "Ann",
                     *           "count": 1,
                     *           "face": {
                     *             "id": 4596074098019885,
                     *             "timestamp": "2026-11-22T09:57:24.539000",
                     *             "photo": "ann.jpg",
                     *             "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *             "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *             "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *             "x1": 426,
                     *             "y1": 372,
                     *             "x2": 605,
                     *             "y2": 604,
                     *             "meta": "Ann",
                     *             "galleries": [
                     *               "default",
                     *               "staff"
                     *             ],
                     *             "friend": false,
                     *             "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *             "age": 24.95,
                     *             "gender": "female",
                     *             "emotions": [
                     *               "neutral",
                     *               "happy"
                     *             ],
                     *             "person_id": 7
                     *           }
                     *         }
                     *       ],
                     *       "prev_page": null,
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["MetaEntry"][];
                        prev_page: string | null;
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGalleries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         "default",
                     *         "staff"
                     *       ],
                     *       "display_names": {
                     *         "staff": "Our staff"
                     *       }
                     *     }
                     */
                    "application/json": {
                        results: string[];
                        /** @description By name, of the galleries that have one. */
                        display_names?: {
                            [key: string]: string;
                        };
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createNamedGallery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name of a gallery. */
                    name: string;
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description The name of a gallery. */
                    name: string;
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
                "multipart/form-data": {
                    /** @description The name of a gallery. */
                    name: string;
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "staff",
                     *       "display_name": "Our staff",
                     *       "retention_days": 365
                     *     }
                     */
                    "application/json": components["schemas"]["Gallery"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["GalleryExists"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    galleryStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "name": "default",
                     *           "faces": 41210,
                     *           "vectors": 41210,
                     *           "indexed": 40000,
                     *           "index": "ready"
                     *         },
                     *         {
                     *           "name": "staff",
                     *           "display_name": "Our staff",
                     *           "retention_days": 365,
                     *           "faces": 120,
                     *           "vectors": 120,
                     *           "indexed": 0,
                     *           "index": "none"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["GalleryStatistics"][];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getGallery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "staff",
                     *       "display_name": "Our staff",
                     *       "retention_days": 365
                     *     }
                     */
                    "application/json": components["schemas"]["Gallery"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeGallery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
                "multipart/form-data": {
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "staff",
                     *       "display_name": "Our staff",
                     *       "retention_days": 365
                     *     }
                     */
                    "application/json": components["schemas"]["Gallery"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    createGallery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
                "multipart/form-data": {
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description A name for people, with spaces and any letters. Empty: none. `default` has none.
                     * @example Our staff
                     */
                    display_name?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "staff",
                     *       "display_name": "Our staff",
                     *       "retention_days": 365
                     *     }
                     */
                    "application/json": components["schemas"]["Gallery"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["GalleryExists"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    deleteGallery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    checkGallery: {
        parameters: {
            query?: {
                min_id?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The name of a gallery. */
                gallery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "kind": "disagrees",
                     *           "confidence": 0.5231,
                     *           "faces": [
                     *             {
                     *               "id": 4596074098019885,
                     *               "timestamp": "2026-11-22T09:57:24.539000",
                     *               "photo": "ann.jpg",
                     *               "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *               "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *               "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *               "x1": 426,
                     *               "y1": 372,
                     *               "x2": 605,
                     *               "y2": 604,
                     *               "meta": "Ann",
                     *               "galleries": [
                     *                 "default",
                     *                 "staff"
                     *               ],
                     *               "friend": false,
                     *               "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *               "age": 24.95,
                     *               "gender": "female",
                     *               "emotions": [
                     *                 "neutral",
                     *                 "happy"
                     *               ],
                     *               "person_id": 7
                     *             }
                     *           ],
                     *           "persons": [
                     *             {
                     *               "person_id": 7,
                     *               "meta": "Ann",
                     *               "face": {
                     *                 "id": 4596074098019886,
                     *                 "timestamp": "2026-11-22T09:57:24.539000",
                     *                 "photo": "ann.jpg",
                     *                 "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *                 "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *                 "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *                 "x1": 426,
                     *                 "y1": 372,
                     *                 "x2": 605,
                     *                 "y2": 604,
                     *                 "meta": "Ann",
                     *                 "galleries": [
                     *                   "default",
                     *                   "staff"
                     *                 ],
                     *                 "friend": false,
                     *                 "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *                 "age": 24.95,
                     *                 "gender": "female",
                     *                 "emotions": [
                     *                   "neutral",
                     *                   "happy"
                     *                 ],
                     *                 "person_id": 7
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Finding"][];
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPersons: {
        parameters: {
            query?: {
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 7,
                     *           "meta": "Ann"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Person"][];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPersonSummaries: {
        parameters: {
            query?: {
                max_id?: number;
                min_id?: number;
                limit?: number;
                meta?: string;
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 7,
                     *           "meta": "Ann",
                     *           "count": 3,
                     *           "face": {
                     *             "id": 4596074098019885,
                     *             "timestamp": "2026-11-22T09:57:24.539000",
                     *             "photo": "ann.jpg",
                     *             "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *             "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *             "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *             "x1": 426,
                     *             "y1": 372,
                     *             "x2": 605,
                     *             "y2": 604,
                     *             "meta": "Ann",
                     *             "galleries": [
                     *               "default",
                     *               "staff"
                     *             ],
                     *             "friend": false,
                     *             "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *             "age": 24.95,
                     *             "gender": "female",
                     *             "emotions": [
                     *               "neutral",
                     *               "happy"
                     *             ],
                     *             "person_id": 7
                     *           },
                     *           "latest": {
                     *             "face_id": 4596074098019885,
                     *             "timestamp": "2026-11-22T09:57:24.539000",
                     *             "friend": false,
                     *             "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30"
                     *           }
                     *         }
                     *       ],
                     *       "prev_page": null,
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["PersonSummary"][];
                        prev_page: string | null;
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    suggestPersons: {
        parameters: {
            query?: {
                max_id?: number;
                limit?: number;
                /** @description The least confidence of a match: a number or a name. */
                threshold?: number | ("strict" | "medium" | "low" | "none");
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Live-Servers": components["headers"]["X-Live-Servers"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "confidence": 0.9123,
                     *           "persons": [
                     *             {
                     *               "id": 9,
                     *               "meta": "autogenerated",
                     *               "count": 1,
                     *               "face": {
                     *                 "id": 4596074098019885,
                     *                 "timestamp": "2026-11-22T09:57:24.539000",
                     *                 "photo": "ann.jpg",
                     *                 "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *                 "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *                 "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *                 "x1": 426,
                     *                 "y1": 372,
                     *                 "x2": 605,
                     *                 "y2": 604,
                     *                 "meta": "Ann",
                     *                 "galleries": [
                     *                   "default",
                     *                   "staff"
                     *                 ],
                     *                 "friend": false,
                     *                 "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *                 "age": 24.95,
                     *                 "gender": "female",
                     *                 "emotions": [
                     *                   "neutral",
                     *                   "happy"
                     *                 ],
                     *                 "person_id": 9
                     *               }
                     *             },
                     *             {
                     *               "id": 7,
                     *               "meta": "Ann",
                     *               "count": 3,
                     *               "face": {
                     *                 "id": 4596074098019885,
                     *                 "timestamp": "2026-11-22T09:57:24.539000",
                     *                 "photo": "ann.jpg",
                     *                 "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *                 "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *                 "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *                 "x1": 426,
                     *                 "y1": 372,
                     *                 "x2": 605,
                     *                 "y2": 604,
                     *                 "meta": "Ann",
                     *                 "galleries": [
                     *                   "default",
                     *                   "staff"
                     *                 ],
                     *                 "friend": false,
                     *                 "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *                 "age": 24.95,
                     *                 "gender": "female",
                     *                 "emotions": [
                     *                   "neutral",
                     *                   "happy"
                     *                 ],
                     *                 "person_id": 7
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["PersonSuggestion"][];
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "meta": "Ann"
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody: {
            content: {
                "application/json": {
                    meta: string;
                    /** @default false */
                    faces?: boolean;
                };
                "application/x-www-form-urlencoded": {
                    meta: string;
                    /** @default false */
                    faces?: boolean;
                };
                "multipart/form-data": {
                    meta: string;
                    /** @default false */
                    faces?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "meta": "Ann"
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    deletePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    getPersonSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "meta": "Ann",
                     *       "count": 3,
                     *       "face": {
                     *         "id": 4596074098019885,
                     *         "timestamp": "2026-11-22T09:57:24.539000",
                     *         "photo": "ann.jpg",
                     *         "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *         "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *         "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *         "x1": 426,
                     *         "y1": 372,
                     *         "x2": 605,
                     *         "y2": 604,
                     *         "meta": "Ann",
                     *         "galleries": [
                     *           "default",
                     *           "staff"
                     *         ],
                     *         "friend": false,
                     *         "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *         "age": 24.95,
                     *         "gender": "female",
                     *         "emotions": [
                     *           "neutral",
                     *           "happy"
                     *         ],
                     *         "person_id": 7
                     *       },
                     *       "latest": {
                     *         "face_id": 4596074098019885,
                     *         "timestamp": "2026-11-22T09:57:24.539000",
                     *         "friend": false,
                     *         "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PersonSummary"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    mergePersons: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ids of the persons that are merged into the person of the path. */
                    person_ids: number[];
                };
                "application/x-www-form-urlencoded": {
                    /** @description Ids of the persons that are merged into the person of the path. */
                    person_ids: number[];
                };
                "multipart/form-data": {
                    /** @description Ids of the persons that are merged into the person of the path. */
                    person_ids: number[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "meta": "Ann",
                     *       "count": 3,
                     *       "face": {
                     *         "id": 4596074098019885,
                     *         "timestamp": "2026-11-22T09:57:24.539000",
                     *         "photo": "ann.jpg",
                     *         "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *         "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *         "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *         "x1": 426,
                     *         "y1": 372,
                     *         "x2": 605,
                     *         "y2": 604,
                     *         "meta": "Ann",
                     *         "galleries": [
                     *           "default",
                     *           "staff"
                     *         ],
                     *         "friend": false,
                     *         "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *         "age": 24.95,
                     *         "gender": "female",
                     *         "emotions": [
                     *           "neutral",
                     *           "happy"
                     *         ],
                     *         "person_id": 7
                     *       },
                     *       "latest": {
                     *         "face_id": 4596074098019885,
                     *         "timestamp": "2026-11-22T09:57:24.539000",
                     *         "friend": false,
                     *         "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PersonSummary"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    splitPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ids of the faces that the new person gets. */
                    face_ids: number[];
                    meta?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description Ids of the faces that the new person gets. */
                    face_ids: number[];
                    meta?: string;
                };
                "multipart/form-data": {
                    /** @description Ids of the faces that the new person gets. */
                    face_ids: number[];
                    meta?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "meta": "Ann",
                     *       "count": 3,
                     *       "face": {
                     *         "id": 4596074098019885,
                     *         "timestamp": "2026-11-22T09:57:24.539000",
                     *         "photo": "ann.jpg",
                     *         "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *         "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *         "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *         "x1": 426,
                     *         "y1": 372,
                     *         "x2": 605,
                     *         "y2": 604,
                     *         "meta": "Ann",
                     *         "galleries": [
                     *           "default",
                     *           "staff"
                     *         ],
                     *         "friend": false,
                     *         "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *         "age": 24.95,
                     *         "gender": "female",
                     *         "emotions": [
                     *           "neutral",
                     *           "happy"
                     *         ],
                     *         "person_id": 7
                     *       },
                     *       "latest": {
                     *         "face_id": 4596074098019885,
                     *         "timestamp": "2026-11-22T09:57:24.539000",
                     *         "friend": false,
                     *         "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PersonSummary"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    getPersonGrouping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "running",
                     *       "faces": 12000,
                     *       "examined": 4000,
                     *       "assigned": 3900,
                     *       "persons": 800
                     *     }
                     */
                    "application/json": components["schemas"]["PersonGrouping"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    groupPersons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @default start
                     * @enum {string}
                     */
                    action?: "start" | "stop" | "undo";
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @default start
                     * @enum {string}
                     */
                    action?: "start" | "stop" | "undo";
                };
                "multipart/form-data": {
                    /**
                     * @default start
                     * @enum {string}
                     */
                    action?: "start" | "stop" | "undo";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "running",
                     *       "faces": 12000,
                     *       "examined": 4000,
                     *       "assigned": 3900,
                     *       "persons": 800
                     *     }
                     */
                    "application/json": components["schemas"]["PersonGrouping"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    previewPersonGrouping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "faces": 12000,
                     *       "sampled": 500,
                     *       "persons": 2400,
                     *       "joining": 300,
                     *       "without": 150
                     *     }
                     */
                    "application/json": components["schemas"]["GroupingPreview"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    personHistory: {
        parameters: {
            query?: {
                /** @description Ids of cameras. */
                cam_ids?: string[];
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                start?: string;
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                end?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "person_id": 7,
                     *           "face_id": 4596074098019885,
                     *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *           "meta": "Ann",
                     *           "screenshot": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *           "timestamp": "2026-11-22T09:57:24.539000"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["PersonHistoryEntry"][];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    browseHistory: {
        parameters: {
            query?: {
                /** @description Ids of cameras. */
                cam_ids?: string[];
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                start?: string;
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                end?: string;
                person_id?: number;
                friend?: boolean;
                /** @description The name of a gallery. */
                gallery?: string;
                limit?: number;
                max_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 4596074098019885,
                     *           "friend": false,
                     *           "meta": "Ann",
                     *           "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *           "photo": "ann.jpg",
                     *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *           "person_id": 7,
                     *           "timestamp": "2026-11-22T09:57:24.539000",
                     *           "x1": 426,
                     *           "y1": 372,
                     *           "x2": 605,
                     *           "y2": 604
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["HistoryEvent"][];
                        next_page?: string;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchHistory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Ids of cameras.
                     * @default []
                     */
                    cam_ids?: string[];
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    start?: string;
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    end?: string;
                    person_id?: number;
                    friend?: boolean;
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @default 0 */
                    limit?: number;
                    max_id?: number;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Ids of cameras.
                     * @default []
                     */
                    cam_ids?: string[];
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    start?: string;
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    end?: string;
                    person_id?: number;
                    friend?: boolean;
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @default 0 */
                    limit?: number;
                    max_id?: number;
                };
                "multipart/form-data": {
                    /**
                     * @description Ids of cameras.
                     * @default []
                     */
                    cam_ids?: string[];
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    start?: string;
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    end?: string;
                    person_id?: number;
                    friend?: boolean;
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @default 0 */
                    limit?: number;
                    max_id?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 4596074098019885,
                     *           "friend": false,
                     *           "meta": "Ann",
                     *           "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *           "photo": "ann.jpg",
                     *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *           "person_id": 7,
                     *           "timestamp": "2026-11-22T09:57:24.539000",
                     *           "x1": 426,
                     *           "y1": 372,
                     *           "x2": 605,
                     *           "y2": 604
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["HistoryEvent"][];
                        next_page?: string;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description Ids of cameras. */
                cam_ids?: string[];
                person_id?: number;
                /** @description The name of a gallery. */
                gallery?: string;
                friend?: boolean;
                alerts?: boolean;
                last_event_id?: number;
            };
            header?: {
                /** @description The last `id` that the receiver knows. It takes precedence over `last_event_id`. */
                "Last-Event-ID"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 1795341444539000
                     *     event: face
                     *     data: {"id":4596074098019885,"timestamp":"2026-11-22T09:57:24.539000","photo":"ann.jpg","photo_hash":"8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51","thumbnail":"https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b","normalized":"https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b","x1":426,"y1":372,"x2":605,"y2":604,"meta":"Ann","galleries":["default","staff"],"friend":false,"cam_id":"709d6c9d9ab9442f8e3140c49d38fa30","age":24.95,"gender":"female","emotions":["neutral","happy"],"person_id":7}
                     *
                     *     id: 1795341444601000
                     *     event: alert
                     *     data: {"alert":{"id":"4be5a0a4f4b14e0d9bd1a2c53a1f7c10","name":"staff entrance at night"},"event_id":1795341444539000,"face":{"id":4596074098019885,"timestamp":"2026-11-22T09:57:24.539000","photo":"ann.jpg","photo_hash":"8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51","thumbnail":"https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b","normalized":"https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b","x1":426,"y1":372,"x2":605,"y2":604,"meta":"Ann","galleries":["default","staff"],"friend":false,"cam_id":"709d6c9d9ab9442f8e3140c49d38fa30","age":24.95,"gender":"female","emotions":["neutral","happy"],"person_id":7},"person":{"id":7,"meta":"autogenerated","seen":3,"first_seen":"2026-11-22T09:57:24.539000"},"matches":[]}
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCameras: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "709d6c9d-9ab9-442f-8e31-40c49d38fa30",
                     *         "meta": "entrance",
                     *         "url": "rtsp://camera.example/1",
                     *         "detector": "door-client",
                     *         "rot": [
                     *           1920,
                     *           1080,
                     *           0,
                     *           0
                     *         ],
                     *         "enabled": true,
                     *         "retention_days": 30,
                     *         "options": {
                     *           "fps": 10,
                     *           "early": true
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Camera"][];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCamera: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    meta?: string;
                    url?: string;
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    rot?: number[];
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    roi?: number[];
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description Options that override those of the watcher. They replace all stored options; `{}` deletes them.
                     * @example {
                     *       "fps": 10,
                     *       "min_face": 60,
                     *       "early": true
                     *     }
                     */
                    options?: {
                        fps?: number;
                        min_face?: number;
                        min_quality?: number;
                        absence?: number;
                        longest?: number;
                        early?: boolean;
                        liveness?: number;
                        /** @enum {unknown} */
                        rotate?: 0 | 90 | 180 | 270 | "auto";
                        snapshot?: boolean;
                        clip?: boolean;
                        masks?: [
                            number,
                            number,
                            number,
                            number
                        ][];
                    };
                    detector?: string;
                    /** @default true */
                    enabled?: boolean;
                };
                "application/x-www-form-urlencoded": {
                    meta?: string;
                    url?: string;
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    rot?: number[];
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    roi?: number[];
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description Options that override those of the watcher. They replace all stored options; `{}` deletes them.
                     * @example {
                     *       "fps": 10,
                     *       "min_face": 60,
                     *       "early": true
                     *     }
                     */
                    options?: {
                        fps?: number;
                        min_face?: number;
                        min_quality?: number;
                        absence?: number;
                        longest?: number;
                        early?: boolean;
                        liveness?: number;
                        /** @enum {unknown} */
                        rotate?: 0 | 90 | 180 | 270 | "auto";
                        snapshot?: boolean;
                        clip?: boolean;
                        masks?: [
                            number,
                            number,
                            number,
                            number
                        ][];
                    };
                    detector?: string;
                    /** @default true */
                    enabled?: boolean;
                };
                "multipart/form-data": {
                    meta?: string;
                    url?: string;
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    rot?: number[];
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    roi?: number[];
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description Options that override those of the watcher. They replace all stored options; `{}` deletes them.
                     * @example {
                     *       "fps": 10,
                     *       "min_face": 60,
                     *       "early": true
                     *     }
                     */
                    options?: {
                        fps?: number;
                        min_face?: number;
                        min_quality?: number;
                        absence?: number;
                        longest?: number;
                        early?: boolean;
                        liveness?: number;
                        /** @enum {unknown} */
                        rotate?: 0 | 90 | 180 | 270 | "auto";
                        snapshot?: boolean;
                        clip?: boolean;
                        masks?: [
                            number,
                            number,
                            number,
                            number
                        ][];
                    };
                    detector?: string;
                    /** @default true */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "709d6c9d-9ab9-442f-8e31-40c49d38fa30",
                     *       "meta": "entrance",
                     *       "url": "rtsp://camera.example/1",
                     *       "detector": "door-client",
                     *       "rot": [
                     *         1920,
                     *         1080,
                     *         0,
                     *         0
                     *       ],
                     *       "enabled": true,
                     *       "retention_days": 30,
                     *       "options": {
                     *         "fps": 10,
                     *         "early": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Camera"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    followViewers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 0
                     *     event: viewers
                     *     data: ["709d6c9d-9ab9-442f-8e31-40c49d38fa30"]
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCamera: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "709d6c9d-9ab9-442f-8e31-40c49d38fa30",
                     *       "meta": "entrance",
                     *       "url": "rtsp://camera.example/1",
                     *       "detector": "door-client",
                     *       "rot": [
                     *         1920,
                     *         1080,
                     *         0,
                     *         0
                     *       ],
                     *       "enabled": true,
                     *       "retention_days": 30,
                     *       "options": {
                     *         "fps": 10,
                     *         "early": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Camera"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeCamera: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    meta?: string;
                    url?: string;
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    rot?: number[];
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    roi?: number[];
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description Options that override those of the watcher. They replace all stored options; `{}` deletes them.
                     * @example {
                     *       "fps": 10,
                     *       "min_face": 60,
                     *       "early": true
                     *     }
                     */
                    options?: {
                        fps?: number;
                        min_face?: number;
                        min_quality?: number;
                        absence?: number;
                        longest?: number;
                        early?: boolean;
                        liveness?: number;
                        /** @enum {unknown} */
                        rotate?: 0 | 90 | 180 | 270 | "auto";
                        snapshot?: boolean;
                        clip?: boolean;
                        masks?: [
                            number,
                            number,
                            number,
                            number
                        ][];
                    };
                    enabled?: boolean;
                };
                "application/x-www-form-urlencoded": {
                    meta?: string;
                    url?: string;
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    rot?: number[];
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    roi?: number[];
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description Options that override those of the watcher. They replace all stored options; `{}` deletes them.
                     * @example {
                     *       "fps": 10,
                     *       "min_face": 60,
                     *       "early": true
                     *     }
                     */
                    options?: {
                        fps?: number;
                        min_face?: number;
                        min_quality?: number;
                        absence?: number;
                        longest?: number;
                        early?: boolean;
                        liveness?: number;
                        /** @enum {unknown} */
                        rotate?: 0 | 90 | 180 | 270 | "auto";
                        snapshot?: boolean;
                        clip?: boolean;
                        masks?: [
                            number,
                            number,
                            number,
                            number
                        ][];
                    };
                    enabled?: boolean;
                };
                "multipart/form-data": {
                    meta?: string;
                    url?: string;
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    rot?: number[];
                    /**
                     * @description `[width, height, x, y]` in pixels.
                     * @example [
                     *       640,
                     *       480,
                     *       0,
                     *       0
                     *     ]
                     */
                    roi?: number[];
                    /** @description Days after enrolment when the service deletes faces automatically; 0 for never. */
                    retention_days?: number;
                    /**
                     * @description Options that override those of the watcher. They replace all stored options; `{}` deletes them.
                     * @example {
                     *       "fps": 10,
                     *       "min_face": 60,
                     *       "early": true
                     *     }
                     */
                    options?: {
                        fps?: number;
                        min_face?: number;
                        min_quality?: number;
                        absence?: number;
                        longest?: number;
                        early?: boolean;
                        liveness?: number;
                        /** @enum {unknown} */
                        rotate?: 0 | 90 | 180 | 270 | "auto";
                        snapshot?: boolean;
                        clip?: boolean;
                        masks?: [
                            number,
                            number,
                            number,
                            number
                        ][];
                    };
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "709d6c9d-9ab9-442f-8e31-40c49d38fa30",
                     *       "meta": "entrance",
                     *       "url": "rtsp://camera.example/1",
                     *       "detector": "door-client",
                     *       "rot": [
                     *         1920,
                     *         1080,
                     *         0,
                     *         0
                     *       ],
                     *       "enabled": true,
                     *       "retention_days": 30,
                     *       "options": {
                     *         "fps": 10,
                     *         "early": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Camera"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    deleteCamera: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    leaseCamera: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. A JSON body or a URL-encoded form with the URL of a photo is also accepted. The body may also be the photo itself, of the type `image/*` or `application/octet-stream`. The query string then contains the other parameters. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description A name that the watcher chooses for each run, for example a UUID. */
                    watcher: string;
                    /** @description Frames a second that arrive. */
                    fps?: number;
                    /** @description Frames that were not analysed because newer ones had arrived. */
                    dropped?: number;
                    /** @description Seconds since the last frame. */
                    frame_age?: number;
                    /**
                     * @description Why the stream ended last.
                     * @enum {string}
                     */
                    last_error?: "no program" | "silent" | "resized" | "bad picture" | "access denied" | "not found" | "connection refused" | "unreachable" | "timeout" | "not allowed" | "no video" | "bad option" | "ended" | "refused";
                    /** @description Pixels of a frame. */
                    width?: number;
                    height?: number;
                    /** @description How often the stream has ended. */
                    losses?: number;
                    /**
                     * @description Where faces have not moved for ten minutes: `[left, top, width, height]` in fractions of the picture.
                     * @example [
                     *       [
                     *         0.1,
                     *         0.2,
                     *         0.05,
                     *         0.1
                     *       ]
                     *     ]
                     */
                    furniture?: [
                        number,
                        number,
                        number,
                        number
                    ][];
                    /** @description Degrees clockwise by which most faces have to be turned to be upright. */
                    turn?: number;
                    /**
                     * Format: binary
                     * @description A photo as a file. The part may also be text: the URL of a public photo, or a `data:image/...;base64,` URL.
                     */
                    picture?: string;
                    /** @description Number of a frame, which rises. The `picture` is then for the viewers of the live view only, with at most 960 pixels on each side, and nothing is reported. */
                    live?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "picture_wanted": false
                     *     }
                     */
                    "application/json": {
                        picture_wanted: boolean;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             *
             *     `BAD_IMAGE`: The photo is not a readable JPEG, PNG or WEBP image.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["CameraTaken"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    releaseCamera: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description A name that the watcher chooses for each run, for example a UUID. */
                    watcher: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description A name that the watcher chooses for each run, for example a UUID. */
                    watcher: string;
                };
                "multipart/form-data": {
                    /** @description A name that the watcher chooses for each run, for example a UUID. */
                    watcher: string;
                };
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCameraState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "live": true,
                     *       "watcher": "hall-1",
                     *       "since": "2026-11-22T09:57:24.539000",
                     *       "fps": 5,
                     *       "dropped": 12,
                     *       "frame_age": 0.2,
                     *       "last_error": "silent",
                     *       "width": 1920,
                     *       "height": 1080,
                     *       "losses": 1,
                     *       "furniture": [
                     *         [
                     *           0.1,
                     *           0.2,
                     *           0.05,
                     *           0.1
                     *         ]
                     *       ],
                     *       "turn": 0
                     *     }
                     */
                    "application/json": components["schemas"]["CameraState"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCameraPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (a JPEG image) */
                    "image/jpeg": string;
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCameraLive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (JPEG images) */
                    "multipart/x-mixed-replace": string;
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "4be5a0a4f4b14e0d9bd1a2c53a1f7c10",
                     *           "name": "staff entrance at night",
                     *           "enabled": true,
                     *           "url": "https://receiver.example/faces",
                     *           "cam_ids": [
                     *             "709d6c9d9ab9442f8e3140c49d38fa30"
                     *           ],
                     *           "gallery": "staff",
                     *           "threshold": 0.9,
                     *           "unknown": true,
                     *           "hours": [
                     *             {
                     *               "days": [
                     *                 "mon",
                     *                 "tue",
                     *                 "wed",
                     *                 "thu",
                     *                 "fri"
                     *               ],
                     *               "from": "18:00",
                     *               "to": "06:00"
                     *             }
                     *           ],
                     *           "time_zone": "Europe/Berlin",
                     *           "cooldown_seconds": 300,
                     *           "created": "2026-11-22T09:57:24.539000"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Alert"][];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    url?: string;
                    /** @enum {string} */
                    format?: "ntfy" | "gotify" | "telegram";
                    browsers?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    /**
                     * @description Hours of days, in the time zone `time_zone`. `to` is not included. Hours with `to` before or at `from` end on the next day.
                     * @example [
                     *       {
                     *         "days": [
                     *           "mon",
                     *           "tue",
                     *           "wed",
                     *           "thu",
                     *           "fri"
                     *         ],
                     *         "from": "18:00",
                     *         "to": "06:00"
                     *       }
                     *     ]
                     */
                    hours?: {
                        days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                        from: string;
                        to: string;
                    }[];
                    /** @default UTC */
                    time_zone?: string;
                    /** @default 0 */
                    cooldown_seconds?: number;
                };
                "application/x-www-form-urlencoded": {
                    url?: string;
                    /** @enum {string} */
                    format?: "ntfy" | "gotify" | "telegram";
                    browsers?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    /**
                     * @description Hours of days, in the time zone `time_zone`. `to` is not included. Hours with `to` before or at `from` end on the next day.
                     * @example [
                     *       {
                     *         "days": [
                     *           "mon",
                     *           "tue",
                     *           "wed",
                     *           "thu",
                     *           "fri"
                     *         ],
                     *         "from": "18:00",
                     *         "to": "06:00"
                     *       }
                     *     ]
                     */
                    hours?: {
                        days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                        from: string;
                        to: string;
                    }[];
                    /** @default UTC */
                    time_zone?: string;
                    /** @default 0 */
                    cooldown_seconds?: number;
                };
                "multipart/form-data": {
                    url?: string;
                    /** @enum {string} */
                    format?: "ntfy" | "gotify" | "telegram";
                    browsers?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    /**
                     * @description Hours of days, in the time zone `time_zone`. `to` is not included. Hours with `to` before or at `from` end on the next day.
                     * @example [
                     *       {
                     *         "days": [
                     *           "mon",
                     *           "tue",
                     *           "wed",
                     *           "thu",
                     *           "fri"
                     *         ],
                     *         "from": "18:00",
                     *         "to": "06:00"
                     *       }
                     *     ]
                     */
                    hours?: {
                        days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                        from: string;
                        to: string;
                    }[];
                    /** @default UTC */
                    time_zone?: string;
                    /** @default 0 */
                    cooldown_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4be5a0a4f4b14e0d9bd1a2c53a1f7c10",
                     *       "name": "staff entrance at night",
                     *       "enabled": true,
                     *       "url": "https://receiver.example/faces",
                     *       "cam_ids": [
                     *         "709d6c9d9ab9442f8e3140c49d38fa30"
                     *       ],
                     *       "gallery": "staff",
                     *       "threshold": 0.9,
                     *       "unknown": true,
                     *       "hours": [
                     *         {
                     *           "days": [
                     *             "mon",
                     *             "tue",
                     *             "wed",
                     *             "thu",
                     *             "fri"
                     *           ],
                     *           "from": "18:00",
                     *           "to": "06:00"
                     *         }
                     *       ],
                     *       "time_zone": "Europe/Berlin",
                     *       "cooldown_seconds": 300,
                     *       "created": "2026-11-22T09:57:24.539000",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": {
                        id: string;
                        cam_ids?: string[];
                        person_ids?: number[];
                        /** @description The person of the face has a face in this gallery, or the face matches one there that is of no other person. With `unknown`: neither. */
                        gallery?: string;
                        /** @description The least confidence of a match in the gallery. */
                        threshold: number;
                        /** @description Instead of the threshold: the share of strangers that may match the gallery. */
                        fpir?: number;
                        /** @description With `gallery`: nobody of the gallery. Else: the face is the first one of its person. */
                        unknown?: boolean;
                        friend?: boolean;
                        hours?: {
                            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                            from: string;
                            to: string;
                        }[];
                        /** @description The time zone of `hours`, for example `Europe/Berlin`. */
                        time_zone: string;
                        /** @description Seconds without a further message about the same person. */
                        cooldown_seconds: number;
                        name: string;
                        enabled: boolean;
                        /** @description The webhook: messages are posted to this URL. Empty: alerts are in live streams only. */
                        url: string;
                        /**
                         * @description The service of `url`: its messages are a title, a sentence and a link. Absent: Standard Webhooks.
                         * @enum {string}
                         */
                        format?: "ntfy" | "gotify" | "telegram";
                        /** @description Whether browsers that asked for them show its alerts as notifications. */
                        browsers?: boolean;
                        created: string;
                        /** @description `whsec_...`. Shown in this answer only. */
                        secret?: string;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4be5a0a4f4b14e0d9bd1a2c53a1f7c10",
                     *       "name": "staff entrance at night",
                     *       "enabled": true,
                     *       "url": "https://receiver.example/faces",
                     *       "cam_ids": [
                     *         "709d6c9d9ab9442f8e3140c49d38fa30"
                     *       ],
                     *       "gallery": "staff",
                     *       "threshold": 0.9,
                     *       "unknown": true,
                     *       "hours": [
                     *         {
                     *           "days": [
                     *             "mon",
                     *             "tue",
                     *             "wed",
                     *             "thu",
                     *             "fri"
                     *           ],
                     *           "from": "18:00",
                     *           "to": "06:00"
                     *         }
                     *       ],
                     *       "time_zone": "Europe/Berlin",
                     *       "cooldown_seconds": 300,
                     *       "created": "2026-11-22T09:57:24.539000"
                     *     }
                     */
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    url?: string;
                    /** @enum {string} */
                    format?: "ntfy" | "gotify" | "telegram";
                    browsers?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    /**
                     * @description Hours of days, in the time zone `time_zone`. `to` is not included. Hours with `to` before or at `from` end on the next day.
                     * @example [
                     *       {
                     *         "days": [
                     *           "mon",
                     *           "tue",
                     *           "wed",
                     *           "thu",
                     *           "fri"
                     *         ],
                     *         "from": "18:00",
                     *         "to": "06:00"
                     *       }
                     *     ]
                     */
                    hours?: {
                        days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                        from: string;
                        to: string;
                    }[];
                    /** @default UTC */
                    time_zone?: string;
                    /** @default 0 */
                    cooldown_seconds?: number;
                };
                "application/x-www-form-urlencoded": {
                    url?: string;
                    /** @enum {string} */
                    format?: "ntfy" | "gotify" | "telegram";
                    browsers?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    /**
                     * @description Hours of days, in the time zone `time_zone`. `to` is not included. Hours with `to` before or at `from` end on the next day.
                     * @example [
                     *       {
                     *         "days": [
                     *           "mon",
                     *           "tue",
                     *           "wed",
                     *           "thu",
                     *           "fri"
                     *         ],
                     *         "from": "18:00",
                     *         "to": "06:00"
                     *       }
                     *     ]
                     */
                    hours?: {
                        days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                        from: string;
                        to: string;
                    }[];
                    /** @default UTC */
                    time_zone?: string;
                    /** @default 0 */
                    cooldown_seconds?: number;
                };
                "multipart/form-data": {
                    url?: string;
                    /** @enum {string} */
                    format?: "ntfy" | "gotify" | "telegram";
                    browsers?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    /**
                     * @description Hours of days, in the time zone `time_zone`. `to` is not included. Hours with `to` before or at `from` end on the next day.
                     * @example [
                     *       {
                     *         "days": [
                     *           "mon",
                     *           "tue",
                     *           "wed",
                     *           "thu",
                     *           "fri"
                     *         ],
                     *         "from": "18:00",
                     *         "to": "06:00"
                     *       }
                     *     ]
                     */
                    hours?: {
                        days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                        from: string;
                        to: string;
                    }[];
                    /** @default UTC */
                    time_zone?: string;
                    /** @default 0 */
                    cooldown_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4be5a0a4f4b14e0d9bd1a2c53a1f7c10",
                     *       "name": "staff entrance at night",
                     *       "enabled": true,
                     *       "url": "https://receiver.example/faces",
                     *       "cam_ids": [
                     *         "709d6c9d9ab9442f8e3140c49d38fa30"
                     *       ],
                     *       "gallery": "staff",
                     *       "threshold": 0.9,
                     *       "unknown": true,
                     *       "hours": [
                     *         {
                     *           "days": [
                     *             "mon",
                     *             "tue",
                     *             "wed",
                     *             "thu",
                     *             "fri"
                     *           ],
                     *           "from": "18:00",
                     *           "to": "06:00"
                     *         }
                     *       ],
                     *       "time_zone": "Europe/Berlin",
                     *       "cooldown_seconds": 300,
                     *       "created": "2026-11-22T09:57:24.539000"
                     *     }
                     */
                    "application/json": {
                        id: string;
                        cam_ids?: string[];
                        person_ids?: number[];
                        /** @description The person of the face has a face in this gallery, or the face matches one there that is of no other person. With `unknown`: neither. */
                        gallery?: string;
                        /** @description The least confidence of a match in the gallery. */
                        threshold: number;
                        /** @description Instead of the threshold: the share of strangers that may match the gallery. */
                        fpir?: number;
                        /** @description With `gallery`: nobody of the gallery. Else: the face is the first one of its person. */
                        unknown?: boolean;
                        friend?: boolean;
                        hours?: {
                            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                            from: string;
                            to: string;
                        }[];
                        /** @description The time zone of `hours`, for example `Europe/Berlin`. */
                        time_zone: string;
                        /** @description Seconds without a further message about the same person. */
                        cooldown_seconds: number;
                        name: string;
                        enabled: boolean;
                        /** @description The webhook: messages are posted to this URL. Empty: alerts are in live streams only. */
                        url: string;
                        /**
                         * @description The service of `url`: its messages are a title, a sentence and a link. Absent: Standard Webhooks.
                         * @enum {string}
                         */
                        format?: "ntfy" | "gotify" | "telegram";
                        /** @description Whether browsers that asked for them show its alerts as notifications. */
                        browsers?: boolean;
                        created: string;
                        /** @description `whsec_...`. Shown in this answer only. */
                        secret?: string;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    deleteAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    rotateAlertSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": {
                        /** @description `whsec_...`. Shown in this answer only. */
                        secret: string;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    testAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1795341444539000,
                     *       "message_id": "msg_1795341444539000",
                     *       "type": "test",
                     *       "created": "2026-11-22T09:57:24.539000",
                     *       "state": "pending",
                     *       "attempts": 0,
                     *       "next_attempt": "2026-11-22T09:57:24.539000"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                state?: "pending" | "delivered" | "failed";
                max_id?: number;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 1795341444539000,
                     *           "message_id": "msg_1795341444539000",
                     *           "type": "test",
                     *           "created": "2026-11-22T09:57:24.539000",
                     *           "state": "failed",
                     *           "attempts": 1,
                     *           "ended": "2026-11-22T09:57:24.539000",
                     *           "fault": "status 410"
                     *         }
                     *       ],
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Delivery"][];
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1795341444539000,
                     *       "message_id": "msg_1795341444539000",
                     *       "type": "test",
                     *       "created": "2026-11-22T09:57:24.539000",
                     *       "state": "pending",
                     *       "attempts": 1,
                     *       "next_attempt": "2026-11-22T09:57:24.539000",
                     *       "fault": "status 410"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    listAlertHistory: {
        parameters: {
            query?: {
                alert?: string;
                event_id?: number;
                /** @description Ids of cameras. */
                cam_ids?: string[];
                /** @description Alerts of rules about this gallery, and about faces in it. */
                gallery?: string;
                seen?: boolean;
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                start?: string;
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                end?: string;
                max_id?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": 1795341444601000,
                     *           "created": "2026-11-22T09:57:24.539000",
                     *           "alert": {
                     *             "id": "4be5a0a4f4b14e0d9bd1a2c53a1f7c10",
                     *             "name": "staff entrance at night"
                     *           },
                     *           "event_id": 1795341444539000,
                     *           "face": {
                     *             "id": 4596074098019885,
                     *             "timestamp": "2026-11-22T09:57:24.539000",
                     *             "photo": "ann.jpg",
                     *             "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                     *             "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *             "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                     *             "x1": 426,
                     *             "y1": 372,
                     *             "x2": 605,
                     *             "y2": 604,
                     *             "meta": "Ann",
                     *             "galleries": [
                     *               "default",
                     *               "staff"
                     *             ],
                     *             "friend": false,
                     *             "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                     *             "age": 24.95,
                     *             "gender": "female",
                     *             "emotions": [
                     *               "neutral",
                     *               "happy"
                     *             ],
                     *             "person_id": 7
                     *           },
                     *           "person": {
                     *             "id": 7,
                     *             "meta": "autogenerated",
                     *             "seen": 3,
                     *             "first_seen": "2026-11-22T09:57:24.539000"
                     *           },
                     *           "matches": [],
                     *           "seen": {
                     *             "by": "Ann Lee",
                     *             "time": "2026-11-22T09:57:24.539000"
                     *           }
                     *         }
                     *       ],
                     *       "next_page": null,
                     *       "unseen": 2
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["AlertHistoryEntry"][];
                        next_page: string | null;
                        /** @description Number of alerts that nobody has seen, whatever the filter. */
                        unseen: number;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    markAlertSeen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @default true */
                    seen?: boolean;
                };
                "application/x-www-form-urlencoded": {
                    /** @default true */
                    seen?: boolean;
                };
                "multipart/form-data": {
                    /** @default true */
                    seen?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "seen": {
                     *         "by": "Ann Lee",
                     *         "time": "2026-11-22T09:57:24.539000"
                     *       },
                     *       "unseen": 1
                     *     }
                     */
                    "application/json": {
                        seen?: {
                            by: string;
                            time: string;
                        };
                        /** @description Number of alerts that nobody has seen, whatever the filter. */
                        unseen: number;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    listNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "public_key": "BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "subscriptions": [
                     *         "9f86d081884c7d659a2feaa0c55ad015"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The `applicationServerKey` of subscriptions. */
                        public_key: string;
                        /** @description Their ids: the first 32 hexadecimal digits of the SHA-256 of their endpoints. */
                        subscriptions: string[];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    subscribeBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody: {
            content: {
                "application/json": {
                    /** @example https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV */
                    endpoint: string;
                    /** @example BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4 */
                    p256dh: string;
                    /** @example BTBZMqHH6r4Tts7J_aSIgg */
                    auth: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @example https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV */
                    endpoint: string;
                    /** @example BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4 */
                    p256dh: string;
                    /** @example BTBZMqHH6r4Tts7J_aSIgg */
                    auth: string;
                };
                "multipart/form-data": {
                    /** @example https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV */
                    endpoint: string;
                    /** @example BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4 */
                    p256dh: string;
                    /** @example BTBZMqHH6r4Tts7J_aSIgg */
                    auth: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "9f86d081884c7d659a2feaa0c55ad015"
                     *     }
                     */
                    "application/json": {
                        id: string;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    unsubscribeBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    getCurrentToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f0c1d2e3a4b",
                     *       "name": "front door",
                     *       "scope": "admin",
                     *       "created": "2026-11-22T09:57:24.539000",
                     *       "valid": true,
                     *       "owner": "ann",
                     *       "permissions": [
                     *         "read_token",
                     *         "read",
                     *         "read_cameras",
                     *         "post",
                     *         "change",
                     *         "manage",
                     *         "administer"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CurrentToken"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "5f0c1d2e3a4b",
                     *           "name": "front door",
                     *           "scope": "admin",
                     *           "created": "2026-11-22T09:57:24.539000",
                     *           "valid": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["Token"][];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What the token allows.
                     * @enum {string}
                     */
                    scope: "read" | "enrol" | "camera" | "manage" | "admin";
                    /** @default  */
                    name?: string;
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    expires?: string;
                    /** @description Requests per second. Default: that of the service. */
                    rate?: number;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description What the token allows.
                     * @enum {string}
                     */
                    scope: "read" | "enrol" | "camera" | "manage" | "admin";
                    /** @default  */
                    name?: string;
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    expires?: string;
                    /** @description Requests per second. Default: that of the service. */
                    rate?: number;
                };
                "multipart/form-data": {
                    /**
                     * @description What the token allows.
                     * @enum {string}
                     */
                    scope: "read" | "enrol" | "camera" | "manage" | "admin";
                    /** @default  */
                    name?: string;
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    expires?: string;
                    /** @description Requests per second. Default: that of the service. */
                    rate?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4e1b6a0f9c2d",
                     *       "name": "front door",
                     *       "scope": "camera",
                     *       "created": "2026-11-22T09:57:24.539000",
                     *       "valid": true,
                     *       "expires": "2026-11-22T09:57:24.539000",
                     *       "rate": 5,
                     *       "token": "mien_..."
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedToken"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Hours for which the old token stays valid.
                     * @default 24
                     */
                    grace_hours?: number;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Hours for which the old token stays valid.
                     * @default 24
                     */
                    grace_hours?: number;
                };
                "multipart/form-data": {
                    /**
                     * @description Hours for which the old token stays valid.
                     * @default 24
                     */
                    grace_hours?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4e1b6a0f9c2d",
                     *       "name": "front door",
                     *       "scope": "camera",
                     *       "created": "2026-11-22T09:57:24.539000",
                     *       "valid": true,
                     *       "expires": "2026-11-22T09:57:24.539000",
                     *       "rate": 5,
                     *       "token": "mien_...",
                     *       "replaced": {
                     *         "id": "5f0c1d2e3a4b",
                     *         "name": "front door",
                     *         "scope": "camera",
                     *         "created": "2026-11-22T09:57:24.539000",
                     *         "valid": true,
                     *         "expires": "2026-11-22T09:57:24.539000",
                     *         "rate": 5,
                     *         "revoked": "2026-11-22T09:57:24.539000"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedToken"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "7d2c1b0a9f8e",
                     *           "name": "Ben",
                     *           "role": "look",
                     *           "created": "2026-11-22T09:57:24.539000",
                     *           "has_passkey": true,
                     *           "passkeys": [
                     *             {
                     *               "id": "3oqGRZzr2lOGX4fGmJ6gVg",
                     *               "name": "Firefox on Linux",
                     *               "created": "2026-11-22T09:57:24.539000",
                     *               "last_used": "2026-11-22T09:57:24.539000"
                     *             }
                     *           ],
                     *           "sessions": [
                     *             {
                     *               "id": "4e1b6a0f9c2d",
                     *               "created": "2026-11-22T09:57:24.539000",
                     *               "expires": "2026-11-22T09:57:24.539000"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["User"][];
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody: {
            content: {
                "application/json": {
                    /** @example Ben */
                    name: string;
                    /**
                     * @description What the user may do. A known user keeps the role.
                     * @enum {string}
                     */
                    role: "look" | "enrol" | "manage" | "administer";
                    /**
                     * @description A user with this name gets another link. Passkeys stay without `lost`.
                     * @default false
                     */
                    again?: boolean;
                    /**
                     * @description With `again`: the device of the user is lost. All passkeys are removed. All sessions of the user end, except that of the request: each may be on a lost device.
                     * @default false
                     */
                    lost?: boolean;
                    /**
                     * @description End of the link, within the next 30 days.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    expires?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @example Ben */
                    name: string;
                    /**
                     * @description What the user may do. A known user keeps the role.
                     * @enum {string}
                     */
                    role: "look" | "enrol" | "manage" | "administer";
                    /**
                     * @description A user with this name gets another link. Passkeys stay without `lost`.
                     * @default false
                     */
                    again?: boolean;
                    /**
                     * @description With `again`: the device of the user is lost. All passkeys are removed. All sessions of the user end, except that of the request: each may be on a lost device.
                     * @default false
                     */
                    lost?: boolean;
                    /**
                     * @description End of the link, within the next 30 days.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    expires?: string;
                };
                "multipart/form-data": {
                    /** @example Ben */
                    name: string;
                    /**
                     * @description What the user may do. A known user keeps the role.
                     * @enum {string}
                     */
                    role: "look" | "enrol" | "manage" | "administer";
                    /**
                     * @description A user with this name gets another link. Passkeys stay without `lost`.
                     * @default false
                     */
                    again?: boolean;
                    /**
                     * @description With `again`: the device of the user is lost. All passkeys are removed. All sessions of the user end, except that of the request: each may be on a lost device.
                     * @default false
                     */
                    lost?: boolean;
                    /**
                     * @description End of the link, within the next 30 days.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    expires?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7d2c1b0a9f8e",
                     *       "name": "Ben",
                     *       "role": "look",
                     *       "created": "2026-11-22T09:57:24.539000",
                     *       "has_passkey": false,
                     *       "passkeys": [],
                     *       "invited_until": "2026-11-22T09:57:24.539000",
                     *       "sessions": [],
                     *       "link": "https://mien.example/#/sign-in/mien_..."
                     *     }
                     */
                    "application/json": components["schemas"]["InvitedUser"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                max_seq?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "seq": 812,
                     *           "time": "2026-11-22T09:57:24.539000",
                     *           "actor": "token 5f0c1d2e3a4b",
                     *           "action": "token.create",
                     *           "subject": {
                     *             "token": "4e1b6a0f9c2d"
                     *           },
                     *           "names": {
                     *             "token": "front desk"
                     *           }
                     *         }
                     *       ],
                     *       "next_page": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["AuditEntry"][];
                        next_page: string | null;
                    };
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "intact": true,
                     *       "verified_from": 1,
                     *       "verified_to": 812,
                     *       "last": 812,
                     *       "since": "2026-11-22T09:57:24.539000"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditVerification"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "0.2.0",
                     *       "pack": "standard",
                     *       "embedder": "standard-1",
                     *       "started": "2026-11-22T09:57:24.539000",
                     *       "disk_full": false,
                     *       "shards": {
                     *         "live": 1,
                     *         "total": 1,
                     *         "available": [
                     *           true
                     *         ]
                     *       },
                     *       "has_watcher": true,
                     *       "calibration": {
                     *         "table": "default",
                     *         "thresholds": [
                     *           {
                     *             "name": "medium",
                     *             "confidence": 0.6616,
                     *             "fmr": 0.001,
                     *             "tmr": 0.99
                     *           }
                     *         ],
                     *         "curve": [
                     *           {
                     *             "score": 0.1,
                     *             "confidence": 0.2
                     *           },
                     *           {
                     *             "score": 0.9,
                     *             "confidence": 0.9
                     *           }
                     *         ]
                     *       },
                     *       "backup": {},
                     *       "durations": [
                     *         {
                     *           "operation": "identify",
                     *           "p50": 0.12,
                     *           "p99": 0.4
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceState"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    requestBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": [
                     *         {
                     *           "name": "person_identify",
                     *           "value": true,
                     *           "origin": "setting",
                     *           "initial": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceSettings"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The query string may also contain parameters. The body takes precedence. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description New faces get persons. */
                    person_identify?: boolean;
                    /** @description Faces are compared with those of all cameras. Otherwise with those of the same camera. */
                    person_identify_global?: boolean;
                    /** @description The confidence from which on a face joins a person. */
                    person_identify_threshold?: number;
                    /** @description The audit log records searches, comparisons, lists of faces and views of persons. */
                    record_searches?: boolean;
                    /** @description Hours between two backups at the place that the start of the service names. 0: only on request. */
                    backup_hours?: number;
                    /** @description A watcher beside the service reads the cameras of its first owner. `mien start` runs it. */
                    watch_cameras?: boolean;
                    /** @description Settings that get their initial value again. */
                    reset?: ("person_identify" | "person_identify_global" | "person_identify_threshold" | "record_searches" | "backup_hours" | "watch_cameras")[];
                };
                "application/x-www-form-urlencoded": {
                    /** @description New faces get persons. */
                    person_identify?: boolean;
                    /** @description Faces are compared with those of all cameras. Otherwise with those of the same camera. */
                    person_identify_global?: boolean;
                    /** @description The confidence from which on a face joins a person. */
                    person_identify_threshold?: number;
                    /** @description The audit log records searches, comparisons, lists of faces and views of persons. */
                    record_searches?: boolean;
                    /** @description Hours between two backups at the place that the start of the service names. 0: only on request. */
                    backup_hours?: number;
                    /** @description A watcher beside the service reads the cameras of its first owner. `mien start` runs it. */
                    watch_cameras?: boolean;
                    /** @description Settings that get their initial value again. */
                    reset?: ("person_identify" | "person_identify_global" | "person_identify_threshold" | "record_searches" | "backup_hours" | "watch_cameras")[];
                };
                "multipart/form-data": {
                    /** @description New faces get persons. */
                    person_identify?: boolean;
                    /** @description Faces are compared with those of all cameras. Otherwise with those of the same camera. */
                    person_identify_global?: boolean;
                    /** @description The confidence from which on a face joins a person. */
                    person_identify_threshold?: number;
                    /** @description The audit log records searches, comparisons, lists of faces and views of persons. */
                    record_searches?: boolean;
                    /** @description Hours between two backups at the place that the start of the service names. 0: only on request. */
                    backup_hours?: number;
                    /** @description A watcher beside the service reads the cameras of its first owner. `mien start` runs it. */
                    watch_cameras?: boolean;
                    /** @description Settings that get their initial value again. */
                    reset?: ("person_identify" | "person_identify_global" | "person_identify_threshold" | "record_searches" | "backup_hours" | "watch_cameras")[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": [
                     *         {
                     *           "name": "person_identify",
                     *           "value": true,
                     *           "origin": "setting",
                     *           "initial": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceSettings"];
                };
            };
            /**
             * @description `BAD_PARAM`: A parameter is missing or invalid.
             *
             *     `MALFORMED_JSON`: The body is not a valid JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            401: components["responses"]["AuthFailed"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PhotoTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    receiveAlert: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal in all attempts of a message, different for all messages. */
                "webhook-id": string;
                /** @description When this attempt was made: Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signatures by all current secrets, with spaces between them. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "face.seen",
                 *       "timestamp": "2026-11-22T09:57:26.012Z",
                 *       "data": {
                 *         "alert": {
                 *           "id": "4be5a0a4f4b14e0d9bd1a2c53a1f7c10",
                 *           "name": "staff entrance at night"
                 *         },
                 *         "event_id": 1795341444539000,
                 *         "face": {
                 *           "id": 4596074098019885,
                 *           "timestamp": "2026-11-22T09:57:24.539000",
                 *           "photo": "ann.jpg",
                 *           "photo_hash": "8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51",
                 *           "thumbnail": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/thumbnail.jpg?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                 *           "normalized": "https://mien.example/pictures/7a355457c44edb86e506caf8/4596074098019885/normalized.png?expires=1795428000&key=b9c51cab&signature=uOlQDc5b",
                 *           "x1": 426,
                 *           "y1": 372,
                 *           "x2": 605,
                 *           "y2": 604,
                 *           "meta": "Ann",
                 *           "galleries": [
                 *             "default",
                 *             "staff"
                 *           ],
                 *           "friend": false,
                 *           "cam_id": "709d6c9d9ab9442f8e3140c49d38fa30",
                 *           "age": 24.95,
                 *           "gender": "female",
                 *           "emotions": [
                 *             "neutral",
                 *             "happy"
                 *           ],
                 *           "person_id": 7
                 *         },
                 *         "person": {
                 *           "id": 7,
                 *           "meta": "autogenerated",
                 *           "seen": 3,
                 *           "first_seen": "2026-11-22T09:57:24.539000"
                 *         },
                 *         "matches": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AlertMessage"];
            };
        };
        responses: {
            /** @description The service disables the rule. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The service repeats the message. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
