/** Topics of the bridge. Their parts are ids and fixed words, never names. */

/** A base topic or a prefix: words of letters, digits, `_` and `-`, between slashes. */
export const TOPIC = /^[\w-]{1,64}(\/[\w-]{1,64}){0,4}$/

/** A camera's id in topics: a UUID with hyphens. */
const CAMERA = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'

export type Topics = ReturnType<typeof topicsOf>

export function topicsOf(base: string) {
  const cameraTopic = new RegExp(`^${base}/camera/${CAMERA}/(?:person|enabled)$`)
  const personTopic = new RegExp(`^${base}/person/(\\d+)/seen$`)
  return {
    base,
    /** `online` or `offline`. Retained. */
    state: `${base}/bridge/state`,
    /** Id of the last event whose messages the broker has acknowledged. Retained. */
    position: `${base}/bridge/position`,
    /** Ids of the persons with sensors, with commas between them. Retained. */
    presence: `${base}/bridge/presence`,
    /** Marks the end of stored messages. */
    mark: `${base}/bridge/mark`,
    event: (camera: string) => `${base}/camera/${camera}/event`,
    /** Alerts of a rule. */
    alert: (rule: string) => `${base}/alert/${rule}`,
    /** The last face of a camera. Retained. */
    person: (camera: string) => `${base}/camera/${camera}/person`,
    /** `ON` or `OFF`. Retained. */
    enabled: (camera: string) => `${base}/camera/${camera}/enabled`,
    /** The last face of a person. Retained. */
    seen: (person: number | '+') => `${base}/person/${person}/seen`,
    /** The camera of a topic of `person` or `enabled`. */
    cameraOf: (topic: string) => cameraTopic.exec(topic)?.[1],
    /** The person of a topic of `seen`. */
    personOf(topic: string): number | undefined {
      const id = personTopic.exec(topic)?.[1]
      return id === undefined ? undefined : Number(id)
    },
  }
}
