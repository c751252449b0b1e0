/** Starts a real edge as a process in front of given cores. */
import { join } from 'node:path'
import { startChild } from '#commands/processes/child.ts'
import type { EdgeSettings } from '#commands/processes/serve-edge.ts'
import { openSecrets } from '#core/configuration/secrets.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'commands', 'processes', 'serve-edge.ts')

/** Returns the origin of the edge. The edge knows the secrets of the data folder and stops with the test. */
export const startEdge = async (...edge: Parameters<typeof startEdgeProcess>): Promise<string> =>
  (await startEdgeProcess(...edge)).origin

/** The same, and a function that stops the edge as an operator does. */
export async function startEdgeProcess(
  data: string,
  cores: readonly string[],
  bindings: Record<string, string> = {},
  trustedProxies = '',
  pack = 'standard',
): Promise<{ origin: string; stop(): Promise<void> }> {
  const EDGE_SECRET = (await openSecrets(data)).edge[0].key
  const settings: EdgeSettings = {
    host: '127.0.0.1',
    port: 0,
    workers: 1,
    trustedProxies,
    bindings: { CORE_URL: cores.join(), EDGE_SECRET, LOG_REQUESTS: 'false', ...bindings },
    data,
    pack,
  }
  const edge = await startChild({
    name: 'an edge of a test',
    script: SCRIPT,
    env: {},
    message: settings,
  })
  onTestFinished(() => edge.stop(5_000))
  return { origin: `http://127.0.0.1:${edge.port}`, stop: () => edge.stop(60_000) }
}
