/** The grouping of stored faces to persons, in the background, and its way back. */

import * as z from 'zod'
import { GROUPING_ACTIONS, PersonGroupingSchema } from '../model/person.ts'
import { oneOf, withDefault } from '../parameters/fields.ts'
import { change, ownedCall } from '../rpc/message.ts'
import { operationOf } from './operation.ts'

const operation = operationOf('Persons')

const example = { state: 'running', faces: 12_000, examined: 4_000, assigned: 3_900, persons: 800 }

export const personGroupingOperations = {
  getPersonGrouping: operation({
    client: 'persons.grouping',
    method: 'get',
    path: '/persons/grouping',
    permission: 'read',
    summary: 'Get the progress of the grouping of stored faces to persons',
    answer: PersonGroupingSchema,
    example,
    core: ownedCall('persons.grouping', { request: {}, response: { grouping: PersonGroupingSchema } }),
  }),

  groupPersons: operation({
    client: 'persons.group(action)',
    method: 'post',
    path: '/persons/grouping',
    permission: 'manage',
    summary: 'Group the stored faces without a person to persons, in the background',
    details:
      'Each face gets a person or a `candidate` as in an enrolment with `person_identify`, in the order of the ids. A face without a ' +
      'meta gets the name of its person. Then automatic persons join persons without a name that are certainly the same, unless a user ' +
      'decided anything about them. `start` also continues a stopped grouping, and `stop` keeps the result so far. `undo` removes the ' +
      'persons that groupings assigned to faces, restores joined persons, and deletes persons that groupings made and that have no ' +
      'other faces. Persons that a user renamed, merged, split or corrected since keep their faces.',
    parameters: { action: withDefault(oneOf(GROUPING_ACTIONS), 'start') },
    answer: PersonGroupingSchema,
    example,
    core: change('persons.group', {
      words: 'grouped stored faces',
      request: { action: z.enum(GROUPING_ACTIONS) },
      response: { grouping: PersonGroupingSchema },
      audit: ({ action }) => ({ action }),
    }),
  }),
}
