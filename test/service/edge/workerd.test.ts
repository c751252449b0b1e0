/** Runs the tests of `test/unit/edge` inside workerd, too: what differs between Node and workerd fails here. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { COMPATIBILITY_DATE, WORKER_MODULE } from '#commands/build/bundle.ts'
import type { Outcome } from '../../unit/edge/run-in-workerd.ts'

const HOST = '127.0.0.1'
const NAME = 'tests'
const FOLDER = join(import.meta.dirname, '..', '..', 'unit', 'edge')

/** Test files that run in Node only, and why. */
const NODE_ONLY: Readonly<Record<string, string>> = {
  'admission/tokens.test.ts': 'opens the database of core',
  'core-client/core-client.test.ts': 'listens as a core, and cuts connections',
  'decoder-falls.test.ts': 'reads the decoders of Node from files',
}

const inFolder = globSync('**/*.test.ts', { cwd: FOLDER }).sort()

/** Bundles files as the edge is bundled. Their imports of Node modules are errors. */
async function bundle(files: readonly string[]) {
  const imports = files.map(file => `'${file}': () => import('./${file}')`)
  const { outputFiles } = await build({
    ...WORKER_MODULE,
    // No test of these samples photos.
    loader: { '.wasm': 'empty' },
    stdin: {
      resolveDir: FOLDER,
      contents: `
        import '../../seed.ts'
        import { runInWorkerd } from './run-in-workerd.ts'
        export default { fetch: async () => Response.json(await runInWorkerd({ ${imports} })) }`,
    },
    define: { 'process.env.MIEN_TEST_SEED': JSON.stringify(process.env.MIEN_TEST_SEED) },
  })
  return outputFiles[0]!.contents
}

/** Runs a worker module once. */
async function answerOf(contents: Uint8Array) {
  const path = join(FOLDER, 'worker.js')
  const worker = {
    name: NAME,
    modulesRoot: FOLDER,
    modules: [{ type: 'ESModule' as const, path, contents }],
    compatibilityDate: COMPATIBILITY_DATE,
    unsafeDirectSockets: [{ host: HOST, port: 0 }],
  }
  const miniflare = new Miniflare(convertV4MiniflareOptions({ host: HOST, port: 0, workers: [worker] }))
  try {
    const response = await fetch(await miniflare.unsafeGetDirectURL(NAME))
    expect(response.status, 'the worker that runs the tests').toBe(200)
    return (await response.json()) as Outcome[]
  } finally {
    await miniflare.dispose()
  }
}

const files = inFolder.filter(file => !(file in NODE_ONLY))
const outcomes = await answerOf(await bundle(files))

describe.each(files)('in workerd, %s', file => {
  for (const { name, tags, isSkipped, error } of outcomes.filter(outcome => outcome.file === file))
    it.skipIf(isSkipped)(name, { tags }, () => {
      if (error) throw error
    })
})

it.each(Object.entries(NODE_ONLY))('%s runs in Node only: it %s', file => expect(inFolder).toContain(file))
