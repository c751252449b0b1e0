/**
 * `npm run messages`: keeps the messages and the edge bundle of this checkout as the last release's. Run it at the
 * commit of a release, and raise RPC_VERSION by one.
 */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describeMessages } from '../../contract/operations/described-messages.ts'
import { RPC_VERSION } from '../../contract/rpc/message-headers.ts'
import { STANDARD_PACK } from '../../models/packs.ts'
import { buildAssets } from '../build/assets.ts'
import { BUNDLE, bundleEdge } from '../build/bundle.ts'
import { runScript } from '../terminal/command-line.ts'
import { ROOT } from '../terminal/paths.ts'

/** The messages of the last release, and its commit. */
const MESSAGES = join(ROOT, 'contract', 'operations', 'released-messages.json')

/** The script of the last release's edge, without the files that it imports. */
const WORKER = join(ROOT, 'test', 'service', 'upgrade', 'released-edge.js.gz')

await runScript(
  import.meta,
  [
    'npm run messages',
    'Keeps the messages between edge and core, and the edge bundle, as the last release. Run it for a release.',
  ],
  async () => {
    await buildAssets(line => console.log(line), STANDARD_PACK)
    await bundleEdge()
    const kept = {
      commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
      ...describeMessages(RPC_VERSION),
    }
    await writeFile(MESSAGES, `${JSON.stringify(kept)}\n`)
    await writeFile(WORKER, gzipSync(await minified(), { level: 9 }))
    console.log(`Messages of version ${RPC_VERSION} are kept. Set RPC_VERSION to ${RPC_VERSION + 1}.`)
    return 0
  },
)

async function minified() {
  const { transform } = await import('esbuild')
  const script = await readFile(join(BUNDLE, 'worker.js'), 'utf8')
  const { code } = await transform(script, { format: 'esm', minify: true, legalComments: 'none' })
  return code
}
