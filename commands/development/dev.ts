/** `npm run dev`: the service on a data folder of its own, started again when a source is saved. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const START = [join(ROOT, 'commands', 'mien.js'), 'start', '--data', join(ROOT, 'dist', 'dev')]

/** Folders of what a running service is made of. */
const FOLDERS = ['camera', 'clients', 'commands', 'console', 'contract', 'core', 'edge', 'models', 'wasm']

/** Sources. Not the files that a start builds. */
const SOURCE = /^(?!.*\bbuilt\b).*\.(ts|tsx|css|html|json)$/

/** Files that are saved together cause one start. In milliseconds. */
const SETTLE_MS = 100

const start = () => spawn(process.execPath, [...START, ...process.argv.slice(2)], { stdio: 'inherit' })

let service = start()
let isStopping = false

async function stop(): Promise<void> {
  isStopping = true
  if (service.exitCode !== null || service.signalCode !== null) return
  service.kill('SIGTERM')
  await once(service, 'exit')
}

async function restart(): Promise<void> {
  // The start that follows a stop takes the files that are saved meanwhile.
  if (isStopping) return
  await stop()
  isStopping = false
  service = start()
}

let settling: NodeJS.Timeout | undefined
for (const folder of FOLDERS)
  watch(join(ROOT, folder), { recursive: true }, (_, name) => {
    if (!SOURCE.test(name ?? '')) return
    clearTimeout(settling)
    settling = setTimeout(restart, SETTLE_MS)
  })

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await stop()
    process.exit(0)
  })
