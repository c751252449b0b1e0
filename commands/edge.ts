/** `npm run edge`: runs the edge alone in this process, with a core elsewhere. */
import { resolve } from 'node:path'
import { secretsInFiles } from '../core/configuration/secret-files.ts'
import { readSecrets } from '../core/configuration/secrets.ts'
import { chosenName } from '../core/operations/upkeep/chosen-pack.ts'
import { parseEnv } from '../edge/env.ts'
import { bundleEdge } from './build/bundle.ts'
import { buildAssets } from './build.ts'
import { originOf, portOf, proxiesOf, workersOf } from './service/options.ts'
import { serveEdge } from './service/serve-edge.ts'
import { type Arguments, runCommand } from './terminal/command-line.ts'
import { dataFolder, pathOf } from './terminal/paths.ts'

const USAGE = `npm run edge -- [options]

Runs the edge alone, until SIGTERM or Ctrl-C. Core runs elsewhere.

Options:
  --core URL,...  one core or several (MIEN_CORE_URL; default:
                  http://127.0.0.1:8788)
  --port N        port; 0 takes any free one (MIEN_EDGE_PORT; default: 8787)
  --host ADDRESS  address to listen on (MIEN_HOST; default: 127.0.0.1)
  --edge-workers N     edge processes
                  (MIEN_EDGE_WORKERS; default: processors - 1, at least 1)
  --trusted-proxies LIST  proxies whose X-Forwarded-Proto and X-Forwarded-Host
                  count: addresses, CIDR blocks or "loopback"
                  (MIEN_TRUSTED_PROXIES; default: none)
  --data DIR      folder with packs of networks, and with core's secrets if it
                  is on this machine (MIEN_DATA; default: data in the project)
  -h, --help      print this help

The secret that core knows the edge by is in MIEN_EDGE_SECRET, or in the file
that MIEN_EDGE_SECRET_FILE names, or in the data folder. The pack is MIEN_PACK,
or the one that is chosen in the data folder.

Example:
  npm run edge -- --core http://10.0.0.7:8788`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  core: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  'edge-workers': { type: 'string' },
  'trusted-proxies': { type: 'string' },
  data: { type: 'string' },
} as const

await runCommand({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  await becomeEdge(values)
  return 0
})

/** Runs the edge until it receives a signal. Options override the environment. Throws Errors for the operator. */
async function becomeEdge(values: Arguments<typeof OPTIONS>['values']) {
  const env = { ...process.env, ...(await secretsInFiles(process.env, path => pathOf(path))) }
  const data = dataFolder(values.data, ROOT)
  const host = values.host ?? env.MIEN_HOST ?? '127.0.0.1'
  const port = portOf('--port', values.port ?? env.MIEN_EDGE_PORT ?? '8787')
  const workers = workersOf(values['edge-workers'] ?? env.MIEN_EDGE_WORKERS)
  const trustedProxies = proxiesOf(values['trusted-proxies'] ?? env.MIEN_TRUSTED_PROXIES)
  const bindings = {
    CORE_URL: values.core ?? env.MIEN_CORE_URL ?? 'http://127.0.0.1:8788',
    EDGE_SECRET: env.MIEN_EDGE_SECRET || (await readSecrets(data)).edge[0].key,
    PUBLIC_URL: env.MIEN_PUBLIC_URL ?? '',
    CORS_ORIGINS: env.MIEN_CORS_ORIGINS ?? '',
  }
  parseEnv(bindings)
  await buildAssets(line => console.log(line))
  await bundleEdge()
  const pack = await chosenName(data, env.MIEN_PACK)
  const taken = await serveEdge({ host, port, workers, trustedProxies, bindings, data, pack })
  console.log(`The edge listens on ${originOf(host, taken)}, and asks core at ${bindings.CORE_URL}`)
}
