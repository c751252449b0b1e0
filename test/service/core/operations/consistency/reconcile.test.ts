/** Reconciliation after a crash: every enrolment, change and deletion is done completely or not at all, and no intent is left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { enrolment, faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { lastEntry } from '#core/metadata/audit-log/entries.ts'
import { friendRule } from '#core/metadata/queries/event-conditions.ts'
import { facePage } from '#core/metadata/queries/faces.ts'
import { nextIntents } from '#core/metadata/queries/intents.ts'
import { insertPersons } from '#core/metadata/queries/persons.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { deleteFace, deleteFacesWithMeta, deleteGallery } from '#core/operations/deletions.ts'
import { enrol } from '#core/operations/enrol.ts'
import { updateFace } from '#core/operations/faces.ts'
import { createGallery, listGalleries } from '#core/operations/galleries.ts'
import { mergePersons } from '#core/operations/persons/changes.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { snapshotsOf } from '../../snapshots.ts'
import { enrolOne, IN_ORDER, kept, keptOf, openWorld, storeWith, type World, withBatches } from '../world.ts'

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

/** A copy of a closed data folder: a face of person 8 in the gallery `g`, person 7 without a face, the empty gallery `h`, and vectors without a face. */
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
  await updateFace(world, { owner: OWNER, id, personId: 8 })
  await insertPersons(world.database, [{ owner: OWNER, id: 7, meta: '' }])
  await world.vectors.add(FOREIGN.map(key => ({ ...key, vector: Float32Array.of(1, 2, 3) })))
  await world.close()
  return { data: world.data, id }
}

async function storedFaces(world: World) {
  const { faces } = await facePage(world.database, friendRule(world), OWNER, { limit: 100_000 })
  return faces.map(({ id, galleries, personId }) => ({ id, galleries, personId }))
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

/** The same services, which tell the steps of an operation. Removals of vectors wait for those of pictures: a copy must not meet half of one. */
function tellingSteps(world: World, at: (step: string) => void): World {
  let picturesRemoved: Promise<unknown> = Promise.resolve()
  const pictures: World['pictures'] = {
    ...world.pictures,
    async write(faces) {
      at('before pictures.write')
      await world.pictures.write(faces.slice(0, 1))
      at('half of pictures.write')
      await world.pictures.write(faces.slice(1))
      at('after pictures.write')
    },
    remove(faces) {
      const removed = world.pictures.remove(faces)
      picturesRemoved = removed.then(() => at('after pictures.remove'))
      return removed
    },
  }
  const vectors = storeWith(world, {
    async reach(ids) {
      await world.vectors.reach(ids)
      at('after vectors.reach')
    },
    async add(entries) {
      await world.vectors.add(entries)
      at('after vectors.add')
    },
    async remove(keys) {
      await picturesRemoved
      const removed = await world.vectors.remove(keys)
      at('after vectors.remove')
      return removed
    },
  })
  return withBatches({ ...world, pictures, vectors }, async run => {
    at('before database.batch')
    const answer = await run()
    at('after database.batch')
    return answer
  })
}

interface Killed {
  operation: string
  run: (world: World, id: number) => Promise<unknown>
  /** Steps after which the operation is undone, and after which it is complete. */
  undone: string[]
  complete: string[]
  /** The faces of the complete operation. */
  faces: unknown[]
  galleries?: string[]
}

const owner = OWNER
const GONE = {
  undone: ['after vectors.reach'],
  complete: ['after database.batch', 'after pictures.remove', 'after vectors.remove'],
  faces: [],
}

describe('an operation that is killed', { tags: 'long' }, () => {
  it.each<Killed>([
    {
      operation: 'enrolment',
      run: world =>
        enrol(world, enrolment(2, { galleries: ['g'] }), [faceOf(200, 10, 10), faceOf(10, 10, 200)]),
      undone: [
        'before pictures.write',
        'half of pictures.write',
        'after pictures.write',
        'after vectors.add',
      ],
      complete: ['after database.batch'],
      faces: [{ galleries: ['g'] }, { galleries: ['g'] }, { galleries: ['g'], personId: 8 }],
    },
    {
      operation: 'change of galleries',
      run: (world, id) => updateFace(world, { owner, id, galleries: { kind: 'set', names: ['h'] } }),
      undone: ['after vectors.add'],
      complete: ['after database.batch', 'after vectors.remove'],
      faces: [{ galleries: ['h'], personId: 8 }],
    },
    {
      operation: 'merge of persons',
      run: world => mergePersons(world, { owner, id: 7, persons: [8] }),
      undone: ['before database.batch'],
      complete: ['after database.batch'],
      faces: [{ galleries: ['g'], personId: 7 }],
    },
    { operation: 'deletion of a face', run: (world, id) => deleteFace(world, { owner, id }), ...GONE },
    {
      operation: 'deletion of a meta',
      run: world => deleteFacesWithMeta(world, { owner, meta: 'm' }),
      ...GONE,
    },
    {
      operation: 'deletion of a gallery',
      run: world => deleteGallery(world, { owner, gallery: 'g' }),
      ...GONE,
      galleries: ['default', 'h'],
    },
  ])(
    'is complete or undone at each of its steps: $operation',
    async ({ run, undone, complete, faces, galleries }) => {
      const { data, id } = await preparedFolder()
      const copies = await snapshotsOf(data, [...undone, ...complete])
      const opened = await openWorld(data)
      await run(tellingSteps(opened, copies.at), id)
      await opened.close()
      const all = ['default', 'g', 'h']
      for (const step of undone) {
        const world = await restarted(copies.of(step))
        expect(await storedFaces(world), step).toEqual([{ id, galleries: ['g'], personId: 8 }])
        expect((await listGalleries(world, { owner })).galleries, step).toEqual(all)
      }
      for (const step of complete) {
        const world = await restarted(copies.of(step))
        expect(await storedFaces(world), step).toMatchObject(faces)
        expect((await listGalleries(world, { owner })).galleries, step).toEqual(galleries ?? all)
      }
    },
  )

  it('leaves an entry of the audit log for a deleted face, which a restore must not bring back', async () => {
    const { data, id } = await preparedFolder()
    const copies = await snapshotsOf(data, ['after database.batch'])
    const opened = await openWorld(data)
    await deleteFace(tellingSteps(opened, copies.at), { owner, id })
    await opened.close()
    const world = await restarted(copies.of('after database.batch'))
    expect(await lastEntry(world.database)).toMatchObject({
      ...{ actor: 'service', owner, action: 'faces.delete' },
      subject: JSON.stringify({ because: 'interrupted', faces: [id] }),
    })
  })

  it('at any moment is complete if it was answered, and leaves no part otherwise', async () => {
    const { data, id } = await preparedFolder()
    const child = spawn(process.execPath, [CHILD, data], { stdio: ['ignore', 'pipe', 'inherit'] })
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
