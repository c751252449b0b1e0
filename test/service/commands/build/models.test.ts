import { readdir } from 'node:fs/promises'
import { buildModels, builtFiles, convertModelFile } from '#commands/build/models.ts'
import { type BuiltFile, checkModelFile } from '#models/file-entry.ts'
import { BUILT_FOLDER, readModel } from '#models/files.ts'
import { entryOf, STANDARD } from '#models/manifest.ts'

const FILE = STANDARD.landmarks.file
const steps = async () => {
  const seen: { file: string; built: boolean }[] = []
  await buildModels({ onProgress: step => seen.push(step) })
  return seen
}

it('buildModels does not rebuild files that match the manifest', async () => {
  await buildModels()
  expect(await steps()).toEqual(builtFiles().map(([file]) => ({ file, built: false })))
})

it('convertModelFile refuses a network whose SHA-256 differs from the manifest', async () => {
  const file = 'mobilefacenet.onnx'
  const entry = { ...entryOf(file), networkSha256: 'ab'.repeat(32) } as BuiltFile
  await expect(convertModelFile(file, entry)).rejects.toThrow('SHA-256')
})

it('convertModelFile refuses a source whose version differs from the manifest', async () => {
  const [, entry] = builtFiles().find(([file]) => file === FILE)!
  await expect(convertModelFile(FILE, { ...entry, version: '0.0.1' })).rejects.toThrow('0.0.1')
})

it('readModel reads a built model, and checkModelFile refuses changed bytes', async () => {
  await buildModels()
  const bytes = await readModel(FILE)
  expect(bytes.length).toBe(entryOf(FILE).bytes)
  bytes[bytes.length >> 1]! ^= 1
  await expect(checkModelFile(bytes, entryOf(FILE))).rejects.toThrow('SHA-256')
  await expect(checkModelFile(bytes.subarray(1), entryOf(FILE))).rejects.toThrow('bytes')
})

it('buildModels leaves no temporary files', async () => {
  await buildModels()
  expect((await readdir(BUILT_FOLDER)).sort()).toEqual(
    builtFiles()
      .map(([file]) => file)
      .sort(),
  )
})
