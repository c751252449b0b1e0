/** Inserts a token into the metadata of a test. */

import { insertToken } from '#core/metadata/access/tokens.ts'
import { OWNER, TOKEN } from '#test/support/sample-faces.ts'
import type { World } from '../operations/world.ts'

/** The hash of a new token of OWNER. */
export async function tokenIn({ database }: Pick<World, 'database'>): Promise<string> {
  const hash = 'ab'.repeat(32)
  await insertToken(database, { id: TOKEN, hash, owner: OWNER, name: '', created: 0, scope: 'admin' })
  return hash
}
