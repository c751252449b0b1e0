/** Measures the bytes of a face on disk and of a request between edge and core, with a temporary service. */
import { spawn } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { clientOf, form, sample } from '../../harness/client.ts'
import { type Service, startService } from '../../harness/service.ts'

const MIEN = join(import.meta.dirname, '..', '..', '..', 'commands', 'mien.js')

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

export async function measureSizes(): Promise<Sizes> {
  const service = await startService()
  try {
    const wire = await counted(service.core)
    const edge = await startEdge(service, wire.origin)
    try {
      return { ...(await ofPosts(service, edge.origin, wire)), vectorBytes: await ofVectors(service) }
    } finally {
      edge.stop()
      wire.stop()
    }
  } finally {
    await service.stop()
    await service.remove()
  }
}

async function ofPosts(
  { data, token }: Service,
  origin: string,
  wire: Wire,
): Promise<Omit<Sizes, 'vectorBytes'>> {
  const api = clientOf(origin, token)
  const photo = await sample(1)
  const post = () => api('POST', '/v0/face', form({ photo, meta: 'somebody' }))
  // The first posts also open connections and allocate database pages that later posts share.
  for (let i = 0; i < 10; i++) await post()
  const room = async () => ({
    pictures: await diskOf(join(data, 'pictures')),
    metadata: await pagesOf(join(data, 'metadata.db')),
  })
  const [before, bytes] = [await room(), wire.bytes()]
  for (let i = 0; i < POSTS; i++) await post()
  const [after, posted] = [await room(), wire.bytes()]
  for (let i = 0; i < POSTS; i++) await api('POST', '/v0/identify', form({ photo }))
  return {
    pictureBytes: Math.round((after.pictures - before.pictures) / POSTS),
    metadataBytes: Math.round((after.metadata - before.metadata) / POSTS),
    postBytes: Math.round((posted - bytes) / POSTS),
    identifyBytes: Math.round((wire.bytes() - posted) / POSTS),
  }
}

async function ofVectors({ core, data }: Service): Promise<number> {
  const before = await diskOf(join(data, 'vectors'))
  let id = 0
  const add = async () => {
    while (id < VECTORS) {
      const body = Float32Array.from({ length: 160 }, () => Math.random() - 0.5)
      const { ok, status } = await fetch(`${core}/v1/many/add/${++id}`, { method: 'POST', body })
      if (!ok) throw new Error(`An addition was answered with ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, add))
  return Math.round(((await diskOf(join(data, 'vectors'))) - before) / VECTORS)
}

/** Bytes on disk of all files below a folder. Journals do not count: they are emptied regularly. */
async function diskOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter(entry => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).blocks),
  )
  return sizes.reduce((sum, blocks) => sum + blocks * 512, 0)
}

/** Bytes of a database's pages, including those still in its journal. */
async function pagesOf(path: string): Promise<number> {
  const client = createClient({ url: `file:${path}` })
  try {
    const [count, size] = await Promise.all(
      ['page_count', 'page_size'].map(async pragma =>
        Number((await client.execute(`PRAGMA ${pragma}`)).rows[0]![0]),
      ),
    )
    return count! * size!
  } finally {
    client.close()
  }
}

interface Wire {
  origin: string
  bytes(): number
  stop(): void
}

/** Forwards to the target, and counts the bytes in both directions. */
async function counted(target: string): Promise<Wire> {
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
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, bytes: () => bytes, stop: () => void server.close() }
}

async function startEdge({ data }: Service, core: string): Promise<{ origin: string; stop(): void }> {
  const child = spawn(process.execPath, [MIEN, 'edge', '--port', '0', '--core', core, '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const [, origin] = /listens on (http\S+),/.exec(output) ?? []
    if (origin) return { origin, stop: () => void child.kill() }
  }
  throw new Error('The edge did not start.')
}
