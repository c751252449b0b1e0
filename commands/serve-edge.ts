/** Runs the bundled edge worker in workerd, through miniflare: in a process that the launcher starts, or in this one. */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Miniflare } from 'miniflare'
import { whenToldToStop } from '../core/told-to-stop.ts'
import { packNamed } from '../models/packs.ts'
import { BUNDLE, COMPATIBILITY_DATE, quietWrangler } from './bundle.ts'
import { openDoor } from './door.ts'
import { EYES_ENDING, eyesOf } from './eyes.ts'

/** What the launcher sends in the environment as MIEN_EDGE_SETTINGS, in JSON. */
export interface EdgeSettings {
  host: string
  port: number
  bindings: Record<string, string>
  /** The data folder, and the name of the pack that is used. */
  data: string
  pack: string
}

/** How long requests under way may take to finish once the process is told to stop. */
const DRAIN_MS = 10_000

const MAIN = 'worker.js'

/** What the worker imports. Scripts other than its own are for browsers: plain bytes to it. */
const TYPES: Record<string, 'wasm' | 'data'> = {
  '.wasm': 'wasm',
  [EYES_ENDING]: 'data',
  '.js': 'data',
  '.css': 'data',
}

/** The bundle, with the eyes of the pack that is used in place of its own. */
async function modules({ data, pack }: Pick<EdgeSettings, 'data' | 'pack'>) {
  const eyes = await eyesOf(await packNamed(data, pack))
  const files = (await readdir(BUNDLE)).filter(file => extname(file) in TYPES)
  const entries = files.map(async file => {
    const bytes = await readFile(join(BUNDLE, file))
    if (file === MAIN) return [file, { type: 'esm', contents: bytes.toString() }] as const
    if (extname(file) === EYES_ENDING) return [file, { type: 'data', contents: eyes }] as const
    return [file, { type: TYPES[extname(file)] ?? 'data', contents: new Uint8Array(bytes) }] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** On a port of this machine alone. */
async function serve({ bindings, ...chosen }: EdgeSettings): Promise<Miniflare> {
  Object.assign(process.env, quietWrangler)
  return new Miniflare({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    // There are no workers of others to be found here, and nothing is to be written: the root may be read-only.
    enableDevRegistry: false,
    handleStructuredLogs: ({ message }) => process.stderr.write(`${message}\n`),
    workers: [
      {
        config: {
          name: 'mien-edge',
          compatibilityDate: COMPATIBILITY_DATE,
          manifest: { mainModule: MAIN, modules: await modules(chosen) },
          env: Object.fromEntries(
            Object.entries(bindings).map(([name, value]) => [name, { type: 'text', value }]),
          ),
        },
      },
    ],
  })
}

/** Serves until the process is told to stop, or whoever started it is gone. Gives the port. */
export async function serveEdge(settings: EdgeSettings): Promise<number> {
  const runtimes: ChildProcess[] = []
  // Miniflare keeps workerd's process to itself, and only ever ends it suddenly.
  subscribe('child_process', message => runtimes.push((message as { process: ChildProcess }).process))
  const edge = await serve(settings)
  const door = await openDoor(settings, Number((await edge.ready).port)).catch(async error => {
    await edge.dispose()
    throw error
  })
  const died = () => process.exit(1)
  for (const runtime of runtimes) runtime.once('exit', died)
  // Miniflare would end this process at once.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.removeAllListeners(event)
  whenToldToStop(async () => {
    for (const runtime of runtimes) runtime.off('exit', died)
    await door.close()
    await Promise.race([Promise.all(runtimes.map(drained)), sleep(DRAIN_MS)])
    await edge.dispose()
    process.exit(0)
  })
  return door.port
}

/** Told to, workerd ends when all that it has begun is answered. Who connects meanwhile would wait, and be hung up on. */
async function drained(runtime: ChildProcess): Promise<void> {
  if (runtime.exitCode !== null || runtime.signalCode !== null) return
  const gone = once(runtime, 'exit')
  runtime.kill('SIGTERM')
  await gone
}

if (import.meta.main) {
  const port = await serveEdge(JSON.parse(process.env.MIEN_EDGE_SETTINGS ?? '{}') as EdgeSettings)
  process.send?.({ ready: true, port })
}
