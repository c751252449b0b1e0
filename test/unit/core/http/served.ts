/** Core's HTTP server over a vector store, on a free port. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { given } from '#bench/harness/sample-faces.ts'
import type { Scale } from '#core/calibration/scale.ts'
import type { DiskSpace } from '#core/files/disk-space.ts'
import { createApp } from '#core/http/app.ts'
import type { Handlers, StreamHandlers } from '#core/http/rpc/handlers.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import type { OperatorAccess } from '#core/http/store/operator.ts'
import type { Facts } from '#core/log.ts'
import type { PictureStore } from '#core/pictures/pictures.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { quietMetrics } from '../metrics/quiet-metrics.ts'

export interface Served {
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
export async function serveStore(
  vectors: VectorStore,
  door: OperatorAccess = HERE,
  scale: Scale = given.scale,
): Promise<Served> {
  const lines: Served['lines'] = []
  const app = createApp({
    services: { ...given, scale, vectors, diskSpace: BOUNDLESS, now: Date.now, pictures: {} as PictureStore },
    handlers: {} as Handlers,
    streamHandlers: {} as StreamHandlers,
    signed: { keys: () => [], nonces: new Nonces(0) },
    embedder: 'colours-3',
    operatorAccess: door,
    metrics: quietMetrics(),
    isReady: async () => true,
    log: (event, facts) => lines.push({ event, ...facts }),
  })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
