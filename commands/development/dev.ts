/** `npm run dev`: core in Node and the edge in Miniflare, rebuilt and reloaded when a source is saved. */
import { watch } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Option } from 'commander'
import { MienClient } from '../../clients/typescript/src/index.ts'
import { openSecrets } from '../../core/configuration/secrets.ts'
import { onShutdown } from '../../core/http/shutdown.ts'
import { STANDARD_NAME } from '../../models/packs.ts'
import { buildAssets } from '../build/assets.ts'
import { buildConsole } from '../build/edge-files.ts'
import { originOf } from '../edge-proxy/target.ts'
import { startChild } from '../processes/child.ts'
import { portOf } from '../processes/options.ts'
import { inTerminal, pageAddress, SAMPLE, starterToken } from '../processes/ready.ts'
import { action, programNamed, runProgram } from '../terminal/command-line.ts'
import { metadataFor } from '../terminal/data-folder.ts'
import { dataFolder, isMainScript, ROOT } from '../terminal/paths.ts'
import { removeReady, removeStaleReady, writeReady } from '../terminal/ready-file.ts'
import { openDevEdge } from './dev-edge.ts'

// Node keeps the compiled sources of core for its next start.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'node')

const HOST = '127.0.0.1'
const DATA = join(ROOT, 'dist', 'dev')

/** How long core may take to finish active requests before it is killed, in milliseconds. Acknowledged changes are on disk. */
const CORE_GRACE_MS = 300

/** Files that are saved together cause one reload. In milliseconds. */
const SETTLE_MS = 30

/** The parts that a source belongs to, by the first folder that holds it. */
const PARTS_BY_FOLDER: readonly (readonly [folder: string, parts: readonly Part[]])[] = [
  ['contract', ['console', 'core', 'edge']],
  ['core', ['core']],
  ['edge', ['edge']],
  ['wasm', ['core', 'edge']],
  ['models', ['core', 'edge']],
  ['console', ['console']],
  ['clients', ['console']],
]
type Part = 'console' | 'core' | 'edge'

interface DevOptions {
  data?: string
  edgePort: string
  corePort: string
  edgeInspector: string
  coreInspector: string
}

/** Runs until a signal. */
async function dev(options: DevOptions) {
  const data = dataFolder(options.data ?? DATA)
  await mkdir(data, { recursive: true, mode: 0o700 })
  const settings = await metadataFor(data)
  await removeStaleReady(data)
  await buildAssets(line => console.log(line))
  await buildConsole(true)

  const corePort = portOf('--core-port', options.corePort)
  const inspect = `--inspect=${HOST}:${portOf('--core-inspector', options.coreInspector)}`
  let core = await startCore(data, corePort, inspect)
  const secrets = await openSecrets(data)
  const edge = await openDevEdge({
    port: portOf('--edge-port', options.edgePort),
    inspectorPort: portOf('--edge-inspector', options.edgeInspector),
    bindings: {
      CORE_URL: originOf(HOST, core.port),
      EDGE_SECRET: secrets.edge[0].key,
      PUBLIC_URL: '',
      CORS_ORIGINS: '',
      LOG_REQUESTS: '',
    },
  })
  const { token } = await starterToken(data, settings)
  const url = originOf(HOST, edge.port)
  await seed(url, token)
  await writeReady(data, { edge: url, core: originOf(HOST, core.port), token, pid: process.pid })

  const reload = async (parts: ReadonlySet<Part>) => {
    if (parts.has('console')) await buildConsole(true)
    const restartCore = async () => {
      await core.stop(CORE_GRACE_MS)
      core = await startCore(data, core.port, inspect)
    }
    await Promise.all([parts.has('core') && restartCore(), parts.has('edge') && edge.reload()])
  }
  watchSources(reload)
  console.log(`
Mien runs for development, and reloads saved sources.

  URL       ${pageAddress(url)}
  token     ${inTerminal(token, join(data, 'token'))}
  data      ${data}
  core      ${originOf(HOST, core.port)}
  debugger  core ${HOST}:${options.coreInspector}, edge ${HOST}:${options.edgeInspector}

Ctrl-C stops everything.`)
  onShutdown(async () => {
    await removeReady(data)
    await edge.stop()
    await core.stop(CORE_GRACE_MS)
    process.exit(0)
  })
  return 0
}

const startCore = (data: string, port: number, inspect: string) =>
  startChild({
    name: 'core',
    script: join(ROOT, 'core', 'server.ts'),
    flags: [inspect],
    env: {
      MIEN_DATA: data,
      MIEN_CORE_PORT: String(port),
      MIEN_CORE_HOST: HOST,
      MIEN_PACK: STANDARD_NAME,
      MIEN_GAE: 'true',
      MIEN_PERSON_IDENTIFY: 'true',
      MIEN_PERSON_IDENTIFY_GLOBAL: 'true',
    },
  })

/** Gallery of the faces of the sample photos. */
const GALLERY = 'samples'

/** Enrols the faces of the sample photos into a new gallery. Does nothing when the gallery exists. */
async function seed(url: string, token: string) {
  const client = new MienClient({ url, token })
  if ((await client.galleries.list().toArray()).includes(GALLERY)) return
  await client.galleries.create(GALLERY)
  const folder = join(SAMPLE, '..')
  for (const name of (await readdir(folder)).filter(name => /^sample\d\.jpg$/.test(name))) {
    const photo = new File([await readFile(join(folder, name))], name)
    await client.faces.enrol(photo, { galleries: [GALLERY], mf_selector: 'all', meta: name })
  }
}

/** Calls `reload` with the parts of saved sources, one call at a time, and prints its result. */
function watchSources(reload: (parts: ReadonlySet<Part>) => Promise<void>) {
  let saved = new Set<Part>()
  let isRunning = false
  const run = async () => {
    while (saved.size > 0) {
      const parts = saved
      saved = new Set()
      const began = performance.now()
      await reload(parts).then(
        () =>
          console.log(`Reloaded ${[...parts].join(' and ')} in ${Math.round(performance.now() - began)} ms.`),
        error => console.error(`Not reloaded: ${error instanceof Error ? error.message : String(error)}`),
      )
    }
    isRunning = false
  }
  for (const folder of new Set(PARTS_BY_FOLDER.map(([name]) => name.split('/')[0]!)))
    watch(join(ROOT, folder), { recursive: true }, (_, name) => {
      const parts = partsOf(join(folder, name ?? ''))
      if (parts.length === 0) return
      for (const part of parts) saved.add(part)
      if (isRunning) return
      isRunning = true
      setTimeout(() => void run(), SETTLE_MS)
    })
}

const SOURCE = /\.(ts|tsx|css|html|json)$/

/** The parts that contain a source; none for other files, and for files that the build writes. */
function partsOf(path: string): readonly Part[] {
  if (!SOURCE.test(path) || /(^|\/)built\//.test(path)) return []
  return PARTS_BY_FOLDER.find(([folder]) => path.startsWith(`${folder}/`))?.[1] ?? []
}

if (isMainScript(import.meta)) {
  const program = programNamed(
    'npm run dev --',
    'Runs core in Node and the edge in Miniflare, and reloads saved sources.',
  )
    .option('--data <FOLDER>', 'data folder, by default dist/dev')
    .addOption(new Option('--edge-port <N>', 'port of the API').default('8797'))
    .addOption(new Option('--core-port <N>', 'port of core').default('8798'))
    .addOption(new Option('--core-inspector <N>', 'port of the debugger of core').default('9229'))
    .addOption(new Option('--edge-inspector <N>', 'port of the debugger of the edge').default('9230'))
  await runProgram(program.action(action(dev)), process.argv.slice(2))
}
