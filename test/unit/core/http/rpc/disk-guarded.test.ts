/** Operations on a full disk: additions and changes are refused before they begin, deletions and reads run. */
import { expect, it } from 'vitest'
import { RPC_OPERATIONS, type RpcOperation } from '#contract/rpc/operations.ts'
import { DiskFull, type DiskSpace } from '#core/files/disk-space.ts'
import { diskGuarded } from '#core/http/rpc/disk-guarded.ts'
import type { Handlers } from '#core/http/rpc/handlers.ts'

const verbs = Object.keys(RPC_OPERATIONS) as RpcOperation[]

/** Whether an operation changes data: its question has the field `by`. */
const isChange = (verb: RpcOperation): boolean => 'by' in RPC_OPERATIONS[verb].question.shape

const full: DiskSpace = {
  adding: async () => {
    throw new DiskFull()
  },
  deleting: work => work(),
  isFull: async () => true,
  free: async () => 0,
  close: async () => {},
}

it('diskGuarded refuses each operation that writes data, except deletions', async () => {
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
    'person.update',
    'person.merge',
    'person.split',
    'camera.create',
    'camera.update',
    'camera.lease',
    'camera.picture',
    'gallery.create',
    'gallery.update',
    'alert.create',
    'alert.update',
    'alert.secret',
    'alert.test',
    'delivery.retry',
    'token.create',
    'token.rotate',
  ])
  expect(begun).toEqual(verbs.filter(verb => !refused.includes(verb)))
})
