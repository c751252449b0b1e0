/** Verbs on a full disk: what adds or changes is refused before it begins, deletions and reads go on. */
import { expect, it } from 'vitest'
import { RPC_OPERATIONS, type RpcOperation } from '../../../../../core/contract/rpc/operations.ts'
import { DiskFull } from '../../../../../core/files/disk-full.ts'
import type { DiskSpace } from '../../../../../core/files/disk-space.ts'
import { diskGuarded } from '../../../../../core/http/rpc/disk-guarded.ts'
import type { Handlers } from '../../../../../core/http/rpc/handlers.ts'

const verbs = Object.keys(RPC_OPERATIONS) as RpcOperation[]

/** Whether a verb says by whom something is changed. */
const isChange = (verb: RpcOperation): boolean => 'by' in RPC_OPERATIONS[verb].question.shape

const full: DiskSpace = {
  adding: async () => {
    throw new DiskFull()
  },
  deleting: work => work(),
  isFull: async () => true,
  close: async () => {},
}

it('refuses every verb that changes something but deletions', async () => {
  const begun: RpcOperation[] = []
  const plain = Object.fromEntries(
    verbs.map(verb => [verb, async () => void begun.push(verb)]),
  ) as unknown as Handlers
  const guarded = diskGuarded(plain, full) as unknown as Record<
    RpcOperation,
    (question: object) => Promise<unknown>
  >
  const refused: RpcOperation[] = []
  for (const verb of verbs) {
    const question = isChange(verb) ? { by: '0123456789ab' } : {}
    await guarded[verb](question).catch(() => refused.push(verb))
  }
  expect(refused).toEqual([
    'enrol',
    'face.update',
    'camera.create',
    'camera.update',
    'gallery.create',
    'gallery.update',
  ])
  expect(begun).toEqual(verbs.filter(verb => !refused.includes(verb)))
})
