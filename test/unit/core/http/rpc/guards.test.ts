/** Operations on a full disk: additions and changes are refused before they begin, deletions and reads run. */

import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { STORE_LIMITS } from '#contract/limits/store.ts'
import { RPC_OPERATIONS, type RpcOperation } from '#contract/operations/messages.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { DiskFull, type DiskSpace } from '#core/files/disk-space.ts'
import { type Guards, guardHandlers } from '#core/http/rpc/guards.ts'
import { enrolment } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'

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
  )
  const guards = {
    diskSpace: full,
    record: async () => {},
    actorOf: async () => '',
    recordsViews: () => false,
  }
  const handlers = guardHandlers(plain, guards)
  for (const name of names) await handlers[name]!({}, []).catch(() => {})
  const changes = names.filter(name => 'by' in RPC_OPERATIONS[name].request.shape)
  const isDeletion = (name: string) =>
    OPERATIONS.some(({ core, method }) => core.name === name && method === 'delete')
  const refused = [
    ...changes.filter(name => !isDeletion(name)),
    'camera.lease',
    'camera.picture',
    'faces.prepare',
  ]
  expect(refused).toContain('enrol')
  expect(begun).toEqual(names.filter(name => !refused.includes(name)))
})

it('on a full disk, the end of a recording is reported, and deletes the recording', async () => {
  const handlers = { 'camera.lease': async () => ({ response: {} }) }
  const lease = guardHandlers(handlers, { diskSpace: full } as Guards)['camera.lease']!
  await expect(lease({ recording: {} }, [])).rejects.toBeInstanceOf(DiskFull)
  await lease({ recording: { end: 'read' } }, [])
})

it('every operation that changes data is audited, and no other', () => {
  const changes = names.filter(name => 'by' in RPC_OPERATIONS[name].request.shape)
  expect(names.filter(name => RPC_OPERATIONS[name].audit)).toEqual(changes)
})

it('the audit log has all ids of an enrolment, in entries of bounded size', async () => {
  const faces = times(PHOTO_LIMITS.selectedFaces, id => ({ id }))
  const entries: { subject: { faces?: number[] } }[] = []
  const guards = {
    actorOf: async () => 'token 1',
    diskSpace: { adding: (work: () => unknown) => work() },
    record: async (entry: (typeof entries)[number]) => void entries.push(entry),
  } as unknown as Guards
  const handlers = { enrol: async () => ({ response: { faces } }) }
  await guardHandlers(handlers, guards).enrol!({ ...enrolment(1) }, [])
  const lists = entries.map(({ subject }) => subject.faces ?? [])
  expect(lists.flat()).toEqual(faces.map(({ id }) => id))
  expect(Math.max(...lists.map(({ length }) => length))).toBe(STORE_LIMITS.auditIds)
})
