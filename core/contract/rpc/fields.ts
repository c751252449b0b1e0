/** Fields that RPC requests share. */
import { OwnerId } from '../model/gallery.ts'
import { TokenId } from '../model/token.ts'

export const owned = { owner: OwnerId }

/** Fields of operations that change data. `by` is the id of the caller's token, for the audit log. */
export const changing = { ...owned, by: TokenId }
