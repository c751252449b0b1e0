/** Reads the top-level names of a JSON body before it is parsed. */
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import { scanJson } from '../../../contract/parameters/json-text.ts'
import { pause } from '../../admission/fair-queue.ts'

/** Bytes scanned between pauses: a few milliseconds of computation. */
const PIECE = 2 ** 21

/**
 * The names of a JSON object as bytes, repetitions included; undefined when a limit is exceeded. Pauses let other requests
 * run during the scan.
 */
export async function jsonNames(bytes: Uint8Array): Promise<Uint8Array[] | undefined> {
  // The body itself counts as a level.
  const scanned = scanJson(bytes, REQUEST_LIMITS.nestingLevels + 1)
  for (let end = 0; end < bytes.length; ) {
    if (end > 0) await pause(0)
    end = Math.min(bytes.length, end + PIECE)
    if (!scanned.to(end)) return undefined
  }
  return scanned.names.map(([start, end]) => bytes.subarray(start, end))
}
