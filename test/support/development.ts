/** `npm run dev` in a copy of the repository, for tests and benchmarks that change sources. */

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '#test/support/root.ts'
import { startUntil } from './processes.ts'

/** Files and folders that the service needs. The console's script and the networks are built in them. */
const PARTS = [
  'camera',
  'clients',
  'commands',
  'console',
  'contract',
  'core',
  'docs',
  'edge',
  'models',
  'wasm',
  'package.json',
]

const POLL_MS = 20
const LONGEST_MS = 60_000

export interface Development {
  edge: string
  core: string
  token: string
  /** Its output so far. */
  output(): string
  /** Replaces a text in a source of the copy. */
  change(path: string, from: string, to: string): Promise<void>
  stop(): Promise<void>
}

/** Starts it on free ports and waits until it is ready. Rejects with its output when it ends before that. */
export async function startDevelopment(): Promise<Development> {
  const root = await mkdtemp(join(tmpdir(), 'mien-dev-'))
  for (const part of PARTS) await cp(join(ROOT, part), join(root, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const ports = ['--edge-port', '--core-port', '--core-inspector', '--edge-inspector'].flatMap(name => [
    name,
    '0',
  ])
  const command = join(root, 'commands', 'development', 'dev.ts')
  const text = 'Ctrl-C stops everything.'
  const { child, output, exited } = await startUntil(text, [process.execPath, command, ...ports], {})
  const { edge, core, token } = JSON.parse(await readFile(join(root, 'dist', 'dev', 'ready.json'), 'utf8'))
  return {
    edge,
    core,
    token,
    output,
    async change(path, from, to) {
      const text = await readFile(join(root, path), 'utf8')
      if (!text.includes(from)) throw new Error(`${path} does not contain "${from}".`)
      await writeFile(join(root, path), text.replace(from, to))
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Sends GET until the answer contains the text. Returns the statuses before it; 0 is a refused connection. Rejects after a minute. */
export async function statusesUntil(url: string, text: string): Promise<Set<number>> {
  const statuses = new Set<number>()
  for (const end = Date.now() + LONGEST_MS; Date.now() < end; await sleep(POLL_MS)) {
    const response = await fetch(url, {
      headers: { accept: 'text/html', connection: 'close' },
      signal: AbortSignal.timeout(LONGEST_MS),
    }).catch(() => undefined)
    if (response?.ok && (await response.text()).includes(text)) return statuses
    statuses.add(response?.status ?? 0)
  }
  throw new Error(`${url} did not answer with "${text}" within ${LONGEST_MS} ms.`)
}
