/** Core's doors over real stores, on a port of their own. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import { createApp } from '../../../core/app.ts'
import { signingKey } from '../../../core/contract/signature.ts'
import type { Facts } from '../../../core/log.ts'
import type { Parts } from '../../../core/recognition/parts.ts'
import { handlers } from '../../../core/routes/handlers.ts'
import { readings } from '../../../core/routes/readings.ts'
import { openWorld } from '../recognition/world.ts'

export interface Served {
  origin: string
  parts: Parts
  lines: ({ event: string } & Facts)[]
  close(): Promise<void>
}

export interface ServedOptions {
  /** A data folder of before; a new one when absent. */
  data?: string
  /** Parts in the place of real ones. */
  instead?: Partial<Parts>
  /** Where core believes it is bound: it always listens on 127.0.0.1. */
  host?: string
  operatorToken?: string
}

/** Closed with the test unless that was done before. */
export async function serveCore({ data, instead, host, operatorToken }: ServedOptions = {}): Promise<Served> {
  const world = await openWorld(data)
  const parts: Parts = { ...world, ...instead }
  const lines: Served['lines'] = []
  const nowhere = () => Promise.reject(new Error('not asked here'))
  const app = createApp({
    parts,
    handlers: handlers(parts, { fetchPhoto: nowhere, looker: { look: nowhere, close: async () => {} } }),
    readings: readings(parts),
    key: await signingKey('a secret that edge and core share'),
    door: { host: host ?? '127.0.0.1', operatorToken },
    isReady: async () => true,
    log: (event, facts) => lines.push({ event, ...facts }),
  })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    }).then(() => world.close())
    return closed
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, parts, lines, close }
}
