/** Commands as a person types them: each in a process of its own. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface Said {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs `commands/run.js NAME ...`, as the npm scripts do, without variables of the caller that choose a folder. */
export function typed(args: readonly string[], env: NodeJS.ProcessEnv = {}): Said {
  const script = join(ROOT, 'commands', 'run.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, MIEN_DATA: '', MIEN_PACK: '', MIEN_EDGE_SECRET: '', ...env },
  })
  return { status, stdout, stderr }
}
