/** Reconciliation after a kill of the process. The simulator (test/simulation) has crashes at each step of all operations. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { verifyAll } from '#core/backup/verify.ts'
import { faces } from '#core/metadata/schema.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { createGallery } from '../own.ts'
import { enrolOne, IN_ORDER, kept, keptOf, openWorld } from '../world.ts'

const CHILD = fileURLToPath(new URL('./crash.child.ts', import.meta.url))

/** Vectors of a store operator: they have ids like faces and belong to none. */
const FOREIGN = ['nobodys', `${OWNER}_default`, `${OWNER}_g`].map(gallery => ({ gallery, id: 7 }))

it('an enrolment that is killed at any moment is complete if it was answered, and leaves no part otherwise', {
  tags: 'long',
}, async () => {
  const before = await openWorld()
  await createGallery(before, 'g')
  const id = await enrolOne(before, faceOf(1, 1, 1), { galleries: ['g'] })
  await before.vectors.add(FOREIGN.map(key => ({ ...key, vector: Float32Array.of(1, 2, 3) })))
  await before.close()
  const child = spawn(process.execPath, [CHILD, before.data], { stdio: ['ignore', 'pipe', 'inherit'] })
  let answers = ''
  child.stdout.on('data', (text: Buffer) => {
    answers += text
    if (answers.split('\n').length > 20) child.kill('SIGKILL')
  })
  await once(child, 'close')

  const world = await openWorld(before.data)
  await reconcile(world)
  const stored = (await world.database.select().from(faces)).map(face => face.id)
  const expected = keptOf(...stored.map(face => ({ id: face, galleries: ['g'] })))
  const vectors = [...expected.vectors, ...FOREIGN.map(key => `${key.gallery}/${key.id}`)].sort()
  expect(await kept(world)).toEqual({ ...expected, vectors })
  expect(await reconcile(world)).toEqual(IN_ORDER)
  expect(await verifyAll(before.data, world)).toEqual([])
  const answered = answers.slice(0, answers.lastIndexOf('\n')).split(/\s/).map(Number)
  expect(answered.length).toBeGreaterThanOrEqual(40)
  expect(stored).toEqual(expect.arrayContaining([id, ...answered]))
  expect(stored.length % 2).toBe(1)
})
