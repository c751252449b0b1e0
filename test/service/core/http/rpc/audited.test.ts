/** The audit log of calls: actor and action before the answer, and no texts of callers. */

import { ServiceError } from '#contract/errors.ts'
import { RPC_OPERATIONS, rpcPath } from '#contract/operations/messages.ts'
import { BACKUP_REQUESTED, nextEntries } from '#core/metadata/audit-log/entries.ts'
import { verifyAudit } from '#core/metadata/audit-log/verification.ts'
import { failedAuthentications } from '#core/operations/audit-log/audit-log.ts'
import { OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { leaveOneOwner, openWorld, type World } from '../../operations/world.ts'
import { openRoutes } from '../asked.ts'
import { askEverything, failingIn, WRITTEN } from '../every-operation.ts'
import { tokenIn } from '../token.ts'

let world: World
beforeEach(async () => {
  world = { ...(await openWorld()), estimate: async faces => faces.map(() => ({})) }
})

const written = async () =>
  (await nextEntries(world.database, 0, 1_000)).map(entry => ({
    ...entry,
    subject: JSON.parse(entry.subject),
  }))

describe('audited', { tags: 'long' }, () => {
  it('records each change with its token, every deleted face with the cause, and no text of a caller', async () => {
    await leaveOneOwner(world)
    const { ask, read } = await openRoutes(world)
    const changes: string[] = []
    await askEverything(
      (name, request, blobs) => {
        if ('by' in request) changes.push(name)
        return ask(name, request, blobs)
      },
      (name, request) => {
        if ('by' in request) changes.push(name)
        return read(name, request)
      },
      await tokenIn(world),
      failingIn(world.database),
    )
    const entries = await written()
    const byTokens = entries.filter(({ actor }) => actor === `token ${TOKEN}`)
    expect(byTokens.map(({ action }) => action)).toEqual(changes)
    // A request for a backup is passed on to the program that makes them, for no owner.
    const owned = entries.filter(({ action }) => action !== BACKUP_REQUESTED)
    expect(new Set(owned.map(({ owner }) => owner))).toEqual(new Set([OWNER]))
    for (const text of WRITTEN) expect(JSON.stringify(entries)).not.toContain(text)
    const facesOf = (action: string) =>
      entries
        .filter(entry => entry.action === action)
        .flatMap(({ subject }) => subject.faces ?? [subject.face])
        .sort()
    const deletions = Object.values(RPC_OPERATIONS).filter(({ audit, disk }) => audit && disk === 'frees')
    const gone = ['faces.delete', ...deletions.map(({ name }) => name)].flatMap(facesOf)
    expect(gone.filter(id => id !== undefined).sort()).toEqual(facesOf('enrol'))
    expect(entries.filter(({ action }) => action === 'faces.delete')).toMatchObject([
      { actor: 'service', subject: { because: 'gallery.delete' } },
    ])
    expect(await verifyAudit(world.database)).toMatchObject({ entries: entries.length })
    expect(await verifyAudit(world.database)).not.toHaveProperty('fault')
  })

  it('records nothing for a refused call', async () => {
    const { post, read } = await openRoutes(world)
    const request = { owner: OWNER, by: TOKEN, id: 5 }
    await expect(post(rpcPath('face.delete'), request)).toAnswer(404)
    const unknown = { owner: OWNER, by: TOKEN, filter: { cameras: [] }, event: 5 }
    await expect(read('evidence.export', unknown)).rejects.toThrow()
    await expect(post(rpcPath('gallery.delete'), { owner: OWNER, by: TOKEN, gallery: 'none' })).toAnswer(404)
    expect(await written()).toEqual([])
  })

  it('records a change before the answer, and refuses the call when it cannot record', async () => {
    let goOn = () => {}
    const held = new Promise<void>(resolve => {
      goOn = resolve
    })
    const slow = await openRoutes({ ...world, record: () => held })
    let answered = false
    const creation = slow.ask('gallery.create', { owner: OWNER, by: TOKEN, gallery: 'g' }).then(() => {
      answered = true
    })
    await expect
      .poll(async () => (await slow.ask('galleries.list', { owner: OWNER })).galleries)
      .toContain('g')
    expect(answered).toBe(false)
    goOn()
    await creation
    const failing = await openRoutes({
      ...world,
      record: () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE')),
    })
    const response = await failing.post(rpcPath('gallery.create'), { owner: OWNER, by: TOKEN, gallery: 'h' })
    expect(response.status).toBe(504)
  })

  it('records concurrent changes in shared transactions', async () => {
    const { ask } = await openRoutes(world)
    let transactions = 0
    const { execute } = world.database.$client
    world.database.$client.execute = async (statement: Parameters<typeof execute>[0]) => {
      if (JSON.stringify(statement).includes('insert into \\"audit\\"')) transactions++
      return execute.call(world.database.$client, statement)
    }
    const names = times(30, number => `g${number}`)
    await Promise.all(names.map(gallery => ask('gallery.create', { owner: OWNER, by: TOKEN, gallery })))
    expect(await written()).toHaveLength(30)
    expect(transactions).toBeLessThan(30)
  })
})

it('failedAuthentications counts failures per authentication point and records one entry for all', async () => {
  const counted = failedAuthentications(world)
  const { post, fetch } = await openRoutes(world, { refused: counted.count })
  for (let i = 0; i < 3; i++) await post(rpcPath('caller'), { tokenHash: `${i}`.repeat(64) })
  for (let i = 0; i < 2; i++) await post(rpcPath('galleries.list'), { owner: OWNER }, [], 'another secret')
  await fetch('/v1/g/get/5')
  await counted.insertEntries()
  await counted.insertEntries()
  expect(await written()).toMatchObject([
    { actor: 'service', action: 'authentication.failed', subject: { token: 3, edge: 2 } },
  ])
})
