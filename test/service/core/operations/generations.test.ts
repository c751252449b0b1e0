/** The recorded embedder of a data folder: in old folders, in backups, and after a conversion. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import { backUp } from '#core/backup/folder-backup.ts'
import { restore } from '#core/backup/restore.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { openStores } from '#core/operations/services.ts'
import { recordedGeneration, recordGeneration } from '#core/vector-store/generation.ts'
import { openNextGeneration, serveNextGeneration } from '#core/vector-store/open.ts'
import { DLIB_PACK } from '#models/packs.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { enrolOne, kept, openWorld } from './world.ts'

let data = ''
let id = 0
beforeEach(async () => {
  const world = await openWorld()
  id = await enrolOne(world, faceOf(250, 10, 10))
  await world.close()
  data = world.data
})

const vectors = () => join(data, 'vectors')

it('openStores takes vectors without a recorded embedder for vectors of the pack dlib', {
  tags: 'long',
}, async () => {
  await expect(openStores(data, { embedder: 'another-4' })).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining('reembed'),
  })
  const embedder = embedderLabel(DLIB_PACK)
  await (await openStores(data, { embedder })).close()
  expect(await recordedGeneration(vectors())).toEqual({ number: 0, embedder })
})

it('openStores accepts any embedder for an empty data folder', { tags: 'long' }, async () => {
  await recordGeneration(vectors(), { number: 0, embedder: 'colours-3' })
  const stores = await openStores(data)
  await stores.vectors.remove([{ gallery: `${OWNER}_default`, id }])
  await stores.close()
  await (await openStores(data, { embedder: 'another-4' })).close()
  expect((await recordedGeneration(vectors()))?.embedder).toBe('another-4')
})

it('backUp after a conversion stores only the new vectors, and the packs', { tags: 'long' }, async () => {
  const world = await openWorld(data)
  await recordGeneration(vectors(), { number: 0, embedder: 'colours-3' })
  const next = await openNextGeneration(vectors(), 'mine-2')
  await next.add([{ gallery: `${OWNER}_default`, id, vector: Float32Array.of(1, 2) }])
  await next.close()
  await serveNextGeneration(vectors(), 'mine-2')
  await world.close()
  await mkdir(join(data, 'packs', 'mine'), { recursive: true })
  await writeFile(join(data, 'packs', 'mine', 'manifest.json'), '{}')
  await writeFile(join(data, 'packs', 'mine', 'a.onnx'), 'network')
  await writeFile(join(data, 'packs', 'mine', 'a.onnx.partial'), 'half')
  await writeFile(join(data, 'pack.json'), '{"pack":"mine"}')

  const target = join(await temporaryFolder(), 'backup')
  const { files } = await backUp({ data, target, embedder: 'mine-2', now: Date.now() })
  const paths = files.map(({ path }) => path)
  expect(paths).toContain('packs/mine/a.onnx')
  expect(paths).not.toContain('packs/mine/a.onnx.partial')
  expect(
    paths.filter(path => path.includes('shard-')).every(path => path.startsWith('vectors/shard-0.1/')),
  ).toBe(true)
  const restored = join(await temporaryFolder(), 'data')
  await restore({ source: target, data: restored, embedder: 'mine-2' })
  expect(await readFile(join(restored, 'pack.json'), 'utf8')).toBe('{"pack":"mine"}')
  const again = await openStores(restored, { embedder: 'mine-2' })
  expect(await again.vectors.get({ gallery: `${OWNER}_default`, id })).toEqual(Float32Array.of(1, 2))
  expect((await kept(again)).pictures).toHaveLength(2)
  expect(await verifyAll(restored, again)).toEqual([])
  await again.close()
})

it('openNextGeneration refuses a folder without a recorded generation', async () => {
  await expect(openNextGeneration(vectors(), 'mine-2')).rejects.toMatchObject({ name: 'LayoutRefused' })
  expect((await readdir(vectors())).filter(name => name.includes('.1'))).toEqual([])
})

it('openStores refuses a folder that lost the record of its generation', { tags: 'long' }, async () => {
  const world = await openWorld(data)
  const next = await openNextGeneration(vectors(), 'mine-2')
  await next.add([{ gallery: `${OWNER}_default`, id, vector: Float32Array.of(1, 2) }])
  await next.close()
  await serveNextGeneration(vectors(), 'mine-2')
  await world.close()
  await (await openStores(data, { embedder: 'mine-2' })).close()
  await rm(join(vectors(), 'generation.json'))
  for (const embedder of ['mine-2', undefined, embedderLabel()])
    await expect(openStores(data, { embedder })).rejects.toMatchObject({ name: 'ConfigurationError' })
})
