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

/**
 * What the audit log records of a change: ids and numbers, never texts of callers. Values of `gallery` and `galleries...` are names;
 * core records their numbers, because a name can be that of a person. With `count`, a long list of `faces` is split.
 */
export type AuditSubject = Readonly<
  Record<string, number | string | readonly (number | string)[] | undefined>
>

/** Whether an operation `writes` to the disk, or `frees` space on it and therefore runs on a full one. */
export type DiskUse = 'writes' | 'frees'

/** Declares an operation that changes data: its messages, what the audit log records, and `disk` if it only deletes. */
export const change = <Question extends z.ZodObject, Answer extends z.ZodType>(operation: {
  question: Question
  answer: Answer
  audit(question: z.infer<Question>, answer: z.infer<Answer>): AuditSubject
  disk?: DiskUse
}) => operation
