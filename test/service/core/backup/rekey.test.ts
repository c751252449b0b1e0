/** Restores with another key, and changes of the operator's key: no data is lost, and no plaintext stays. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeOperatorKey, type NewKey } from '#core/backup/rekey.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { restoreFrom } from '#core/backup/repository/restore.ts'
import { restore } from '#core/backup/restore.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { SITE_FILE } from '#core/configuration/removed-features.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { findDataKey, openDataKey } from '#core/encryption/folder-key.ts'
import type { OperatorKey } from '#core/encryption/key-file.ts'
import { facePage } from '#core/metadata/faces/faces.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { foundIn, KEY_TEXT, NEW_KEY, OPERATOR } from '#test/unit/core/backup/keys.ts'
import { letGo, sharedFolder, temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { createGallery, enrolOne, keysOf, openWorld } from '../operations/world.ts'
import { backedUp } from './repository/backups.ts'
import { makeWholeBackup } from './whole-backup.ts'

const GALLERY = `${OWNER}_default`

/** An unencrypted folder that the tests copy. */
const made = sharedFolder()

/** Byte sequences that an encrypted folder must not contain. Empty before the folder is made. */
let known: Record<string, Uint8Array> = {}
/** The copy of the test, and its content. */
let data = ''
let expected: unknown

beforeEach(async () => {
  if (expected === undefined) await prepare()
  data = await temporaryFolder()
  cpSync(made, data, { recursive: true })
})

async function prepare() {
  const world = await openWorld(made)
  await createGallery(world, 'nightshift')
  const id = await enrolOne(world, faceOf(250, 11, 12), {
    meta: 'meta of Jane Doe',
    galleries: ['nightshift'],
  })
  await enrolOne(world, faceOf(13, 250, 14), { meta: 'meta of John Doe', photo: 'holiday-in-rome.jpg' })
  const vector = (await world.vectors.get({ gallery: GALLERY, id }))!
  writeFileSync(join(made, SITE_FILE), '{"format":"mien-calibration"}')
  expected = await everything(made, undefined, world)
  known = {
    meta: Buffer.from('meta of J'),
    photo: Buffer.from('holiday-in-rome'),
    gallery: Buffer.from('nightshift'),
    vector: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    'the start of a JPEG': Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 0x43, 0]),
    'the start of a PNG': Buffer.from('\x89PNG\r\n', 'latin1'),
    'the start of a database with faces': Buffer.from('CREATE TABLE `faces`'),
    calibration: Buffer.from('"mien-calibration"'),
  }
  await world.close()
  await letGo()
  expect(foundIn(made, known)).toEqual(Object.keys(known).sort())
}

/** The whole content of a folder, opened with this key. */
async function everything(
  folder: string,
  dataKey: DataKey | undefined,
  opened?: Awaited<ReturnType<typeof openWorld>>,
) {
  const world = opened ?? (await openWorld(folder, dataKey))
  const keys = await keysOf(world)
  const { faces } = await facePage(world.database, { days: 1, within: 1 }, OWNER, { limit: 9 })
  const pictures = []
  for await (const { kind, ...key } of world.pictures.list())
    pictures.push(Buffer.from((await world.pictures.read(key, kind)) ?? []).toString('hex'))
  const vectors = await world.vectors.list(GALLERY, 0, 9)
  const faults = await verifyAll(folder, { ...world, dataKey })
  if (!opened) await world.close()
  await letGo()
  return { keys, faces, pictures: pictures.sort(), vectors, faults }
}

const dataKey = (operator = OPERATOR) => findDataKey(data, operator)
const noKey = () => findDataKey(data, undefined)

/** Backs the folder up, and restores the backup with another key. Returns the new folder. */
async function restoredWith(operatorKey: OperatorKey | undefined, next: NewKey) {
  const folder = await temporaryFolder()
  const dataKey = await findDataKey(data, operatorKey)
  const world = await openWorld(data, dataKey)
  const repository = await createRepository(join(folder, 'backups'), undefined)
  await backedUp(world, repository, { dataKey })
  await world.close()
  await letGo()
  const restored = join(folder, 'data')
  await restoreFrom({ repository, data: restored, operatorKey, onLost: expect.fail, ...next })
  return restored
}

describe('a restore with another key', { tags: 'long' }, () => {
  it('encrypts a plain folder, encrypts it again with another key, and decrypts it', async () => {
    data = await restoredWith(undefined, { nextKey: OPERATOR })
    expect(foundIn(data, { ...known, key: OPERATOR.bytes, text: Buffer.from(KEY_TEXT) })).toEqual([])
    await expect(noKey()).rejects.toThrow(OPERATOR.id)
    const first = await dataKey()
    expect(await everything(data, first)).toEqual(expected)
    data = await restoredWith(OPERATOR, { nextKey: NEW_KEY })
    expect(foundIn(data, known)).toEqual([])
    expect(await dataKey(NEW_KEY)).not.toEqual(first)
    expect(await everything(data, await dataKey(NEW_KEY))).toEqual(expected)
    data = await restoredWith(NEW_KEY, { nextKey: null })
    expect(await noKey()).toBeUndefined()
    expect(await everything(data, undefined)).toEqual(expected)
  }, 120_000)

  it('encrypts a whole backup of 0.2, and reports and drops vectors that were damaged before', async () => {
    const path = join(data, 'vectors', 'shard-0', 'rows.db')
    const bytes = readFileSync(path)
    bytes[bytes.indexOf(known.vector!)]! ^= 1
    writeFileSync(path, bytes)
    const lost: string[] = []
    const folder = await temporaryFolder()
    await makeWholeBackup(data, join(folder, 'backup'))
    data = join(folder, 'data')
    const onLost = (what: string) => lost.push(what)
    await restore({ source: join(folder, 'backup'), data, nextKey: OPERATOR, onLost })
    expect(lost).toEqual([expect.stringMatching(/^1 vectors of .*rows\.db are damaged\.$/)])
    expect(foundIn(data, known)).toEqual([])
    const { faults } = await everything(data, await dataKey())
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(/^Face \d+ has no vector in /)
  })
})

describe('changeOperatorKey', () => {
  beforeEach(async () => {
    data = await temporaryPath('data')
    const world = await openWorld(data, await openDataKey(data, OPERATOR))
    await enrolOne(world, faceOf(250, 11, 12))
    await world.close()
    await letGo()
  })

  it('replaces the key without encrypting the data again', async () => {
    const before = await dataKey()
    const picture = somePicture()
    await changeOperatorKey(data, OPERATOR, NEW_KEY)
    expect(await dataKey(NEW_KEY)).toEqual(before)
    expect(somePicture()).toEqual(picture)
    await expect(dataKey()).rejects.toThrow(NEW_KEY.id)
  })

  it('refuses another key, a plain folder, and one that is open', async () => {
    const refused = { name: 'EncryptionRefused', message: expect.stringContaining(NEW_KEY.id) }
    await expect(changeOperatorKey(data, NEW_KEY, OPERATOR)).rejects.toMatchObject(refused)
    await expect(changeOperatorKey(made, OPERATOR, NEW_KEY)).rejects.toThrow('is not encrypted')
    const world = await openWorld(data, await dataKey())
    await expect(changeOperatorKey(data, OPERATOR, NEW_KEY)).rejects.toMatchObject({
      name: 'VectorFileLocked',
    })
    await world.close()
  })
})

const somePicture = () => {
  const names = readdirSync(join(data, 'pictures'), { recursive: true, encoding: 'utf8' })
  return readFileSync(join(data, 'pictures', names.find(name => name.endsWith('.jpg'))!)).toString('hex')
}
