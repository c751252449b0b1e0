/** Deleted data is in no file of the data folder after compaction. */

import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { RESERVE_FILE } from '#core/files/disk-space.ts'
import { STANDARD } from '#models/manifest.ts'
import { clientOf, form, type Send, sample } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'
import { times } from '#test/support/times.ts'
import { newToken } from '#test/support/tokens.ts'

const MIEN = join(import.meta.dirname, '..', '..', 'commands', 'mien.js')

/** Number of other vectors, which keep indexes and files in use. */
const OTHERS = 40
const DIMENSION = STANDARD.embedder.dimension

/** Length of searched byte sequences: of a vector or code, and of a picture, whose files share sequences. */
const RUN = 16
const LONG_RUN = 64

/** Greatest number of sequences of one kind of data, at even distances. */
const MOST_RUNS = 12

/** Runs a command asynchronously: a blocked test process would miss the end of its connections. */
const command = (name: string, data: string, ...args: string[]) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>(resolve => {
    const all = [MIEN, name, ...args, '--data', data]
    const child = execFile(process.execPath, all, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    )
  })

function runsOf(bytes: Buffer, length = RUN) {
  const places = times(Math.floor(bytes.length / length), i => i * length)
  const runs = places.map(at => bytes.subarray(at, at + length))
  // A run of equal bytes says nothing about a person.
  const telling = runs.filter(run => new Set(run).size > length / 4)
  return telling.filter((_, i) => i % Math.ceil(telling.length / MOST_RUNS) === 0)
}

/** Byte sequences of a face's data by kind. */
type Traces = Record<string, Buffer[]>

/** The vector as added, normalised, and as an int8 code. */
function vectorTraces(vector: Float32Array): Traces {
  const length = Math.hypot(...vector)
  const unit = vector.map(value => value / length)
  const greatest = Math.max(...unit.map(Math.abs))
  const code = Int8Array.from(unit, value => Math.round((value / greatest) * 127))
  return {
    vector: runsOf(Buffer.from(vector.buffer)),
    unit: runsOf(Buffer.from(unit.buffer)),
    code: runsOf(Buffer.from(code.buffer)),
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
  const detector = `detector-${number}-${owner}`
  const photo = { bytes: await sample(number), name: texts.name }
  const fields = { photo, meta: texts.meta, detectorParams: `{"of":"${detector}"}`, ...more }
  const [face] = (await api('POST', '/v0/face', form(fields))).body.results
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
      thumbnail: runsOf(thumbnail.subarray(700), LONG_RUN),
      normalized: runsOf(normalized.subarray(200), LONG_RUN),
      chip: runsOf(chip),
      meta: [Buffer.from(texts.meta)],
      name: [Buffer.from(texts.name)],
      detector: [Buffer.from(detector)],
    },
  }
}

/** The kinds of each face's data with the files that contain them. */
async function found<Names extends string>(data: string, faces: Readonly<Record<Names, Enrolled>>) {
  const hits = Object.fromEntries(Object.keys(faces).map(face => [face, [] as string[]]))
  for (const name of await readdir(data, { recursive: true })) {
    if (name === RESERVE_FILE || !(await stat(join(data, name))).isFile()) continue
    const bytes = await readFile(join(data, name))
    for (const [face, { traces }] of Object.entries<Enrolled>(faces))
      for (const [kind, runs] of Object.entries(traces))
        if (runs.some(run => bytes.includes(run))) hits[face]!.push(`${kind} in ${name}`)
  }
  return hits as Record<Names, string[]>
}

/** Adds vectors of store operators to the gallery. */
async function furnish({ core }: Service, gallery: string) {
  for (let id = 1; id <= OTHERS; id++) {
    const vector = Float32Array.from({ length: DIMENSION }, () => Math.random() - 0.5)
    await fetch(`${core}/v1/${gallery}/add/${id}`, { method: 'POST', body: vector })
  }
}

async function index({ core }: Service, gallery: string) {
  await fetch(`${core}/v1/${gallery}/index`, { method: 'POST' })
  const state = async () =>
    ((await (await fetch(`${core}/v1/${gallery}/index`)).json()) as { state: string }).state
  await expect.poll(state, { timeout: 60_000 }).toBe('ready')
}

const kindsOf = (hits: string[]) => [...new Set(hits.map(hit => hit.split(' ')[0]))].sort()

it('deletion removes a face, gallery, meta, person or owner from every file once the folder is compacted', {
  tags: 'long',
  timeout: 600_000,
}, async () => {
  await using service = await startService()
  const { data } = service
  const stays = clientOf(service.edge, newToken(data, 'stays'))
  const goes = clientOf(service.edge, newToken(data, 'goes'))
  const { stdout: list } = await command('owner', data, 'list')
  const idOf = (name: string) => new RegExp(`^([0-9a-f]{24}) .* ${name}$`, 'm').exec(list)![1]!
  const owners = { stays: idOf('stays'), goes: idOf('goes') }
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
  for (const hits of Object.values(before)) expect(kindsOf(hits)).toEqual(expect.arrayContaining(KINDS))

  const answers = [
    await stays('DELETE', `/v0/face/id/${faces.face.id}`),
    await stays('DELETE', '/v0/galleries/doomed'),
    await stays('DELETE', `/v0/face/meta/meta-of-4-${owners.stays}`),
    await stays('DELETE', '/v0/person/id/7'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
  expect(await command('owner', data, 'delete', 'goes', '--yes')).toExit(0)
  expect((await goes('GET', '/v0/faces')).body.results ?? []).toEqual([])

  // Vectors and pictures are removed at once, without compaction.
  const early = Object.values(await found(data, faces)).flat()
  expect(early.filter(hit => !/^(meta|name|detector) in metadata\.db/.test(hit))).toEqual([])
  const said = service.output()
  await service.stop()
  const compacted = await command('store', data, 'compact')
  expect(compacted.status, compacted.stderr).toBe(0)
  expect(await found(data, faces)).toEqual(nothing)
  for (const { traces } of Object.values(faces))
    for (const text of [...traces.meta!, ...traces.name!]) expect(said).not.toContain(text.toString())
  expect(kindsOf((await found(data, { survivor })).survivor)).toEqual(kindsOf(before.survivor))
  expect(await command('store', data, 'verify')).toExit(0)
  expect(await command('audit', data, 'verify')).toExit(0)
})
