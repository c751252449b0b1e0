/** Deleted data is in no file of the data folder after compaction. */
import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import { type Service, startService } from '#bench/harness/service.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { STANDARD } from '#models/manifest.ts'

const MIEN = join(import.meta.dirname, '..', '..', 'commands', 'mien.js')

/** Number of other vectors, which keep indexes and files in use. */
const OTHERS = 100
const DIMENSION = STANDARD.embedder.dimension

/** Length of searched byte sequences: of a vector or code, and of a picture, whose files share sequences. */
const RUN = 16
const LONG_RUN = 64

/** Runs a command asynchronously: a blocked test process would miss the end of its connections. */
const command = (name: string, data: string, ...args: string[]) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>(resolve => {
    const all = [MIEN, name, ...args, '--data', data]
    const child = execFile(process.execPath, all, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    )
  })

/** Byte sequences of a face's data by kind. Each kind is split, to detect any part of it. */
type Traces = Record<string, Buffer[]>

const runsOf = (bytes: Buffer, step: number, length = RUN): Buffer[] => {
  const runs: Buffer[] = []
  for (let at = 0; at + length <= bytes.length; at += step) {
    const run = bytes.subarray(at, at + length)
    // A uniform sequence identifies nobody.
    if (new Set(run).size > length / 4) runs.push(run)
  }
  return runs
}

/** The vector as added, normalised, and as an int8 code. */
function vectorTraces(vector: Float32Array): Traces {
  const length = Math.hypot(...vector)
  const unit = vector.map(value => value / length)
  const greatest = Math.max(...unit.map(Math.abs))
  const code = Int8Array.from(unit, value => Math.round((value / greatest) * 127))
  return {
    vector: runsOf(Buffer.from(vector.buffer), 4),
    unit: runsOf(Buffer.from(unit.buffer), 4),
    code: runsOf(Buffer.from(code.buffer), 4),
  }
}

interface Enrolled {
  id: number
  traces: Traces
}

/** Enrols the biggest face of a photo with unique texts, and collects the byte sequences of its data. */
async function enrolled(
  api: Send,
  service: Service,
  owner: string,
  number: 1 | 2 | 3 | 4 | 5 | 6,
  more = {},
): Promise<Enrolled> {
  const texts = { meta: `meta-of-${number}-${owner}`, name: `photo-of-${number}-${owner}.jpg` }
  const fields = { photo: { bytes: await sample(number), name: texts.name }, meta: texts.meta, ...more }
  const answer = await api(
    'POST',
    '/v0/face',
    form({ ...fields, detectorParams: `{"of":"detector-${number}-${owner}"}` }),
  )
  const [face] = answer.body.results
  const got = await fetch(`${service.core}/v1/${owner}_default/get/${face.id}`)
  const { facen } = (await got.json()) as { facen: string }
  const vector = new Float32Array(new Uint8Array(Buffer.from(facen, 'base64')).buffer)
  const thumbnail = Buffer.from(await (await fetch(face.thumbnail)).arrayBuffer())
  const normalized = Buffer.from(await (await fetch(face.normalized)).arrayBuffer())
  const chip = await sharp(normalized).removeAlpha().raw().toBuffer()
  return {
    id: face.id,
    traces: {
      ...vectorTraces(vector),
      // All files share their first bytes.
      thumbnail: runsOf(thumbnail.subarray(700), 64, LONG_RUN),
      normalized: runsOf(normalized.subarray(200), 256, LONG_RUN),
      chip: runsOf(chip, 1024),
      meta: [Buffer.from(texts.meta)],
      name: [Buffer.from(texts.name)],
      detector: [Buffer.from(`detector-${number}-${owner}`)],
    },
  }
}

interface Run {
  face: string
  kind: string
  run: Buffer
}

/** Finds the runs that may begin at a place of a file. Two bytes tell most places apart. */
function runsOfFaces(faces: Readonly<Record<string, Enrolled>>): (bytes: Buffer, at: number) => Run[] {
  const all = Object.entries(faces).flatMap(([face, { traces }]) =>
    Object.entries(traces).flatMap(([kind, runs]) => runs.map(run => ({ face, kind, run }))),
  )
  const begins = new Uint8Array(2 ** 16)
  for (const { run } of all) begins[run.readUInt16LE(0)] = 1
  const byBeginning = Map.groupBy(all, ({ run }) => run.readInt32LE(0))
  const none: Run[] = []
  return (bytes, at) =>
    begins[bytes[at]! | (bytes[at + 1]! << 8)] ? (byBeginning.get(bytes.readInt32LE(at)) ?? none) : none
}

/** The kinds of each face's data with the files that contain them. */
async function found(
  data: string,
  faces: Readonly<Record<string, Enrolled>>,
): Promise<Record<string, string[]>> {
  const runsAt = runsOfFaces(faces)
  const hits = Object.fromEntries(Object.keys(faces).map(face => [face, new Set<string>()]))
  for (const name of await readdir(data, { recursive: true })) {
    const path = join(data, name)
    if (!(await stat(path)).isFile()) continue
    const bytes = await readFile(path)
    for (let at = 0; at + RUN <= bytes.length; at++)
      for (const { face, kind, run } of runsAt(bytes, at))
        if (bytes.subarray(at, at + run.length).equals(run)) hits[face]!.add(`${kind} in ${name}`)
  }
  return Object.fromEntries(Object.entries(hits).map(([face, found]) => [face, [...found]]))
}

/** Adds vectors of store operators to the gallery. */
async function furnish({ core }: Service, gallery: string): Promise<void> {
  for (let id = 1; id <= OTHERS; id++) {
    const vector = Float32Array.from({ length: DIMENSION }, () => Math.random() - 0.5)
    await fetch(`${core}/v1/${gallery}/add/${id}`, { method: 'POST', body: vector })
  }
}

async function index({ core }: Service, gallery: string): Promise<void> {
  await fetch(`${core}/v1/${gallery}/index`, { method: 'POST' })
  const state = async () =>
    ((await (await fetch(`${core}/v1/${gallery}/index`)).json()) as { state: string }).state
  await expect.poll(state, { timeout: 60_000 }).toBe('ready')
}

const mapped = <A, B>(record: Record<string, A>, to: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))

async function started(): Promise<Service> {
  const service = await startService()
  onTestFinished(async () => {
    await service.stop()
    await service.remove()
  })
  return service
}

/** The id of an owner, from `owner list`. */
const idOf = async (data: string, name: string): Promise<string> =>
  new RegExp(`^([0-9a-f]{24}) .* ${name}$`, 'm').exec((await command('owner', data, 'list')).stdout)![1]!

describe('deletion', { tags: 'long' }, () => {
  it('removes a face, gallery, meta, person or owner from every file once the folder is compacted', async () => {
    const service = await started()
    const { data } = service
    const stays = clientOf(service.edge, newToken(data, 'stays'))
    const goes = clientOf(service.edge, newToken(data, 'goes'))
    const owners = { stays: await idOf(data, 'stays'), goes: await idOf(data, 'goes') }
    for (const owner of Object.values(owners)) await furnish(service, `${owner}_default`)
    await stays('POST', '/v0/galleries/doomed')
    const survivor = await enrolled(stays, service, owners.stays, 1)
    const faces = {
      face: await enrolled(stays, service, owners.stays, 2),
      gallery: await enrolled(stays, service, owners.stays, 3, { galleries: 'doomed' }),
      meta: await enrolled(stays, service, owners.stays, 4),
      person: await enrolled(stays, service, owners.stays, 5),
      owner: await enrolled(goes, service, owners.goes, 6),
    }
    await stays('PUT', `/v0/face/id/${faces.person.id}`, { person_id: 7 })
    for (const owner of Object.values(owners)) await index(service, `${owner}_default`)
    const nothing = Object.fromEntries(Object.keys(faces).map(face => [face, []]))
    const before = await found(data, { survivor, ...faces })
    const KINDS = ['vector', 'thumbnail', 'normalized', 'meta', 'name', 'detector']
    for (const hits of Object.values(before))
      expect(hits.map(hit => hit.split(' ')[0])).toEqual(expect.arrayContaining(KINDS))

    const answers = [
      await stays('DELETE', `/v0/face/id/${faces.face.id}`),
      await stays('DELETE', '/v0/galleries/doomed'),
      await stays('DELETE', `/v0/face/meta/meta-of-4-${owners.stays}`),
      await stays('DELETE', '/v0/person/id/7'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect(await command('owner', data, 'delete', 'goes', '--yes')).toMatchObject({ status: 0 })
    expect((await goes('GET', '/v0/faces')).body.results ?? []).toEqual([])

    // Vectors and pictures are removed at once, without compaction.
    const early = await found(data, faces)
    const inMetadata = /^(meta|name|detector) in metadata\.db/
    expect(mapped(early, hits => hits.filter(hit => !inMetadata.test(hit)))).toEqual(nothing)
    const said = service.output()
    await service.stop()
    const compacted = await command('store', data, 'compact')
    expect(compacted.status, compacted.stderr).toBe(0)
    expect(await found(data, faces)).toEqual(nothing)
    for (const { traces } of Object.values(faces))
      for (const text of [...traces.meta!, ...traces.name!]) expect(said).not.toContain(text.toString())
    const kindsOf = (hits: string[] | undefined) => hits?.map(hit => hit.split(' ')[0]).sort()
    expect(kindsOf((await found(data, { survivor })).survivor)).toEqual(kindsOf(before.survivor))

    const again = await startService({ data })
    try {
      const api = clientOf(again.edge, newToken(data, 'stays'))
      expect((await api('GET', '/v0/faces')).body.results).toMatchObject([{ id: survivor.id }])
      const gallery = `${owners.stays}_default`
      const state = async () =>
        ((await (await fetch(`${again.core}/v1/${gallery}/index`)).json()) as { state: string }).state
      await expect.poll(state, { timeout: 60_000 }).toBe('ready')
    } finally {
      await again.stop()
    }
    expect(await command('store', data, 'verify')).toMatchObject({ status: 0 })
    expect(await command('audit', data, 'verify')).toMatchObject({ status: 0 })
  }, 600_000)
})
