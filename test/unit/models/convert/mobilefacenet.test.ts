/** Refusal of unknown sources. golden.test.ts tests the converted networks. */
import { converted } from '#commands/build/models.ts'
import type { BuiltFile } from '#models/file-entry.ts'
import { entryOf } from '#models/manifest.ts'

const FILE = 'mobilefacenet.onnx'

it('converted refuses a network whose SHA-256 differs from the manifest', async () => {
  const entry = entryOf(FILE) as BuiltFile
  await expect(converted(FILE, { ...entry, networkSha256: 'ab'.repeat(32) } as BuiltFile)).rejects.toThrow(
    'SHA-256',
  )
})
