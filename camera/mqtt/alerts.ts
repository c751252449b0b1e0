/** The message about an alert: the rule, and the sighting that met its conditions. */
import type { LiveAlert } from '../../clients/typescript/src/index.ts'
import type { Privacy, Sighting } from './sighting.ts'

/** A face of the rule's gallery, and how sure the match is, 0..1. */
interface Match {
  confidence: number
  face: number
  name?: string
}

export interface AlertPayload extends Partial<Omit<Sighting, 'id'>> {
  /** Position of the alert. A repeated message has the same id. */
  id: string
  alert: { id: string; name: string }
  /** Id of the event of the face. */
  event?: string
  /** Faces of cameras that belong to the person. */
  seen?: number
  matches?: Match[]
}

/** `sighting` is that of the alert's face; undefined for a test of the rule. */
export function alertPayload(
  { id, alert: { alert, event_id, person, matches } }: LiveAlert,
  sighting: Sighting | undefined,
  privacy: Privacy,
): AlertPayload {
  return {
    ...sighting,
    id,
    alert,
    ...(event_id !== undefined && { event: String(event_id) }),
    ...(person && { seen: person.seen }),
    ...(matches && {
      matches: matches.map(({ confidence, face }) => ({
        confidence,
        face: face.id,
        ...(privacy.names && face.meta !== '' && { name: face.meta }),
      })),
    }),
  }
}
