/** `npm run edge`: the edge alone, in this process, asking a core that runs elsewhere. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { secretsInFiles } from '../core/configuration/secret-files.ts'
import { readSecrets } from '../core/configuration/secrets.ts'
import { parseEnv } from '../edge/env.ts'
import { chosenName } from '../models/packs.ts'
import { buildAssets } from './build.ts'
import { bundleEdge } from './bundle.ts'
import { runCommand } from './misused.ts'
import { originOf, portOf } from './options.ts'
import { dataFolder, pathOf } from './paths.ts'
import { serveEdge } from './serve-edge.ts'

const USAGE = `npm run edge -- [options]

  --core URL,...  where core is, or cores  MIEN_CORE_URL   (http://127.0.0.1:8788)
  --port N        port; 0 takes any        MIEN_EDGE_PORT  (8787)
  --host ADDRESS  address to listen on     MIEN_HOST       (127.0.0.1)
  --data DIR      where packs of networks lie, and core's secrets when it is on this machine
                                           MIEN_DATA       (./data of the project)
  --help

The secret that core knows it by is in MIEN_EDGE_SECRET, or in the file that MIEN_EDGE_SECRET_FILE names; else it is
that of the data folder. The pack is MIEN_PACK; else the one that is chosen in the data folder.`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  core: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) console.log(USAGE)
  else await becomeEdge(values)
  return 0
})

/** Options win over the environment. Throws Errors for the operator; it runs until it is told to stop. */
async function becomeEdge(values: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']) {
  const env = { ...process.env, ...(await secretsInFiles(process.env, path => pathOf(path))) }
  const data = dataFolder(values.data, ROOT)
  const host = values.host ?? env.MIEN_HOST ?? '127.0.0.1'
  const port = portOf('--port', values.port ?? env.MIEN_EDGE_PORT ?? '8787')
  const bindings = {
    CORE_URL: values.core ?? env.MIEN_CORE_URL ?? 'http://127.0.0.1:8788',
    EDGE_SECRET: env.MIEN_EDGE_SECRET || (await readSecrets(data)).edge[0].key,
    PUBLIC_URL: env.MIEN_PUBLIC_URL ?? '',
  }
  parseEnv(bindings)
  await buildAssets(line => console.log(line))
  await bundleEdge()
  const pack = await chosenName(data, env.MIEN_PACK)
  const taken = await serveEdge({ host, port, bindings, data, pack })
  console.log(`The edge listens on ${originOf(host, taken)}, and asks core at ${bindings.CORE_URL}`)
}
