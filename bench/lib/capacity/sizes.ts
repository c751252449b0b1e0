/** Measures the bytes of a face on disk and of a request between edge and core. */
import { spawn } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { galleryPath } from '#contract/store-interface.ts'
import { clientOf, form, sample } from '../../harness/client.ts'
import type { Service } from '../../harness/service.ts'
import { callers, cheapClient } from '../../load.ts'
import { MIEN, type Rig } from '../../rig.ts'
import { sum } from '../../statistics.ts'

/** Number of posts of a photo of one person, and of vectors added without a photo. */
const POSTS = 40
const VECTORS = 20_000
const CALLERS = 16

export interface Sizes {
  /** Bytes on disk per face: store, metadata and pictures. */
  vectorBytes: number
  metadataBytes: number
  pictureBytes: number
  /** Bytes between edge and core, both directions together. */
  postBytes: number
  identifyBytes: number
}

export async function measureSizes(rig: Rig): Promise<Sizes> {
  const service = await rig.service()
  const wire = await countedWire(service.core, rig)
  const origin = await startEdge(service, wire.origin, rig)
  return { ...(await ofPosts(service, origin, wire.bytes)), vectorBytes: await ofVectors(service) }
}

async function ofPosts({ data, token }: Service, origin: string, wireBytes: () => number) {
  const send = clientOf(origin, token)
  const photo = await sample(1)
  const repeat = async (times: number, path: string) => {
    for (let i = 0; i < times; i++) await send('POST', path, form({ photo }))
  }
  const room = async () => ({
    pictures: await diskOf(join(data, 'pictures')),
    metadata: await pagesOf(join(data, 'metadata.db')),
    wire: wireBytes(),
  })
  // The first posts also open connections and allocate database pages that later posts share.
  await repeat(10, '/v0/face')
  const before = await room()
  await repeat(POSTS, '/v0/face')
  const after = await room()
  await repeat(POSTS, '/v0/identify')
  const each = (bytes: number) => Math.round(bytes / POSTS)
  return {
    pictureBytes: each(after.pictures - before.pictures),
    metadataBytes: each(after.metadata - before.metadata),
    postBytes: each(after.wire - before.wire),
    identifyBytes: each(wireBytes() - after.wire),
  }
}

async function ofVectors({ core, data }: Service): Promise<number> {
  const folder = join(data, 'vectors')
  const before = await diskOf(folder)
  const ask = cheapClient(core, '')
  let id = 0
  await callers(
    CALLERS,
    () => id >= VECTORS,
    async () => {
      const vector = Float32Array.from({ length: 160 }, () => Math.random() - 0.5)
      const path = galleryPath('many', 'add', ++id)
      const { status } = await ask({ method: 'POST', path, body: Buffer.from(vector.buffer) })
      if (status !== 200) throw new Error(`An addition was answered with ${status}.`)
    },
  )
  return Math.round(((await diskOf(folder)) - before) / id)
}

/** Bytes on disk of all files below a folder. Journals do not count: they are emptied regularly. */
async function diskOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter(entry => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
  const stats = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sum(stats.map(({ blocks }) => blocks * 512))
}

/** Bytes of a database's pages, including those still in its journal. */
async function pagesOf(path: string): Promise<number> {
  const client = createClient({ url: `file:${path}` })
  const read = async (pragma: string) => Number((await client.execute(`PRAGMA ${pragma}`)).rows[0]![0])
  const bytes = (await read('page_count')) * (await read('page_size'))
  client.close()
  return bytes
}

/** Forwards to the target, and counts the bytes in both directions. */
async function countedWire(target: string, rig: Rig) {
  let bytes = 0
  const server = createServer(near => {
    const far = connect(Number(new URL(target).port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from
        .on('data', chunk => (bytes += chunk.length))
        .on('error', () => to.destroy())
        .pipe(to)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  rig.defer(() => void server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes: () => bytes }
}

/** Starts another edge before core. Returns its origin. */
async function startEdge({ data }: Service, core: string, rig: Rig): Promise<string> {
  const args = [MIEN, 'edge', '--port', '0', '--core', core, '--data', data]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  rig.defer(() => child.kill())
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const [, origin] = /listens on (http\S+),/.exec(output) ?? []
    if (origin) return origin
  }
  throw new Error('The edge did not start.')
}
