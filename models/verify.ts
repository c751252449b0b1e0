/** Verifies that a model file has the content that the manifest states. */
import { sha256 } from '../contract/rpc/signature.ts'
import type { FileChecks } from './file-entry.ts'

/** Returns the bytes if they match the manifest's entry; throws otherwise. Runs in workerd and Node. */
export async function verified<Bytes extends Uint8Array<ArrayBuffer>>(
  bytes: Bytes,
  entry: FileChecks,
): Promise<Bytes> {
  if (bytes.length !== entry.bytes) {
    throw new Error(
      `a model file has ${bytes.length} bytes, its manifest says ${entry.bytes}: build or install it again`,
    )
  }
  const actual = await sha256(bytes)
  if (actual !== entry.sha256) {
    throw new Error(
      `a model file has the SHA-256 ${actual}, its manifest says ${entry.sha256}: build or install it again`,
    )
  }
  return bytes
}
