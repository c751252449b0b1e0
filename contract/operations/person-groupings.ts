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
      'Each face gets a person as in an enrolment with `person_identify`, in the order of the ids. A face without a meta gets ' +
      'the name of the person, and one that is probably somebody a `candidate`. Then automatic persons join others without a name that ' +
      'are certainly the same, unless somebody decided anything about them. ' +
      '`start` also continues a stopped grouping, and `stop` keeps what is done. `undo` takes the persons away from the faces that ' +
      'got them by groupings, brings joined persons back, and deletes the persons that groupings made and that have no other faces. Persons that somebody renamed, ' +
      'merged, split, or gave or took a face since keep their faces.',
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
