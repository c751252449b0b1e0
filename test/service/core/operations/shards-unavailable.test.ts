/** Faces in two shards, one of which is a database that is lost, frozen and back. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { deleteFace } from '#core/operations/deletions.ts'
import { identify } from '#core/operations/recognition.ts'
import { cellOf, parseLayout, recordLayout } from '#core/vector-store/sharding/layout.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { addressText, testDatabase } from '#test/unit/core/vector-store/postgres/database.ts'
import { type BreakingProxy, breakingProxy } from '../vector-store/postgres/breaking-proxy.ts'
import { enrolOne, kept, keptOf, openWorld } from './world.ts'

const request = { owner: OWNER, gallery: 'default', threshold: 0.5, limit: 100 }
const red = faceOf(250, 0, 0)

const postgres = testDatabase()

/** Shorter than the outage of a shard. */
const IMPATIENT = { shardWaitMs: 50 }

/** A service whose upper half of the cells is in a database behind a proxy. */
async function openWithRemote() {
  const remote = await breakingProxy(postgres.fresh())
  const data = await temporaryFolder()
  const folder = join(data, 'vectors')
  await mkdir(folder)
  const places = [
    { address: 'local', cells: '0-511' },
    { address: addressText(remote.address), cells: '512-1023' },
  ]
  await recordLayout(folder, parseLayout(JSON.stringify(places), 'the test'))
  const world = await openWorld(data, undefined, IMPATIENT)
  const search = (strict?: boolean) => identify(world, withStrict(strict), [red.chip.data])
  return { world, search, remote }
}

const withStrict = (strict?: boolean) => (strict === undefined ? request : { ...request, strict })
const isRemote = (id: number) => cellOf(id) >= 512

type Opened = Awaited<ReturnType<typeof openWithRemote>>

/** Enrols equal faces until both shards have some. */
async function enrolSome({ world }: Opened) {
  const ids: number[] = []
  while (!ids.some(isRemote) || ids.every(isRemote)) ids.push(await enrolOne(world, red))
  return { here: ids.filter(id => !isRemote(id)), there: ids.filter(isRemote) }
}

const found = async (answer: ReturnType<Opened['search']>) => {
  const { matches, live, total } = await answer
  return { ids: matches[0]!.map(({ face }) => face.id).sort((a, b) => a - b), live, total }
}

const away = { name: 'StoreUnavailable', why: 'away' }

describe.each([
  { what: 'lost', fail: (remote: BreakingProxy) => remote.stop() },
  { what: 'frozen', fail: async (remote: BreakingProxy) => remote.hold() },
])('a service whose shard is $what', { tags: 'long' }, ({ fail }) => {
  it('answers searches from the other shard and changes only its faces, until the shard is back', async () => {
    const opened = await openWithRemote()
    const { world, remote, search } = opened
    const { here, there } = await enrolSome(opened)
    const everyone = { ids: [...here, ...there].sort((a, b) => a - b), live: 2, total: 2 }
    expect(await found(search(true))).toEqual(everyone)

    await fail(remote)
    // This vector is on its way when the shard stops answering.
    const strayId = Array.from({ length: 99 }, (_, id) => id).find(isRemote)!
    const stray = { gallery: `${OWNER}_default`, id: strayId, vector: Float32Array.of(1, 2, 3) }
    await expect(world.vectors.add([stray])).rejects.toMatchObject(away)
    expect(await found(search())).toEqual({ ids: here, live: 1, total: 2 })
    expect(await found(search(false))).toEqual({ ids: here, live: 1, total: 2 })
    await expect(search(true)).rejects.toMatchObject(away)

    const refused: unknown[] = []
    const enrolled: number[] = []
    while (refused.length === 0 || enrolled.length === 0) {
      await enrolOne(world, red).then(
        id => enrolled.push(id),
        error => refused.push(error),
      )
    }
    for (const error of refused) expect(error).toMatchObject(away)
    expect(enrolled.some(isRemote)).toBe(false)
    await expect(deleteFace(world, { owner: OWNER, id: there[0]! })).rejects.toMatchObject(away)
    await deleteFace(world, { owner: OWNER, id: here[0]! })

    await remote.serve()
    const left = [...here.slice(1), ...there, ...enrolled].sort((a, b) => a - b)
    await vi.waitFor(
      async () => expect(await found(search(true))).toEqual({ ids: left, live: 2, total: 2 }),
      10_000,
    )
    // The addition that was under way has no intent: it may be stored.
    await world.vectors.remove([stray])
    expect(await kept(world)).toEqual(keptOf(...left.map(id => ({ id }))))
  })
})
