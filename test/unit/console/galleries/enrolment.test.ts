import { type EnrolmentProgress, enrolPhotos, keyOfFile } from '#console/galleries/enrolment.ts'
import type { EnrolmentSettings } from '#console/galleries/enrolment-plan.ts'
import { scriptedServer } from '../../clients/scripted-server.ts'

const SETTINGS: EnrolmentSettings = { gallery: 'staff', meta: '', usesFolderNames: true, selector: 'biggest' }
const photo = (content: number, name = 'a.jpg') =>
  new File([new Uint8Array([content])], name, { type: 'image/jpeg' })

describe('the key of an enrolment', () => {
  it('is the same for the same content and parameters only', async () => {
    const key = await keyOfFile(photo(1), { meta: 'Ann' })
    expect(key).toMatch(/^console-[\w-]{43}$/)
    expect(await keyOfFile(photo(1), { meta: 'Ann' })).toBe(key)
    expect(await keyOfFile(photo(2), { meta: 'Ann' })).not.toBe(key)
    expect(await keyOfFile(photo(1, 'b.jpg'), { meta: 'Ann' })).toBe(key)
    expect(await keyOfFile(photo(1), { meta: 'Ben' })).not.toBe(key)
  })

  it('has name, size, time and parameters on pages without a secure origin, and is random where these do not fit', async () => {
    vi.stubGlobal('crypto', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const [file, long] = [photo(1), photo(1, `${'ä'.repeat(60)}.jpg`)]
    const key = await keyOfFile(file, { meta: 'Ann' })
    expect(key).toMatch(/^[\x20-\x7e]{1,255}$/)
    expect(await keyOfFile(file, { meta: 'Ann' })).toBe(key)
    expect(await keyOfFile(file, { meta: 'Ben' })).not.toBe(key)
    expect(await keyOfFile(long, { meta: 'Ann' })).toMatch(/^[\x20-\x7e]{1,255}$/)
    expect(await keyOfFile(long, { meta: 'Ann' })).not.toBe(await keyOfFile(long, { meta: 'Ann' }))
  })
})

describe('an enrolment of many photos', () => {
  const NEWEST = { body: { results: [{ id: 5 }] } }
  const run = async (server: Awaited<ReturnType<typeof scriptedServer>>, files: File[]) => {
    const reports: EnrolmentProgress[] = []
    const found = files.map(file => ({ file, path: file.name }))
    const signal = new AbortController().signal
    const onProgress = (progress: EnrolmentProgress) => reports.push(progress)
    await enrolPhotos(server.client, found, SETTINGS, { onProgress, signal })
    return { reports, progress: reports.at(-1) }
  }

  it('counts faces, and reports failures with their sentences', async () => {
    await using server = await scriptedServer(
      NEWEST,
      { body: { results: [{ id: 6 }, { id: 7 }] } },
      { status: 400, body: { code: 'NO_FACES', reason: 'No face was found on the photo.' } },
    )
    const gone = photo(3, 'c.jpg')
    gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    const { progress } = await run(server, [photo(1), photo(2, 'b.jpg'), gone])
    expect(progress).toMatchObject({ photos: 3, done: 3, faces: 2 })
    expect(progress.failures.map(({ reason }) => reason).sort()).toEqual([
      'No face was found on the photo.',
      'c.jpg cannot be read.',
    ])
  })

  it('waits for a busy service as long as it asks, says so, and loses no photo', async () => {
    const busy = {
      status: 503,
      headers: { 'retry-after': '0' },
      body: { code: 'OVERLOADED', reason: 'Busy.' },
    }
    await using server = await scriptedServer(NEWEST, ...Array(9).fill(busy), {
      body: { results: [{ id: 6 }] },
    })
    const { reports, progress } = await run(server, [photo(1)])
    expect(reports.map(({ isWaiting }) => isWaiting)).toContain(true)
    expect(progress).toMatchObject({ done: 1, faces: 1, failures: [], isWaiting: false })
    expect(server.asked).toHaveLength(11)
  })

  it('names the photos that show several people, and tells those that were enrolled before', async () => {
    const headers = { 'x-faces-seen': '3' }
    await using server = await scriptedServer(
      NEWEST,
      { headers, body: { results: [{ id: 6 }] } },
      { headers, body: { results: [{ id: 5 }] } },
      { body: { results: [{ id: 7 }] } },
    )
    const { progress } = await run(server, [photo(1), photo(2, 'b.jpg'), photo(3, 'c.jpg')])
    expect(progress).toMatchObject({ done: 3, faces: 2, before: 1 })
    expect(progress.several).toHaveLength(2)
    expect(progress.several[0]!.reason).toBe('The biggest of 3 faces was enrolled.')
  })

  it('takes a key of another name or browser as a duplicate, not as a failure', async () => {
    const refused = {
      code: 'BAD_PARAM',
      param: 'Idempotency-Key',
      reason: 'This key was used for another request.',
    }
    await using server = await scriptedServer(NEWEST, { status: 400, body: refused })
    const { progress } = await run(server, [photo(1)])
    const reason = expect.stringContaining('another browser')
    expect(progress).toMatchObject({ faces: 0, failures: [], duplicates: [{ path: 'a.jpg', reason }] })
  })
})
