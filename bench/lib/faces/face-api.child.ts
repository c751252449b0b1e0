/** face-api on TensorFlow.js's WASM backend, behind HTTP: POST /DETECTOR/detect or /DETECTOR/identify with a JPEG. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { listen } from '#test/support/processes.ts'
import { childTask } from '../../child.ts'
import { ROOT } from '../../rig.ts'
import { pixelsOf } from './analysis.ts'
import { openTensorflow, requireFaceApi } from './tensorflow.ts'

interface Detected {
  readonly box: Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>
}

// biome-ignore lint/suspicious/noExplicitAny: face-api has no types for Node
const [tf, faceApi] = [await openTensorflow<any>(), requireFaceApi<any>()]
const models = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'model')
for (const network of ['ssdMobilenetv1', 'tinyFaceDetector', 'faceLandmark68Net', 'faceRecognitionNet'])
  await faceApi.nets[network].loadFromDisk(models)

/** The options that face-api has by default. */
const OPTIONS: Readonly<Record<string, object>> = {
  ssd: new faceApi.SsdMobilenetv1Options(),
  tiny: new faceApi.TinyFaceDetectorOptions(),
}

const server = createServer(async (request, response) => {
  const [, name = '', operation] = (request.url ?? '').split('/')
  const { data, width, height } = await pixelsOf(sharp(await buffer(request)).rotate())
  const pixels = tf.tensor3d(data, [height, width, 3], 'int32')
  if (operation === 'identify')
    await faceApi.detectSingleFace(pixels, OPTIONS[name]).withFaceLandmarks().withFaceDescriptor()
  const found: Detected[] = operation === 'detect' ? await faceApi.detectAllFaces(pixels, OPTIONS[name]) : []
  pixels.dispose()
  const boxes = found.map(({ box: { left: x1, top: y1, right: x2, bottom: y2 } }) => ({ x1, y1, x2, y2 }))
  response.end(JSON.stringify(boxes))
})
const { send, stopped } = childTask()
stopped.addEventListener('abort', () => process.exit(0))
send({ port: await listen(server) })
