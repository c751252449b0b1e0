/** Runs a workerd process that serves the bundled edge worker on a free port of loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import workerd from 'workerd'
import { packNamed } from '../../models/packs.ts'
import { BUNDLE, COMPATIBILITY_DATE } from '../build/bundle.ts'
import { EDGE_ASSETS, PHOTO_EXTENSION, VISION_FILE_EXTENSION, visionFileOf } from '../build/edge-files.ts'

export interface WorkerSettings {
  /** Text bindings of the worker. */
  bindings: Record<string, string>
  /** The data folder, and the name of the pack in use. */
  data: string
  pack: string
  /** Folder of the bundled worker. Default: BUNDLE. */
  bundle?: string
}

export interface Workerd {
  port: number
  /** SIGTERM lets active requests finish before the process exits; SIGKILL ends it at once. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** Resolves when the process has exited. */
  gone: Promise<void>
}

const MAIN = 'worker.js'

/** File name in the configuration's folder of the vision file of the pack in use. */
const VISION_FILE = 'pack.vision'

/** Module types of the worker's files other than the main script. */
const MODULE_KINDS: Record<string, 'wasm' | 'data'> = {
  '.wasm': 'wasm',
  [VISION_FILE_EXTENSION]: 'data',
  [PHOTO_EXTENSION]: 'data',
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a process and resolves when it listens. Rejects when the process exits before that; its stderr states the
 * reason.
 */
export async function startWorkerd(settings: WorkerSettings): Promise<Workerd> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-edge-'))
  try {
    const config = join(folder, 'edge.capnp')
    const { bindings, bundle = BUNDLE } = settings
    await writeFile(
      join(folder, VISION_FILE),
      await visionFileOf(await packNamed(settings.data, settings.pack)),
    )
    await writeFile(config, workerdConfig(await readdir(bundle), Object.keys(bindings)))
    return await listening(spawnWorkerd(config, bundle, bindings))
  } finally {
    // workerd has read the files once it listens.
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * A configuration in Cap'n Proto's text format. Paths with a leading slash are files of the bundle. Bindings come from
 * the environment, which keeps secrets off the disk. The socket has no options: workerd then trusts no header for the
 * scheme or for `request.cf`.
 */
const workerdConfig = (files: readonly string[], bindings: readonly string[]) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "edge", worker = (
      compatibilityDate = "${COMPATIBILITY_DATE}",
      modules = [${modules(files).join(', ')}],
      bindings = [(name = "ASSETS", service = "assets"),
        ${bindings.map(name => `(name = "${name}", fromEnvironment = "${name}")`).join(', ')}],
    )),
    (name = "assets", disk = ()),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "edge")],
);
`

/** The main module comes first. */
function modules(files: readonly string[]): string[] {
  const others = files.filter(file => extname(file) in MODULE_KINDS)
  return [
    `(name = "${MAIN}", esModule = embed "/${MAIN}")`,
    ...others.map(file => {
      const path = extname(file) === VISION_FILE_EXTENSION ? VISION_FILE : `/${file}`
      return `(name = "${file}", ${MODULE_KINDS[extname(file)]} = embed "${path}")`
    }),
  ]
}

function spawnWorkerd(config: string, bundle: string, bindings: Record<string, string>): ChildProcess {
  const args = ['serve', '-I', bundle, `--directory-path=assets=${EDGE_ASSETS}`, '--control-fd=3', config]
  const child = spawn(workerd.default, args, {
    env: { ...process.env, ...bindings, TZ: 'UTC' },
    // The worker's log goes to stderr of this process.
    stdio: ['ignore', 2, 2, 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** workerd reports its port on file descriptor 3. */
async function listening(child: ChildProcess): Promise<Workerd> {
  const gone = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve())
    child.once('error', reject)
  })
  const port = await Promise.race([
    portFrom(child.stdio[3] as Readable),
    gone.then(() => Promise.reject(new Error('workerd did not start.'))),
  ])
  return { port, gone, kill: signal => void child.kill(signal) }
}

async function portFrom(control: Readable) {
  for await (const line of createInterface(control)) {
    const { event, port } = JSON.parse(line) as { event: string; port: number }
    if (event === 'listen') return port
  }
  throw new Error('workerd did not start.')
}
