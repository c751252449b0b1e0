/** GET /persons, GET and DELETE /person/id/<id>, GET /person/history/id/<id>: persons and their history. */
import * as z from 'zod'
import { PersonHistoryEntrySchema } from '../../../contract/model/history.ts'
import { PersonSchema } from '../../../contract/model/person.ts'
import { changedBy } from '../../admission/tokens.ts'
import { streamedAnswer } from '../../http/streamed.ts'
import { filterOf } from '../../parameters/event-filter.ts'
import { numberInPath, numberOf } from '../../parameters/path-ids.ts'
import { eventParameters } from '../history.ts'
import { operation } from '../operation.ts'
import { jsonResponse, noContent } from '../route.ts'

export const listPersons = operation(
  {
    name: 'listPersons',
    needs: 'read',
    method: 'get',
    path: '/persons',
    topic: 'Persons',
    summary: 'List all persons',
    parameters: z.object({}),
    status: 200,
    answer: z.strictObject({ results: z.array(PersonSchema) }),
  },
  async ({ core }, { caller }) =>
    streamedAnswer(await core.stream('persons.list', { owner: caller.owner }), person => person),
)

export const getPerson = operation(
  {
    name: 'getPerson',
    needs: 'read',
    method: 'get',
    path: '/person/id/:id',
    aliases: ['/persons/id/:id'],
    topic: 'Persons',
    summary: 'Get a person',
    parameters: z.object({ id: numberInPath }),
    status: 200,
    answer: PersonSchema,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params }) =>
    jsonResponse(
      (await core.call('person.get', { owner: caller.owner, id: numberOf(params.id) })).answer.person,
    ),
)

export const deletePerson = operation(
  {
    name: 'deletePerson',
    needs: 'administer',
    method: 'delete',
    path: '/person/id/:id',
    aliases: ['/persons/id/:id'],
    topic: 'Persons',
    summary: 'Delete a person and all faces of this person',
    parameters: z.object({ id: numberInPath }),
    status: 204,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params }) => {
    await core.call('person.delete', { ...changedBy(caller), id: numberOf(params.id) })
    return noContent()
  },
)

export const personHistory = operation(
  {
    name: 'personHistory',
    needs: 'read',
    method: 'get',
    path: '/person/history/id/:id',
    aliases: ['/persons/history/id/:id'],
    topic: 'History',
    summary: 'List the camera events of a person, newest first',
    details: 'The query string or a body may contain the parameters.',
    parameters: z.object({ id: numberInPath, ...eventParameters }),
    status: 200,
    answer: z.strictObject({ results: z.array(PersonHistoryEntrySchema) }),
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params, origin }) => {
    const filter = { ...filterOf(params.cam_ids, params), personId: numberOf(params.id) }
    const entries = await core.stream('person.history', { owner: caller.owner, filter })
    return streamedAnswer(entries, entry => ({ ...entry, screenshot: origin + entry.screenshot }))
  },
)
