/** Runs against a service that refuses and fails: outcomes of photos, and the end of a run. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MienClient } from '#clients/typescript/src/index.ts'
import { enrolList, REQUESTS } from '#commands/enrol/enrol-list.ts'
import type { EnrolSettings } from '#commands/enrol/enrol-photo.ts'
import { openJob } from '#commands/enrol/job.ts'
import { countsOf } from '#commands/enrol/outcome.ts'
import { openList } from '#commands/enrol/photo-list.ts'
import { temporaryFolder } from '../../core/folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** Answers the attempt of an enrolment, which is request `number` of the run. */
type Script = (attempt: number, number: number) => Response | Promise<Response>

const face = (...ids: number[]) => Response.json({ results: ids.map(id => ({ id })) })
const refusal = (status: number, code: string) =>
  Response.json({ code, reason: `${code}.` }, { status, headers: { 'retry-after': '0' } })

/** A service that follows the script, with the keys of the requests in order and the most in progress. */
function scripted(script: Script) {
  let inProgress = 0
  const service = {
    keys: [] as string[],
    most: 0,
    async fetch(_: unknown, init?: RequestInit) {
      service.most = Math.max(service.most, ++inProgress)
      const key = String(new Headers(init?.headers).get('idempotency-key'))
      service.keys.push(key)
      const answer = await script(service.keys.filter(each => each === key).length, service.keys.length)
      inProgress--
      return answer
    },
  }
  return service
}

async function photos(count: number) {
  await mkdir(join(folder, 'people', 'Ann'), { recursive: true })
  for (let i = 0; i < count; i++) await writeFile(join(folder, 'people', 'Ann', `${i}.jpg`), `photo ${i}`)
}

/** Runs over the folder with a fresh job object, as a new process does. Returns the number of photos by outcome. */
async function run(
  { fetch }: ReturnType<typeof scripted>,
  settings: Pick<EnrolSettings, 'checkOthers'> = {},
) {
  const url = 'http://service'
  const list = await openList(join(folder, 'people'), { defaults: {} })
  const place = { path: join(folder, 'people.jsonl'), list: list.path, service: url, options: {} }
  const job = await openJob({ ...place, restart: false }, async () => true)
  try {
    const client = new MienClient({ url, token: 'mien_x', retries: 9, retryDelayMs: 1, fetch })
    const stop = new AbortController().signal
    expect(await enrolList({ list, job, client, stop, ...settings, onProgress() {} })).toBe(true)
    return countsOf(job.lines(true))
  } finally {
    await job.close()
  }
}

describe('a run', { tags: 'long' }, () => {
  it('goes on after a photo whose search for other people is refused', async () => {
    await photos(3)
    const service = scripted((_, number) =>
      service.keys.at(-1) === 'null' ? refusal(400, 'BAD_PARAM') : face(number),
    )
    const counts = await run(service, { checkOthers: 'strict' })
    expect(counts.enrolled ?? 0).toBe(0)
    expect(service.keys.filter(key => key === 'null')).toHaveLength(3)
  })

  it('gives up a photo after three internal errors, and sends it again in the next run', async () => {
    await photos(1)
    const service = scripted(attempt => (attempt > 3 ? face(1) : refusal(500, 'INTERNAL_ERROR')))
    expect(await run(service)).toMatchObject({ failed: 1, enrolled: 0 })
    expect(await run(service)).toMatchObject({ failed: 0, enrolled: 1 })
    expect(service.keys).toHaveLength(4)
  })

  it('takes a refusal of one photo as its outcome', async () => {
    await photos(5)
    const codes = ['NO_FACES', 'LOW_QUALITY', 'BAD_IMAGE', 'BAD_PARAM']
    const service = scripted((_, number) => (codes[number - 1] ? refusal(400, codes[number - 1]!) : face(1)))
    const each = { no_face: 1, poor_quality: 1, unreadable: 1, refused: 1, enrolled: 1 }
    expect(await run(service)).toMatchObject(each)
  })

  it('ends at a refusal that concerns every photo, with a fixed number of requests in progress', async () => {
    await photos(100)
    const service = scripted(async (_, number) => {
      if (number <= REQUESTS) await vi.waitFor(() => expect(service.most).toBe(REQUESTS))
      return number <= 50 ? face(number) : refusal(401, 'AUTH_FAILED')
    })
    await expect(run(service)).toBeRefused('AUTH_FAILED')
    expect(service.keys.length).toBeLessThan(50 + 2 * REQUESTS)
    expect(service.most).toBe(REQUESTS)
  })

  it('enrols a photo under another key when the faces of the first were deleted', async () => {
    await photos(1)
    const service = scripted((_, number) => (number < 3 ? face() : face(1)))
    expect(await run(service)).toMatchObject({ enrolled: 1 })
    expect(service.keys.map(key => key.slice(service.keys[0]!.length))).toEqual(['', '-2', '-3'])
  })
})
