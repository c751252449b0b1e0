/** `npm run core`: runs core alone in this process, for its own machine, container or systemd unit. */
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { buildAssets } from './build.ts'
import { KEEP_WASM_CODE } from './service/child.ts'
import { type Arguments, runCommand } from './terminal/command-line.ts'
import { dataFolder } from './terminal/paths.ts'

const USAGE = `npm run core -- [options]

Runs core alone, until SIGTERM or Ctrl-C. Edges run elsewhere: npm run edge.

Options:
  --data DIR      data folder (MIEN_DATA; default: data in the project)
  --port N        port; 0 takes any free one (MIEN_CORE_PORT; default: 8788)
  --host ADDRESS  address to listen on (MIEN_CORE_HOST; default: 127.0.0.1)
  --config FILE   API configuration
                  (MIEN_CONFIG; default: facenapi.ini in the data folder)
  -h, --help      print this help

docs/operations.md describes all environment variables.

Example:
  npm run core -- --data /srv/mien --host 10.0.0.7`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  data: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  config: { type: 'string' },
} as const

await runCommand({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  await becomeCore(values)
  return 0
})

/** Runs core until it receives a signal. Options override the environment, which core reads. */
async function becomeCore({ data, port, host, config }: Arguments<typeof OPTIONS>['values']) {
  const given = {
    MIEN_DATA: dataFolder(data, ROOT),
    MIEN_CORE_PORT: port,
    MIEN_CORE_HOST: host,
    MIEN_CONFIG: config,
  }
  for (const [variable, value] of Object.entries(given)) if (value) process.env[variable] = value
  await buildAssets(line => console.log(line))
  // Relative paths refer to the folder that npm was called from.
  process.chdir(process.env.INIT_CWD ?? '.')
  setFlagsFromString(KEEP_WASM_CODE)
  await import('../core/server.ts')
}
