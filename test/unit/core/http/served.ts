/** Core's HTTP server over a vector store, on a free port, and its store interface as operators use it. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import type { DiskSpace } from '#core/files/disk-space.ts'
import { createApp } from '#core/http/app.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import type { OperatorAccess } from '#core/http/store/operator.ts'
import type { Facts } from '#core/log.ts'
import type { Database } from '#core/metadata/database.ts'
import type { PictureStore } from '#core/pictures/pictures.ts'
import { openVectorStore } from '#core/vector-store/open.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { listen } from '#test/support/processes.ts'
import { testServices } from '#test/support/sample-faces.ts'
import { quietMetrics } from '../metrics/quiet-metrics.ts'

interface Served {
  origin: string
  lines: ({ event: string } & Facts)[]
  /** Closes the server and its connections. The store stays open. */
  close(): Promise<void>
}

/** Disk space that is never full. */
const BOUNDLESS: DiskSpace = {
  adding: work => work(),
  deleting: work => work(),
  isFull: async () => false,
  free: async () => 2 ** 40,
  close: async () => {},
}

const HERE: OperatorAccess = { host: '127.0.0.1', operatorToken: undefined }

/** Listens on 127.0.0.1, even when `door` names another host. */
export async function serveStore(vectors: VectorStore, access: OperatorAccess = HERE): Promise<Served> {
  const lines: Served['lines'] = []
  const app = createApp({
    services: {
      ...testServices,
      vectors,
      diskSpace: BOUNDLESS,
      now: Date.now,
      pictures: {} as PictureStore,
      database: {} as Database,
    },
    handlers: {},
    streamHandlers: {},
    signed: { keys: () => [], nonces: new Nonces(0) },
    chips: 'colours-3',
    operatorAccess: access,
    metrics: quietMetrics(),
    isReady: async () => true,
    log: (event, facts) => lines.push({ event, ...facts }),
  })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    lines,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A server over a real store, for the tests of a file. */
export async function serveRealStore() {
  const root = await mkdtemp(join(tmpdir(), 'mien-test-'))
  const vectors = await openVectorStore(root)
  const real = await serveStore(vectors)
  let served = real
  beforeEach(() => {
    served = real
  })
  afterAll(async () => {
    await real.close()
    await vectors.close()
    await rm(root, { recursive: true, force: true })
  })
  return {
    vectors,
    /** Sends a request to the server. */
    send: (method: string, path: string, body?: BodyInit, headers: HeadersInit = {}) =>
      fetch(served.origin + path, { method, headers, ...(body !== undefined && { body, duplex: 'half' }) }),
    /** Serves another store until the test ends. */
    async serveInstead(other: VectorStore) {
      served = await serveStore(other)
      onTestFinished(served.close)
      return served
    },
  }
}

export const floats = (...values: number[]): ArrayBuffer => Float32Array.from(values).buffer
