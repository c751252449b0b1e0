/** Runs core alone in this process, for its own machine, container or systemd unit. */
import { setFlagsFromString } from 'node:v8'
import { buildAssets } from '../build/assets.ts'
import type { GlobalOptions } from '../terminal/command-line.ts'
import { dataFolder } from '../terminal/paths.ts'
import { KEEP_WASM_CODE } from './child.ts'
import { portOf } from './options.ts'

interface CoreOptions extends GlobalOptions {
  port: string
  host: string
  config?: string
}

/** Runs core until it receives a signal. Core reads its settings from the environment. */
export async function becomeCore({ data, port, host, config }: CoreOptions): Promise<number> {
  const given = {
    MIEN_DATA: dataFolder(data),
    MIEN_CORE_PORT: String(portOf('--port', port)),
    MIEN_CORE_HOST: host,
    MIEN_CONFIG: config,
  }
  for (const [variable, value] of Object.entries(given)) if (value) process.env[variable] = value
  await buildAssets(line => console.log(line))
  // Relative paths refer to the folder that npm was called from.
  process.chdir(process.env.INIT_CWD ?? '.')
  setFlagsFromString(KEEP_WASM_CODE)
  await import('../../core/server.ts')
  return 0
}
