/** Types of the API. `npm run openapi` generates them from the OpenAPI document of v1. */

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
            /** @description True for a person to ignore: no alert rule tells of this person. */
            silent?: boolean;
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
            /** @description Link to the thumbnail. It needs no token and expires. Empty if no picture is stored. */
            thumbnail: string;
            /** @description Link to the aligned square crop of the face. It needs no token and expires. Empty if no picture is stored. */
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
            /** @description The person that a face without a person probably shows, until a user answers: one stranger in 20 gets a candidate. `person_id` of PUT /face/id/ID says yes, `not_person` no. */
            candidate?: {
                person: {
                    id: number;
                    meta: string;
                };
                confidence: number;
            };
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
            /** @description True when the person of the face, or the person that it probably shows, is one to ignore. */
            silent?: boolean;
            /** @description In live events and alerts: true when an earlier event has the face. The picture is a better one, unless `added` is present. */
            updated?: boolean;
            /**
             * @description In live events with `updated`: the snapshot or clip that is new. The picture is the same.
             * @enum {string}
             */
            added?: "snapshot" | "clip";
            /** @description On request (`who`): the person of the face, and how alike the face and the other faces of the person are. */
            who?: {
                person: {
                    id: number;
                    meta: string;
                };
                /** @description Absent for the only face of the person. */
                confidence?: number;
                /**
                 * @description As the verdict on a match. Absent when the face does not resemble the others. The only face of a person is certain.
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
            /** @description Number of people that are compared: persons, and with `target=faces` also those that faces have as `meta`, and each other face. The threshold rests on their number, and on how alike they are. */
            people: number;
            /**
             * @description The gallery has too few people to tell how alike they are, or is not measured yet: the threshold assumes people of one origin.
             * @constant
             */
            guess?: true;
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
            /** @description True for a person to ignore: no alert rule tells of this person. */
            silent?: boolean;
            /** @description Number of faces. */
            count: number;
            /** @description A face that represents the person. Absent for a person without faces. */
            face?: components["schemas"]["Face"];
            /** @description Id of this face, if a user chose it. */
            portrait?: number;
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
            /** @description True for a person to ignore: no alert rule tells of this person. */
            silent?: boolean;
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
            /** @description The person that a face without a person probably shows, until a user answers: one stranger in 20 gets a candidate. `person_id` of PUT /face/id/ID says yes, `not_person` no. */
            candidate?: {
                person: {
                    id: number;
                    meta: string;
                };
                confidence: number;
            };
            silent?: boolean;
            timestamp: string;
            x1: number;
            y1: number;
            x2: number;
            y2: number;
        };
        EvidenceKey: {
            id: number;
            /** @description Ed25519, PEM. */
            public_key: string;
            created: string;
            /** @description False for a key that a later one has replaced. */
            signs: boolean;
        };
        Camera: {
            /** Format: uuid */
            id: string;
            meta?: string;
            url?: string;
            url_refused?: string;
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
            recording?: components["schemas"]["CameraRecording"];
        };
        CameraRecording: {
            start: string;
            size: number;
            read?: number;
            of?: number;
            visits?: number;
            from?: number;
            before?: number;
            /** @enum {string} */
            end?: "read" | "no video" | "failed";
            received: number;
        };
        CameraState: {
            live: boolean;
            watcher: string | null;
            since: string | null;
            fps: number | null;
            dropped: number | null;
            frame_age: number | null;
            last_error: ("no program" | "silent" | "stalled" | "behind" | "resized" | "bad picture" | "too large" | "access denied" | "not found" | "connection refused" | "unreachable" | "timeout" | "not allowed" | "no video" | "bad option" | "ended" | "refused") | null;
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
            searched?: number;
            wanted?: number;
            behind?: number;
            unused?: number;
            /** @enum {string} */
            unused_reason?: "small" | "turned" | "blurred" | "dark" | "bright" | "flat" | "grainy" | "unclear" | "cut";
            reason?: string;
        };
        Alert: {
            id: string;
            cam_ids?: string[];
            person_ids?: number[];
            /** @description The rule alerts to nobody of these persons, also when a face probably shows one of them. */
            except_person_ids?: number[];
            /** @description The person of the face has a face in this gallery, or the face matches one there that is of no other person. With `unknown`: neither. */
            gallery?: string;
            /** @description The least confidence of a match in the gallery. */
            threshold: number;
            /** @description Instead of the threshold: the share of strangers that may match the gallery. */
            fpir?: number;
            /** @description With `gallery`: nobody of the gallery, not even probably. Else: the face is the first one of its person. A poor or covered face is never unknown. */
            unknown?: boolean;
            friend?: boolean;
            /** @description The least measured quality of the face. A better picture of a visit may reach it. */
            min_quality?: number;
            hours?: {
                days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                from: string;
                to: string;
            }[];
            /** @description The time zone of `hours`, for example `Europe/Berlin`. */
            time_zone: string;
            /** @description Seconds without a further message about the same person. */
            cooldown_seconds: number;
            /** @description Whether messages to phones and browsers carry the picture of the face: ntfy and Telegram get a file, others get a link that expires after a day. */
            pictures?: boolean;
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
            /** @description Name of the camera, in messages. Absent without a name. */
            camera?: string;
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
            /**
             * @description New faces get persons (`person_identify`).
             * @constant
             */
            persons?: true;
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
            /** @description A watcher of cameras runs beside the core while `watch_cameras` is on. `false`: its machine lacks ffmpeg. */
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
                /** @description Null: not set. */
                value: boolean | number | null;
                /**
                 * @description `setting`: changed while the service ran. Otherwise the value is the initial one.
                 * @enum {string}
                 */
                origin: "setting" | "environment" | "file" | "default";
                /** @description The value after a reset: of a variable, of facenapi.ini, or the default. */
                initial: boolean | number | null;
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
            /** @description Name of the camera, in messages. Absent without a name. */
            camera?: string;
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
        /** @description `attachment` with the name of the file */
        "Content-Disposition": string;
        /** @description `nosniff` */
        "X-Content-Type-Options": string;
    };
    pathItems: never;
}
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
                     * @description A photo: a file in a multipart body, its public URL, or a `data:image/...;base64,` URL.
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
                     * @description A photo: a file in a multipart body, its public URL, or a `data:image/...;base64,` URL.
                     */
                    photo1: string;
                    /**
                     * Format: binary
                     * @description A photo: a file in a multipart body, its public URL, or a `data:image/...;base64,` URL.
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
                            /**
                             * @description With `person_id`: how sure the match is. One stranger in 1,000 is taken for this person for certain. Absent for a weak match.
                             * @enum {string}
                             */
                            verdict?: "certain" | "probable";
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
                     * @description A photo: a file in a multipart body, its public URL, or a `data:image/...;base64,` URL.
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
                     * @description A photo: a file in a multipart body, its public URL, or a `data:image/...;base64,` URL.
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
                     * @description A photo: a file in a multipart body, its public URL, or a `data:image/...;base64,` URL.
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
                     * @description The photo of the enrolment.
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
                     * @description A whole MP4 file.
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
                name?: string;
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
                named?: boolean;
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
                /** @description The least confidence of a match: a number or a name. Default: the confidence of a probable match. */
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
                    silent?: boolean;
                    portrait?: number;
                };
                "application/x-www-form-urlencoded": {
                    meta: string;
                    /** @default false */
                    faces?: boolean;
                    silent?: boolean;
                    portrait?: number;
                };
                "multipart/form-data": {
                    meta: string;
                    /** @default false */
                    faces?: boolean;
                    silent?: boolean;
                    portrait?: number;
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
            query?: {
                merged?: boolean;
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
                    former_id?: number;
                };
                "application/x-www-form-urlencoded": {
                    /** @description Ids of the faces that the new person gets. */
                    face_ids: number[];
                    meta?: string;
                    former_id?: number;
                };
                "multipart/form-data": {
                    /** @description Ids of the faces that the new person gets. */
                    face_ids: number[];
                    meta?: string;
                    former_id?: number;
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
    exportEvidence: {
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
                    /** @description The event of this face alone. */
                    event_id?: number;
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
                    /** @description The zone of the site, for example `Europe/Berlin`. Default: the zone of the service. */
                    time_zone?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description The event of this face alone. */
                    event_id?: number;
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
                    /** @description The zone of the site, for example `Europe/Berlin`. Default: the zone of the service. */
                    time_zone?: string;
                };
                "multipart/form-data": {
                    /** @description The event of this face alone. */
                    event_id?: number;
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
                    /** @description The zone of the site, for example `Europe/Berlin`. Default: the zone of the service. */
                    time_zone?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (a ZIP file) */
                    "application/zip": string;
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
    listEvidenceKeys: {
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
                     *           "id": 1,
                     *           "public_key": "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n-----END PUBLIC KEY-----\n",
                     *           "created": "2026-11-22T09:57:24.539000",
                     *           "signs": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["EvidenceKey"][];
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
    renewEvidenceKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
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
                     *       "id": 1,
                     *       "public_key": "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n-----END PUBLIC KEY-----\n",
                     *       "created": "2026-11-22T09:57:24.539000",
                     *       "signs": true
                     *     }
                     */
                    "application/json": components["schemas"]["EvidenceKey"];
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
                     * @description Options that override the options of the watcher. They replace all stored options; `{}` deletes them.
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
                     * @description Options that override the options of the watcher. They replace all stored options; `{}` deletes them.
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
                     * @description Options that override the options of the watcher. They replace all stored options; `{}` deletes them.
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
                     * @description Options that override the options of the watcher. They replace all stored options; `{}` deletes them.
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
                     * @description Options that override the options of the watcher. They replace all stored options; `{}` deletes them.
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
                     * @description Options that override the options of the watcher. They replace all stored options; `{}` deletes them.
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
                    last_error?: "no program" | "silent" | "stalled" | "behind" | "resized" | "bad picture" | "too large" | "access denied" | "not found" | "connection refused" | "unreachable" | "timeout" | "not allowed" | "no video" | "bad option" | "ended" | "refused";
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
                    /** @description Frames a second that are searched for faces. */
                    searched?: number;
                    /** @description Frames a second that the options ask for. */
                    wanted?: number;
                    /** @description Greatest delay of a frame in the last minute, in seconds; 0 up to 2. */
                    behind?: number;
                    /** @description How often people were seen and no picture could be used. */
                    unused?: number;
                    /**
                     * @description The most frequent reason.
                     * @enum {string}
                     */
                    unused_reason?: "small" | "turned" | "blurred" | "dark" | "bright" | "flat" | "grainy" | "unclear" | "cut";
                    reason?: string;
                    /**
                     * @description How far the recording of the camera is read. The lease is then of the recording, and nothing else is reported. With `end`, the recording is deleted.
                     * @example {
                     *       "start": "2026-11-27T18:00:00.000000",
                     *       "size": 9437184,
                     *       "read": 80,
                     *       "of": 145,
                     *       "visits": 3,
                     *       "from": 60000,
                     *       "before": 3
                     *     }
                     */
                    recording?: {
                        start: string;
                        size: number;
                        read: number;
                        of?: number;
                        visits: number;
                        from: number;
                        before: number;
                        /** @enum {string} */
                        end?: "read" | "no video" | "failed";
                    };
                    /**
                     * Format: binary
                     * @description The last frame: a JPEG image of at most 640 pixels on each side.
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
    getRecording: {
        parameters: {
            query: {
                /** @description A name that the watcher chooses for each run, for example a UUID. */
                watcher: string;
                at?: number;
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
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example (bytes) */
                    "application/octet-stream": string;
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
    putRecording: {
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
                    /**
                     * @description A time in ISO 8601. UTC if it has no time zone.
                     * @example 2017-05-17T08:58:00.930572
                     */
                    start: string;
                    size: number;
                    /** @default 0 */
                    at?: number;
                    /**
                     * Format: binary
                     * @description The bytes from `at` on.
                     */
                    piece: string;
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
                     *       "start": "2026-11-22T09:57:24.539000",
                     *       "size": 9437184,
                     *       "received": 4194304
                     *     }
                     */
                    "application/json": components["schemas"]["CameraRecording"];
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
            504: components["responses"]["OutcomeUnknown"];
        };
    };
    deleteRecording: {
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
                     *       "turn": 0,
                     *       "searched": 5,
                     *       "wanted": 5,
                     *       "behind": 0,
                     *       "unused": 3,
                     *       "unused_reason": "small"
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
                    pictures?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description Ids of persons. */
                    except_person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    min_quality?: number;
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
                    pictures?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description Ids of persons. */
                    except_person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    min_quality?: number;
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
                    pictures?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description Ids of persons. */
                    except_person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    min_quality?: number;
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
                        /** @description The rule alerts to nobody of these persons, also when a face probably shows one of them. */
                        except_person_ids?: number[];
                        /** @description The person of the face has a face in this gallery, or the face matches one there that is of no other person. With `unknown`: neither. */
                        gallery?: string;
                        /** @description The least confidence of a match in the gallery. */
                        threshold: number;
                        /** @description Instead of the threshold: the share of strangers that may match the gallery. */
                        fpir?: number;
                        /** @description With `gallery`: nobody of the gallery, not even probably. Else: the face is the first one of its person. A poor or covered face is never unknown. */
                        unknown?: boolean;
                        friend?: boolean;
                        /** @description The least measured quality of the face. A better picture of a visit may reach it. */
                        min_quality?: number;
                        hours?: {
                            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                            from: string;
                            to: string;
                        }[];
                        /** @description The time zone of `hours`, for example `Europe/Berlin`. */
                        time_zone: string;
                        /** @description Seconds without a further message about the same person. */
                        cooldown_seconds: number;
                        /** @description Whether messages to phones and browsers carry the picture of the face: ntfy and Telegram get a file, others get a link that expires after a day. */
                        pictures?: boolean;
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
                    pictures?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description Ids of persons. */
                    except_person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    min_quality?: number;
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
                    pictures?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description Ids of persons. */
                    except_person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    min_quality?: number;
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
                    pictures?: boolean;
                    /** @default  */
                    name?: string;
                    /** @default true */
                    enabled?: boolean;
                    /** @description Ids of cameras. */
                    cam_ids?: string[];
                    /** @description Ids of persons. */
                    person_ids?: number[];
                    /** @description Ids of persons. */
                    except_person_ids?: number[];
                    /** @description The name of a gallery. */
                    gallery?: string;
                    /** @description The least confidence of a match: a number or a name. 0.75 without it, unless `fpir` is sent. */
                    threshold?: number | ("strict" | "medium" | "low" | "none");
                    /** @description Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery. */
                    fpir?: number;
                    unknown?: boolean;
                    friend?: boolean;
                    min_quality?: number;
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
                        /** @description The rule alerts to nobody of these persons, also when a face probably shows one of them. */
                        except_person_ids?: number[];
                        /** @description The person of the face has a face in this gallery, or the face matches one there that is of no other person. With `unknown`: neither. */
                        gallery?: string;
                        /** @description The least confidence of a match in the gallery. */
                        threshold: number;
                        /** @description Instead of the threshold: the share of strangers that may match the gallery. */
                        fpir?: number;
                        /** @description With `gallery`: nobody of the gallery, not even probably. Else: the face is the first one of its person. A poor or covered face is never unknown. */
                        unknown?: boolean;
                        friend?: boolean;
                        /** @description The least measured quality of the face. A better picture of a visit may reach it. */
                        min_quality?: number;
                        hours?: {
                            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                            from: string;
                            to: string;
                        }[];
                        /** @description The time zone of `hours`, for example `Europe/Berlin`. */
                        time_zone: string;
                        /** @description Seconds without a further message about the same person. */
                        cooldown_seconds: number;
                        /** @description Whether messages to phones and browsers carry the picture of the face: ntfy and Telegram get a file, others get a link that expires after a day. */
                        pictures?: boolean;
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
                        /** @description Number of alerts that nobody has seen. Filters do not change it. */
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
                    /**
                     * @description With `seen`: mark all earlier unseen alerts, too.
                     * @default false
                     */
                    earlier?: boolean;
                };
                "application/x-www-form-urlencoded": {
                    /** @default true */
                    seen?: boolean;
                    /**
                     * @description With `seen`: mark all earlier unseen alerts, too.
                     * @default false
                     */
                    earlier?: boolean;
                };
                "multipart/form-data": {
                    /** @default true */
                    seen?: boolean;
                    /**
                     * @description With `seen`: mark all earlier unseen alerts, too.
                     * @default false
                     */
                    earlier?: boolean;
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
                        /** @description Number of alerts that nobody has seen. Filters do not change it. */
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
                    /** @description Requests per second. Default: the rate of the service. */
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
                    /** @description Requests per second. Default: the rate of the service. */
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
                    /** @description Requests per second. Default: the rate of the service. */
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
                     * @description With `again`: the device of the user is lost. All passkeys are removed. All sessions of the user end, except the session of the request: each may be on a lost device.
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
                     * @description With `again`: the device of the user is lost. All passkeys are removed. All sessions of the user end, except the session of the request: each may be on a lost device.
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
                     * @description With `again`: the device of the user is lost. All passkeys are removed. All sessions of the user end, except the session of the request: each may be on a lost device.
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
                /** @description Who did it: `user ID`, `token ID`, `operator` or `service`. */
                actor?: string;
                action?: string;
                /** @description What it was done to, for example `person 7`: also entries that name it in a list, such as merges. */
                object?: string;
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                start?: string;
                /** @description A time in ISO 8601. UTC if it has no time zone. */
                end?: string;
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
                     *       "version": "0.3.0",
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
                    /** @description Faces are compared with the faces of all cameras. Otherwise only with faces of the same camera. */
                    person_identify_global?: boolean;
                    /** @description The least confidence with which a face joins a person; below it, the face gets a new person. `off`: a face joins a certain person, and has a probable one as `candidate`. */
                    person_identify_threshold?: number | "off";
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
                    /** @description Faces are compared with the faces of all cameras. Otherwise only with faces of the same camera. */
                    person_identify_global?: boolean;
                    /** @description The least confidence with which a face joins a person; below it, the face gets a new person. `off`: a face joins a certain person, and has a probable one as `candidate`. */
                    person_identify_threshold?: number | "off";
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
                    /** @description Faces are compared with the faces of all cameras. Otherwise only with faces of the same camera. */
                    person_identify_global?: boolean;
                    /** @description The least confidence with which a face joins a person; below it, the face gets a new person. `off`: a face joins a certain person, and has a probable one as `candidate`. */
                    person_identify_threshold?: number | "off";
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
