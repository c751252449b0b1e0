/** Runs against a server that refuses, fails and breaks off: each photo is sent until it is answered, under one key. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { MienClient, MienNetworkError } from '#clients/typescript/src/index.ts'
import { enrolList, REQUESTS } from '#commands/enrol/enrol-list.ts'
import { openJob } from '#commands/enrol/job.ts'
import { countsOf } from '#commands/enrol/outcome.ts'
import { openList } from '#commands/enrol/photo-list.ts'
import { patientSender } from '#commands/enrol/send.ts'
import { temporaryFolder } from '../../core/folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** Answers a request for an enrolment: a status with a body, or undefined to break off. */
type Script = (request: { key: string; attempt: number; number: number }) => Answer | undefined
interface Answer {
  status: number
  body: object
  headers?: Record<string, string>
}

const face = (id: number): Answer => ({ status: 200, body: { results: [{ id }] } })
const refusal = (status: number, code: string, headers?: Record<string, string>): Answer => ({
  status,
  body: { code, reason: `${code}.` },
  ...(headers && { headers }),
})

/** A server that follows the script, and the keys of the requests in order. */
async function scripted(script: Script, workMs = 2) {
  const keys: string[] = []
  let inProgress = 0
  let most = 0
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    most = Math.max(most, ++inProgress)
    for await (const _ of request);
    const key = String(request.headers['idempotency-key'])
    keys.push(key)
    const attempt = keys.filter(each => each === key).length
    const answer = script({ key, attempt, number: keys.length })
    await new Promise(resolve => setTimeout(resolve, workMs))
    inProgress--
    if (!answer) return void response.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, keys, most: () => most }
}

async function photos(count: number): Promise<void> {
  await mkdir(join(folder, 'people', 'Ann'), { recursive: true })
  for (let i = 0; i < count; i++) await writeFile(join(folder, 'people', 'Ann', `${i}.jpg`), `photo ${i}`)
}

/** Runs over the folder with a fresh job object, as a new process does. Returns the number of photos by outcome. */
async function run(url: string) {
  const list = await openList(join(folder, 'people'), { defaults: {} })
  const place = { path: join(folder, 'people.jsonl'), list: list.path, service: url, options: {} }
  const job = await openJob({ ...place, restart: false }, async () => true)
  try {
    const client = new MienClient({ url, token: 'mien_x', retries: 0 })
    expect(await enrolList({ list, job, client, stop: new AbortController().signal })).toBe(true)
    return countsOf(job.lines(true))
  } finally {
    await job.close()
  }
}

it('a request ends when the service has taken none for five minutes', async () => {
  let ahead = 0
  const send = patientSender(new AbortController().signal, () => ahead)
  let attempts = 0
  const failing = () => {
    ahead += 200_000
    attempts++
    return Promise.reject(new MienNetworkError('no answer'))
  }
  await expect(send(failing)).rejects.toThrow(/no request for 5 minutes.*no answer/)
  expect(attempts).toBe(2)
})

describe('a run', { tags: 'long' }, () => {
  it('repeats a request that the service could not take, under the same key', async () => {
    await photos(12)
    const away: (Answer | undefined)[] = [
      refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
      refusal(429, 'RATE_LIMITED', { 'retry-after': '0' }),
      undefined,
      { status: 502, body: {}, headers: { 'retry-after': '0' } },
      refusal(500, 'INTERNAL_ERROR'),
    ]
    const { url, keys } = await scripted(({ attempt, number }) =>
      attempt === 1 ? away[number % 6] : face(number),
    )
    expect(await run(url)).toMatchObject({ enrolled: 12 })
    expect(new Set(keys).size).toBe(12)
  })

  it('gives up a photo after three internal errors, and sends it again in the next run', async () => {
    await photos(1)
    const { url, keys } = await scripted(({ attempt }) =>
      attempt > 3 ? face(1) : refusal(500, 'INTERNAL_ERROR'),
    )
    expect(await run(url)).toMatchObject({ failed: 1, enrolled: 0 })
    expect(await run(url)).toMatchObject({ failed: 0, enrolled: 1 })
    expect(keys).toHaveLength(4)
  })

  it('takes a refusal of one photo as its outcome', async () => {
    await photos(5)
    const codes = ['NO_FACES', 'LOW_QUALITY', 'BAD_IMAGE', 'BAD_PARAM']
    const { url } = await scripted(({ number }) => {
      const code = codes[number - 1]
      return code === undefined ? face(number) : refusal(400, code)
    })
    const each = { no_face: 1, poor_quality: 1, unreadable: 1, refused: 1, enrolled: 1 }
    expect(await run(url)).toMatchObject(each)
  })

  it('ends at a refusal that concerns every photo', async () => {
    await photos(100)
    const { url, keys } = await scripted(({ number }) =>
      number <= 5 ? face(number) : refusal(401, 'AUTH_FAILED'),
    )
    await expect(run(url)).rejects.toMatchObject({ code: 'AUTH_FAILED' })
    expect(keys.length).toBeLessThan(5 + 2 * REQUESTS)
  })

  it('enrols a photo under another key when the faces of the first were deleted', async () => {
    await photos(1)
    const { url, keys } = await scripted(({ number }) =>
      number < 3 ? { status: 200, body: { results: [] } } : face(1),
    )
    expect(await run(url)).toMatchObject({ enrolled: 1 })
    expect(keys.map(key => key.slice(keys[0]!.length))).toEqual(['', '-2', '-3'])
  })

  it('keeps a fixed number of requests in progress', async () => {
    await photos(100)
    const { url, most } = await scripted(({ number }) => face(number), 50)
    await run(url)
    expect(most()).toBe(REQUESTS)
  })
})
