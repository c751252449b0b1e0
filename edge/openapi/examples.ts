/** Examples of answers in the OpenAPI documents. */
import { ATTRIBUTES } from '../../contract/model/attributes.ts'
import { ALERT_DATA } from '../../contract/operations/alerts.ts'
import { EVENT_STREAM } from '../../contract/operations/history.ts'
import type { Description, Version } from '../../contract/operations/operation.ts'
import { eventText, type ServerSentEvent } from '../http/server-sent-events.ts'

/** Example of an answer; undefined for an operation without a body. */
export function exampleOf(
  version: Version,
  { example, answerType }: Pick<Description, 'example' | 'answerType'>,
): unknown {
  const shown = version === 'v0' ? withoutAttributes(example) : example
  return answerType === EVENT_STREAM ? (shown as ServerSentEvent[]).map(eventText).join('') : shown
}

/** Example of a message to a webhook. */
export const alertMessageOf = (version: Version) => ({
  type: 'face.seen',
  timestamp: '2026-11-22T09:57:26.012Z',
  data: version === 'v0' ? withoutAttributes(ALERT_DATA) : ALERT_DATA,
})

/** v0 has no attributes of faces. */
function withoutAttributes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAttributes)
  if (typeof value !== 'object' || value === null) return value
  const known = Object.entries(value).filter(([name]) => !(ATTRIBUTES as readonly string[]).includes(name))
  return Object.fromEntries(known.map(([name, field]) => [name, withoutAttributes(field)]))
}
