/** After a crash: every enrolment is wholly there or wholly gone, and losses are counted. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { facePage } from '../../../core/metadata/faces.ts'
import { friendRule } from '../../../core/recognition/friends.ts'
import { createGallery } from '../../../core/recognition/galleries.ts'
import { reconcile } from '../../../core/recognition/reconcile.ts'
import { faceOf, OWNER } from './samples.ts'
import { enrolOne, kept, keptOf, openWorld, type World } from './world.ts'

const CHILD = fileURLToPath(new URL('./crash.child.ts', import.meta.url))
const IN_ORDER = { vectorsRemoved: 0, picturesRemoved: 0, vectorsMissing: 0, picturesMissing: 0 }

/** A closed data folder with one face in it, and the gallery that the child enrols into. */
async function preparedFolder() {
  const world = await openWorld()
  await createGallery(world, { owner: OWNER, gallery: 'g' })
  const id = await enrolOne(world, faceOf(1, 1, 1))
  await world.close()
  return { data: world.data, id }
}

async function storedFaces(world: World) {
  const { faces } = await facePage(world.database, friendRule(world), OWNER, { limit: 100_000 })
  return faces
}

describe('an enrolment that is killed', () => {
  it.each([
    { step: 'half of the pictures', removed: { vectorsRemoved: 0, picturesRemoved: 2 } },
    { step: 'the pictures', removed: { vectorsRemoved: 0, picturesRemoved: 4 } },
    { step: 'the vectors', removed: { vectorsRemoved: 4, picturesRemoved: 4 } },
  ])('after $step is undone at the next start', async ({ step, removed }) => {
    const { data, id } = await preparedFolder()
    expect(await once(spawn(process.execPath, [CHILD, data, step]), 'exit')).toEqual([null, 'SIGKILL'])
    const world = await openWorld(data)
    expect(await reconcile(world)).toEqual({ ...IN_ORDER, ...removed })
    expect((await storedFaces(world)).map(face => face.id)).toEqual([id])
    expect(await kept(world)).toEqual(keptOf({ id }))
    expect(await reconcile(world)).toEqual(IN_ORDER)
  })

  it('after its transaction is there, whole', async () => {
    const { data } = await preparedFolder()
    await once(spawn(process.execPath, [CHILD, data, 'its transaction']), 'exit')
    const world = await openWorld(data)
    expect(await reconcile(world)).toEqual(IN_ORDER)
    const faces = await storedFaces(world)
    expect(faces).toHaveLength(3)
    expect(await kept(world)).toEqual(keptOf(...faces))
  })

  it('at any moment is there, whole, if it was answered, and leaves nothing half', async () => {
    const { data, id } = await preparedFolder()
    const child = spawn(process.execPath, [CHILD, data, 'any moment'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let answers = ''
    child.stdout.on('data', (text: Buffer) => {
      answers += text
      if (answers.split('\n').length > 20) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const world = await openWorld(data)
    await reconcile(world)
    const faces = await storedFaces(world)
    const answered = answers.slice(0, answers.lastIndexOf('\n')).split(/\s/).map(Number)
    expect(answered.length).toBeGreaterThanOrEqual(40)
    expect(faces.map(face => face.id)).toEqual(expect.arrayContaining([id, ...answered]))
    expect(faces.length % 2).toBe(1)
    expect(await kept(world)).toEqual(keptOf(...faces))
  })
})

describe('a reconciliation', () => {
  it('counts vectors and pictures that are lost, and keeps the faces', async () => {
    const { data, id } = await preparedFolder()
    await rm(join(data, 'vectors'), { recursive: true })
    await rm(join(data, 'pictures', OWNER), { recursive: true })
    const world = await openWorld(data)
    expect(await reconcile(world)).toEqual({ ...IN_ORDER, vectorsMissing: 1, picturesMissing: 2 })
    expect((await storedFaces(world)).map(face => face.id)).toEqual([id])
  })

  it("removes vectors of a gallery that the face is not in, and of another owner's name", async () => {
    const { data, id } = await preparedFolder()
    const world = await openWorld(data)
    const vector = Float32Array.of(1, 2, 3)
    await world.vectors.add([
      { gallery: `${OWNER}_g`, id, vector },
      { gallery: `fedcba9876543210fedcba98_default`, id, vector },
      { gallery: 'nobodys', id, vector },
    ])
    expect(await reconcile(world)).toEqual({ ...IN_ORDER, vectorsRemoved: 3 })
    expect(await kept(world)).toEqual(keptOf({ id }))
  })
})
