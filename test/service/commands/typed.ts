/** Runs commands as a person types them, each in its own process. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface Said {
  status: number | null
  stdout: string
  stderr: string
  /** Both outputs. */
  said: string
}

/** Runs `mien VERB ...` with `input` on standard input, and without variables of the caller that choose a folder or a service. */
export function typed(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Said {
  const script = join(ROOT, 'commands', 'mien.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    input,
    env: {
      ...process.env,
      MIEN_DATA: '',
      MIEN_URL: '',
      MIEN_TOKEN: '',
      MIEN_PACK: '',
      MIEN_EDGE_SECRET: '',
      ...env,
    },
  })
  return { status, stdout, stderr, said: stdout + stderr }
}
