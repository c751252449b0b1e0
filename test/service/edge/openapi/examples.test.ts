/** Examples in the OpenAPI documents: one per answer, valid by its schema, with the fields of a real answer. */
import { inject } from 'vitest'
import { VERSIONS } from '#contract/operations/operation.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { exampleOf } from '#edge/openapi/build-document.ts'
import { clientOf, type Send } from '#test/support/client.ts'
import { objectionsTo } from '#test/support/described.ts'
import { newToken } from '#test/support/tokens.ts'
import { type Answers, callEveryOperation, firstEvent } from './answers.ts'

/**
 * Fields that depend on the machine (it may lack ffmpeg for a watcher) and on earlier tests of the shared service: times of
 * backups, and why settings cannot be changed.
 */
const VARYING: Record<string, object> = {
  listGalleries: { display_names: {} },
  getService: { backup: {}, has_watcher: true },
  getSettings: { fixed_by: '' },
  changeSettings: { fixed_by: '' },
}

describe('the examples', () => {
  const answering = OPERATIONS.filter(({ answer }) => answer)
  const undescribed: string[] = []
  let answers: Answers
  beforeAll(async () => {
    const token = newToken(inject('data'), 'examples')
    const send = described(clientOf(inject('edge'), token), undescribed)
    const follow = (path: string) => firstEvent(inject('edge') + path, token)
    answers = await callEveryOperation(send, follow, inject('goneWebhook'))
  })

  it.each(answering)('have the fields and types of a real answer of $name', operation => {
    const { name } = operation
    expect(answers.has(name), 'answers.ts calls this operation').toBe(true)
    const comparable = (body: unknown) =>
      shapeOf(name in VARYING ? { ...(body as object), ...VARYING[name] } : body)
    expect(comparable(exampleOf('v1', operation))).toEqual(comparable(answers.get(name)))
  })

  it.each(VERSIONS)('of %s exist for answers with a body, and are valid by its document', version => {
    const shown = OPERATIONS.filter(operation => exampleOf(version, operation) !== undefined)
    expect(shown).toEqual(answering)
    const objections = answering.flatMap(operation => {
      const { method, path, status } = operation
      const called = path.replace(/:\w+(\{[^}]*\})?/g, '1')
      return objectionsTo({ version, method, path: called, status, body: exampleOf(version, operation) })
    })
    expect(objections).toEqual([])
  })

  it('are called by requests whose answers the document describes', () => expect(undescribed).toEqual([]))
})

/** Wraps the client; collects answers that the document does not describe. */
const described =
  (send: Send, undescribed: string[]): Send =>
  async (method, path, ...rest) => {
    const answered = await send(method, path, ...rest)
    const [, described = ''] = /^\/v1([^?]*)/.exec(path) ?? []
    const request = { version: 'v1', method: method.toLowerCase(), path: described } as const
    undescribed.push(...objectionsTo({ ...request, ...answered }))
    return answered
  }

/** Names and types of the fields of a JSON value. For a list: of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  const fields = Object.entries(value).map(([name, field]) => [
    name.startsWith('[') ? 'the text of a box' : name,
    shapeOf(field),
  ])
  return Object.fromEntries(fields)
}
