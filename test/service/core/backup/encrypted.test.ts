/** Backups and conversions of an encrypted folder during changes: complete and encrypted. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { embedByColour, faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import { backUp } from '#core/backup/folder-backup.ts'
import { restore } from '#core/backup/restore.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { findDataKey, openDataKey } from '#core/encryption/folder-key.ts'
import { KEY_FILE } from '#core/encryption/key-file.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { deleteFace } from '#core/operations/delete-faces.ts'
import { createGallery } from '#core/operations/galleries.ts'
import { updateFace } from '#core/operations/update-face.ts'
import { convert } from '#core/operations/upkeep/reembed.ts'
import { recordGeneration } from '#core/vector-store/generation.ts'
import { openNextGeneration, serveNextGeneration } from '#core/vector-store/open.ts'
import { foundIn, OPERATOR } from '#test/unit/core/backup/keys.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { letGo } from '#test/unit/core/let-go.ts'
import { enrolOne, kept, keptOf, openWorld, type World } from '../operations/world.ts'

const EMBEDDER = 'colours-3'
const CLEAR = {
  meta: Buffer.from('meta of Jane'),
  gallery: Buffer.from('nightshift'),
  png: Buffer.from('IHDR'),
}

let folder = ''
let world: World
let dataKey: DataKey
let ids: { red: number; green: number; blue: number }

beforeEach(async () => {
  folder = await temporaryFolder()
  const data = await temporaryFolder()
  dataKey = (await openDataKey(data, OPERATOR))!
  world = await openWorld(data, dataKey)
  await createGallery(world, { owner: OWNER, gallery: 'nightshift' })
  ids = {
    red: await enrolOne(world, faceOf(250, 10, 10), { meta: 'meta of Jane' }),
    green: await enrolOne(world, faceOf(10, 250, 10)),
    blue: await enrolOne(world, faceOf(10, 10, 250), { galleries: ['nightshift'] }),
  }
})

describe('an encrypted folder', () => {
  it('is backed up during enrolments, deletions and updates', { tags: 'long' }, async () => {
    const { red, green, blue } = ids
    const target = join(folder, 'backup')
    await backUp({
      data: world.data,
      target,
      embedder: EMBEDDER,
      dataKey,
      now: 0,
      async onStep(step) {
        if (step !== 'pictures') return
        await deleteFace(world, { owner: OWNER, id: green })
        await updateFace(world, {
          owner: OWNER,
          id: red,
          galleries: { kind: 'set', names: ['nightshift'] },
        })
        await enrolOne(world, faceOf(90, 90, 90))
      },
    })
    expect(foundIn(target, CLEAR)).toEqual([])
    const data = join(folder, 'data')
    await restore({ source: target, data, embedder: EMBEDDER })
    const again = await openWorld(data, (await findDataKey(data, OPERATOR))!)
    await reconcile(again)
    expect(await kept(again)).toEqual(keptOf({ id: red }, { id: blue, galleries: ['nightshift'] }))
  })

  it('is not backed up while its key changes', async () => {
    const backup = backUp({
      data: world.data,
      target: join(folder, 'backup'),
      embedder: EMBEDDER,
      dataKey,
      now: 0,
      onStep: step => {
        if (step === 'pictures') appendFileSync(join(world.data, KEY_FILE), '\n')
      },
    })
    await expect(backup).rejects.toMatchObject({ message: expect.stringContaining('encryption was changed') })
  })

  it('is re-embedded from its encrypted pictures', async () => {
    const vectors = join(world.data, 'vectors')
    await recordGeneration(vectors, { number: 0, embedder: EMBEDDER })
    const next = await openNextGeneration(vectors, 'colours-4', { dataKey })
    const embed = async (chips: readonly Uint8Array[]) =>
      (await embedByColour(chips)).map(vector => Float32Array.of(...vector, 1_000))
    const chip = { template: 'arcface', size: 112, margin: 0 } as const
    const lost = await convert({ stores: world, next, chip, embed })
    expect(lost).toEqual({ faces: [], strays: 0 })
    await next.close()
    await serveNextGeneration(vectors, 'colours-4')
    const expected = await kept(world)
    await world.close()
    await letGo()
    const again = await openWorld(world.data, dataKey)
    expect(await kept(again)).toEqual(expected)
    expect(await again.vectors.get({ gallery: `${OWNER}_default`, id: ids.red })).toHaveLength(4)
    expect(foundIn(world.data, CLEAR)).toEqual([])
  })
})
