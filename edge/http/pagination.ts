/** Pages of lists that run from the newest id down: how one is asked for, and what its links repeat. */
import { LIMITS } from '../../core/contract/limits.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { integer, optional } from '../parameters/parameter-fields.ts'

const id = integer(0, Number.MAX_SAFE_INTEGER)

/** `max_id` and `min_id` are bounds that the page does not reach. */
export const pageParameters = {
  max_id: optional(id),
  min_id: optional(id),
  limit: optional(integer(1, LIMITS.pageSize)),
}

export interface PageParameters {
  max_id?: number | undefined
  min_id?: number | undefined
  limit?: number | undefined
}

/** The same as core is asked. */
export const pageQuestion = ({ max_id, min_id, limit = LIMITS.defaultPageSize }: PageParameters) => ({
  limit,
  ...omitUndefined('maxId', max_id),
  ...omitUndefined('minId', min_id),
})

/** What the links to other pages repeat: a limit, where one was given. */
export const pageQuery = ({ limit }: PageParameters): Record<string, number> =>
  limit === undefined ? {} : { limit }
