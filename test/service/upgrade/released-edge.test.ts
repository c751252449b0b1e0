/** The edge of the last release with this core: every operation that it has works. */

import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { inject } from 'vitest'
import { BUNDLE } from '#commands/build/bundle.ts'
import { startChild } from '#commands/processes/child.ts'
import type { EdgeSettings } from '#commands/processes/serve-edge.ts'
import { sha256 } from '#contract/digest.ts'
import { encodeFrame } from '#contract/rpc/frame.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { chipLabel } from '#core/embedding/label.ts'
import { readModel } from '#models/files.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { clientOf, type Send } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'
import { FACE_IN_THE_MIDDLE, yunetFile } from '../../unit/models/tiny-networks.ts'
import { callEveryOperation, firstEvent } from '../edge/openapi/answers.ts'

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>
}

it('the edge of the last release answers each of its operations with this core', {
  tags: 'long',
  timeout: 300_000,
}, async () => {
  const released = await startReleasedEdge(inject('data'), inject('core'))
  const token = newToken(inject('data'), `released edge ${process.pid}`)
  const [earlier, now] = [clientOf(released, token), clientOf(inject('edge'), token)]
  // Operations that the last release does not have are left to this version's edge: later calls need their results.
  const added: { method: string; path: string }[] = []
  const send: Send = async (method, path, ...rest) => {
    // The last release ignores these options of a camera.
    if (JSON.stringify(rest[0] ?? '').includes('"snapshot":true')) return now(method, path, ...rest)
    const answer = await earlier(method, path, ...rest)
    if (answer.status !== 405 && !(answer.status === 404 && answer.body.code === 'NOT_FOUND')) return answer
    added.push({ method, path: path.replace(/\?.*/, '') })
    return now(method, path, ...rest)
  }
  const answers = await callEveryOperation(
    send,
    // The last release has no stream of viewers.
    path => firstEvent((path === '/v1/viewers' ? inject('edge') : released) + path, token),
    inject('goneWebhook'),
  )

  const { paths } = (await earlier('GET', '/docs/v1')).body as Document
  const names = Object.values(paths).flatMap(operations =>
    Object.values(operations).map(({ operationId }) => operationId),
  )
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter(name => !answers.has(name))).toEqual([])
  const has = ({ method, path }: { method: string; path: string }) =>
    Object.entries(paths).some(
      ([template, operations]) =>
        method.toLowerCase() in operations &&
        new RegExp(`^/v1${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
  expect(added.filter(has)).toEqual([])
})

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'commands', 'processes', 'serve-edge.ts')
const WORKER = join(import.meta.dirname, 'released-edge.js.gz')

/** Imports of Swagger UI, which no test of the upgrade opens. */
const SWAGGER_UI = /import (\w+) ?from ?"[^"]+swagger-ui[^"]+"/g

/** Imports of the bundle: the hash of a file's content, and its name. */
const IMPORT = /from ?"\.\/([0-9a-f]{40}-([^"]+))"/g

/** Returns the origin of the edge, which stops with the test. */
async function startReleasedEdge(data: string, core: string) {
  const settings: EdgeSettings = {
    host: '127.0.0.1',
    port: 0,
    workers: 1,
    trustedProxies: '',
    bindings: { CORE_URL: core, EDGE_SECRET: (await openSecrets(data)).edge[0].key, LOG_REQUESTS: 'false' },
    data,
    pack: 'standard',
    bundle: await releasedBundle(),
  }
  const edge = await startChild({
    name: 'the edge of the last release',
    script: SCRIPT,
    env: {},
    message: settings,
  })
  onTestFinished(() => edge.stop(5_000))
  return `http://127.0.0.1:${edge.port}`
}

/**
 * A folder with the kept script. It imports files of this version's bundle with the same interfaces: here jpeg-turbo.wasm is
 * libjpeg-turbo.wasm. Its WEBP decoder is another one, and no test needs it. This version cannot write its networks: its detector
 * finds a face in the middle of every photo.
 */
async function releasedBundle() {
  const folder = await temporaryFolder()
  // workerd gets the networks of this version in the place of a file with the extension of networks.
  const script = String(gunzipSync(await readFile(WORKER)))
    .replace(SWAGGER_UI, 'const $1=""')
    .replace(/pack\.vision"/, 'pack.jpg"')
  const present = await readdir(BUNDLE)
  for (const [, name, plain] of script.matchAll(IMPORT))
    if (plain === 'pack.jpg') await writeFile(join(folder, name!), await releasedNetworks())
    else {
      const kept = plain === 'webp_dec.wasm' ? 'libwebp.wasm' : plain!
      await copyFile(join(BUNDLE, present.find(file => file.endsWith(kept))!), join(folder, name!))
    }
  await writeFile(join(folder, 'worker.js'), script)
  return folder
}

async function releasedNetworks() {
  const { liveness, embedder } = STANDARD_PACK
  const input = { name: 'input', channels: 'BGR', mean: [0, 0, 0], std: [1, 1, 1] }
  const detector = { file: 'tiny.onnx', kind: 'yunet', side: 64, fixed: true, input }
  const models = [yunetFile(64, [FACE_IN_THE_MIDDLE]), await readModel(liveness.file)]
  const files = models.map(async (bytes, i) => ({
    file: [detector.file, liveness.file][i],
    sha256: await sha256(bytes),
    bytes: bytes.length,
  }))
  const pack = { detector, embedder: { chip: embedder.chip }, liveness }
  return encodeFrame({ label: chipLabel(STANDARD_PACK), pack, files: await Promise.all(files) }, models)
}
