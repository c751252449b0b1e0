/** Programs in Python that use the client in clients/python. */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** What is missing for tests of Python; undefined when they run. */
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

/** Runs a program, which reads its parameters from the environment. */
export async function runPython(
  code: string,
  env: Record<string, string>,
  folder = import.meta.dirname,
): Promise<PythonResult> {
  const child = spawn('python3', ['-'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: join(import.meta.dirname, '..', 'clients', 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONIOENCODING: 'utf-8',
      ...env,
    },
  })
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
