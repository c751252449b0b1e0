/** Operations on a full disk: additions and changes are refused before they begin, deletions and reads run. */
import { expect, it } from 'vitest'
import { RPC_OPERATIONS, type RpcOperation } from '#contract/rpc/operations.ts'
import { DiskFull, type DiskSpace } from '#core/files/disk-space.ts'
import { guarded } from '#core/http/rpc/guards.ts'
import type { Handlers } from '#core/http/rpc/handlers.ts'

const names = Object.keys(RPC_OPERATIONS) as RpcOperation[]

const full: DiskSpace = {
  adding: async () => {
    throw new DiskFull()
  },
  deleting: work => work(),
  isFull: async () => true,
  free: async () => 0,
  close: async () => {},
}

/** Operations that change data and free space. */
const DELETIONS = ['delete', 'revoke', 'end', 'unsubscribe']

it('on a full disk, each operation that changes data is refused before it begins, except deletions', async () => {
  const begun: RpcOperation[] = []
  const plain = Object.fromEntries(
    names.map(name => [
      name,
      async () => {
        begun.push(name)
        throw new Error('begun')
      },
    ]),
  ) as unknown as Handlers
  const guards = {
    diskSpace: full,
    record: async () => {},
    actorOf: async () => '',
    recordsViews: () => false,
  }
  const handlers = guarded(plain, guards) as unknown as Record<
    RpcOperation,
    (request: object, blobs: Uint8Array[]) => Promise<unknown>
  >
  for (const name of names) await handlers[name]({}, []).catch(() => {})
  const changes = names.filter(name => 'by' in RPC_OPERATIONS[name].request.shape)
  const isDeletion = (name: string) => DELETIONS.some(word => name.includes(`.${word}`))
  const refused = [...changes.filter(name => !isDeletion(name)), 'camera.lease', 'camera.picture']
  expect(refused).toContain('enrol')
  expect(begun).toEqual(names.filter(name => !refused.includes(name)))
})

it('every operation that changes data is audited, and no other', () => {
  const changes = names.filter(name => 'by' in RPC_OPERATIONS[name].request.shape)
  expect(names.filter(name => RPC_OPERATIONS[name].audit)).toEqual(changes)
})
