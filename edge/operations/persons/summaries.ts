/** GET /persons/summaries, /person/id/<id>/summary and /persons/suggestions: persons with their faces, and pairs that may be one. */
import * as z from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import {
  type PersonSuggestion,
  PersonSuggestionSchema,
  type PersonSummary,
  PersonSummarySchema,
} from '../../../contract/model/person-summary.ts'
import { PageLinks, pageLinks, withLinks } from '../../http/links.ts'
import { pageParameters, pageQuery, pageRequest } from '../../http/pagination.ts'
import { metaToFind } from '../../parameters/meta.ts'
import { omitUndefined } from '../../parameters/omit-undefined.ts'
import {
  boolean,
  integer,
  optional,
  suggestionThreshold,
  withDefault,
} from '../../parameters/parameter-fields.ts'
import { numberInPath, numberOf } from '../../parameters/path-ids.ts'
import { operation } from '../operation.ts'
import { jsonResponse } from '../route.ts'

const SUMMARY =
  `\`face\` is the best of the ${LIMITS.representedFaces} newest faces of the person: that with the best quality, or the largest ` +
  'one where no quality is stored. `latest` is the latest of these faces by its time.'

/** The summary with absolute picture links. */
export const summaryWithLinks = ({ face, ...person }: PersonSummary, origin: string): PersonSummary => ({
  ...person,
  ...(face && { face: withLinks(face, origin) }),
})

export const listPersonSummaries = operation(
  {
    name: 'listPersonSummaries',
    needs: 'read',
    method: 'get',
    path: '/persons/summaries',
    topic: 'Persons',
    summary: 'List persons with a face and the number of their faces, in pages',
    details: `Persons are in descending order of their ids. \`meta\` selects the persons with exactly this meta. ${SUMMARY}`,
    parameters: z.object({ ...pageParameters, meta: optional(metaToFind) }),
    status: 200,
    answer: z.strictObject({ results: z.array(PersonSummarySchema), ...PageLinks }),
  },
  async ({ core }, { caller, params, origin, path }) => {
    const meta = omitUndefined('meta', params.meta)
    const question = { owner: caller.owner, ...pageRequest(params), ...meta }
    const { persons, newer, older } = (await core.call('persons.summaries', question)).answer
    return jsonResponse({
      results: persons.map(person => summaryWithLinks(person, origin)),
      ...pageLinks(path, { faces: persons, newer, older }, params, { ...pageQuery(params), ...meta }),
    })
  },
)

export const getPersonSummary = operation(
  {
    name: 'getPersonSummary',
    needs: 'read',
    method: 'get',
    path: '/person/id/:id/summary',
    aliases: ['/persons/id/:id/summary'],
    topic: 'Persons',
    summary: 'Get a person with a face and the number of their faces',
    details: SUMMARY,
    parameters: z.object({ id: numberInPath }),
    status: 200,
    answer: PersonSummarySchema,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params, origin }) => {
    const question = { owner: caller.owner, id: numberOf(params.id) }
    return jsonResponse(summaryWithLinks((await core.call('person.summary', question)).answer.person, origin))
  },
)

export const suggestPersons = operation(
  {
    name: 'suggestPersons',
    needs: 'read',
    method: 'get',
    path: '/persons/suggestions',
    topic: 'Persons',
    summary: 'Suggest pairs of persons that may be one human',
    details:
      'Compares the `face` of each person of a page with the faces of persons with lower ids. A page has `limit` persons in ' +
      `descending order of their ids, and at most ${LIMITS.suggestionsPerPerson} pairs for each of them, so it can be empty and ` +
      'have a next page. Two persons on one photo are no pair. The gallery `default` is searched; `strict` and the header ' +
      '`X-Live-Servers` are those of identify.',
    parameters: z.object({
      max_id: optional(integer(0, Number.MAX_SAFE_INTEGER)),
      limit: withDefault(integer(1, LIMITS.suggestionPage), LIMITS.defaultSuggestionPage),
      threshold: suggestionThreshold,
      strict: optional(boolean),
    }),
    status: 200,
    answer: z.strictObject({ results: z.array(PersonSuggestionSchema), next_page: PageLinks.next_page }),
    headers: { 'X-Live-Servers': 'Number of searched shards and number of all shards, for example `3/4`.' },
  },
  async ({ core }, { caller, params, origin, path }) => {
    const { max_id, limit, strict } = params
    const threshold = params.threshold === 'none' ? 0 : params.threshold
    const options = { limit, threshold, ...omitUndefined('strict', strict) }
    const question = { owner: caller.owner, ...options, ...omitUndefined('maxId', max_id) }
    const { suggestions, next, shards } = (await core.call('persons.suggestions', question)).answer
    const query = Object.entries({ ...options, max_id: next }).map(([name, value]) => [name, String(value)])
    const next_page = next === undefined ? null : `${path}?${new URLSearchParams(query)}`
    const headers = shards && { 'x-live-servers': `${shards.live}/${shards.total}` }
    return jsonResponse(
      { results: suggestions.map(pair => pairWithLinks(pair, origin)), next_page },
      200,
      headers,
    )
  },
)

const pairWithLinks = ({ confidence, persons }: PersonSuggestion, origin: string): PersonSuggestion => ({
  confidence,
  persons: persons.map(person => ({ ...person, face: withLinks(person.face, origin) })),
})
