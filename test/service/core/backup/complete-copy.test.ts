/** Backups: complete, and refused while parts are elsewhere or change; whole backups of 0.2 are restored, and refused if damaged or foreign. */
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getTableColumns, sql } from 'drizzle-orm'
import { reconcileCopy } from '#core/backup/complete-copy.ts'
import { readContents } from '#core/backup/contents.ts'
import { backUpTo } from '#core/backup/repository/incremental-backup.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { restoreFrom } from '#core/backup/repository/restore.ts'
import { restore } from '#core/backup/restore.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { openDataKey } from '#core/encryption/folder-key.ts'
import { KEY_FILE } from '#core/encryption/key-file.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { faces } from '#core/metadata/schema.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { picturesOf } from '#core/pictures/open.ts'
import { openStores } from '#core/stores.ts'
import { recordGeneration, servedShards } from '#core/vector-store/generation.ts'
import { openNextGeneration, serveNextGeneration } from '#core/vector-store/open.ts'
import { LOCAL, recordLayout } from '#core/vector-store/sharding/layout.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { OPERATOR } from '#test/unit/core/backup/keys.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { enrolOne, openWorld } from '../operations/world.ts'
import { backedUp, EMBEDDER, KEEP, openFilled } from './repository/backups.ts'
import { makeWholeBackup } from './whole-backup.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const at = (name: string) => join(folder, name)

const repositoryHere = () => createRepository(at('backups'), undefined)

async function restored() {
  await restore({ source: at('backup'), data: at('data') })
  const world = await openWorld(at('data'))
  await reconcile(world)
  return world
}

describe('a backup', { tags: 'long' }, () => {
  it('is complete, however many faces change galleries during the backup', async () => {
    const { world, red } = await openFilled()
    const names = Object.values(getTableColumns(faces)).map(({ name }) => name)
    await world.database.run(sql`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7000)
      INSERT INTO faces (${sql.raw(names.join())})
      SELECT ${sql.raw(names.map(name => (name === 'id' ? 'id + i' : name)).join())} FROM faces, n WHERE id = ${red}`)
    await mkdir(at('copy'))
    await world.database.run(`VACUUM INTO '${at('copy/metadata.db')}'`)
    await world.database.run(
      `INSERT INTO memberships (owner, gallery, face) SELECT owner, 'guests', id FROM faces WHERE owner = '${OWNER}'`,
    )
    await world.close()
    await cp(join(world.data, 'vectors'), at('copy/vectors'), { recursive: true })
    expect(await reconcileCopy(at('copy'), world.data)).toBe(7_003)
    const copy = await openDatabase(at('copy'))
    const { rows } = await copy.run('SELECT count(*) AS count FROM unsettled')
    expect(rows).toMatchObject([{ count: 7_002 }])
    await closeDatabase(copy)
  })

  it('refuses a folder whose vectors are partly in PostgreSQL', async () => {
    const { world } = await openFilled()
    const layout = [
      { address: LOCAL, cells: '0-511' },
      { address: 'postgres://mien@127.0.0.1:1/faces', cells: '512-1023' },
    ]
    await recordLayout(join(world.data, 'vectors'), layout)
    await expect(backedUp(world, await repositoryHere())).rejects.toMatchObject({
      name: 'BackupRefused',
      message: expect.stringContaining('in PostgreSQL'),
    })
  })

  it('refuses an encrypted folder whose key changes during the backup', async () => {
    const data = await temporaryFolder()
    const dataKey = await openDataKey(data, OPERATOR)
    const { world } = await openFilled(data, dataKey)
    const onStep = async (step: string) => {
      if (step === 'pictures') await appendFile(join(data, KEY_FILE), '\n')
    }
    const backup = backedUp(world, await repositoryHere(), { dataKey, onStep })
    await expect(backup).rejects.toThrow('encryption was changed')
  })

  it('stores after a conversion only the new vectors, and the packs', async () => {
    const world = await openWorld()
    const { data } = world
    const id = await enrolOne(world, faceOf(250, 10, 10))
    const vectors = join(data, 'vectors')
    await recordGeneration(vectors, { number: 0, embedder: EMBEDDER })
    const next = await openNextGeneration(vectors, 'mine-2')
    await next.add([{ gallery: `${OWNER}_default`, id, vector: Float32Array.of(1, 2) }])
    await next.close()
    await serveNextGeneration(vectors, 'mine-2')
    await world.close()
    await mkdir(join(data, 'packs', 'mine'), { recursive: true })
    for (const name of ['manifest.json', 'a.onnx', 'a.onnx.partial'])
      await writeFile(join(data, 'packs', 'mine', name), '{}')
    await writeFile(join(data, 'pack.json'), '{"pack":"mine"}')

    const repository = await repositoryHere()
    await backUpTo({
      data,
      repository,
      embedder: 'mine-2',
      dataKey: undefined,
      pictures: await picturesOf(data),
      keep: KEEP,
      now: Date.now(),
    })
    await restoreFrom({ repository, data: at('data'), operatorKey: undefined })
    expect((await readdir(at('data/packs/mine'))).sort()).toEqual(['a.onnx', 'manifest.json'])
    expect(await servedShards(at('data/vectors'))).toEqual(['shard-0.1'])
    expect(existsSync(at('data/vectors/shard-0'))).toBe(false)
    expect(await readFile(at('data/pack.json'), 'utf8')).toBe('{"pack":"mine"}')
    const again = await openStores(at('data'), { embedder: 'mine-2' })
    expect(await again.vectors.get({ gallery: `${OWNER}_default`, id })).toEqual(Float32Array.of(1, 2))
    expect(await verifyAll(at('data'), again)).toEqual([])
    await again.close()
  })
})

describe('restore of a whole backup of 0.2', { tags: 'long' }, () => {
  const restoring = (what: string) =>
    expect(restore({ source: at('backup'), data: at('data') }), what).rejects

  it('refuses a damaged backup, and creates nothing', async () => {
    const { world } = await openFilled()
    await writeFile(join(world.data, 'secrets.json'), '{"edge":"..."}')
    await makeWholeBackup(world.data, at('backup'))
    await cp(at('backup'), at('whole'), { recursive: true })
    const damages: Record<string, () => Promise<void>> = {
      'a file is missing': () => rm(at('backup/metadata.db')),
      'a file is added': () => writeFile(at('backup/more'), 'x'),
      'a file is longer': () => appendFile(at('backup/secrets.json'), '\n'),
      'backup.json is missing': () => rm(at('backup/backup.json')),
      'backup.json is truncated': () => truncate(at('backup/backup.json'), 20),
      'its folder does not exist': () => rm(at('backup'), { recursive: true }),
    }
    for (const [what, damage] of Object.entries(damages)) {
      await damage()
      await restoring(what).toMatchObject({ name: 'BackupRefused' })
      expect(await readdir(folder), what).not.toContain('data')
      await rm(at('backup'), { recursive: true, force: true })
      await cp(at('whole'), at('backup'), { recursive: true })
    }
    await restored()
  })

  it('detects every changed byte, and does not change an existing data folder', async () => {
    await makeWholeBackup((await openFilled()).world.data, at('backup'))
    const { files } = await readContents(at('backup'))
    for (const [i, { path, bytes }] of files.entries()) {
      const whole = await readFile(at(`backup/${path}`))
      const damaged = Buffer.from(whole)
      damaged[(i * 7919) % bytes]! ^= 1 << (i % 8)
      await writeFile(at(`backup/${path}`), damaged)
      await restoring(path).toMatchObject({ name: 'BackupRefused' })
      await writeFile(at(`backup/${path}`), whole)
    }
    expect(files.length).toBeGreaterThan(8)
    await mkdir(at('data'))
    await writeFile(at('data/mine'), 'x')
    await restoring('a folder that is there').toMatchObject({ name: 'BackupRefused' })
    expect(await readdir(at('data'))).toEqual(['mine'])
  })
})
