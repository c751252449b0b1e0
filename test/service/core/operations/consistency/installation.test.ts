/** A data folder with a lost or damaged part is refused at the start. */

import { randomBytes } from 'node:crypto'
import { cp, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readInstallation } from '#core/files/record.ts'
import { isDatabaseUnavailable } from '#core/metadata/connection/availability.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { identify } from '#core/operations/recognition.ts'
import { openStores } from '#core/stores.ts'
import { localLayout, recordedLayout } from '#core/vector-store/sharding/layout.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { databaseServerOfTest } from '#test/support/servers/database-server.ts'
import { times } from '#test/support/times.ts'
import { sharedFolder, temporaryFolder } from '#test/unit/core/folder.ts'
import { enrolOne, openWorld } from '../world.ts'

const refusal = (...words: string[]) => ({
  name: 'ConfigurationError',
  message: expect.stringMatching(new RegExp(words.join('.*'), 's')),
})

let data = ''
const at = (...path: string[]) => join(data, ...path)

/** A closed folder with three faces, which tests copy. */
const made = sharedFolder()
let isMade = false

beforeEach(async () => {
  if (!isMade) {
    const world = await openWorld(made)
    for (const id of [1, 2, 3]) await enrolOne(world, faceOf(id, 20, 30))
    await world.close()
    isMade = true
  }
  data = await temporaryFolder()
  // Empty journals may be removed during the copy: libsql closes a connection when it is collected.
  await cp(made, data, { recursive: true, filter: path => !/-(shm|wal)$/.test(path) })
})

const starts = async () => (await openStores(data)).close()

/** Starts twice: a refused start must leave nothing that makes the next start succeed. */
async function isRefused(...words: string[]) {
  for (const _ of [1, 2]) await expect(openStores(data)).rejects.toMatchObject(refusal(...words))
}

const rows = 'vectors/shard-0/rows.db'

const NO_ROWS = ['shard-0', 'missing or empty', 'repair']
const NOT_MOUNTED = ['pictures', 'not mounted']

async function recreateMetadata() {
  const other = await temporaryFolder()
  await (await openDatabase(other)).$client.close()
  await cp(join(other, 'metadata.db'), at('metadata.db'))
}

describe('openStores of a folder with a lost part', () => {
  it('refuses it when metadata.db is deleted and its journal is left', async () => {
    const world = await openWorld(data)
    await enrolOne(world, faceOf(9, 9, 9))
    const journal = await readFile(at('metadata.db-wal'))
    await world.close()
    await rm(at('metadata.db'))
    await writeFile(at('metadata.db-wal'), journal)
    await isRefused('metadata.db', 'backup')
    expect(await readFile(at('metadata.db-wal'))).toEqual(journal)
  })

  it.each<[string, string[], () => Promise<unknown>]>([
    ['metadata.db is empty', ['metadata.db', 'backup'], () => truncate(at('metadata.db'))],
    ['metadata.db was created again', ['metadata', 'lost'], recreateMetadata],
    ['the rows of a shard are empty', NO_ROWS, () => truncate(at(rows))],
    ['a shard is gone with its folder', NO_ROWS, () => rm(at('vectors/shard-0'), { recursive: true })],
    ['the folder of pictures is missing', NOT_MOUNTED, () => rename(at('pictures'), at('elsewhere'))],
    [
      'the folder of pictures is empty, as of a volume that is not mounted',
      NOT_MOUNTED,
      () => rename(at('pictures'), at('elsewhere')).then(() => mkdir(at('pictures'))),
    ],
  ])('refuses it when %s', async (_, words, lose) => {
    await lose()
    await isRefused(...words)
  })

  it('refuses it when the rows of one of several shards are missing', { tags: 'long' }, async () => {
    data = await temporaryFolder()
    const shards = localLayout(3)
    await (await openStores(data, { shards })).close()
    expect(await recordedLayout(at('vectors'))).toHaveLength(3)
    await rm(at('vectors/shard-1/rows.db'))
    await isRefused('shard-1')
    // Another layout is refused, too, although the store looks empty.
    await expect(openStores(data, { shards: localLayout(2) })).rejects.toMatchObject(refusal('shard-1'))
  })

  it('refuses it when a part belongs to another installation', { tags: 'long' }, async () => {
    const other = await openWorld()
    await enrolOne(other, faceOf(9, 9, 9))
    await other.close()
    for (const part of ['metadata.db', 'vectors', 'pictures']) {
      await rename(at(part), at('elsewhere'))
      await cp(join(other.data, part), at(part), { recursive: true })
      await isRefused('another installation')
      await rm(at(part), { recursive: true })
      await rename(at('elsewhere'), at(part))
    }
    await starts()
  })
})

it('openStores refuses each damaged file with its path, leaves it unchanged, and opens once it is replaced', async () => {
  const garbage = randomBytes(20_000)
  const records = ['layout', 'shards', 'generation'].map(name => `vectors/${name}.json`)
  for (const name of ['metadata.db', rows, ...records, 'pictures.json', 'installation.json']) {
    const good = await readFile(at(name)).catch(() => undefined)
    await writeFile(at(name), garbage)
    await isRefused(at(name))
    expect(await readFile(at(name))).toEqual(garbage)
    if (good) await writeFile(at(name), good)
    else await rm(at(name))
  }
  await starts()
})

describe('openStores of a folder without marks', () => {
  it('accepts a folder whose first start ended before it had marked all parts', {
    tags: 'long',
  }, async () => {
    data = await temporaryFolder()
    const marks = ['installation.json', 'pictures/.installation', 'vectors/shards.json']
    // The vectors are marked first.
    for (const lost of [2, 1, 0]) {
      await starts()
      const database = await openDatabase(data)
      await database.run('DELETE FROM installation')
      database.$client.close()
      for (const mark of marks.slice(0, lost)) await rm(at(mark))
    }
    await starts()
  })

  it('accepts vectors that were imported elsewhere and moved here', async () => {
    const made = JSON.parse(await readFile(at('vectors/shards.json'), 'utf8'))
    await writeFile(at('vectors/shards.json'), JSON.stringify({ ...made, installation: undefined }))
    await starts()
  })
})

it('openStores of several new folders with one database gives all of them one installation id when they start at the same time', {
  tags: 'long',
}, async () => {
  const database = await databaseServerOfTest()
  const shards = localLayout(1).map(shard => ({ ...shard, address: 'postgres://mien@127.0.0.1:9/faces' }))
  const folders = await Promise.all(times(4, () => temporaryFolder()))
  const settings = { shards, database: { url: database.url } }
  await closeDatabase(await openDatabase(folders[0]!, settings))
  const open = (folder: string) => openStores(folder, settings)
  const start = async () => {
    const stores = await Promise.all(folders.map(open))
    await Promise.all(stores.map(each => each.close()))
  }
  await start()
  const ids = await Promise.all(folders.map(async folder => (await readInstallation(folder))!.id))
  expect(new Set(ids).size).toBe(1)
  await start()
})

const request = { owner: OWNER, gallery: 'default', threshold: 0, limit: 9, faces: 1 }
const probe = [faceOf(1, 20, 30).chip.data]

it('identify with missing vectors does not count their shard as live, and refuses a strict search', async () => {
  const world = await openWorld(data)
  const [{ id }] = (await world.vectors.list(`${OWNER}_default`, 0, 1)).vectors as unknown as [{ id: number }]
  expect(await identify(world, { ...request, strict: true }, probe)).toMatchObject({ live: 1, total: 1 })
  await world.vectors.remove([{ gallery: `${OWNER}_default`, id }])
  await world.close()
  const again = await openWorld(data)
  expect(await reconcile(again)).toMatchObject({ vectorsMissing: 1 })
  expect(await identify(again, request, probe)).toMatchObject({ live: 0, total: 1 })
  await expect(identify(again, { ...request, strict: true }, probe)).rejects.toMatchObject({
    name: 'StoreUnavailable',
  })
})

it.each([
  ['vectors', rows, (error: Error) => error.name === 'StoreUnavailable'],
  ['metadata', 'metadata.db', isDatabaseUnavailable],
] as const)(
  'a file that is removed while the service runs makes the %s unavailable until it is put back',
  async (_, file, is) => {
    const world = await openWorld(data)
    await rename(at(file), at('elsewhere'))
    await expect(enrolOne(world, faceOf(9, 9, 9))).rejects.toSatisfy(is)
    await rename(at('elsewhere'), at(file))
    expect(await world.database.run('SELECT * FROM faces')).toMatchObject({ rows: { length: 3 } })
    await enrolOne(world, faceOf(9, 9, 9))
  },
)
