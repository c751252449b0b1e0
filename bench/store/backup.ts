/** Measures backups to a repository: time, size, their cost beside live requests, and a restore. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { storeGallery } from '#contract/model/gallery.ts'
import { bothOf, pathOf } from '#core/pictures/pictures.ts'
import { openRemoteShard } from '#core/vector-store/sharding/remote-shard.ts'
import { STANDARD } from '#models/manifest.ts'
import { fixed, type Outcome, progress, quantile, table } from '../benchmark.ts'
import { clientOf, form, type Send, sample } from '../harness/client.ts'
import { insertEvents } from '../harness/insert-events.ts'
import { type Service, startService } from '../harness/service.ts'
import { addRows, madeIndex } from '../lib/vectors/fill.ts'
import { syntheticFaces } from '../lib/vectors/synthetic.ts'

export const description =
  'backups to a repository: time, size, their cost beside identify requests, and a restore'

export const options = {
  faces: { type: 'string' },
  /** Faces that have pictures; a tenth of them when absent. */
  pictured: { type: 'string' },
} as const

const FACES = 100_000

/** Faces in one of which are added before the second backup. */
const MORE_ONE_IN = 100

/** Requests alone, and those before them that are not measured. */
const REQUESTS = 300
const WARM_UP = 20

/** Bytes of the pictures of a face: a thumbnail and a normalized face as the service stores them. */
const PICTURE_BYTES = { thumbnail: 4_000, normalized: 28_000 }

const MIEN = join(import.meta.dirname, '..', '..', 'commands', 'mien.js')

export async function run(values: { faces?: string; pictured?: string }): Promise<Outcome> {
  const faces = Number(values.faces ?? FACES)
  const pictured = Number(values.pictured ?? Math.ceil(faces / 10))
  const folder = await mkdtemp(join(tmpdir(), 'mien-bench-'))
  const service = await startService()
  try {
    const repository = join(folder, 'repository')
    await fill(service, { first: 1, faces, pictured })
    const send = clientOf(service.edge, service.token)
    progress('  requests alone')
    await requests(send, done => done === WARM_UP)
    const alone = await requests(send, done => done === REQUESTS)
    const first = await besideBackup(service, send, repository)
    const more = Math.ceil(faces / MORE_ONE_IN)
    await fill(service, { first: faces + 1, faces: more, pictured: Math.ceil(more / 10) })
    const second = await besideBackup(service, send, repository)
    progress('  restore')
    const restored = await timed('restore', repository, '--data', join(folder, 'data'))
    return outcome({
      ...{ faces, pictured, more, alone, first, second },
      restore: { seconds: restored, bytes: await bytesIn(join(folder, 'data')) },
    })
  } finally {
    await service.stop()
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Filled {
  /** Id of the first face. */
  first: number
  faces: number
  /** The first faces that have pictures. */
  pictured: number
}

/** Adds faces with vectors to the gallery of the token's owner; some have pictures of random bytes. */
async function fill(service: Service, { first, faces, pictured }: Filled): Promise<void> {
  progress(`  ${faces} faces are added`)
  const owner = await insertEvents(service, faces, { first, pictured: id => id < first + pictured })
  for (let id = first; id < first + pictured; id++) {
    for (const picture of bothOf({ owner, id })) {
      const path = join(service.data, 'pictures', pathOf(picture))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, randomBytes(PICTURE_BYTES[picture.kind]))
    }
  }
  const gallery = storeGallery(owner, 'default')
  const { dimension } = STANDARD.embedder
  const store = await openRemoteShard(service.core, {})
  try {
    let id = first
    for (const rows of syntheticFaces(dimension, faces).rows()) {
      await addRows(store, () => gallery, id, rows, dimension)
      id += rows.length / dimension
    }
    await madeIndex(store, gallery)
  } finally {
    await store.close()
  }
}

/** Milliseconds of identify requests, one after the other, until `isOver`. `done`: the number so far. */
async function requests(send: Send, isOver: (done: number) => boolean): Promise<number[]> {
  const photo = await sample(1)
  const times: number[] = []
  while (!isOver(times.length)) {
    const began = performance.now()
    const { status } = await send('POST', '/v0/identify', form({ photo }))
    if (status !== 200) throw new Error(`identify answered ${status}.`)
    times.push(performance.now() - began)
  }
  return times
}

interface Beside {
  seconds: number
  /** Stored bytes of the repository after the backup. */
  bytes: number
  times: number[]
}

async function besideBackup(service: Service, send: Send, repository: string): Promise<Beside> {
  progress('  backup beside requests')
  let isOver = false
  const backup = timed('backup', '--to', repository, '--data', service.data).finally(() => (isOver = true))
  const times = await requests(send, () => isOver)
  return { seconds: await backup, bytes: await bytesIn(repository), times }
}

/** Runs a command of `mien`. Resolves with its seconds. */
async function timed(...args: string[]): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [MIEN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, [code]] = await Promise.all([buffer(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`mien ${args[0]} ended with ${code}: ${said}`)
  return (performance.now() - began) / 1000
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

interface Measured {
  faces: number
  pictured: number
  more: number
  alone: number[]
  first: Beside
  second: Beside
  restore: { seconds: number; bytes: number }
}

function outcome({ faces, pictured, more, alone, first, second, restore }: Measured): Outcome {
  const p99 = quantile(alone, 0.99)
  const megabytes = (bytes: number): number => fixed(bytes / 2 ** 20)
  const beside = ({ seconds, bytes, times }: Beside, added: number) => ({
    seconds: fixed(seconds),
    addedMb: megabytes(added),
    repositoryMb: megabytes(bytes),
    requests: times.length,
    p50Ms: fixed(quantile(times, 0.5)),
    p99Ms: fixed(quantile(times, 0.99)),
    p99Ratio: fixed(quantile(times, 0.99) / p99, 2),
  })
  const result = {
    ...{ faces, pictured, more },
    alone: { requests: alone.length, p50Ms: fixed(quantile(alone, 0.5)), p99Ms: fixed(p99) },
    first: beside(first, first.bytes),
    second: beside(second, second.bytes - first.bytes),
    restore: { seconds: fixed(restore.seconds), mb: megabytes(restore.bytes) },
  }
  const row = (name: string, { seconds, addedMb, requests, p50Ms, p99Ms, p99Ratio }: typeof result.first) => [
    name,
    seconds,
    addedMb,
    requests,
    p50Ms,
    p99Ms,
    p99Ratio,
  ]
  const rows = [
    ['', 's', 'MB added', 'requests', 'p50 ms', 'p99 ms', 'p99 / alone'],
    ['requests alone', '', '', alone.length, result.alone.p50Ms, result.alone.p99Ms, 1],
    row('first backup', result.first),
    row(`backup after ${more} more faces`, result.second),
    ['restore', result.restore.seconds, result.restore.mb, '', '', '', ''],
  ]
  return { table: `${faces} faces, ${pictured} of them with pictures\n\n${table(rows)}`, result }
}
