/** A source that is another file than the recipe knows is refused. The network that it makes is tried in golden.test.ts. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { converted } from '../../../../models/build.ts'
import { mobileFaceNetModel } from '../../../../models/convert/mobilefacenet.ts'
import type { BuiltFile } from '../../../../models/file-entry.ts'
import { entryOf } from '../../../../models/manifest.ts'

const FILE = 'mobilefacenet.onnx'
const LIVENESS = new URL(
  '../../../../node_modules/faceplugin-face-recognition-js/model/fr_liveness.onnx',
  import.meta.url,
)

it('refuses another network', async () => {
  expect(() => mobileFaceNetModel(new Uint8Array())).toThrow('does not end with a convolution')
  const liveness = new Uint8Array(await readFile(LIVENESS))
  expect(() => mobileFaceNetModel(liveness)).toThrow()
})

it('refuses a source with other bytes than the manifest names', async () => {
  const entry = entryOf(FILE) as BuiltFile
  await expect(converted(FILE, { ...entry, networkSha256: 'ab'.repeat(32) } as BuiltFile)).rejects.toThrow(
    'SHA-256',
  )
})
