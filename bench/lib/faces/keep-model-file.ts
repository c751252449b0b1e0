/** Writes a file of numbers that a benchmark makes to models/. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '#contract/digest.ts'
import { ROOT } from '../../rig.ts'

/** Writes little-endian float32 values, and their hash to the manifest. Returns what to run next. */
export async function keepModelFile(file: string, numbers: Float32Array): Promise<string> {
  const bytes = new Uint8Array(numbers.buffer as ArrayBuffer)
  const manifest = join(ROOT, 'models', 'manifest.json')
  await writeFile(join(ROOT, 'models', file), bytes)
  const document = JSON.parse(await readFile(manifest, 'utf8'))
  Object.assign(document.files[file], { sha256: await sha256(bytes), bytes: bytes.length })
  await writeFile(manifest, `${JSON.stringify(document, null, 2)}\n`)
  return `models/${file} (now "npm run format", and "mien models")`
}
