/** Serves the edge: workers in processes of their own behind one HTTP proxy, in a process that the launcher starts, or in this one. */
import { onShutdown } from '../../core/http/shutdown.ts'
import { trustedProxies } from '../edge-proxy/headers.ts'
import { openEdgeProxy } from '../edge-proxy/proxy.ts'
import { startWorkerd, type WorkerSettings } from '../edge-proxy/workerd.ts'
import { startWorkers } from '../edge-proxy/workers.ts'
import { isMainScript } from './main-script.ts'
import { removeReadyOf } from './ready-file.ts'

/** What the launcher sends in the environment as MIEN_EDGE_SETTINGS, in JSON. */
export interface EdgeSettings extends WorkerSettings {
  host: string
  port: number
  /** Processes that the edge worker runs in. */
  workers: number
  /** Proxies whose X-Forwarded-Proto and X-Forwarded-Host count, as `trustedProxies` reads them. */
  trustedProxies: string
}

/** How long requests under way may take to finish once the process is told to stop. */
const DRAIN_MS = 10_000

/** How long workers may then take for what they do behind their answers. */
const WORKER_GRACE_MS = 500

/** Serves until the process is told to stop, or whoever started it is gone. Gives the port. */
export async function serveEdge(settings: EdgeSettings): Promise<number> {
  const isTrusted = trustedProxies(settings.trustedProxies)
  const bindings = { ...settings.bindings, ...(settings.trustedProxies && { TRUST_FORWARDED: 'true' }) }
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

if (isMainScript(import.meta)) {
  const settings = JSON.parse(process.env.MIEN_EDGE_SETTINGS ?? '{}') as EdgeSettings
  // Workers inherit the environment.
  delete process.env.MIEN_EDGE_SETTINGS
  const launcher = process.ppid
  process.once('disconnect', () => void removeReadyOf(settings.data, launcher))
  const port = await serveEdge(settings)
  process.send?.({ ready: true, port })
}
