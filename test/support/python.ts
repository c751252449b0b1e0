/** Programs in Python that use the client in clients/python. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Missing parts for tests of Python; undefined when they run. */
export const pythonMissing: string | undefined = ((): string | undefined => {
  const { status, error } = spawnSync('python3', ['-c', 'import requests'])
  if (error) return 'python3 is missing'
  return status === 0 ? undefined : 'the Python package requests is missing'
})()

export interface PythonResult {
  output: string
  /** Standard error: the traceback of an exception. */
  errors: string
}

/** Starts Python with the client in its path. */
export const startPython = (
  args: readonly string[],
  env: Record<string, string>,
  folder = import.meta.dirname,
): ChildProcessWithoutNullStreams =>
  spawn('python3', args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: join(import.meta.dirname, '..', '..', 'clients', 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONIOENCODING: 'utf-8',
      ...env,
    },
  })

/** Runs a program, which reads its parameters from the environment. */
export async function runPython(
  code: string,
  env: Record<string, string>,
  folder?: string,
): Promise<PythonResult> {
  const child = startPython(['-'], env, folder)
  const result = { output: '', errors: '' }
  child.stdout.on('data', chunk => {
    result.output += chunk
  })
  child.stderr.on('data', chunk => {
    result.errors += chunk
  })
  child.stdin.end(code)
  await new Promise(resolve => child.once('close', resolve))
  return result
}
