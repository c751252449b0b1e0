/** Pagination of lists in descending order of ids: page parameters, RPC fields and link parameters. */
import { LIMITS } from '../../contract/limits.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { integer, optional } from '../parameters/parameter-fields.ts'

const id = integer(0, Number.MAX_SAFE_INTEGER)

/** `max_id` and `min_id` are exclusive bounds. */
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

/** The page parameters as fields of an RPC request. */
export const pageRequest = ({ max_id, min_id, limit = LIMITS.defaultPageSize }: PageParameters) => ({
  limit,
  ...omitUndefined('maxId', max_id),
  ...omitUndefined('minId', min_id),
})

/** Query that links to other pages repeat: the limit, if the caller set one. */
export const pageQuery = ({ limit }: PageParameters): Record<string, number> =>
  limit === undefined ? {} : { limit }
