/** Conversion to another embedder: complete or without effect whenever it is killed, and limited to the vectors. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { faceOf, OTHER_OWNER, OWNER } from '#bench/harness/sample-faces.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { createGallery } from '#core/operations/galleries.ts'
import { openStores } from '#core/operations/services.ts'
import { converted, dropFaces } from '#core/operations/upkeep/reembed.ts'
import { recordedGeneration, recordGeneration } from '#core/vector-store/generation.ts'
import { DLIB_CHIP } from '#models/manifest.ts'
import { KILL_ROUNDS } from '#test/unit/core/kill-rounds.ts'
import { expectVerified } from '#test/verified.ts'
import { enrolOne, IN_ORDER, kept, openWorld } from '../world.ts'

const CHILD = join(import.meta.dirname, 'reembed.child.ts')
const OLD = 'colours-3'
const NEW = 'colours-4'

let data = ''
let ids: number[] = []
let everything: Awaited<ReturnType<typeof kept>>

/** Faces of two owners, some in a gallery, and a vector in a gallery of a store operator. */
beforeEach(async () => {
  const world = await openWorld()
  await createGallery(world, { owner: OWNER, gallery: 'staff' })
  ids = []
  for (let i = 0; i < 5; i++) {
    const galleries = i % 2 === 0 ? ['staff'] : []
    ids.push(await enrolOne(world, faceOf(40 * i, 10, 200 - 30 * i), { galleries }))
  }
  ids.push(await enrolOne(world, faceOf(250, 250, 10), { owner: OTHER_OWNER }))
  await world.vectors.add([{ gallery: 'doors', id: 7, vector: Float32Array.of(1, 2) }])
  everything = await kept(world)
  await world.close()
  data = world.data
  // The service records the embedder when it opens a new folder.
  await recordGeneration(join(data, 'vectors'), { number: 0, embedder: OLD })
})

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [CHILD, data, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })

/** The child's output; rejects with its error output. */
async function told(child: ChildProcess) {
  const [said, complaint, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ])
  if (code !== 0) throw new Error(complaint)
  return JSON.parse(said)
}

/** The lengths of all vectors, after a check that all other data is unchanged. */
async function served(embedder: string): Promise<number[]> {
  const stores = await openStores(data, { embedder })
  try {
    expect(await kept(stores)).toEqual(everything)
    const vectors = await Promise.all(
      ids.map((id, i) => stores.vectors.get({ gallery: `${i < 5 ? OWNER : OTHER_OWNER}_default`, id })),
    )
    expect(await stores.vectors.get({ gallery: 'doors', id: 7 })).toEqual(Float32Array.of(1, 2))
    expect(await reconcile(stores)).toEqual(IN_ORDER)
    return vectors.map(vector => vector!.length)
  } finally {
    await stores.close()
  }
}

describe('convert', { tags: 'long' }, () => {
  it('replaces the vector of every face and changes nothing else', async () => {
    const { lost, progress } = await told(start())
    expect(lost).toEqual({ faces: [], strays: 0 })
    expect(progress).toEqual([
      [0, 6],
      [6, 6],
    ])
    expect(await served(NEW)).toEqual(Array(6).fill(4))
    await expect(openStores(data, { embedder: OLD })).rejects.toMatchObject({ name: 'ConfigurationError' })
  })

  it.each(['begun', 'next.add 1', 'next.add 2', 'converted'])(
    'changes nothing when it is killed at "%s", and continues there',
    async step => {
      expect(await once(start(step), 'exit')).toEqual([null, 'SIGKILL'])
      expect(await served(OLD)).toEqual(Array(6).fill(3))
      const { additions } = await told(start())
      // One addition for the faces, one for the operator's gallery.
      const done = step === 'begun' ? 0 : step === 'next.add 1' ? 1 : 2
      expect(additions).toBe(2 - done)
      expect(await served(NEW)).toEqual(Array(6).fill(4))
    },
  )

  it('is complete when it is killed after the switch', async () => {
    expect(await once(start('taken'), 'exit')).toEqual([null, 'SIGKILL'])
    expect(await served(NEW)).toEqual(Array(6).fill(4))
  })

  it('is complete or changes nothing when it is killed at any time', async () => {
    for (let round = 0; round < KILL_ROUNDS; round++) {
      const child = start()
      await delay(100 + Math.random() * 1_500)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      const embedder = (await recordedGeneration(join(data, 'vectors')))!.embedder
      expect(await served(embedder)).toEqual(Array(6).fill(embedder === NEW ? 4 : 3))
      if (embedder === NEW) return
    }
    await told(start())
    expect(await served(NEW)).toEqual(Array(6).fill(4))
    expectVerified(data)
  }, 600_000)

  it('is refused while the folder is open', async () => {
    const world = await openWorld(data)
    await expect(told(start())).rejects.toThrow('Another process')
    await world.close()
  })
})

describe('convert with faces that it cannot convert', { tags: 'long' }, () => {
  const normalized = (id: number) =>
    join(data, 'pictures', OWNER, (id % 256).toString(16).padStart(2, '0'), `${id}.normalized.png`)

  it('reports them and changes nothing', async () => {
    await rm(normalized(ids[1]!))
    const stores = await openStores(data)
    await stores.vectors.add([{ gallery: `${OWNER}_default`, id: 99, vector: Float32Array.of(1, 2, 3) }])
    await stores.close()
    const { lost } = await told(start())
    expect(lost).toEqual({ faces: [{ id: ids[1], owner: OWNER, galleries: [], pictured: true }], strays: 1 })
    expect((await recordedGeneration(join(data, 'vectors')))!.embedder).toBe(OLD)
  })

  it('removes them like deleted faces after dropFaces', async () => {
    await rm(normalized(ids[0]!))
    const stores = await openStores(data)
    await dropFaces(stores, [{ id: ids[0]!, owner: OWNER, galleries: ['staff'] }])
    await stores.close()
    expect((await told(start())).lost).toEqual({ faces: [], strays: 0 })
    const after = await openStores(data, { embedder: NEW })
    await reconcile(after)
    const left = await kept(after)
    expect([...left.vectors, ...left.pictures].filter(trace => trace.includes(String(ids[0])))).toEqual([])
    expect(left.pictures).toHaveLength(10)
    await after.close()
  })
})

it('converted shows the same face in another chip layout', () => {
  const chip = DLIB_CHIP
  const face = faceOf(200, 100, 50).chip.data
  const arcface = converted(face, chip, { template: 'arcface', size: 112, margin: 0 })
  expect(arcface).toHaveLength(112 * 112 * 3)
  // The chip has one colour; the margin must have it, too.
  expect([...new Set(arcface)].sort((a, b) => a - b)).toEqual([50, 100, 200])
  expect(converted(face, chip, { ...chip })).toEqual(face)
})
