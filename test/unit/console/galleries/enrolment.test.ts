import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type EnrolmentProgress,
  type EnrolmentSettings,
  enrolPhotos,
  inParallel,
  keyOf,
  parametersOf,
} from '#console/galleries/enrolment.ts'
import type { FoundFile } from '#console/photos/files.ts'
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
  it('is the same for the same content and parameters only', async () => {
    const key = await keyOf(photo(1), { meta: 'Ann' })
    expect(key).toMatch(/^console [0-9a-f]{64}$/)
    expect(await keyOf(photo(1), { meta: 'Ann' })).toBe(key)
    expect(await keyOf(photo(2), { meta: 'Ann' })).not.toBe(key)
    expect(await keyOf(photo(1, 'b.jpg'), { meta: 'Ann' })).toBe(key)
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
  const NEWEST = { body: { results: [{ id: 5 }] } }
  const run = async (server: Awaited<ReturnType<typeof scriptedServer>>, files: File[], folder = '') => {
    const reports: EnrolmentProgress[] = []
    const found = files.map(file => ({ file, path: folder + file.name }))
    const signal = new AbortController().signal
    const onProgress = (progress: EnrolmentProgress) => reports.push(progress)
    await enrolPhotos(server.client, found, SETTINGS, { onProgress, signal })
    return reports.at(-1)!
  }

  it('counts faces, and reports failures with their sentences', async () => {
    await using server = await scriptedServer(
      NEWEST,
      { body: { results: [{ id: 6 }, { id: 7 }] } },
      { status: 400, body: { code: 'NO_FACES', reason: 'No face was found on the photo.' } },
    )
    const gone = photo(3, 'c.jpg')
    gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    const progress = await run(server, [photo(1), photo(2, 'b.jpg'), gone])
    expect(progress).toMatchObject({ photos: 3, done: 3, faces: 2 })
    expect(progress.failures.map(({ reason }) => reason).sort()).toEqual([
      'No face was found on the photo.',
      'c.jpg cannot be read.',
    ])
  })

  it('sends a photo under another key when all faces of the first time were deleted', async () => {
    await using server = await scriptedServer(
      NEWEST,
      { body: { results: [] } },
      { body: { results: [{ id: 6 }] } },
    )
    expect(await run(server, [photo(1)])).toMatchObject({ faces: 1 })
    const keys = server.asked.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys.slice(1)).size).toBe(2)
  })

  it('sends a photo that is there twice once, and tells which one it repeats', async () => {
    await using server = await scriptedServer(NEWEST, { body: { results: [{ id: 6 }] } })
    const progress = await run(server, [photo(1), photo(1, 'b.jpg')])
    expect(progress).toMatchObject({ done: 2, faces: 1, before: 0, failures: [] })
    // Both photos are read at once: either may be the first.
    const [first, second] = progress.duplicates[0]?.path === 'a.jpg' ? ['b.jpg', 'a.jpg'] : ['a.jpg', 'b.jpg']
    expect(progress.duplicates).toEqual([{ path: second, reason: `This is the same photo as ${first}.` }])
    expect(server.asked).toHaveLength(2)
  })

  it('tells faces of an earlier enrolment from those of this one', async () => {
    await using server = await scriptedServer(NEWEST, { body: { results: [{ id: 4 }, { id: 5 }] } })
    expect(await run(server, [photo(1)])).toMatchObject({ done: 1, faces: 0, before: 1, failures: [] })
  })

  it('takes a key of another name as a duplicate, not as a failure', async () => {
    const refused = {
      code: 'BAD_PARAM',
      param: 'Idempotency-Key',
      reason: 'This key was used for another request.',
    }
    await using server = await scriptedServer(NEWEST, { status: 400, body: refused })
    const progress = await run(server, [photo(1)])
    expect(progress).toMatchObject({ faces: 0, failures: [], duplicates: [{ path: 'a.jpg' }] })
  })

  it('sends no photo that the memory holds, and remembers those that did not fail', async () => {
    const found = ['a.jpg', 'b.jpg', 'c.jpg'].map((name, i) => ({ file: photo(i, name), path: name }))
    const held = new Set(['a.jpg'])
    const memory = {
      has: ({ path }: FoundFile) => held.has(path),
      add: ({ path }: FoundFile) => void held.add(path),
    }
    await using server = await scriptedServer(
      NEWEST,
      { body: { results: [{ id: 6 }] } },
      { status: 400, body: { code: 'NO_FACES', reason: 'No face was found on the photo.' } },
    )
    let last: EnrolmentProgress | undefined
    const run = {
      memory,
      onProgress: (progress: EnrolmentProgress) => (last = progress),
      signal: new AbortController().signal,
    }
    await enrolPhotos(server.client, found, SETTINGS, run)
    expect(last).toMatchObject({ photos: 3, done: 3, faces: 1, before: 1 })
    expect(last!.failures).toHaveLength(1)
    expect(server.asked).toHaveLength(3)
    expect(held.size).toBe(2)
  })
})

it('inParallel runs each input once, a few at a time', async () => {
  const seen: number[] = []
  let running = 0
  let most = 0
  await inParallel(
    Array.from({ length: 20 }, (_, i) => i),
    3,
    async input => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, 1))
      seen.push(input)
      running--
    },
  )
  expect(most).toBe(3)
  expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
})

it('inParallel starts nothing after the signal aborts', async () => {
  const aborter = new AbortController()
  const seen: number[] = []
  const run = async (input: number) => {
    seen.push(input)
    if (input === 2) aborter.abort()
  }
  await inParallel([1, 2, 3, 4], 1, run, aborter.signal)
  expect(seen).toEqual([1, 2])
})
