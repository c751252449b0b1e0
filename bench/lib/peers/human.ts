/** human as a peer: one face per picture, no cache between pictures, and only the requested models. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { packageFolder, require, tensorflow, wasmPath } from './tensorflow.ts'

/** Opens human. `face` is its configuration of faces, in addition to the detector's. */
export async function openHuman(face: object) {
  await tensorflow()
  const off = { enabled: false }
  const { Human } = require(join(packageFolder('@vladmandic/human'), 'dist', 'human.node-wasm.js'))
  const human = new Human({
    backend: 'wasm',
    wasmPath: wasmPath(),
    modelBasePath: `${await humanModels()}/`,
    cacheModels: false,
    cacheSensitivity: 0,
    skipAllowed: false,
    filter: off,
    face: { detector: { maxDetected: 1 }, ...face },
    body: off,
    hand: off,
    object: off,
    gesture: off,
    segmentation: off,
  })
  await human.load()
  return human
}

/** human fetches its models, and Node's fetch cannot read files. This origin serves them to this process. */
export async function humanModels(): Promise<string> {
  const folder = join(packageFolder('@vladmandic/human'), 'models')
  const server = createServer(async (request, response) => {
    response.end(await readFile(join(folder, basename(request.url ?? ''))))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
