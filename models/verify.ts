/** The check that a model file is the one that the manifest means. */
import { sha256 } from '../core/contract/signature.ts'
import { entryOf, type ModelFile, type ReadModel } from './manifest.ts'

/** The same bytes, when they are the ones that the manifest's entry promises; throws otherwise. Runs in workerd and Node. */
export async function verified<Bytes extends Uint8Array<ArrayBuffer>>(
  bytes: Bytes,
  entry: Pick<ModelFile, 'sha256' | 'bytes'>,
): Promise<Bytes> {
  if (bytes.length !== entry.bytes) {
    throw new Error(
      `a model file has ${bytes.length} bytes, its manifest says ${entry.bytes}: run npm run models`,
    )
  }
  const actual = await sha256(bytes)
  if (actual !== entry.sha256) {
    throw new Error(
      `a model file has the SHA-256 ${actual}, its manifest says ${entry.sha256}: run npm run models`,
    )
  }
  return bytes
}

/** Reads models that lie in memory, as those do that are part of the edge's bundle: file -> bytes. */
export const modelsIn =
  (files: Readonly<Record<string, ArrayBuffer>>): ReadModel =>
  async file => {
    const bytes = files[file]
    if (!bytes) throw new Error(`the bundle has no model file ${file}`)
    return verified(new Uint8Array(bytes), entryOf(file))
  }
