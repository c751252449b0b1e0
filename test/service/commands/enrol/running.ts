/** A command in a process of its own that a test can signal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../typed.ts'

export interface Running {
  child: ChildProcess
  exited: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>
}

/** Starts `mien VERB ...` without variables of the caller that choose a service. */
export function running(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, [join(ROOT, 'commands', 'mien.js'), ...args], {
    env: { ...process.env, MIEN_DATA: '', MIEN_URL: '', MIEN_TOKEN: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  const exited = new Promise<Awaited<Running['exited']>>(resolve =>
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  )
  return { child, exited }
}
