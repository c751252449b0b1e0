/** `npm run core`: core alone, in this process, for a machine, a container or a unit of its own. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { buildAssets } from './build.ts'
import { KEEP_WASM_CODE } from './child.ts'
import { runCommand } from './misused.ts'
import { dataFolder } from './paths.ts'

const USAGE = `npm run core -- [options]

  --data DIR      data folder              MIEN_DATA       (./data of the project)
  --port N        port; 0 takes any        MIEN_CORE_PORT  (8788)
  --host ADDRESS  address to listen on     MIEN_CORE_HOST  (127.0.0.1)
  --config FILE   the API's options        MIEN_CONFIG     (facenapi.ini in the data folder)
  --help

Core alone: edges run elsewhere (npm run edge). All variables are in docs/operations.md.`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  data: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  config: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) console.log(USAGE)
  else await becomeCore(values)
  return 0
})

/** Options win over the environment, which core reads. It runs until it is told to stop. */
async function becomeCore({ data, port, host, config }: Record<string, string | boolean | undefined>) {
  const given = {
    MIEN_DATA: dataFolder(data as string | undefined, ROOT),
    MIEN_CORE_PORT: port,
    MIEN_CORE_HOST: host,
    MIEN_CONFIG: config,
  }
  for (const [variable, value] of Object.entries(given)) if (value) process.env[variable] = String(value)
  await buildAssets(line => console.log(line))
  // A relative path is one of the folder that npm was called from.
  process.chdir(process.env.INIT_CWD ?? '.')
  setFlagsFromString(KEEP_WASM_CODE)
  await import('../core/server.ts')
}
