/** Runs the edge alone in this process, with a core elsewhere. */
import { secretsInFiles } from '../../core/configuration/credentials.ts'
import { readSecrets } from '../../core/configuration/secrets.ts'
import { chosenName } from '../../models/packs.ts'
import { buildAssets } from '../build/assets.ts'
import { bundleEdge } from '../build/bundle.ts'
import { originOf } from '../edge-proxy/target.ts'
import type { GlobalOptions } from '../terminal/command-line.ts'
import { dataFolder, pathOf } from '../terminal/paths.ts'
import { edgeBindings, portOf, proxiesOf, workersOf } from './options.ts'
import { serveEdge } from './serve-edge.ts'

interface EdgeOptions extends GlobalOptions {
  core: string
  port: string
  host: string
  edgeWorkers?: string
  trustedProxies?: string
}

/** Runs the edge until it receives a signal. Throws UsageError, and Errors for the operator. */
export async function becomeEdge(options: EdgeOptions): Promise<number> {
  const env = { ...process.env, ...(await secretsInFiles(process.env, pathOf)) }
  const { host } = options
  const data = dataFolder(options.data)
  const port = portOf('--port', options.port)
  const workers = workersOf(options.edgeWorkers)
  const trustedProxies = proxiesOf(options.trustedProxies)
  const secret = env.MIEN_EDGE_SECRET || (await readSecrets(data)).edge[0].key
  const bindings = edgeBindings(options.core, secret, env)
  await buildAssets(line => console.log(line))
  await bundleEdge()
  const pack = await chosenName(data, env.MIEN_PACK)
  const taken = await serveEdge({ host, port, workers, trustedProxies, bindings, data, pack })
  console.log(`The edge listens on ${originOf(host, taken)}, and asks core at ${bindings.CORE_URL}`)
  return 0
}
