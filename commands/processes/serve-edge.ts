/** Serves the edge: worker processes behind one HTTP proxy, in this process or in a child of the launcher. */

import { once } from 'node:events'
import { onShutdown } from '../../core/http/shutdown.ts'
import { isLoopbackHost } from '../../core/network/addresses.ts'
import { trustedProxies } from '../edge-proxy/headers.ts'
import { openEdgeProxy } from '../edge-proxy/proxy.ts'
import { startWorkerd, type WorkerSettings } from '../edge-proxy/workerd.ts'
import { startWorkers } from '../edge-proxy/workers.ts'
import { isMainScript } from '../terminal/paths.ts'
import { removeReadyOf } from '../terminal/ready-file.ts'

/** Settings that the launcher sends. */
export interface EdgeSettings extends WorkerSettings {
  host: string
  port: number
  /** Number of edge worker processes. */
  workers: number
  /** Proxies whose X-Forwarded-For, -Proto and -Host are trusted, in the format of `trustedProxies`. */
  trustedProxies: string
}

/** How long active requests may take after the shutdown signal, in milliseconds. */
const DRAIN_MS = 10_000

/** How long workers may take afterwards for background tasks, in milliseconds. */
const WORKER_GRACE_MS = 500

/** Serves until the process receives a signal or its parent exits. Returns the port. */
export async function serveEdge(settings: EdgeSettings): Promise<number> {
  const isTrusted = trustedProxies(settings.trustedProxies)
  const bindings = {
    ...(isBesideCore(settings.bindings) && { TOKEN_TRUSTED_MS: '0' }),
    ...settings.bindings,
    ...(settings.trustedProxies && { TRUST_FORWARDED: 'true' }),
  }
  const giveUp = (): never => process.exit(1)
  const workers = await startWorkers(settings.workers, () => startWorkerd({ ...settings, bindings }), giveUp)
  const proxy = await openEdgeProxy({ ...settings, isTrusted }, workers).catch(async error => {
    await workers.stop(WORKER_GRACE_MS)
    throw error
  })
  onShutdown(async () => {
    await proxy.close(DRAIN_MS)
    await workers.stop(WORKER_GRACE_MS)
    process.exit(0)
  })
  return proxy.port
}

/** Whether the first core is on this machine. A lookup is cheap then: each request has one, and a revoked token is refused at once. */
const isBesideCore = ({ CORE_URL = '' }: Record<string, string>) =>
  isLoopbackHost(new URL(CORE_URL.split(',')[0]!).hostname)

if (isMainScript(import.meta)) {
  const [settings] = (await once(process, 'message')) as [EdgeSettings]
  const launcher = process.ppid
  process.once('disconnect', () => void removeReadyOf(settings.data, launcher))
  const port = await serveEdge(settings)
  process.send?.({ ready: true, port })
}
