import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startUntil } from '#test/support/processes.ts'
import { ROOT } from '../typed.ts'

/** Files of the repository that the service needs, with what is built of them. */
const PARTS = [
  ...['camera', 'clients', 'commands', 'console', 'contract', 'core', 'docs', 'edge', 'models', 'wasm'],
  ...['dist/edge', 'package.json', 'package-lock.json', 'wrangler.toml'],
]

it('npm run dev starts the service again with a saved source', { tags: 'long' }, async () => {
  const copy = await mkdtemp(join(tmpdir(), 'mien-dev-'))
  for (const part of PARTS) await cp(join(ROOT, part), join(copy, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const command = join(copy, 'commands', 'development', 'dev.ts')
  const ports = ['--edge-port', '0', '--core-port', '0']
  const { child, exited } = await startUntil('Mien is ready.', [process.execPath, command, ...ports], {})
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
    await rm(copy, { recursive: true })
  })
  const source = join(copy, 'core', 'http', 'readiness.ts')
  const text = await readFile(source, 'utf8')
  await writeFile(source, text.replace("status: 'up'", "status: 'changed'"))
  const health = async () => {
    const ready = await readFile(join(copy, 'dist', 'dev', 'ready.json'), 'utf8')
    return (await fetch(`${JSON.parse(ready).core}/healthz`)).json()
  }
  await expect.poll(() => health().catch(() => {}), { timeout: 100_000 }).toEqual({ status: 'changed' })
})
