/** The compared libraries: TensorFlow.js with its WASM backend, face-api, and human. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { ROOT } from '../../rig.ts'

const require = createRequire(import.meta.url)

/** Resolves by path: human's package does not export its folder to `require`. */
const packageFolder = (name: string): string => join(ROOT, 'node_modules', name)

/** Folder of the backend's WASM files. */
const WASM = `${packageFolder('@tensorflow/tfjs-backend-wasm')}/dist/`

export async function tensorflow() {
  const tf = require('@tensorflow/tfjs')
  require('@tensorflow/tfjs-backend-wasm').setWasmPaths(WASM)
  await tf.setBackend('wasm')
  await tf.ready()
  return tf
}

/** face-api with these of its networks, which its `nets` names. */
export async function openFaceApi(...networks: string[]) {
  await tensorflow()
  const faceApi = require('@vladmandic/face-api/dist/face-api.node-wasm.js')
  const models = join(packageFolder('@vladmandic/face-api'), 'model')
  for (const network of networks) await faceApi.nets[network].loadFromDisk(models)
  return faceApi
}

/** human with one face per picture and no cache between pictures. `face` is added to its configuration of faces. */
export async function openHuman(face: object) {
  await tensorflow()
  const off = { enabled: false }
  const { Human } = require(join(packageFolder('@vladmandic/human'), 'dist', 'human.node-wasm.js'))
  const human = new Human({
    ...{ backend: 'wasm', wasmPath: WASM, modelBasePath: `${await humanModels()}/` },
    ...{ cacheModels: false, cacheSensitivity: 0, skipAllowed: false, filter: off },
    face: { detector: { maxDetected: 1 }, ...face },
    ...{ body: off, hand: off, object: off, gesture: off, segmentation: off },
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
