/** Reconciliation after a crash: every enrolment, change and deletion is done completely or not at all, and no intent is left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { facePage } from '#core/metadata/queries/faces.ts'
import { nextIntents } from '#core/metadata/queries/intents.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { createGallery, listGalleries } from '#core/operations/galleries.ts'
import { friendRule } from '#core/operations/search/friends.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { enrolOne, IN_ORDER, kept, keptOf, openWorld, type World } from '../world.ts'

const CHILD = fileURLToPath(new URL('../crash.child.ts', import.meta.url))

/** Vectors of a store operator: they have ids like faces and belong to none. */
const FOREIGN = [
  { gallery: 'nobodys', id: 7 },
  { gallery: `${OWNER}_default`, id: 7 },
  { gallery: `${OWNER}_g`, id: 7 },
]

let prepared: { data: string; id: number } | undefined
const made = mkdtempSync(join(tmpdir(), 'mien-test-'))
afterAll(() => rmSync(made, { recursive: true }))

/** A copy of a closed data folder: a face in the gallery `g`, the empty gallery `h`, and vectors without a face. */
async function preparedFolder() {
  prepared ??= await prepare()
  const data = await temporaryFolder()
  cpSync(prepared.data, data, { recursive: true })
  return { data, id: prepared.id }
}

async function prepare() {
  const world = await openWorld(made)
  for (const gallery of ['g', 'h']) await createGallery(world, { owner: OWNER, gallery })
  const id = await enrolOne(world, faceOf(1, 1, 1), { galleries: ['g'], meta: 'm' })
  await world.vectors.add(FOREIGN.map(key => ({ ...key, vector: Float32Array.of(1, 2, 3) })))
  await world.close()
  return { data: world.data, id }
}

async function storedFaces(world: World) {
  const { faces } = await facePage(world.database, friendRule(world), OWNER, { limit: 100_000 })
  return faces.map(({ id, galleries }) => ({ id, galleries }))
}

/** The expected data of these faces, and the vectors without a face. */
function keptBeside(faces: { id: number; galleries: string[] }[]) {
  const { vectors, pictures } = keptOf(...faces)
  return { vectors: [...vectors, ...FOREIGN.map(({ gallery, id }) => `${gallery}/${id}`)].sort(), pictures }
}

/** Opens and reconciles the folder after a crash; checks that it is consistent and complete. */
async function restarted(data: string): Promise<World> {
  const world = await openWorld(data)
  await reconcile(world)
  expect(await nextIntents(world.database, 0, { before: Number.MAX_SAFE_INTEGER }, 1)).toEqual([])
  expect(await kept(world)).toEqual(keptBeside(await storedFaces(world)))
  expect(await reconcile(world)).toEqual(IN_ORDER)
  expect(await verifyAll(data, world)).toEqual([])
  return world
}

const crash = async (data: string, verb: string, step: string, id: number) =>
  expect(await once(spawn(process.execPath, [CHILD, data, verb, step, String(id)]), 'exit')).toEqual([
    null,
    'SIGKILL',
  ])

describe('an enrolment that is killed', { tags: 'long' }, () => {
  it.each([
    'before pictures.write 1',
    'half of pictures.write',
    'after pictures.write 1',
    'after vectors.add 1',
    'before database.batch 1',
  ])('%s is undone', async step => {
    const { data, id } = await preparedFolder()
    await crash(data, 'enrol', step, id)
    const world = await restarted(data)
    expect(await storedFaces(world)).toEqual([{ id, galleries: ['g'] }])
  })

  it.each(['after database.batch 1', 'at its end'])('%s is complete', async step => {
    const { data, id } = await preparedFolder()
    await crash(data, 'enrol', step, id)
    const world = await restarted(data)
    expect(await storedFaces(world)).toHaveLength(3)
  })

  it('at any moment is complete if it was answered, and leaves no part otherwise', async () => {
    const { data, id } = await preparedFolder()
    const child = spawn(process.execPath, [CHILD, data, 'enrol for ever'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let answers = ''
    child.stdout.on('data', (text: Buffer) => {
      answers += text
      if (answers.split('\n').length > 20) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const faces = await storedFaces(await restarted(data))
    const answered = answers.slice(0, answers.lastIndexOf('\n')).split(/\s/).map(Number)
    expect(answered.length).toBeGreaterThanOrEqual(40)
    expect(faces.map(face => face.id)).toEqual(expect.arrayContaining([id, ...answered]))
    expect(faces.length % 2).toBe(1)
  })
})

describe('a change of galleries that is killed', { tags: 'long' }, () => {
  it.each([
    { step: 'before vectors.get 1', galleries: ['g'] },
    { step: 'after vectors.add 1', galleries: ['g'] },
    { step: 'before database.batch 1', galleries: ['g'] },
    { step: 'after database.batch 1', galleries: ['h'] },
    { step: 'before vectors.remove 1', galleries: ['h'] },
    { step: 'after vectors.remove 1', galleries: ['h'] },
    { step: 'at its end', galleries: ['h'] },
  ])('$step leaves the face in $galleries', async ({ step, galleries }) => {
    const { data, id } = await preparedFolder()
    await crash(data, 'change', step, id)
    expect(await storedFaces(await restarted(data))).toEqual([{ id, galleries }])
  })
})

describe.each(['forget face', 'forget meta', 'delete gallery'])(
  'a deletion (%s) that is killed',
  { tags: 'long' },
  verb => {
    it('before its transaction is undone', async () => {
      const { data, id } = await preparedFolder()
      await crash(data, verb, 'after vectors.reach 1', id)
      const world = await restarted(data)
      expect(await storedFaces(world)).toEqual([{ id, galleries: ['g'] }])
      expect((await listGalleries(world, { owner: OWNER })).galleries).toEqual(['default', 'g', 'h'])
    })

    it.each([
      'after database.batch 1',
      'before pictures.remove 1',
      'after pictures.remove 1',
      'after vectors.remove 1',
      'at its end',
    ])('%s is complete', async step => {
      const { data, id } = await preparedFolder()
      await crash(data, verb, step, id)
      const world = await restarted(data)
      expect(await storedFaces(world)).toEqual([])
      const galleries = verb === 'delete gallery' ? ['default', 'h'] : ['default', 'g', 'h']
      expect((await listGalleries(world, { owner: OWNER })).galleries).toEqual(galleries)
    })
  },
)
