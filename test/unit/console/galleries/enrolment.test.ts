import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type EnrolmentProgress,
  type EnrolmentSettings,
  enrolPhotos,
  keyOf,
  parametersOf,
} from '../../../../console/galleries/enrolment.ts'
import { scriptedServer } from '../../clients/scripted-server.ts'

const SETTINGS: EnrolmentSettings = { gallery: 'staff', meta: '', usesFolderNames: true, selector: 'biggest' }
const photo = (content: number, name = 'a.jpg', type = 'image/jpeg') =>
  new File([new Uint8Array([content])], name, { type })

describe('parameters of an enrolment', () => {
  it('have the name of the folder as meta, else the typed meta', () => {
    const settings = { ...SETTINGS, meta: 'Ben' }
    expect(parametersOf('people/Ann/1.jpg', settings).meta).toBe('Ann')
    expect(parametersOf('1.jpg', settings).meta).toBe('Ben')
    expect(parametersOf('people/Ann/1.jpg', { ...settings, usesFolderNames: false }).meta).toBe('Ben')
    expect(parametersOf('1.jpg', SETTINGS)).toEqual({ mf_selector: 'biggest', galleries: ['staff'] })
  })

  it('name no gallery for default', () => {
    expect(parametersOf('1.jpg', { ...SETTINGS, gallery: 'default' })).toEqual({ mf_selector: 'biggest' })
  })
})

describe('the key of an enrolment', () => {
  it('is the same for the same photo and parameters only', async () => {
    const key = await keyOf(photo(1), { meta: 'Ann' })
    expect(key).toMatch(/^console [0-9a-f]{64}$/)
    expect(await keyOf(photo(1), { meta: 'Ann' })).toBe(key)
    expect(await keyOf(photo(2), { meta: 'Ann' })).not.toBe(key)
    expect(await keyOf(photo(1, 'b.jpg'), { meta: 'Ann' })).not.toBe(key)
    expect(await keyOf(photo(1), { meta: 'Ben' })).not.toBe(key)
  })

  it('has name, size, time and parameters on pages without a secure origin, and is random where these do not fit', async () => {
    vi.stubGlobal('crypto', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const [file, long] = [photo(1), photo(1, `${'ä'.repeat(60)}.jpg`)]
    const key = await keyOf(file, { meta: 'Ann' })
    expect(key).toMatch(/^[\x20-\x7e]{1,255}$/)
    expect(await keyOf(file, { meta: 'Ann' })).toBe(key)
    expect(await keyOf(file, { meta: 'Ben' })).not.toBe(key)
    expect(await keyOf(long, { meta: 'Ann' })).toMatch(/^[\x20-\x7e]{1,255}$/)
    expect(await keyOf(long, { meta: 'Ann' })).not.toBe(await keyOf(long, { meta: 'Ann' }))
  })
})

describe('an enrolment of many photos', () => {
  const run = async (server: Awaited<ReturnType<typeof scriptedServer>>, files: File[], folder = '') => {
    const reports: EnrolmentProgress[] = []
    const found = files.map(file => ({ file, path: folder + file.name }))
    const signal = new AbortController().signal
    await enrolPhotos(server.client, found, SETTINGS, progress => reports.push(progress), signal)
    return reports.at(-1)!
  }

  it('counts faces, and reports failures with their sentences', async () => {
    await using server = await scriptedServer(
      { body: { results: [{ id: 1 }, { id: 2 }] } },
      { status: 400, body: { code: 'NO_FACES', reason: 'No face was found on the photo.' } },
    )
    const progress = await run(server, [photo(1), photo(2, 'b.jpg'), photo(3, 'c.txt', 'text/plain')])
    expect(progress).toMatchObject({ photos: 3, done: 3, faces: 2 })
    expect(progress.failures.map(({ reason }) => reason).sort()).toEqual([
      'No face was found on the photo.',
      'c.txt is not a JPEG, PNG or WEBP photo.',
    ])
  })

  it('leaves out files of a folder that are no photos', async () => {
    await using server = await scriptedServer({ body: { results: [{ id: 1 }] } })
    const progress = await run(server, [photo(1), photo(3, '.DS_Store', '')], 'people/')
    expect(progress).toMatchObject({ photos: 1, done: 1, faces: 1, failures: [] })
  })

  it('sends a photo under another key when all faces of the first time were deleted', async () => {
    await using server = await scriptedServer({ body: { results: [] } }, { body: { results: [{ id: 1 }] } })
    expect(await run(server, [photo(1)])).toMatchObject({ faces: 1 })
    const keys = server.asked.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(2)
  })
})
