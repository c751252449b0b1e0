/** Turning encryption on and off and changing keys: no data is lost, no plaintext stays, and a killed conversion resumes. */
import {
  closeSync,
  cpSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import { type Conversion, changeDataKey, changeOperatorKey, turnOff, turnOn } from '#core/backup/convert.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { SITE_FILE, siteForm } from '#core/configuration/removed-features.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { findDataKey } from '#core/encryption/folder-key.ts'
import type { OperatorKey } from '#core/encryption/key-file.ts'
import { facePage } from '#core/metadata/queries/faces.ts'
import { createGallery } from '#core/operations/galleries.ts'
import { foundIn, KEY_TEXT, NEW_KEY, OPERATOR } from '#test/unit/core/backup/keys.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { letGo } from '#test/unit/core/let-go.ts'
import { indexMade } from '#test/unit/core/vector-store/known.ts'
import { enrolOne, kept, openWorld } from '../operations/world.ts'
import { snapshotsOf } from '../snapshots.ts'
import { killedIn } from './repository/backups.ts'

const GALLERY = `${OWNER}_default`

/** An unencrypted folder that the tests copy. */
const made = mkdtempSync(join(tmpdir(), 'mien-test-'))
afterAll(() => rmSync(made, { recursive: true }))

/** Byte sequences that an encrypted folder must not contain. Empty before the folder is made. */
let known: Record<string, Uint8Array> = {}
/** The copy of the test, its files, and its content. */
let data = ''
let files: string[] = []
let expected: unknown

const SITE = '{"format":"mien-calibration"}'

beforeEach(async () => {
  if (files.length === 0) await prepare()
  data = await temporaryFolder()
  cpSync(made, data, { recursive: true })
})

async function prepare(): Promise<void> {
  const world = await openWorld(made)
  await createGallery(world, { owner: OWNER, gallery: 'nightshift' })
  const id = await enrolOne(world, faceOf(250, 11, 12), {
    meta: 'meta of Jane Doe',
    galleries: ['nightshift'],
  })
  await enrolOne(world, faceOf(13, 250, 14), { meta: 'meta of John Doe', photo: 'holiday-in-rome.jpg' })
  await world.vectors.startIndex(GALLERY)
  await indexMade(world.vectors, GALLERY)
  const vector = (await world.vectors.get({ gallery: GALLERY, id }))!
  writeFileSync(join(made, SITE_FILE), SITE)
  expected = await everything(made, undefined, world)
  known = {
    meta: Buffer.from('meta of J'),
    photo: Buffer.from('holiday-in-rome'),
    gallery: Buffer.from('nightshift'),
    vector: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    'the start of a JPEG': Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 0x43, 0]),
    'the start of a PNG': Buffer.from('\x89PNG\r\n', 'latin1'),
    'the start of an index': Buffer.from('MIENIVF1'),
    'the start of a database with faces': Buffer.from('CREATE TABLE `faces`'),
    calibration: Buffer.from('"mien-calibration"'),
  }
  await world.close()
  await letGo()
  files = readdirSync(made)
  expect(foundIn(made, known)).toEqual(Object.keys(known).sort())
}

/** The whole content of a folder, opened with this key. */
async function everything(
  folder: string,
  dataKey: DataKey | undefined,
  opened?: Awaited<ReturnType<typeof openWorld>>,
) {
  const world = opened ?? (await openWorld(folder, dataKey))
  const keys = await kept(world)
  const { faces } = await facePage(world.database, { days: 1, within: 1 }, OWNER, { limit: 9 })
  const pictures = []
  for await (const { kind, ...key } of world.pictures.list())
    pictures.push(Buffer.from((await world.pictures.read(key, kind)) ?? []).toString('hex'))
  const vectors = await world.vectors.list(GALLERY, 0, 9)
  const { indexFile } = (await world.vectors.gallery(GALLERY))!
  const faults = await verifyAll(folder, { ...world, dataKey })
  const site = siteForm(dataKey).read(readFileSync(join(folder, SITE_FILE)), SITE_FILE)
  const calibration = site && Buffer.from(site).toString()
  if (!opened) await world.close()
  await letGo()
  return { keys, faces, pictures: pictures.sort(), vectors, indexFile, faults, calibration }
}

const dataKey = (operator: OperatorKey = OPERATOR) => findDataKey(data, operator)
const noKey = () => findDataKey(data, undefined)

const silent = { onLost: (what: string) => expect.fail(what) }
const converting = (operator = OPERATOR) => ({ data, operator, ...silent })

describe('conversion of a data folder', () => {
  it('by turnOn keeps all data and leaves no plaintext, and turnOff restores the original folder', {
    tags: 'long',
  }, async () => {
    await turnOn(converting())
    expect(foundIn(data, { ...known, key: OPERATOR.bytes, text: Buffer.from(KEY_TEXT) })).toEqual([])
    expect(await everything(data, await dataKey())).toEqual(expected)
    expect(foundIn(data, known)).toEqual([])
    await turnOff(converting())
    expect(await noKey()).toBeUndefined()
    expect(await everything(data, undefined)).toEqual(expected)
    expect(readdirSync(data)).toEqual(files)
  })

  it('by changeOperatorKey replaces the key without encrypting the data again', async () => {
    await turnOn(converting())
    const before = await dataKey()
    const picture = somePicture()
    await changeOperatorKey(converting(), NEW_KEY)
    expect(await dataKey(NEW_KEY)).toEqual(before)
    expect(somePicture()).toEqual(picture)
    await expect(dataKey()).rejects.toMatchObject({ message: expect.stringContaining(NEW_KEY.id) })
  })

  it('by changeDataKey encrypts all data again, with another operator key or the same', async () => {
    await turnOn(converting())
    const before = await dataKey()
    const picture = somePicture()
    await changeDataKey(converting(), OPERATOR)
    const then = await dataKey()
    expect(then).not.toEqual(before)
    expect(somePicture()).not.toEqual(picture)
    await changeDataKey(converting(), NEW_KEY)
    expect(await dataKey(NEW_KEY)).not.toEqual(then)
    expect(await everything(data, await dataKey(NEW_KEY))).toEqual(expected)
    expect(foundIn(data, known)).toEqual([])
  })

  it('is refused for an encrypted folder that is to be encrypted, and with another key', async () => {
    await turnOn(converting())
    const refused = (work: Promise<void>, says: string) =>
      expect(work).rejects.toMatchObject({ message: expect.stringContaining(says) })
    await refused(turnOn(converting()), 'is encrypted already')
    await refused(turnOff(converting(NEW_KEY)), NEW_KEY.id)
    await refused(changeOperatorKey(converting(NEW_KEY), OPERATOR), NEW_KEY.id)
    expect(await everything(data, await dataKey())).toEqual(expected)
  })

  it('is refused for an unencrypted folder that is to be decrypted or to get another key', async () => {
    const works = [
      turnOff,
      (conversion: Conversion) => changeOperatorKey(conversion, NEW_KEY),
      (conversion: Conversion) => changeDataKey(conversion, NEW_KEY),
    ]
    for (const work of works)
      await expect(work(converting())).rejects.toMatchObject({
        message: expect.stringContaining('is not encrypted'),
      })
  })

  it('is refused while the folder is open', { tags: 'long' }, async () => {
    const world = await openWorld(data)
    await expect(turnOn(converting())).rejects.toMatchObject({ name: 'VectorFileLocked' })
    await world.close()
    expect(await everything(data, undefined)).toEqual(expected)
  })

  it.each(['vectors/exact.db', 'vectors/shard-0/rows.db.damaged', 'vectors/shard-0/index/1-2.ivf.damaged'])(
    'is refused for a folder with %s, which no key can encrypt',
    async name => {
      writeFileSync(join(data, name), 'what was damaged')
      await expect(turnOn(converting())).rejects.toMatchObject({ message: expect.stringContaining(name) })
      expect(await noKey()).toBeUndefined()
    },
  )

  it('overwrites replaced files, but not their hard links', async () => {
    const [path, linked] = pictureNames().map(name => join(data, 'pictures', name)) as [string, string]
    const other = join(await temporaryFolder(), 'link')
    linkSync(linked, other)
    const before = readFileSync(linked)
    const file = openSync(path, 'r')
    onTestFinished(() => closeSync(file))
    await turnOn(converting())
    expect(readFileSync(file).every(byte => byte === 0)).toBe(true)
    expect(readFileSync(other)).toEqual(before)
  })

  it('reports and drops vectors that are damaged', { tags: 'long' }, async () => {
    const path = join(data, 'vectors', 'shard-0', 'rows.db')
    const bytes = readFileSync(path)
    bytes[bytes.indexOf(known.vector!)]! ^= 1
    writeFileSync(path, bytes)
    const lost: string[] = []
    await turnOn({ data, operator: OPERATOR, onLost: what => lost.push(what) })
    expect(lost).toEqual([expect.stringMatching(/^1 vectors of .*rows\.db are damaged\.$/)])
    const { faults } = await everything(data, await dataKey())
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(/^Face \d+ has no vector in /)
  })
})

const pictureNames = () =>
  readdirSync(join(data, 'pictures'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.includes('.jpg'))
    .sort()

const somePicture = () => readFileSync(join(data, 'pictures', pictureNames()[0]!)).toString('hex')

/** Steps between which the files of the folder differ. */
const STEPS = ['begun', 'metadata', 'copied', 'renamed', 'indexes', 'picture', 'calibration']

describe('a conversion that is killed', { tags: 'long' }, () => {
  it.each([
    { kind: 'on', convert: turnOn, says: 'encryption on', other: turnOff, after: OPERATOR },
    {
      kind: 'data key',
      convert: (conversion: Conversion) => changeDataKey(conversion, NEW_KEY),
      says: '--data-key',
      other: turnOff,
      after: NEW_KEY,
    },
    { kind: 'off', convert: turnOff, says: 'encryption off', other: turnOn, after: undefined },
  ])(
    'loses nothing at any step, is detected, and resumes: $kind',
    async ({ kind, convert, says, other, after }) => {
      if (kind !== 'on') await turnOn(converting())
      const copies = await snapshotsOf(data, STEPS)
      await convert({ ...converting(), onStep: copies.at, onPicture: () => copies.at('picture') })
      for (const step of STEPS) {
        data = copies.of(step)
        await expect(dataKey(), step).rejects.toMatchObject({ message: expect.stringContaining(says) })
        await expect(other(converting()), step).rejects.toMatchObject({ name: 'EncryptionRefused' })
        await convert(converting())
        if (after) expect(foundIn(data, known), step).toEqual([])
        expect(await everything(data, await findDataKey(data, after)), step).toEqual(expected)
      }
    },
  )

  it('by a signal resumes', async () => {
    await killedIn('encrypt', data, 'copied')
    await turnOn(converting())
    expect(await everything(data, await dataKey())).toEqual(expected)
  })
})
