/** The edge of `npm run dev`: the worker in Miniflare, bundled with source maps and reloaded on demand. */
import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BuildContext, context, type OutputFile } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare, Response, type V4MiniflareOptions } from 'miniflare'
import { COMPATIBILITY_DATE, WORKER_MODULE } from '../build/bundle.ts'
import { CONSOLE_FILES, EDGE_ASSETS, PHOTO_EXTENSION, VISION_FILE_EXTENSION } from '../build/edge-files.ts'
import { openEdgeProxy } from '../edge-proxy/proxy.ts'
import { newWorker, type Worker } from '../edge-proxy/workers.ts'
import { ROOT } from '../terminal/paths.ts'

const HOST = '127.0.0.1'
const NAME = 'edge'

/** Folder of the bundle's paths. Nothing is written there: modules go to Miniflare from memory. */
const BUNDLE = join(ROOT, 'dist', 'dev-edge')

/** How long a reload waits for requests under way, in milliseconds. Later ones are refused with 503. */
const REQUEST_GRACE_MS = 300
const POLL_MS = 10

interface DevEdgeSettings {
  port: number
  inspectorPort: number
  /** Text bindings of the worker. */
  bindings: Record<string, string>
}

/**
 * Starts the worker behind the proxy of the service. Requests reach the worker by a direct socket: Miniflare's entry
 * worker would obey headers of callers, for example `MF-Original-URL`.
 */
export async function openDevEdge(settings: DevEdgeSettings) {
  const bundler = await openBundler()
  const miniflare = new Miniflare(await miniflareOptions(bundler, settings))
  let worker: Worker | undefined = await directWorker(miniflare)
  const workers = { pick: () => worker, stop: () => miniflare.dispose() }
  const proxy = await openEdgeProxy({ host: HOST, port: settings.port, isTrusted: () => false }, workers)
  return {
    port: proxy.port,
    /** Bundles the sources and replaces the worker. Rejects, and keeps the worker, when the sources do not compile. */
    async reload() {
      const options = await miniflareOptions(bundler, settings)
      const old = worker
      worker = undefined
      if (old) await finished(old)
      old?.agent.destroy()
      await miniflare.setOptions(options)
      worker = await directWorker(miniflare)
    },
    async stop() {
      await proxy.close(REQUEST_GRACE_MS)
      await Promise.all([miniflare.dispose(), bundler.dispose()])
    },
  }
}

/** Resolves when the worker has no requests, or after REQUEST_GRACE_MS. */
async function finished(worker: Worker) {
  const end = Date.now() + REQUEST_GRACE_MS
  while (worker.requests > 0 && Date.now() < end) await sleep(POLL_MS)
}

const directWorker = async (miniflare: Miniflare) =>
  newWorker(Number((await miniflare.unsafeGetDirectURL(NAME)).port))

/** Bundles as wrangler does, but incrementally and without minifying. */
const openBundler = (): Promise<BuildContext<{ write: false }>> =>
  context({
    ...WORKER_MODULE,
    absWorkingDir: ROOT,
    entryPoints: { worker: 'commands/development/dev-edge.workerd.ts' },
    outdir: BUNDLE,
    external: ['cloudflare:*'],
    sourcemap: 'inline',
    loader: { '.wasm': 'copy', [VISION_FILE_EXTENSION]: 'copy', [PHOTO_EXTENSION]: 'copy' },
  })

async function miniflareOptions(
  bundler: BuildContext<{ write: false }>,
  { inspectorPort, bindings }: DevEdgeSettings,
): Promise<ReturnType<typeof convertV4MiniflareOptions>> {
  const { outputFiles } = await bundler.rebuild()
  return convertV4MiniflareOptions({
    host: HOST,
    port: 0,
    inspectorHost: HOST,
    inspectorPort,
    workers: [
      {
        name: NAME,
        modulesRoot: BUNDLE,
        modules: outputFiles.map(moduleOf).sort(mainFirst),
        compatibilityDate: COMPATIBILITY_DATE,
        bindings,
        serviceBindings: {
          ASSETS: async ({ url }) => new Response(await readFile(join(EDGE_ASSETS, basename(url)))),
          // A saved file of the console needs no new worker.
          CONSOLE_FILES: async () => new Response(await readFile(CONSOLE_FILES)),
        },
        unsafeDirectSockets: [{ host: HOST, port: 0 }],
      },
    ],
  } satisfies V4MiniflareOptions)
}

interface WorkerModule {
  type: 'ESModule' | 'CompiledWasm' | 'Data'
  path: string
  contents: Uint8Array
}

function moduleOf({ path, contents }: OutputFile): WorkerModule {
  if (path === join(BUNDLE, 'worker.js')) return { type: 'ESModule', path, contents }
  return { type: extname(path) === '.wasm' ? 'CompiledWasm' : 'Data', path, contents }
}

const mainFirst = (a: WorkerModule, b: WorkerModule) =>
  Number(b.type === 'ESModule') - Number(a.type === 'ESModule')
