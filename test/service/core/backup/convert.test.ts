/** Turning encryption on and off and changing keys: no data is lost, no plaintext stays, and a killed conversion resumes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
import { changeDataKey, changeOperatorKey, turnOff, turnOn } from '#core/backup/convert.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { readSite, writeSite } from '#core/calibration/site-file.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { findDataKey } from '#core/encryption/folder-key.ts'
import type { OperatorKey } from '#core/encryption/key-file.ts'
import { facePage } from '#core/metadata/queries/faces.ts'
import { createGallery } from '#core/operations/galleries.ts'
import { foundIn, KEY_TEXT, NEW_KEY, OPERATOR } from '#test/unit/core/backup/keys.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { STEP_ROUNDS } from '#test/unit/core/kill-rounds.ts'
import { letGo } from '#test/unit/core/let-go.ts'
import { indexMade } from '#test/unit/core/vector-store/known.ts'
import { enrolOne, kept, openWorld } from '../operations/world.ts'

/** Fewer rounds than elsewhere, because a conversion runs alone and its rounds hardly differ. */
const ROUNDS = Math.ceil(STEP_ROUNDS / 5)

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

const site = {
  embedder: 'colours-3',
  made: new Date(0).toISOString(),
  people: 1,
  pictures: 1,
  table: [
    [0, 0.1],
    [1, 0.9],
  ],
  cohort: {
    vectors: Float32Array.of(0.6, 0.8, 0.123456),
    dimension: 3,
    outermost: [{ mean: 0.1, deviation: 0.2 }],
  },
} as unknown as Parameters<typeof writeSite>[1]

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
  await writeSite(made, site)
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
    calibration: Buffer.from('"cohort"'),
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
  const calibration = await readSite(folder, dataKey)
  if (!opened) await world.close()
  await letGo()
  return { keys, faces, pictures: pictures.sort(), vectors, indexFile, faults, calibration }
}

const dataKey = (operator: OperatorKey = OPERATOR) => findDataKey(data, operator)
const noKey = () => findDataKey(data, undefined)

const silent = { onLost: (what: string) => expect.fail(what) }
const converting = (operator = OPERATOR) => ({ data, operator, ...silent })

describe('conversion of a data folder', () => {
  it('by turnOn keeps all data and leaves no plaintext', { tags: 'long' }, async () => {
    await turnOn(converting())
    expect(foundIn(data, known)).toEqual([])
    expect(foundIn(data, { key: OPERATOR.bytes, text: Buffer.from(KEY_TEXT) })).toEqual([])
    expect(await everything(data, await dataKey())).toEqual(expected)
    expect(foundIn(data, known)).toEqual([])
  })

  it('by turnOff restores the original folder', { tags: 'long' }, async () => {
    await turnOn(converting())
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

  it.each([
    { what: 'encrypt an encrypted folder', work: () => turnOn(converting()), says: 'is encrypted already' },
    { what: 'decrypt with another key', work: () => turnOff(converting(NEW_KEY)), says: NEW_KEY.id },
    {
      what: 'change the key with another key',
      work: () => changeOperatorKey(converting(NEW_KEY), OPERATOR),
      says: NEW_KEY.id,
    },
  ])('refuses to $what', async ({ work, says }) => {
    await turnOn(converting())
    await expect(work()).rejects.toMatchObject({ message: expect.stringContaining(says) })
    expect(await everything(data, await dataKey())).toEqual(expected)
  })

  it.each([
    { what: 'decrypt', work: () => turnOff(converting()) },
    { what: 'change the operator key of', work: () => changeOperatorKey(converting(), NEW_KEY) },
    { what: 'change the data key of', work: () => changeDataKey(converting(), NEW_KEY) },
  ])('refuses to $what an unencrypted folder', async ({ work }) => {
    await expect(work()).rejects.toMatchObject({ message: expect.stringContaining('is not encrypted') })
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

/** Steps, with the number of times each occurs in this folder. */
const STEPS: [string, number][] = [
  ['begun', 1],
  ['metadata', 1],
  ['copied', 1],
  ['renamed', 1],
  ['indexes', 1],
  ['vectors', 1],
  ['picture', 1],
  ['picture', 3],
  ['pictures', 1],
  ['calibration', 1],
]

describe('a conversion that is killed', { tags: 'long' }, () => {
  it.each(STEPS)(
    'after the step "%s" (time %i) loses nothing, is detected, and resumes: on, data key, off',
    async (step, time) => {
      for (let round = 0; round < ROUNDS; round++) {
        await killedAt('on', step, time)
        await expect(dataKey()).rejects.toMatchObject({
          message: expect.stringContaining('encryption on'),
        })
        await expect(turnOff(converting())).rejects.toMatchObject({ name: 'EncryptionRefused' })
        await turnOn(converting())
        expect(foundIn(data, known)).toEqual([])
        expect(await everything(data, await dataKey())).toEqual(expected)

        await killedAt('anew', step, time)
        await expect(dataKey()).rejects.toMatchObject({ message: expect.stringContaining('--data-key') })
        await changeDataKey(converting(), NEW_KEY)
        expect(await everything(data, await dataKey(NEW_KEY))).toEqual(expected)
        await changeOperatorKey(converting(NEW_KEY), OPERATOR)

        await killedAt('off', step, time)
        await expect(dataKey()).rejects.toMatchObject({
          message: expect.stringContaining('encryption off'),
        })
        await expect(turnOn(converting())).rejects.toMatchObject({ name: 'EncryptionRefused' })
        await turnOff(converting())
        expect(await everything(data, undefined)).toEqual(expected)
      }
    },
    ROUNDS * 120_000,
  )

  it('after its last step is complete', async () => {
    await killedAt('on', 'done', 1)
    expect(await everything(data, await dataKey())).toEqual(expected)
  })
})

async function killedAt(work: string, step: string, time: number): Promise<void> {
  const script = join(import.meta.dirname, 'convert.child.ts')
  const child = spawn(process.execPath, [script, work, data, step, String(time)], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}
