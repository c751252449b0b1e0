/** Topics of the bridge. Their parts are ids and fixed words, never names. */

/** A base topic or a prefix: words of letters, digits, `_` and `-`, between slashes. */
export const TOPIC = /^[\w-]{1,64}(\/[\w-]{1,64}){0,4}$/

/** A camera's id in topics: a UUID with hyphens. */
const CAMERA = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'

export interface Topics {
  base: string
  /** `online` or `offline`. Retained. */
  state: string
  /** Id of the last event whose messages the broker has acknowledged. Retained. */
  position: string
  /** Marks the end of stored messages. */
  mark: string
  event(camera: string): string
  /** Alerts of a rule. */
  alert(rule: string): string
  /** The last face of a camera. Retained. */
  person(camera: string): string
  /** `ON` or `OFF`. Retained. */
  enabled(camera: string): string
  /** The last face of a person. Retained. */
  seen(person: number | '+'): string
  /** The camera of a topic of `person` or `enabled`. */
  cameraOf(topic: string): string | undefined
  /** The person of a topic of `seen`. */
  personOf(topic: string): number | undefined
}

export function topicsOf(base: string): Topics {
  const camera = new RegExp(`^${base}/camera/${CAMERA}/(?:person|enabled)$`)
  const person = new RegExp(`^${base}/person/(\\d+)/seen$`)
  return {
    base,
    state: `${base}/bridge/state`,
    position: `${base}/bridge/position`,
    mark: `${base}/bridge/mark`,
    event: id => `${base}/camera/${id}/event`,
    alert: id => `${base}/alert/${id}`,
    person: id => `${base}/camera/${id}/person`,
    enabled: id => `${base}/camera/${id}/enabled`,
    seen: id => `${base}/person/${id}/seen`,
    cameraOf: topic => camera.exec(topic)?.[1],
    personOf(topic) {
      const id = person.exec(topic)?.[1]
      return id === undefined ? undefined : Number(id)
    },
  }
}
