/** `mien store repair`: rebuilds the content of lost files or gives it up, and changes nothing without consent. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import Libsql from 'libsql'
import { embedderLabel } from '#core/embedding/label.ts'
import { createGallery } from '#core/operations/galleries/galleries.ts'
import { openStores } from '#core/stores.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { expectVerified, runMien } from '#test/support/typed.ts'
import { enrolOne, expectKept, keptOf, keysOf, openWorld } from '../core/operations/world.ts'

let data = ''
let ids: number[] = []

const repair = (...options: string[]) => runMien(['store', 'repair', ...options, '--data', data])

beforeEach(async () => {
  const world = await openWorld(undefined, undefined, { embedder: embedderLabel() })
  data = world.data
  await createGallery(world, { owner: OWNER, gallery: 'staff' })
  ids = [
    await enrolOne(world, faceOf(1, 200, 3), { galleries: ['staff'] }),
    await enrolOne(world, faceOf(200, 2, 3)),
  ]
  await world.close()
})

const all = () => keptOf({ id: ids[0]!, galleries: ['staff'] }, { id: ids[1]! })

describe('mien store repair', { tags: 'long' }, () => {
  it('rebuilds lost vectors from the pictures of the faces', async () => {
    await rm(join(data, 'vectors/shard-0/rows.db'))
    expect(repair()).toExit(1, 'Vectors that can be rebuilt: 3')
    await expect(openStores(data)).rejects.toMatchObject({ name: 'ConfigurationError' })
    expect(repair('--yes')).toExit(0)
    const world = await openWorld(data)
    expect(await keysOf(world)).toEqual(all())
    expect((await world.vectors.get({ gallery: `${OWNER}_staff`, id: ids[0]! }))?.length).toBe(
      STANDARD_PACK.embedder.dimension,
    )
  })

  it('deletes faces without vector and picture only with --accept-loss', async () => {
    for (const part of ['vectors', 'pictures']) await rm(join(data, part), { recursive: true })
    expect(repair('--yes')).toExit(1, '--accept-loss')
    await expect(openStores(data)).rejects.toMatchObject({ name: 'ConfigurationError' })
    expect(repair('--yes', '--accept-loss')).toExit(0)
    const world = await openWorld(data)
    await expectKept(world)
    expect((await world.database.run('SELECT * FROM faces')).rows).toHaveLength(0)
    const { rows } = await world.database.run(`SELECT subject FROM audit WHERE action = 'faces.delete'`)
    expect(JSON.parse(String(rows[0]!.subject)).faces.sort()).toEqual(ids.toSorted())
  })

  it('creates new metadata only with --yes --accept-loss, and removes the remains of the old', async () => {
    await rm(join(data, 'metadata.db'))
    for (const options of [['--yes'], ['--accept-loss']]) {
      expect(repair(...options)).toExit(1, 'restore a backup')
      await expect(openStores(data)).rejects.toMatchObject({ name: 'ConfigurationError' })
    }
    expect(repair('--yes', '--accept-loss')).toExit(0)
    const world = await openWorld(data)
    await expectKept(world)
  })

  it('reports the faults that it does not mend', async () => {
    const file = new Libsql(join(data, 'metadata.db'))
    file.exec(`UPDATE faces SET photo = 'another'`)
    file.close()
    expect(repair('--yes')).toExit(1, '"faces"')
    expect(() => expectVerified(data)).toThrow('"faces"')
  })

  it('reports that nothing is lost in a complete folder', () => {
    expect(repair('--yes')).toExit(0, 'is whole')
  })

  it('reports a lost part that no face lacks', async () => {
    const { data: empty, ...world } = await openWorld()
    await world.close()
    await rm(join(empty, 'vectors'), { recursive: true })
    const said = expect.stringContaining('its vectors are lost')
    expect(runMien(['store', 'repair', '--data', empty])).toMatchObject({ status: 1, said })
  })
})
