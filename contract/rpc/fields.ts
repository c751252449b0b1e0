/** Fields that RPC requests share. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { OwnerId } from '../model/gallery.ts'
import { TokenId } from '../model/token.ts'

export const owned = { owner: OwnerId }

/** Fields of operations that change data. `by` is the id of the caller's token, for the audit log. */
export const changing = { ...owned, by: TokenId }

/** One page of a list in descending order of ids. */
export const page = {
  maxId: FaceId.optional(),
  minId: FaceId.optional(),
  limit: z.int().min(1).max(LIMITS.pageSize),
}

/** A message without fields. */
export const empty = z.strictObject({})

/** Ids of the deleted faces. */
export const Deleted = z.strictObject({ faces: z.array(FaceId) })
